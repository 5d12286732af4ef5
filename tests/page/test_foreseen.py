"""What the page says a sheet would bring: no other than what a run makes of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.engine.bots import Step, play_match
from adjudicator.engine.library import registry
from adjudicator.engine.match.resolving import play, read_given
from adjudicator.engine.match.trying_out import guessed_position
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.points import Total
from adjudicator.page.called import call
from adjudicator.page.foreseen import Foreseen, Try, counts, foresee, lines_of, tries
from adjudicator.page.opened import OpenView, opened
from tests.page.positions import some_steps

Sheet = tuple[Step, Player, OpenView, str]
MANY = 100
"""How many sheets of each game a soak tries."""
RARE = 16
"""Of so many sheets one may draw cards that nobody has seen and that none of the tries drew."""


@cache
def tried(game: str) -> Sequence[tuple[Sheet, Sequence[Try], Sequence[Try]]]:
    """Sheets of bots, and how the page tries each."""
    return [(sheet, *tries(*sheet[2:])) for sheet in sheets(game)]


def sheets(game: str, steps: Sequence[Step] = ()) -> Iterator[Sheet]:
    """Sheets of bots, each with its player's view."""
    for step in (steps or some_steps(game))[::3]:
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


def differing(sheet: Sheet, then: Sequence[Try], seed: str = "0") -> list[str]:
    """The lines of the points of which a run makes something that no try of the page has brought."""
    step, player, _, text = sheet
    rulebook = registry.rulebook(step.before.rulebook)
    drawn = [counts(rulebook, each.after, player) for each in then]
    run = counts(rulebook, run_alone(rulebook.key, step, player, text, seed), player)

    def values(count: int | None, points: Total) -> tuple[int, int]:
        return count or 0, points.points

    def is_between(what: str) -> bool:
        made = zip(*(values(*each[what]) for each in drawn), strict=True)
        return all(min(some) <= one <= max(some) for some, one in zip(made, values(*run[what]), strict=True))

    return [what for what in run if all(what in each for each in drawn) and not is_between(what)]


@pytest.mark.parametrize("game", registry.OWN)
def test_then_is_what_a_run_makes_of_the_sheet_alone(game: str) -> None:
    found = [(sheet, then) for sheet, then, _ in tried(game) if then]
    assert found
    assert [each for each in found if differing(*each)] == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", ["0", "other dice"])
@pytest.mark.parametrize("game", registry.OWN)
def test_then_is_what_a_run_makes_of_many_sheets(game: str, seed: str) -> None:
    """Whatever falls and lies hidden: tries are spread so that each face and each of a few cards comes up in one."""
    rulebook, told = registry.rulebook(game), list[list[str]]()
    players, bot = rulebook.tables[max(rulebook.tables)][0], rulebook.bot
    assert bot is not None
    for match in count():
        steps = tuple(play_match(rulebook, players, dict.fromkeys(players, bot), f"many {match}"))
        every = [(sheet, tries(*sheet[2:])[0]) for sheet in sheets(game, steps)]
        told += [differing(sheet, then, seed) for sheet, then in every if then]
        if len(told) >= MANY:
            break
    assert sum(map(bool, told)) * RARE <= len(told)


def test_may_be_holds_then_and_better_says_how_it_changes() -> None:
    for (_, _, view, _), then_tries, may in tried("mediterranee"):
        for each in lines_of(view, then_tries, may):
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
