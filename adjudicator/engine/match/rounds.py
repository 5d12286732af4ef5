"""How often a match has waited for mail, and how often it would have with other stops."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.play.options import EVERY
from adjudicator.engine.play.stops import number_of_stops


class Rounds(Struct, frozen=True):
    """Rounds of mail so far, and for each option (`stops=auction,movement`) how many if nobody ever sent ahead."""

    so_far: int
    by_stops: Mapping[str, int]


def rounds_of(match: Folder) -> Rounds:
    """Counts the phases at which reports were handed out and somebody was due."""
    heads = [match.state(number).phase for number in range(match.last + 1)]
    told = [match.handed_out(number) for number in range(match.last + 1)]
    so_far = sum(bool(head.due) and there for head, there in zip(heads, told, strict=True))
    options = match.state(match.last).options
    lists = {f"stops={EVERY}": EVERY, **{f"stops={','.join(stops)}": stops for stops in match.rulebook.stops}}
    return Rounds(
        so_far,
        {
            name: number_of_stops(match.rulebook, replace(options, stops=stops), heads)
            for name, stops in lists.items()
        },
    )
