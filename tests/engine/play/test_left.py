"""What is left to decide, beyond what the contract asks of every game."""

from __future__ import annotations

from functools import partial

import pytest

from adjudicator.engine.library import registry
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.left import left_in
from adjudicator.engine.play.view import position_for
from tests.bench import calls
from tests.page.positions import some_steps


@pytest.mark.parametrize("game", registry.OWN)
def test_what_must_be_decided_can_be_asked_for_alone(game: str) -> None:
    rulebook = registry.rulebook(game)
    for step in some_steps(game)[::3]:
        for player in step.before.phase.due:
            view, sheet = position_for(rulebook, step.before, player), step.sheets[player]
            every = left_in(rulebook, view, player, sheet)
            assert left_in(rulebook, view, player, sheet, must=True) == tuple(
                each for each in every if each.must
            )
            for fields in [fields for each in every for fields in each.verbs.values()]:
                assert len({*fields}) == len(fields)


@pytest.mark.parametrize("game", registry.OWN)
def test_what_is_left_costs_at_most_three_checks(game: str) -> None:
    """In calls of functions, of all sheets of a match of bots; what is remembered of a position is worked out anew."""
    rulebook, check, left = registry.rulebook(game), 0, 0
    for step in some_steps(game):
        for player in step.before.phase.due:
            one, other = (position_for(rulebook, step.before, player) for _ in range(2))
            check += calls(partial(check_sheet, rulebook, one, step.sheets[player]))
            left += calls(partial(left_in, rulebook, other, player, step.sheets[player]))
    assert left <= 3 * check
