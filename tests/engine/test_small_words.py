"""Small parts of the table: names with one reason why not, tallies by name, lines of checks, a number under `if:`."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from adjudicator.engine.table.condition import About, condition, counted, why_not
from adjudicator.engine.table.domain import Name, only
from adjudicator.engine.table.event import at_most, one_of
from adjudicator.engine.table.reason import Refused, flaw
from adjudicator.engine.table.rulebook import everybody
from adjudicator.engine.table.tally import Tally, with_tally


class Herd(Tally, frozen=True):
    """Two kinds of animals."""

    sheep: int = 0
    goats: int = 0


def test_of_known_names_only_the_possible_ones_are_taken_and_the_others_have_one_reason() -> None:
    among = only(["wine"], ("wine", "salt"), "X-1", "sold-out", port="corfu")
    assert among.read("wine") == "wine"
    with pytest.raises(Refused) as refused:
        among.read("salt")
    reason = refused.value.reason
    assert (reason.rule, reason.key, reason.facts["port"]) == ("X-1", "sold-out", "corfu")
    with pytest.raises(Refused) as refused:
        among.read("sand")
    assert refused.value.reason.key == "not-possible"


def test_a_tally_that_changes_comes_last_and_one_come_to_nothing_is_left_out() -> None:
    herds = {"fen": Herd(1), "ridge": Herd(2, 1)}
    assert list(with_tally(herds, "fen", Herd(0, 2)).items()) == [("ridge", Herd(2, 1)), ("fen", Herd(1, 2))]
    assert with_tally(herds, "fen", Herd(-1)) == {"ridge": Herd(2, 1)}
    assert with_tally(herds, "plain", Herd(3)) == {**herds, "plain": Herd(3)}
    assert with_tally(herds, "plain", Herd()) == herds
    assert herds == {"fen": Herd(1), "ridge": Herd(2, 1)}


def test_a_name_that_isnt_among_those_known_is_a_flaw_with_the_name() -> None:
    among, at = ("red", "blue"), ("owner",)
    assert one_of("red", among, at, "X-2", "no-such-player") is None
    assert one_of("green", among, at, "X-2", "no-such-player") == flaw(
        at, "X-2", "no-such-player", value="green"
    )


def test_more_than_there_are_is_a_flaw_that_says_how_many_and_of_what() -> None:
    at = ("ports",)
    assert at_most(3, 3, at, "X-3", "too-many", what="fort") is None
    assert at_most(4, 3, at, "X-3", "too-many", what="fort") == flaw(
        at, "X-3", "too-many", value=4, most=3, what="fort"
    )


FLOCKS = condition(
    About(
        Name("land", "fen|ridge"), lambda view, me, name: view[name], counted(lambda count: count), "least"
    ),
    About(Name("player", "red"), lambda view, me, name: 1, counted(lambda count: count)),
)


@pytest.mark.parametrize(
    ("facts", "true"),
    [
        ({"fen": 2}, True),
        ({"fen": 3}, False),
        ({"fen": {"least": 3}}, False),
        ({"fen": {"most": 2}, "ridge": 0}, True),
        ({"fen": True}, False),
        ({"red": {"least": 1}}, True),
        ({"red": 1}, False),
    ],
)
def test_a_number_is_the_fact_that_its_kind_of_things_names_for_it(facts: Any, true: bool) -> None:
    assert (why_not(FLOCKS, {"fen": 2, "ridge": 0}, "red", facts) is None) is true


def test_everybody_takes_part_as_they_sit() -> None:
    assert everybody(SimpleNamespace(seats=("blue", "red"))) == ("blue", "red")
