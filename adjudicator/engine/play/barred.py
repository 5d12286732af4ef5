"""Why an order can't be about a thing on the board: what the rule that picks it says of its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from adjudicator.engine.play.left import Naming
from adjudicator.engine.play.listing import Fork
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Phase


def barred(phase: Phase[Any], view: Any, me: Player, names: Sequence[str]) -> dict[str, list[Reason]]:
    """By name, for those that no order of the phase can be about now: why not, verb by verb."""
    found: dict[str, list[Reason]] = {}
    admitted: set[str] = set()
    for fork in subject_picks(phase, view, me):
        for name in names:
            try:
                fork.admits.read(int(name) if name.isdecimal() else name)
                admitted.add(name)
            except Refused as refused:
                found.setdefault(name, []).append(refused.under(fork.rule).reason)
    return {name: whys for name, whys in found.items() if name not in admitted}


def subject_picks(phase: Phase[Any], view: Any, me: Player) -> Iterator[Fork]:
    """The picks at which orders of the phase name what they are about, where nothing must be picked before."""
    for verb in phase.verbs.values():
        subject = verb.subject or ()
        fork = Naming(view, me, {}, subject).run(verb.rule)
        if isinstance(fork, Fork) and fork.field in subject:
            yield fork
