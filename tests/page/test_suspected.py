"""What a player suspects others to hold, and that whatever is tried out then plays on it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.engine.library import registry
from adjudicator.engine.match.trying_out import Impossible, guessed_position
from adjudicator.engine.play.known import at
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.boxes import cards_in, known_of
from adjudicator.page.called import call
from adjudicator.page.opened import OpenView, opened
from adjudicator.page.suspected import Suspect, suspecting, suspects
from tests.page.positions import some_positions

SECRETIVE = ("mediterranee", "oltremare", "rome-carthage", "triumvirat")


def views(game: str) -> list[OpenView]:
    rulebook = registry.rulebook(game)
    return [
        opened(write_position(position_for(rulebook, state, player)).encode())
        for state in some_positions(game)
        for player in state.phase.due[:1]
    ]


def value_for(each: Suspect) -> dict[str, Mapping[str, Any]]:
    """Something to suspect there: a number, or as many of the cards as there is room for, to three."""
    if each.cards:
        return {"cards": {each.place: [*each.cards][-min(3, each.room) :]}}
    return {"numbers": {each.place: each.least + 7}}


@pytest.mark.parametrize("game", SECRETIVE)
def test_a_guess_holds_what_is_suspected(game: str) -> None:
    tried = 0
    for view in views(game):
        for each in suspects(view):
            given, place = value_for(each), tuple(each.place.split("."))
            known = suspecting(view, **given)
            held = at(guessed_position(view.rulebook, view.view, view.me, "2", known), place)
            if "numbers" in given:
                assert held.value == given["numbers"][each.place]
            else:
                left = known_of(cards_in(held))
                for card in given["cards"][each.place]:
                    left.remove(card)
            tried += 1
    assert tried > 0


@pytest.mark.parametrize("game", registry.OWN)
def test_nothing_of_ones_own_and_nothing_in_the_open_can_be_suspected(game: str) -> None:
    for view in views(game):
        for each in suspects(view):
            assert not each.place.startswith(f"players.{view.me}.")
            assert each.words
            assert each.place.split(".")[1] in view.view.players


def test_a_card_that_is_suspected_of_one_can_not_be_suspected_of_another() -> None:
    view = views("oltremare")[0]
    one, other = [each for each in suspects(view) if each.cards][:2]
    card = next(iter(one.cards))
    after = {each.place: each for each in suspects(view, suspecting(view, cards={one.place: [card]}))}
    assert after[one.place].room == one.room - 1
    assert after[one.place].held == {card: one.cards[card]}
    assert card not in after[other.place].cards
    with pytest.raises(Impossible):
        suspecting(view, cards={one.place: [card], other.place: [card]})


def test_the_page_is_given_what_is_known_then_and_plays_on_it() -> None:
    view = views("mediterranee")[1]
    each, text = next(iter(suspects(view))), write_position(view.view)
    asked = {"view": text, "numbers": {each.place: 12}, "cards": {}}
    found = json.loads(call("suspect", json.dumps(asked)))
    told = f"{each.place}: {{least: 12, most: 12}}"
    assert told in found["known"]
    assert {"place", "words"} <= {*found["suspects"][0]}
    asked = {"view": text, "known": found["known"], "player": each.place.split(".")[1]}
    guess = json.loads(call("guess", json.dumps(asked)))
    assert "treasury: 12" in guess["view"]
