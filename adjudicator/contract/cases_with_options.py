"""Promise 3, cases with options: what holds wherever a case begins, with the usual options and each other one.

Its sheets, and random ones, lead to positions that can be; and who is due tells no secret. Random matches seldom get to
a limit or to every phase, cases get to every rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from adjudicator.contract.cases import Case, CaseDice, HighestFirst, outcome_on, position
from adjudicator.contract.event_leaks import secrets_told_by_due
from adjudicator.contract.options import option_text
from adjudicator.contract.positions import impossible_after
from adjudicator.engine.bots import random_bot, sheet_of
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import Inbox, Outcome, flaws_in
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.dice import OutOfDice
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Rulebook


def faults_of_cases(
    rulebook: Rulebook[Any],
    by_name: Mapping[str, Case | str],
    chosen: dict[str, Any],
    replaced: Sequence[str],
    times: int,
) -> Iterator[str]:
    """Cases where who is due tells a secret, or that end in a position that can't be, with their own sheets or any of
    `times` random ones.

    `chosen` is the option to play them with, `{}` for the usual ones. Left out are cases about that option, and those
    whose given position can't be with it.
    """
    for name, case in by_name.items():
        if isinstance(case, str) or "flaws" in case.expect or chosen.keys() & case.options.keys():
            continue
        other = replace(case, options={**case.options, **chosen})
        try:
            state = position(rulebook, other, replaced)
        except Refused:
            continue  # these players don't fit the option
        if flaws_in(rulebook, state):
            continue
        yield from (
            f"case {name}, options {option_text(chosen)}: {fault}"
            for fault in secrets_told_by_due(rulebook, state)
        )
        said = f"with options {option_text(chosen)} the position that comes of the case {name} can't be"
        yield from (
            f"{said}: {flaw}"
            for flaw in impossible_after(rulebook, state, outcome_of_own_sheets(rulebook, other, state))
        )
        for number in range(times):
            outcome = outcome_of_random_sheets(rulebook, state, f"{name} {number}")
            yield from (
                f"{said}, with other sheets: {flaw}" for flaw in impossible_after(rulebook, state, outcome)
            )


def outcome_of_own_sheets(rulebook: Rulebook[Any], case: Case, state: Any) -> Outcome:
    """The outcome of a case's own sheets, with its throws if they fit."""
    try:
        return outcome_on(rulebook, case, state, CaseDice(case.dice, HighestFirst()))
    except OutOfDice:  # with the option other throws fall
        return outcome_on(rulebook, case, state, HighestFirst())


def outcome_of_random_sheets(rulebook: Rulebook[Any], state: Any, seed: str) -> Outcome:
    """The outcome of random sheets of all who are due."""
    bot, chance = random_bot(rulebook), SeededChance(seed)
    sheets = {
        player: sheet_of(player, bot(position_for(rulebook, state, player), player, chance))
        for player in state.phase.due
    }
    return advance(rulebook, state, Inbox(sheets), HighestFirst(), strict=True)
