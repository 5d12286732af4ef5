"""Positions that can't be: after a phase there is none, and of those that a GM's edit leaves the rulebook's checks say
what is wrong, and never fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from adjudicator.engine.bots import Step
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import Outcome, flaws_in
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import position_after
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import decode_secret, plain_of


def impossible_after(rulebook: Rulebook[Any], before: Any, outcome: Outcome) -> Iterator[str]:
    """What can't be in the position after a phase, and since which event; nothing while the phase waits."""
    for flaw in () if outcome.waiting else flaws_in(rulebook, outcome.state):
        here, since = before, None
        for event in outcome.events:
            here = position_after([event], here)
            since = (since or event) if flaw in flaws_in(rulebook, here) else None
        place, why = ".".join(map(str, flaw.path)), flaw.reason
        yield f"{place} {why.key} ({why.rule}), since {since or 'the phase began'}"


def careless_checks(rulebook: Rulebook[Any], steps: Iterable[Step], seed: str) -> Iterator[str]:
    """Positions of a random match, spoiled as by a GM's edit, on which a check of the rulebook raises an exception."""
    chance = SeededChance(seed)
    for step in steps:
        plain = plain_of(step.before)
        for _ in range(3):
            given = {
                key: gm_spoiled(value, chance) if key != "phase" else value for key, value in plain.items()
            }
            try:
                state = msgspec.convert(given, rulebook.State, dec_hook=decode_secret)
            except (msgspec.ValidationError, ValueError, NotImplementedError):
                continue
            try:
                flaws_in(rulebook, state)
            except Exception as error:  # a check must not raise anything
                yield f"{step.before.phase}: a check raises {type(error).__name__}: {error}"


def gm_spoiled(plain: Any, chance: Chance) -> Any:
    """A position with one thing changed to another of the same kind, so that it can usually still be read."""
    if isinstance(plain, Mapping):
        return {key: gm_spoiled(value, chance) for key, value in plain.items() if chance(40)}
    if isinstance(plain, list):
        found = [gm_spoiled(value, chance) for value in plain if chance(30)]
        return [*found, *found[:1]] if not chance(30) else found
    if chance(30) or isinstance(plain, bool) or plain is None:
        return plain
    return plain - 1 - chance(9) if isinstance(plain, int) else f"{plain}-9"
