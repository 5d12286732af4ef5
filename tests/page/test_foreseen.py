"""What the page says a sheet would bring: no other than what a run makes of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.engine.bots import Step
from adjudicator.engine.library import registry
from adjudicator.engine.match.resolving import play, read_given
from adjudicator.engine.match.trying_out import guessed_position
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.event import Player
from adjudicator.page.called import call
from adjudicator.page.foreseen import Foreseen, counts, foresee
from adjudicator.page.opened import OpenView, opened
from tests.page.positions import some_steps


@cache
def foreseen(game: str) -> Sequence[tuple[Step, Player, str, Sequence[Foreseen]]]:
    """Sheets of bots, and what the page says of each."""
    return [(step, player, text, foresee(view, text)) for step, player, view, text in sheets(game)]


def sheets(game: str) -> Iterator[tuple[Step, Player, OpenView, str]]:
    """Sheets of bots, each with its player's view."""
    for step in some_steps(game)[::3]:
        for player, sheet in step.sheets.items():
            view = position_for(registry.rulebook(game), step.before, player)
            orders = [order.plain for order in sheet.orders or ()]
            text = json.dumps({"player": player, "orders": orders})
            yield step, player, opened(write_position(view).encode()), text


def run_alone(game: str, step: Step, player: Player, text: str, seed: str) -> Any:
    """The position, as the player sees it, after a run from the real position with that sheet alone. Nobody else has
    given standing instructions: these can't be guessed.
    """
    rulebook, state = registry.rulebook(game), step.before
    guess = guessed_position(rulebook, position_for(rulebook, state, player), player).players
    seats = {name: replace(seat, standing=guess[name].standing) for name, seat in state.players.items()}
    state = replace(state, players=seats, options=replace(state.options, pacing="batch"))
    mail = read_given(rulebook, state, {f"{player}.yaml": text.encode()}, {}).mail
    played, _ = play(rulebook, state, mail, (), seed)
    return position_for(rulebook, played[-1].outcome.state, player)


def least_and_most(text: str) -> tuple[int, int]:
    """The numbers of `3` or `3 to 6`."""
    least, _, most = text.partition(" to ")
    return int(least.rstrip("+?") or 0), int((most or least).rstrip("+?") or 0)


@pytest.mark.parametrize("game", registry.OWN)
def test_then_is_what_a_run_makes_of_the_sheet_alone(game: str) -> None:
    rulebook, tried = registry.rulebook(game), 0
    for step, player, text, found in foreseen(game):
        if not found:
            continue
        after = counts(rulebook, run_alone(game, step, player, text, "0"), player)["total"][1]
        least, most = least_and_most(found[0].then)
        assert least <= after.points <= most, (step.before.phase, player, text, found)
        tried += 1
    assert tried > 0


def test_may_be_holds_then_and_better_says_how_it_changes() -> None:
    for _, _, _, found in foreseen("mediterranee"):
        for each in found:
            (least, most), then = least_and_most(each.may), least_and_most(each.then)
            assert least <= then[0] <= then[1] <= most
            was = int(each.now)
            assert each.better == (then[0] > was) - (then[1] < was)


def test_the_page_is_told_whether_the_others_pass_or_order_as_guessed() -> None:
    _, _, view, text = next(each for each in sheets("mediterranee") if foresee(*each[2:]))
    given = {"view": write_position(view.view), "text": text}
    alone, guessed = (json.loads(call("foresee", json.dumps(given | more))) for more in ({}, {"guesses": {}}))
    assert alone["as"] != guessed["as"]
    assert len(alone["heads"]) == 3
    assert {*alone["lines"][0]} <= {*Foreseen.__struct_fields__}


def test_a_guess_is_ordered_on_the_page_of_the_other_player() -> None:
    """Of another's position it shows what that player would see, and nothing that `me` knows better."""
    _, me, view, _ = next(sheets("mediterranee"))
    other = next(each["id"] for each in view.others() if each["due"])
    found = json.loads(call("guess", json.dumps({"view": write_position(view.view), "player": other})))
    imagined = opened(found["view"].encode())
    assert imagined.me == other
    assert not imagined.view.players[me].standing.known
    assert 'id="packed"' in found["page"]
    assert imagined.view.phase == view.view.phase
