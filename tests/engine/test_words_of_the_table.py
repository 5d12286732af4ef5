"""Small parts of the table that rulebooks share: payments, records of structs, checks as tables, places of refusals."""

from __future__ import annotations

from types import ModuleType

import pytest
from msgspec import Struct

from adjudicator.contract.code import checks_written
from adjudicator.engine.table.domain import OneOf, Whole, record
from adjudicator.engine.table.event import ENGINE_EVENTS, Deed, events_of, paid, purses_hold_sums
from adjudicator.engine.table.reason import Flaws, Refused, first_flaw, first_of, flaw, refused_at, unfit
from adjudicator.engine.table.secret import Secret
from adjudicator.rulebooks.serenissima import RULEBOOK
from adjudicator.rulebooks.serenissima.box import galleys_are_whole


class Seat(Struct, frozen=True):
    ducats: Secret[int]


class Position(Struct, frozen=True):
    players: dict[str, Seat]


def test_a_payment_goes_from_purse_to_purse_and_the_bank_has_none() -> None:
    state = Position({"blue": Seat(Secret(5)), "red": Seat(Secret(1))})
    after = paid(paid(state, "ducats", "blue", "red", 2), "ducats", "", "blue", 4)
    assert after == Position({"blue": Seat(Secret(7)), "red": Seat(Secret(3))})


def test_a_purse_that_the_reader_cannot_see_stays_hidden() -> None:
    state = Position({"blue": Seat(Secret.hidden()), "red": Seat(Secret(1))})
    after = paid(state, "ducats", "blue", "red", 2)
    assert after == Position({"blue": Seat(Secret.hidden()), "red": Seat(Secret(3))})


class Stop(Struct, frozen=True):
    at: str
    own: int = 1


def test_a_record_of_a_struct_needs_what_has_no_default() -> None:
    stops = record(Stop, {"at": OneOf(("corfu",)), "own": Whole(0)})
    assert stops.read({"at": "corfu"}) == Stop("corfu")
    assert stops.read({"at": "corfu", "own": 0}) == Stop("corfu", 0)
    with pytest.raises(Refused, match="missing"):
        stops.read({"own": 0})
    assert stops.schema()["required"] == ["at"]


def test_after_the_first_flaw_no_test_is_made() -> None:
    def tests() -> Flaws:
        yield False
        yield flaw(("b",), "X-2", "two")
        raise AssertionError

    assert first_flaw(tests()) == flaw(("b",), "X-2", "two")
    assert first_flaw([False, None]) is None


def test_a_table_of_tests_is_a_check_that_the_contract_looks_for_in_the_list() -> None:
    @first_of
    def whole(most: int) -> Flaws:
        """None beyond."""
        yield most < 1 and flaw(("a",), "X-1", "one")
        yield most < 2 and flaw(("b",), "X-2", "two")

    assert [whole(most) for most in (0, 1, 2)] == [
        flaw(("a",), "X-1", "one"),
        flaw(("b",), "X-2", "two"),
        None,
    ]
    assert (whole.__name__, whole.__doc__) == ("whole", "None beyond.")
    assert galleys_are_whole in set(checks_written(RULEBOOK))


@pytest.mark.parametrize(("cited", "rule"), [("", "X-1"), ("X-2", "X-2")])
def test_what_is_refused_has_its_place_and_the_rule_where_none_is_cited(cited: str, rule: str) -> None:
    with pytest.raises(Refused) as refused, refused_at("fight", 1, rule="X-1"):
        raise unfit("too-few", ("port",), cited)
    assert (refused.value.path, refused.value.reason.rule) == (("fight", 1, "port"), rule)


def test_an_event_from_which_others_are_made_is_no_event_of_a_match() -> None:
    module = ModuleType("happened")
    base = type("OfGalley", (Deed,), {"__module__": "happened"}, frozen=True)
    made = type("Sank", (base,), {"__module__": "happened"}, frozen=True)
    vars(module).update(OfGalley=base, Sank=made, Deed=Deed)
    assert events_of(module) == (*ENGINE_EVENTS, made)


@pytest.mark.parametrize(("held", "value"), [(7, None), (-1, -1), (8, None)])
def test_a_purse_holds_no_debts(held: int, value: int | None) -> None:
    found = purses_hold_sums(Position({"blue": Seat(Secret(held))}), "ducats", "X-1", "owes")
    assert (found and found.reason.facts["value"]) == value


def test_a_purse_holds_whole_steps_and_a_hidden_one_is_not_looked_into() -> None:
    state = Position({"blue": Seat(Secret.hidden()), "red": Seat(Secret(150))})
    assert purses_hold_sums(state, "ducats", "X-1", "odd", 50) is None
    assert purses_hold_sums(state, "ducats", "X-1", "odd", 100) == flaw(
        ("players", "red", "ducats"), "X-1", "odd", value=150
    )
