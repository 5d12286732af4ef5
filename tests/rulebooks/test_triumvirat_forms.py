"""Forms of Triumvirat: what can be done is shown as possible, and what they say of a phase to come is known by then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.contract import matches
from adjudicator.engine.play.choices import OPEN, choices_now
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import example, part_of
from adjudicator.engine.sheets import registry
from adjudicator.engine.table import changed, face_down
from adjudicator.engine.table.event import Head

RULEBOOK = registry.rulebook("triumvirat")
PLAYERS = RULEBOOK.tables[min(RULEBOOK.tables)][0]
SIX = ("grain", "metal", "wine", "oil", "slaves", "gems")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (None, "PUT OUT as many cards as the trade leader calls for (TRI-3.1)"),
        (3, "PUT OUT 3 cards (TRI-3.1)"),
    ],
)
def test_how_many_cards_are_put_out_is_said_when_it_is_called(number: int | None, said: str) -> None:
    steps = matches.steps(RULEBOOK, PLAYERS, "forms")
    state = next(step.before for step in steps if step.before.phase.name == "italy")
    view = position_for(RULEBOOK, replace(state, number=number), PLAYERS[0])
    assert said in part_of(RULEBOOK, RULEBOOK.phase("trade"), view, PLAYERS[0]).facts


@pytest.mark.parametrize(
    ("verb", "cards", "taxes", "can"),
    [
        ("bid", (), 1, True),
        ("bid", ("tax", "tax"), 0, True),
        ("bid", ("grain",), 0, False),
        ("senator", (), 6, True),
        ("senator", SIX, 0, True),
        ("senator", ("grain", *SIX), 5, True),
        ("senator", SIX[1:], 5, False),
        ("offer", ("grain", "oil", "oil"), 0, True),
        ("offer", ("grain", "oil"), 0, True),
        ("offer", ("grain",), 1, True),
        ("offer", ("oil", "oil"), 0, True),
        ("recruit", ("grain", "wine", "oil"), 0, True),
        ("recruit", ("grain", "wine", "wine"), 9, False),
    ],
    ids=str,
)
def test_what_can_be_paid_is_shown_as_possible(
    verb: str, cards: Sequence[str], taxes: int, can: bool
) -> None:
    """TRI-3.1, TRI-4.1, TRI-4.4, TRI-8.1: with any cards that are enough, on pages, in editors and as an example."""
    me = PLAYERS[0]
    found = choices_now(RULEBOOK.phase(PHASE_OF[verb]), view := position(verb, me, cards, taxes), me)
    shown = example(verb, RULEBOOK.phase(PHASE_OF[verb]).verbs[verb], view, me)
    assert (verb in found.verbs, bool(found.possible[verb]), shown is not None) == (can, can, can)


@pytest.mark.parametrize("cards", [("oil", *SIX), ("oil", "oil", "wine", "wine", "gems", "gems")], ids=str)
def test_what_one_legion_costs_is_not_said_of_two(cards: Sequence[str]) -> None:
    """TRI-4.1: where two can be paid too, a page doesn't hold `pay` to the cards of one."""
    found = choices_now(RULEBOOK.phase("building"), position("recruit", PLAYERS[0], cards, 0), PLAYERS[0])
    assert found.nodes[found.verbs["recruit"]]["then"] == OPEN


PHASE_OF = {"bid": "titles", "senator": "building", "recruit": "building", "offer": "trade"}


def position(verb: str, me: str, cards: Sequence[str], taxes: int) -> Any:
    """The view of a player with these cards in hand and taxes kept, in the phase of a verb."""
    state = RULEBOOK.start("forms", RULEBOOK.Options(), PLAYERS)
    state = changed(state, "players", me, cards=face_down(cards), taxes=taxes)
    head = Head(3, PHASE_OF[verb], 1, PLAYERS)
    return position_for(RULEBOOK, replace(state, on_offer=("brutus",), number=2, phase=head), me)
