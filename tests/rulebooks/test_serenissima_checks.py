"""Checks and forms of Serenissima when others act first."""

from __future__ import annotations

from itertools import product, takewhile
from typing import Any

import pytest

from adjudicator.contract import cases, matches
from adjudicator.engine.bots import sheet_of
from adjudicator.engine.play.attempts import possible_values
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.board import routes
from adjudicator.engine.table.event import Player
from adjudicator.rulebooks.serenissima import RULEBOOK
from adjudicator.rulebooks.serenissima.board import BORDERS
from adjudicator.rulebooks.serenissima.selling import sales_now
from tests.rulebooks.serenissima_match import steps

TABLES = [tables[0] for tables in RULEBOOK.tables.values()]


def said(state: Any, me: Player, plain: dict[str, Any]) -> list[tuple[str, str]]:
    """What the player's own check says of a sheet: how bad it is, and why."""
    found = check_sheet(RULEBOOK, position_for(RULEBOOK, state, me), sheet_of(me, plain)).said
    return [(each.severity, each.reason.key) for each in found]


@pytest.mark.parametrize("players", TABLES, ids=len)
def test_whoever_chooses_first_every_free_number_can_be_chosen_once(players: tuple[Player, ...]) -> None:
    """SER-0.4: nobody who chooses late is told that the own choice is made."""
    before_the_round = takewhile(
        lambda step: step.before.phase.name != "round", matches.steps(RULEBOOK, players, "galleys")
    )
    choices = [step.before for step in before_the_round if step.before.phase.name == "galleys"]
    assert len(choices) == (2 if len(players) == 2 else 1)
    for state in choices:
        assert set(state.phase.due) == set(players)
        one, other = (int(number) for number in state.free_numbers()[:2])
        for me in players:
            offered = possible_values(RULEBOOK.phase("galleys"), position_for(RULEBOOK, state, me), me)
            assert offered["galley"]["galley"] == [{"enum": [int(number) for number in state.free_numbers()]}]
            assert said(state, me, {"orders": [{"galley": one}]}) == []
            twice = said(state, me, {"orders": [{"galley": one}, {"galley": other}]})
            first = me == state.phase.due[0]  # of the others the first number may be gone by then
            assert twice == [("error" if first else "may", "galley-already")]


GALLEYS = {
    "1": {"owner": "blue", "zone": "valencia", "sailors": 2, "cargo": ["stone"]},
    "5": {"owner": "red", "zone": "genova", "sailors": 1, "cargo": []},
    "9": {"owner": "blue", "zone": "valencia", "sailors": 2, "cargo": ["stone"]},
}


def in_a_round(*orders: dict[str, Any]) -> tuple[list[tuple[str, str]], list[bool]]:
    """What Blue's check says of orders, and of which it isn't sure."""
    given = {
        "galleys": GALLEYS,
        "ports": {"barcelona": {"warehouse": ["gold"]}},
        "players": {"blue": {"ducats": 1}},
    }
    case = cases.Case(case="a round", players=TABLES[-1], phase="round", given=given, expect={})
    state = cases.position(RULEBOOK, case, ("galleys",))
    view = position_for(RULEBOOK, state, "blue")
    checked = check_sheet(RULEBOOK, view, sheet_of("blue", {"orders": list(orders)}))
    found = [(each.severity, each.reason.key) for each in checked.said]
    return found, [each.unsure for each in checked.understood if not each.place.count("load")]


def test_what_comes_after_anothers_galley_is_good_only_as_far_as_can_be_known() -> None:
    assert in_a_round({"sail": 1, "via": ["barcelona"]}, {"sail": 9, "via": ["barcelona"]}) == (
        [],
        [False, True],
    )


def test_nothing_comes_of_orders_for_a_galley_that_the_sheet_itself_has_sunk() -> None:
    """SER-1.1: they are skipped; they wait for nothing."""
    sunk = {"sail": 1, "load": [{"sink": 9}]}
    assert in_a_round(sunk, {"sail": 9, "via": ["barcelona"]})[0] == [("may", "gone")]


def test_what_others_can_lift_is_an_error_before_their_turns_and_may_be_so_after() -> None:
    """Who loads in a port pays its owner, and a galley that is sunk leaves its number (SER-2.3, SER-5.4)."""
    costly = {"fort": [], "galley": {"number": 5, "at": "valencia", "crew": 1}}
    assert in_a_round({"invest": 1, **costly})[0] == [("error", "galley-purse")]
    assert in_a_round({"invest": 9, **costly})[0] == [("may", "galley-purse")]


def test_what_nothing_can_lift_is_an_error_in_any_turn() -> None:
    for number in (1, 9):
        assert in_a_round({"sail": number, "via": ["genova"]})[0][:1] == [("error", "not-adjacent")]
        assert in_a_round({"sail": number, "load": [{"goods": {"gold": 1}}]})[0] == [
            ("error", "not-produced")
        ]


def test_a_galley_is_offered_the_sales_of_ports_that_it_can_reach() -> None:
    """SER-4.1: elsewhere it would sell nothing; one that stays has the port of its zone alone."""
    elsewhere = set[str]()
    for state in [step.before for step in steps() if step.before.phase.name == "round"][:3]:
        for (name, galley), reach in product(state.galleys.items(), (0, 3)):
            plain, by_port = sales_now(state, galley.owner, name, loads=True, steps=reach).options
            markets = by_port.schema()["properties"]
            assert {*markets} <= {*routes(galley.zone, BORDERS, reach)}
            assert {*plain.schema()["items"]["enum"]} == {
                good for each in markets.values() for good in each["items"]["enum"]
            }
            elsewhere |= {*markets} - {galley.zone}
    assert elsewhere
