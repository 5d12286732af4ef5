"""Oltre Mare's form for the loading: it asks for a ship's route only if the cards played have ship symbols."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from adjudicator.engine.library.rules import rules_of
from adjudicator.rulebooks.oltremare import RULEBOOK
from adjudicator.rulebooks.oltremare.board import BOARD, CARDS
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
    assert ("goes on by 1 port," in form, "goes on by 2 ports," in form) == (ships == 1, ships == 2)
    assert ("route" in form.partition("\n\norders:")[0].lower()) == (ships > 0)


def test_what_a_form_says_of_no_orders_is_what_comes_of_them() -> None:
    """In the talk they make no deals, and the voyage is asked for; there and in the loading the rules decide."""
    first = {step.before.phase.name: step.before for step in reversed(MATCH.steps())}
    said = {
        name: MATCH.form(first[name], first[name].phase.due[0]) for name in ("commerce", "voyage", "cargo")
    }
    assert "`orders: []` passes." in said["commerce"]
    assert "`orders: []` lets the rules decide everything (OLT-3)." in said["voyage"]
    assert "`orders: []` lets the rules decide everything (OLT-4)." in said["cargo"]


@pytest.mark.parametrize("phase", ["commerce", "answer", "voyage", "cargo"])
def test_a_form_says_what_lots_pay(phase: str) -> None:
    """OLT-7.2: of all goods, those of the own hand or not."""
    state = next(step.before for step in MATCH.steps() if step.before.phase.name == phase)
    form = MATCH.form(state, state.phase.due[0])
    said = "gem 2 5 9; parchment 1 4 8; silk 1 4 7; salt 1 3 6 10; pottery 1 3 6 9; olive 1 2 4 8 13; grain 0 2 4 8 12"
    assert said in form


def test_the_payouts_in_the_rules_are_the_boards() -> None:
    """OLT-7.2: what a lot pays stands in the rules as it is on the cards."""
    text = rules_of(RULEBOOK)["OLT-7.2"].text
    for name, good in BOARD.goods.items():
        assert f"{name} {' '.join(map(str, good.payout))}" in text
