"""Orders for a galley that are legal, but odd: a player's own check warns of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.engine.table import Table
from adjudicator.engine.table.reason import Path
from adjudicator.rulebooks.serenissima.board import GalleyId, ZoneId
from adjudicator.rulebooks.serenissima.selling import Wanted
from adjudicator.rulebooks.serenissima.state import State
from adjudicator.rulebooks.serenissima.targets import IfBlocked, Target


def warn_of_names(
    t: Table[State],
    name: GalleyId,
    zones: Sequence[ZoneId],
    wanted: Wanted,
    targets: Sequence[Target],
    how: IfBlocked,
) -> None:
    """SER-4.1, SER-5.1: warns of ports that aren't on the way, and of galleys that don't exist."""
    for port in wanted if isinstance(wanted, Mapping) else ():
        if port not in zones:
            t.warn("SER-4.1", "sold-elsewhere", "sell", port, galley=name, zone=zones[-1])
    for index, target in enumerate(targets):
        if target.port and target.port not in zones:
            t.warn("SER-5.1", "port-elsewhere", "fight", index, port=target.port, zone=zones[-1])
    blockers = () if how.fight == "all" else how.fight
    named: list[tuple[int | None, Path]] = [
        *((target.galley, ("fight", index)) for index, target in enumerate(targets)),
        *((number, ("if_blocked", "fight", index)) for index, number in enumerate(blockers)),
    ]
    for number, path in named:
        if number is not None and str(number) not in t.state.galleys:
            t.warn("SER-5.1", "galley-elsewhere", *path, galley=str(number), zone=zones[-1])
