"""Promise: a guess fills in everything that a reader can't know, and looks to its reader like the real position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.engine.bots.simulation import Step
from adjudicator.engine.play.inbox import flaws_in
from adjudicator.engine.play.position import ways_to_hidden
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.rulebook import Rulebook


def bad_guesses(rulebook: Rulebook[Any], step: Step, chance: Chance) -> Iterator[str]:
    """Guesses after a phase that hide something, are impossible, or differ from what their reader sees."""
    state = step.outcome.state
    for who in state.players:
        view = position_for(rulebook, state, who)
        guess = rulebook.guess(view, who, chance)
        where = f"{state.phase}: a guess of {who}"
        for path in ways_to_hidden(guess):
            yield f"{where} hides {'.'.join(map(str, path))}"
        for flaw in flaws_in(rulebook, guess):
            yield f"{where} can't be: {flaw}"
        if position_for(rulebook, guess, who) != view:
            yield f"{where} isn't what {who} sees"
