"""What may happen to one's orders: told of things that they name, by players who may order too."""

from __future__ import annotations

import json
from functools import cache

import pytest

from adjudicator.engine.library import registry
from adjudicator.engine.play.position import write_position
from adjudicator.page.called import call
from adjudicator.page.foreseen import tries
from adjudicator.page.may_happen import MOST, May, what_may_happen
from adjudicator.page.opened import OpenView
from tests.page.test_foreseen import tried


@cache
def found(game: str) -> tuple[tuple[OpenView, str, list[May]], ...]:
    return tuple(
        (view, text, what_may_happen(view, text, *tried_so)) for (_, _, view, text), *tried_so in tried(game)
    )


@pytest.mark.parametrize("game", ["mediterranee", "serenissima", "oltremare", "triumvirat"])
def test_it_is_others_doing_to_a_thing_that_an_order_names(game: str) -> None:
    told = 0
    for view, text, may in found(game):
        orders = json.loads(text)["orders"]
        for each in may:
            what, number = each.at
            assert what == "orders"
            assert each.words
            if each.who:
                assert each.place in json.dumps(orders[int(number)])
                assert each.place not in view.view.players
                assert each.seat >= 0
            told += 1
        assert all(sum(one.at == each.at for one in may) <= MOST for each in may)
    assert told > 0


@pytest.mark.parametrize("game", registry.OWN)
def test_nothing_may_happen_to_no_orders(game: str) -> None:
    for view, _, _ in found(game)[:6]:
        text = json.dumps({"player": view.me, "orders": []})
        assert what_may_happen(view, text, *tries(view, text)) == []


def test_an_order_that_may_come_to_nothing_says_why() -> None:
    missed = [each for _, _, may in found("triumvirat") for each in may if not each.who]
    assert missed
    assert all(": " in each.words for each in missed)


def test_the_page_is_told_with_the_points() -> None:
    view, text, may = next(each for each in found("serenissima") if each[2])
    answer = json.loads(call("foresee", json.dumps({"view": write_position(view.view), "text": text})))
    assert [each["words"] for each in answer["may"]] == [each.words for each in may]
