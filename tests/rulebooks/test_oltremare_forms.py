"""What a form of Oltre Mare says of the loading: of a ship's route only where the cards played have ship symbols."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from adjudicator.rulebooks.oltremare.board import CARDS
from tests.rulebooks.oltremare_match import MATCH


@pytest.mark.parametrize("ships", [0, 1, 2])
def test_a_ship_without_a_symbol_takes_no_route(ships: int) -> None:
    state = next(step.before for step in MATCH.steps() if step.before.phase.name == "cargo")
    with_ships = [name for name, card in CARDS.items() if "ship" in card.symbols]
    without = [name for name, card in CARDS.items() if "ship" not in card.symbols]
    state = replace(state, in_play=(*with_ships[:ships], *without[:2]))
    form = MATCH.form(state, state.turn_of)
    assert f"with {ships} ship symbol" in form
    assert ("your ship stays" in form) == (ships == 0)
    assert ("route" in form.partition("\n\norders:")[0].lower()) == (ships > 0)
