"""Forms of Triumvirat: what they say of a phase to come is no more than is known by then."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from adjudicator.contract import matches
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import part_of
from adjudicator.engine.sheets import registry

RULEBOOK = registry.rulebook("triumvirat")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (None, "PUT OUT as many cards as the trade leader calls for (TRI-3.1)"),
        (3, "PUT OUT 3 cards (TRI-3.1)"),
    ],
)
def test_how_many_cards_are_put_out_is_said_when_it_is_called(number: int | None, said: str) -> None:
    players = RULEBOOK.tables[min(RULEBOOK.tables)][0]
    steps = matches.steps(RULEBOOK, players, "forms")
    state = next(step.before for step in steps if step.before.phase.name == "italy")
    view = position_for(RULEBOOK, replace(state, number=number), players[0])
    assert said in part_of(RULEBOOK, RULEBOOK.phase("trade"), view, players[0]).facts
