"""Promise: a guess fills in everything that a reader can't know, and looks to its reader like the real position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.contract.cases import Case, play_once
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import flaws_in
from adjudicator.engine.play.position import ways_to_hidden
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.rulebook import Rulebook


def bad_guesses(rulebook: Rulebook[Any], state: Any, chance: Chance) -> Iterator[str]:
    """Guesses of a position that can't be made, that hide something, are impossible, or differ from what their reader
    sees.
    """
    for who in state.players:
        view = position_for(rulebook, state, who)
        where = f"{state.phase}: a guess of {who}"
        try:
            guess = rulebook.guess(view, who, chance)
        except LookupError as error:
            yield f"{where} can't be made: {error}"
            continue
        for path in ways_to_hidden(guess):
            yield f"{where} hides {'.'.join(map(str, path))}"
        for flaw in flaws_in(rulebook, guess):
            yield f"{where} can't be: {flaw}"
        if position_for(rulebook, guess, who) != view:
            yield f"{where} isn't what {who} sees"


def bad_guesses_of_cases(
    rulebook: Rulebook[Any], by_name: Mapping[str, Case | str], replaced: Sequence[str]
) -> Iterator[str]:
    """Bad guesses of the positions that cases begin or end with; cases get where random matches seldom do, such as to a
    player who is out.
    """
    for name, case in by_name.items():
        if isinstance(case, str) or "flaws" in case.expect:
            continue
        before, outcome, _ = play_once(rulebook, case, replaced)
        for state in (before,) if outcome.waiting else (before, outcome.state):
            yield from (f"case {name}: {each}" for each in bad_guesses(rulebook, state, SeededChance(name)))
