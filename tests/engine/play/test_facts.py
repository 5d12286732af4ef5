"""Facts of `if:`: those that games share, a rulebook's own, `not` and `any`, hidden ones, and how many."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema.validators import Draft7Validator
from msgspec.structs import replace

from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.conditions import (
    ITSELF,
    conditions,
    flaws_of_long_conditions,
    kinds_of_facts,
    not_and_any,
    separate_facts,
)
from adjudicator.engine.sheets.limits import MOST_FACTS, MOST_NESTED
from adjudicator.engine.table.condition import (
    About,
    Condition,
    condition,
    counted,
    enemies,
    holding,
    of_me,
    seated,
    there,
    why_not,
)
from adjudicator.engine.table.domain import MapOf, Name, OneOf, Whole
from tests.engine.small_card_game import CARD, CITIES, DUEL, Fight

START = replace(
    DUEL.start("small", DUEL.Options(), ("rome", "carthage")), fights=(Fight("roma"), Fight("roma"))
)


def pending(view: Any, me: str, city: str, wanted: int) -> bool:
    return sum(fight.city == city for fight in view.fights) == wanted


OWN_SHAPE = Condition(MapOf(OneOf(CITIES), Whole(0)), pending)
"""`if: {roma: 2}`, as a rulebook may have it."""
HANDS = condition(
    About(
        Name("player", "rome|carthage"),
        lambda view, me, name: view.players[name].hand,
        {**holding(CARD, lambda hand: [card.value for card in hand]), **counted(len), **there()},
    ),
    of_me(lambda view, me: (view, me), seated(lambda mine: list(mine[0].players).index(mine[1]) + 1)),
)


def untrue(asked: Condition, facts: Any, me: str = "rome") -> tuple[str, tuple[Any, ...]] | None:
    found = why_not(asked, position_for(DUEL, START, me), me, facts)
    return None if found is None else (found.reason.key, found.path)


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"roma": 2}, None),
        ({}, None),
        ({"roma": 1}, ("if-false", ("roma",))),
        ({"roma": 2, "carthago": 1}, ("if-false", ("carthago",))),
        ({"not": {"roma": 2, "carthago": 1}}, None),
        ({"not": {"roma": 2, "carthago": 0}}, ("if-so", ("not", "roma"))),
        ({"not": {}}, ("if-so", ("not",))),
        ({"any": [{"roma": 1}, {"carthago": 0}]}, None),
        ({"any": [{"carthago": 0, "roma": 1}, {"carthago": 1}]}, ("if-none", ("any", 0, "roma"))),
        ({"any": []}, ("if-none", ("any",))),
        ({"any": [{"not": {"roma": 2}}, {"any": [{"roma": 3}]}]}, ("if-none", ("any", 0, "not", "roma"))),
        ({"not": {"any": [{"roma": 1}, {"roma": 2}]}}, ("if-so", ("not", "any"))),
        ({"roma": "two"}, ("if-false", ("roma",))),
        ({"genua": 1}, ("if-false", ("genua",))),
        ({"any": 7}, ("if-none", ("any",))),
        ({"not": 7}, ("if-so", ("not",))),
    ],
)
def test_the_first_fact_that_is_not_true_is_led_to(facts: Any, why: Any) -> None:
    """Also of what no schema has looked at, such as an order that waits in a position written by hand."""
    assert untrue(OWN_SHAPE, facts) == why


def test_what_is_hidden_is_not_true() -> None:
    card = START.players["carthage"].hand[0].value
    assert untrue(HANDS, {"carthage": {"holds": [card]}}, "carthage") is None
    assert untrue(HANDS, {"carthage": {"holds": [card]}}, "rome") == ("if-false", ("carthage",))
    assert untrue(HANDS, {"carthage": {"least": len(START.players["carthage"].hand)}}, "rome") is None


def test_what_is_named_twice_must_be_there_twice() -> None:
    card = START.players["rome"].hand[0].value
    assert untrue(HANDS, {"rome": {"holds": [card, card]}}) == ("if-false", ("rome",))


def test_a_seat_or_one_of_several() -> None:
    assert untrue(HANDS, {"me": {"seat": 1}}) is None
    assert untrue(HANDS, {"me": {"seat": [2, 1]}}) is None
    assert untrue(HANDS, {"me": {"seat": 2}}) == ("if-false", ("me",))


def test_enemies_are_counted_with_their_strength_in_all() -> None:
    fact = enemies(lambda thing: thing, "strength")["enemies"]
    assert fact.true([3, 1], {"least": 2, "most": 2, "strength": {"least": 4, "most": 4}})
    assert not fact.true([3, 1], {"most": 1})
    assert not fact.true([3, 1], {"strength": {"most": 3}})
    assert fact.true([], {"strength": {"most": 0}})


@pytest.mark.parametrize("asked", [OWN_SHAPE, HANDS])
def test_a_schema_points_to_itself_and_admits_what_can_be_asked(asked: Condition) -> None:
    asking = replace(DUEL, key="mediterranee", condition=asked)
    schema = {
        **ITSELF,
        "definitions": conditions(separate_facts(kinds_of_facts(asking), not_and_any(asking))),
    }
    Draft7Validator.check_schema(schema)
    good = {"roma": 2} if asked is OWN_SHAPE else {"rome": {"least": 2}, "me": {"seat": [1, 2]}}
    bad = {"rome": 2} if asked is OWN_SHAPE else {"roma": {"least": 2}}
    valid = Draft7Validator(schema).is_valid
    assert valid(good) and valid({"not": good}) and valid({**good, "any": [good, {"not": {"any": [good]}}]})
    assert not any(map(valid, [bad, {"not": bad}, {"any": [good, bad]}, {"any": []}, {"any": good}]))


def nested(levels: int) -> Any:
    return {"not": nested(levels - 1)} if levels else {"roma": 1}


@pytest.mark.parametrize("levels", [MOST_NESTED, MOST_NESTED + 1])
def test_facts_stand_in_each_other_so_deep_and_no_deeper(levels: int) -> None:
    order = {"march": "roma", "if": nested(levels)}
    sheets: list[tuple[Any, tuple[Any, ...]]] = [
        ({"orders": [order]}, ("orders", 0)),
        ({"orders": [{"march": "roma", "else": [{}, order]}]}, ("orders", 0, "else", 1)),
        ({"later": {"fight": {"orders": [order]}}}, ("later", "fight", "orders", 0)),
        ({"standing": {"phases": {"fight": [order]}}}, ("standing", "phases", "fight", 0)),
    ]
    for sheet, home in sheets:
        found = [(flaw.reason.key, flaw.path) for flaw in flaws_of_long_conditions(sheet)]
        assert found == ([("if-too-deep", (*home, "if"))] if levels > MOST_NESTED else [])


def test_so_many_facts_and_no_more() -> None:
    for count in (MOST_FACTS, MOST_FACTS + 1):
        facts = {"any": [{f"x{number}": 1} for number in range(count - 1)], "roma": 1}
        found = [
            flaw.reason.key for flaw in flaws_of_long_conditions({"orders": [{"march": "roma", "if": facts}]})
        ]
        assert found == (["if-too-long"] if count > MOST_FACTS else [])
