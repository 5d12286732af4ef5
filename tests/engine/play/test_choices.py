"""Choices: the table of nodes offers what the rules admit, and has equal nodes only once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from adjudicator.contract.legality import is_accepted
from adjudicator.contract.secrets import varied
from adjudicator.engine.bots import random_order
from adjudicator.engine.library.rules import rules_of
from adjudicator.engine.play import choices
from adjudicator.engine.play.attempts import SeededChance, possible_values, surveys
from adjudicator.engine.play.choices import Choices, answers_now, choices_now
from adjudicator.engine.play.left import barred
from adjudicator.engine.play.listing import Branch, Clicking, is_listed, legal
from adjudicator.engine.play.nodes import END, LEANS, OPEN
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import example
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.table.domain import Counts, Limit, Many, OneOf, Walk, Whole
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.mediterranee.questions import SeatWanted
from tests.engine.written_match import Match
from tests.rulebooks.every_match import POSITIONS
from tests.rulebooks.mediterranee_match import MATCH as MEDITERRANEE

MOST = 60
SOME = 12
HAND = ("hearts-2", "hearts-4", "clubs-3")


def offered(found: Choices, verb: str) -> Iterator[dict[str, Any]]:
    """Orders as they are clicked together: every value that is listed, and the least of the others."""

    def onward(number: int, order: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if number in (END, LEANS):
            yield order
        if number in (END, OPEN, LEANS):
            return
        node = found.nodes[number]
        for value, then in picks(found, node):
            yield from onward(then, {**order, node["field"]: value})
        if "skip" in node:
            yield from onward(node["skip"], order)

    return onward(found.verbs[verb], {})


def picks(found: Choices, node: dict[str, Any]) -> list[tuple[Any, int]]:
    if "values" in node:
        then = node["then"]
        each = then if isinstance(then, list) else [then] * len(node["values"])
        return list(zip(node["values"], each, strict=True))
    if "from" in node:
        beside = found.borders[node["borders"]][node["from"]]
        return [(way, node["then"]) for way in node.get("ways") or [[there] for there in beside]]
    if node["schema"].get("type") == "integer":
        return [(node["schema"]["minimum"], node["then"])]
    if node["schema"].get("type") == "array" and "enum" in node["schema"]["items"]:
        number = node["schema"].get("minItems", 0)
        if number == node["schema"].get("maxItems"):  # else a page can't tell which lists are possible
            return [(node["schema"]["items"]["enum"][:number], node["then"])]
    return []


FOUND: dict[tuple[int, str], Choices] = {}
"""The choices in positions, by the position: the tests of all of them look at the same."""


def found_in(match: Match, state: Any, who: str) -> Choices:
    """The choices in one of POSITIONS, found once (they live as long as their list)."""
    key = (id(state), who)
    if key not in FOUND:
        phase, view = match.rulebook.phase(state.phase.name), position_for(match.rulebook, state, who)
        FOUND[key] = choices_now(phase, view, who)
    return FOUND[key]


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_what_is_clicked_together_is_legal(match: Match, state: Any, who: str) -> None:
    phase, view = match.rulebook.phase(state.phase.name), position_for(match.rulebook, state, who)
    found = found_in(match, state, who)
    for verb in found.verbs:
        for order in list(offered(found, verb))[:MOST]:
            assert is_listed(phase.verbs[verb], view, who, order, Clicking), order


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_no_order_is_about_what_is_barred(match: Match, state: Any, who: str) -> None:
    """What is offered names none of it as what it is about; each reason, and each field, cites a rule of the game."""
    phase, view = match.rulebook.phase(state.phase.name), position_for(match.rulebook, state, who)
    found, out, rules = (
        found_in(match, state, who),
        barred(phase, view, who, names_on_board(view)),
        rules_of(match.rulebook),
    )
    assert {why.rule for whys in out.values() for why in whys} <= {*rules}
    assert {rule for fields in found.rules.values() for rule in fields.values()} <= {*rules}
    for verb in found.verbs:
        for order in list(offered(found, verb))[:MOST]:
            first, value = next(iter(order.items()))
            assert first not in (phase.verbs[verb].subject or ()) or str(value) not in out, order


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_what_is_legal_is_offered(match: Match, state: Any, who: str) -> None:
    phase, view = match.rulebook.phase(state.phase.name), position_for(match.rulebook, state, who)
    found = found_in(match, state, who)
    assert {*found.possible} == {*phase.verbs}
    for name, verb in phase.verbs.items():
        orders = [order for order, _ in zip(legal(name, verb, view, who), range(MOST), strict=False)]
        assert not orders or name in found.verbs
        for order in orders:
            assert is_offered(found, found.verbs[name], order), order


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_what_is_found_by_chance_is_offered(match: Match, state: Any, who: str) -> None:
    """Orders with lists and mappings too, of which nobody can list all."""
    phase, view = match.rulebook.phase(state.phase.name), position_for(match.rulebook, state, who)
    found = found_in(match, state, who)
    chance = SeededChance(f"{state.phase.number} {who}")
    for name, verb in phase.verbs.items():
        for _ in range(SOME):
            order = random_order(name, verb, view, who, chance)
            if order is not None:
                assert name in found.verbs and is_offered(found, found.verbs[name], order), order


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_an_example_can_be_ordered_as_it_stands(match: Match, state: Any, who: str) -> None:
    phase, view = match.rulebook.phase(state.phase.name), position_for(match.rulebook, state, who)
    for name, verb in phase.verbs.items():
        order = example(name, verb, view, who)
        assert order is None or is_accepted(verb, view, who, order), order


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_a_verb_is_offered_only_where_an_order_of_it_is_possible(match: Match, state: Any, who: str) -> None:
    phase, view = match.rulebook.phase(state.phase.name), position_for(match.rulebook, state, who)
    found = found_in(match, state, who)
    possible_now = {name for name, verb in phase.verbs.items() if example(name, verb, view, who) is not None}
    prepared = {  # what an order above in the sheet may bring about is offered too
        name
        for name in {*found.verbs} - possible_now
        for order in offered(found, name)
        if is_listed(phase.verbs[name], view, who, order, Clicking)
    }
    assert {*found.verbs} == possible_now | prepared


def is_offered(found: Choices, number: int, order: dict[str, Any]) -> bool:
    if number in (END, OPEN, LEANS):
        return True
    node = found.nodes[number]
    if node["field"] not in order:
        return "skip" in node and is_offered(found, node["skip"], order)
    if "values" not in node:
        return is_offered(found, node["then"], order)
    value = order[node["field"]]
    if isinstance(value, list | dict):
        return bool(node["values"])  # in another form, which a page takes and doesn't offer
    then = dict(picks(found, node)).get(value)
    return then is not None and is_offered(found, then, order)


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_forms_suggest_the_same_as_ever_and_nodes_stand_once(match: Match, state: Any, who: str) -> None:
    phase, view = match.rulebook.phase(state.phase.name), position_for(match.rulebook, state, who)
    found = found_in(match, state, who)
    assert found.possible == possible_values(phase, view, who)
    kinds = [repr(node) for node in found.nodes[2:]]
    assert len(kinds) == len({*kinds})
    again = choices_now(phase, view, who)
    assert again == found


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_choices_tell_nothing_that_is_hidden(match: Match, state: Any, who: str) -> None:
    phase = match.rulebook.phase(state.phase.name)
    other = varied(match.rulebook, state, state, who)
    assert choices_now(phase, position_for(match.rulebook, other, who), who) == found_in(match, state, who)


def test_a_choice_narrows_what_comes_after_it() -> None:
    state = next(step.before for step in MEDITERRANEE.steps() if step.before.phase.name == "market")
    view = position_for(MEDITERRANEE.rulebook, state, "venice")
    found = choices_now(MEDITERRANEE.rulebook.phase("market"), view, "venice")
    orders = list(offered(found, "buy"))
    goods = {
        order["at"]: {each["buy"] for each in orders if each.get("at") == order["at"]}
        for order in orders
        if "at" in order
    }
    assert goods and all(len(each) == 1 for each in goods.values()), "a port sells what it produces"


def choosing_cards(t: Table[Any]) -> None:
    """Cards can be left out by their field, but not in this order; what is kept for a tie can."""
    cards = t.pick("cards", Many(OneOf(HAND), least=2, most=2, distinct=True), rule="X-1", default=None)
    t.pick("ties", Many(OneOf(HAND)), rule="X-1", default=None)
    t.require(cards is not None, "X-1", "missing", field="cards")


def test_a_field_is_optional_only_if_the_order_is_legal_without_it() -> None:
    found = choices.tables_of_choices({"fight": Branch(choosing_cards, None, "venice")}, {})
    cards = found.nodes[found.verbs["fight"]]
    assert cards["field"] == "cards" and "skip" not in cards
    ties = found.nodes[cards["then"]]
    assert (ties["field"], ties["then"], ties["skip"]) == ("ties", END, END)


def paying_by_number(t: Table[Any]) -> None:
    """Two cards for each, of five: one or two can be paid for, three can't."""
    count = 2 * t.pick("recruit", Whole(1, [Limit(3, "X-1", "none-left")]), rule="X-1")
    cards = t.pick("pay", Many(OneOf((1, 2, 3, 4, 5)), least=count, most=count, distinct=True), rule="X-1")
    t.require(len(cards) == count, "X-1", "too-short")


def test_what_depends_on_a_number_is_left_open_also_where_the_last_is_too_many() -> None:
    found = choices.tables_of_choices({"recruit": Branch(paying_by_number, None, "venice")}, {})
    assert found.nodes[found.verbs["recruit"]]["then"] == OPEN


def never(t: Table[Any]) -> None:
    """An order that every way leads to, and that is refused in the end."""
    t.pick("via", Walk("a", {"a": ("b",), "b": ("a",)}, 2), rule="X-1")
    t.require(False, "X-1", "missing", field="via")


@pytest.mark.parametrize("good", [pair for pair in combinations("abcdefgh", 2)])
def test_a_list_is_offered_wherever_in_its_values_the_few_that_will_do_are(good: tuple[str, ...]) -> None:
    """Whichever two of a hand of eight are asked for: also where they are neither the first nor the last."""

    def rule(t: Table[Any]) -> None:
        cards = t.pick("with", Many(OneOf("abcdefgh"), 2, 2, distinct=True), rule="X-1", default=None)
        t.require(cards in (None, good), "X-1", "other-cards")

    found = choices.tables_of_choices({"accept": Branch(rule, None, "venice")}, {})
    node = found.nodes[found.verbs["accept"]]
    assert (node["schema"]["minItems"], node["then"], node["skip"]) == (2, END, END)


def swearing(t: Table[Any]) -> None:
    """As many oaths as legions: what comes after a mapping depends on all of it."""
    each = {name: Whole(0, [Limit(2, "X-1", "aboard")]) for name in ("legions", "veterans")}
    troops = t.pick("with", Counts(each), rule="X-1")
    t.pick("fixed", Whole(0, [Limit(sum(troops.values()), "X-1", "too-many")]), rule="X-1", default=None)


def test_what_depends_on_a_mapping_is_left_open() -> None:
    found = choices.tables_of_choices({"attack": Branch(swearing, None, "venice")}, {})
    assert found.nodes[found.verbs["attack"]]["then"] == OPEN


def far(t: Table[Any]) -> None:
    """A road through twenty villages, of which the last has something to take up."""
    road = {str(at): tuple(str(there) for there in (at - 1, at + 1) if 0 <= there <= 20) for at in range(21)}
    way = t.pick("via", Walk("0", road, 20), rule="X-1")
    t.pick("take", Many(OneOf(("wool",) if "20" in way else ())), rule="X-1", default=None)


def test_what_depends_on_a_way_is_left_open_where_not_all_ways_are_tried() -> None:
    found = choices.tables_of_choices({"drive": Branch(far, None, "venice")}, {})
    assert found.nodes[found.verbs["drive"]]["then"] == OPEN


def hidden(t: Table[Any]) -> None:
    """One number in fifty will do, and neither the first nor the last does."""
    number = t.pick("dig", Whole(0, [Limit(50, "X-1", "too-deep")]), rule="X-1")
    t.require(number % 10 == 7, "X-1", "nothing-there")


def test_nothing_is_called_impossible_before_chance_has_tried_it() -> None:
    tree = Branch(hidden, None, "venice")
    found = choices.tables_of_choices({"dig": tree}, surveys({"dig": tree}))
    assert found.verbs and found.possible["dig"]
    assert example("dig", Verb(hidden, {"dig": Whole(0)}), None, "venice") is not None


def test_what_nothing_limits_is_offered_as_it_is_asked_for() -> None:
    bid = Counts({"trade": Whole(0), "war": Whole(2)}, least=3)
    assert bid.read(bid.sample(lambda below: 0)) == {"trade": 1, "war": 2}
    assert sum(bid.read(bid.sample(lambda below: below - 1)).values()) >= 3


def test_a_verb_with_no_legal_order_is_not_offered() -> None:
    assert choices.tables_of_choices({"betray": Branch(never, None, "venice")}, {}).verbs == {}


def test_beyond_the_bound_all_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "MOST_BRANCHES", 1)
    state = next(step.before for step in MEDITERRANEE.steps() if step.before.phase.name == "market")
    found = choices_now(
        MEDITERRANEE.rulebook.phase("market"), position_for(MEDITERRANEE.rulebook, state, "venice"), "venice"
    )
    assert all(found.nodes[number].get("then") in (OPEN, None) for number in found.verbs.values())


def test_answers_offer_what_the_question_leaves_free() -> None:
    state = next(step.before for step in MEDITERRANEE.steps() if step.before.phase.name == "auction")
    found = answers_now(SeatWanted((2, 4)), position_for(MEDITERRANEE.rulebook, state, "venice"), "venice")
    assert found.nodes[found.verbs["seat"]] == {"field": "seat", "values": [2, 4], "then": END}


def test_ways_begin_with_the_shortest() -> None:
    walk = Walk("a", {"a": ("b", "c"), "b": ("a",), "c": ("a",)}, 2)
    assert list(choices.shortest_ways(walk)) == [["b"], ["c"], ["b", "a"], ["c", "a"]]


def test_a_list_says_whether_nothing_stands_in_it_twice() -> None:
    hand = OneOf(HAND)
    assert choices.always_of(Many(hand, distinct=True)) == {"uniqueItems": True}
    assert choices.always_of(Many(hand)) == {}


def test_where_one_thing_is_counted_its_limit_is_that_of_all() -> None:
    sailors = Counts(
        {"sailors": Whole(0, [Limit(5, "X-1", "aboard")]), "wine": Whole(0, [Limit(0, "X-1", "aboard")])}
    )
    assert choices.narrowest(sailors)["properties"]["sailors"]["minimum"] == 1
    assert choices.always_of(sailors) == {"total": 1}


def test_choices_in_phases_to_come_are_those_of_now_as_long_as_the_table_is_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the same nodes, each once; else nothing is told of them, and what is possible now stays."""
    rulebook = MEDITERRANEE.rulebook
    state = next(step.before for step in MEDITERRANEE.steps() if step.before.phase.name == "combat")
    view = position_for(rulebook, state, "venice")
    phase, *later = (rulebook.phase(name) for name in ("movement", "combat", "landing"))
    alone, both = choices_now(phase, view, "venice"), choices_now(phase, view, "venice", later)
    assert [*both.ahead] == ["combat", "landing"] and both.ahead["combat"]
    assert (both.verbs, both.possible) == (alone.verbs, alone.possible)
    for each in later:
        found = Choices({}, both.ahead[each.name], both.nodes, both.borders)
        own = choices_now(each, view, "venice")
        assert {*found.verbs} == {*own.verbs}
        for verb in own.verbs:
            assert list(offered(found, verb)) == list(offered(own, verb))
    monkeypatch.setattr(choices, "MOST_AHEAD", 0)
    short = choices_now(phase, view, "venice", later)
    assert short.nodes == alone.nodes and not any(short.ahead.values())
