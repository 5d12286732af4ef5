"""Steps and parts: an order may contain orders, each with its refusal, its line and its else;
and parts that fail alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.play.checking import Check
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.sheets.sheet import Sheet, orders_at
from adjudicator.engine.table.dice import D6, ScriptedDice
from adjudicator.engine.table.domain import Many
from adjudicator.engine.table.event import OrderRefused, Remarked
from adjudicator.engine.table.position import Options
from adjudicator.engine.table.reason import unfit
from adjudicator.engine.table.table import Table, Verb
from adjudicator.engine.text.source import Source, read
from tests.engine.one_phase import play
from tests.engine.small_card_game import CITY, DUEL, TWO_CARDS, Marched, State, march, start

ORDERS = b"""player: rome
orders:
  - campaign: roma
    towards:
      - march: roma
      - march: roma
        else:
          - march: carthago
      - march: roma
"""


def campaign(t: Table[State]) -> None:
    """DUE-1.1: several marches in one order."""
    t.pick("campaign", CITY, rule="DUE-1.1")
    for index in range(3):
        t.step("towards", index, {"march": Verb(march, {"march": CITY})})


def campaign_in_parts(t: Table[State]) -> None:
    """DUE-1.1: marches that are parts of one order; the last is looked at when the others are gone."""
    cities = t.pick("towards", Many(CITY), rule="DUE-1.1")
    t.pick("campaign", CITY, rule="DUE-1.1")

    def go(index: int) -> Callable[[Table[State]], None]:
        def part(t: Table[State]) -> None:
            t.play(Marched(rule="DUE-1.1", player=t.me, city=cities[index]))
            if cities[index] in cities[:index]:
                raise unfit("twice", ("towards", index), "DUE-1.1", value=cities[index])

        return part

    assert [t.part(go(index)) for index in range(len(cities))] == [True, False, True]


def campaigning(rule: Any, orders: bytes) -> tuple[Any, Sheet]:
    """The campaign as the only order of a turn, and a sheet of it."""
    verbs: dict[str, Any] = {"campaign": Verb(rule, {"campaign": CITY, "towards": TWO_CARDS})}
    phases = tuple(replace(phase, verbs=verbs) if phase.name == "turn" else phase for phase in DUEL.phases)
    source = read(orders, "sheets/rome.yaml")
    assert isinstance(source, Source) and isinstance(source.plain, dict)
    sheet = Sheet("rome", source, orders_at(source, ("orders",), source.plain["orders"], {}))
    return replace(DUEL, phases=phases), sheet


def test_a_part_is_refused_alone_and_the_order_goes_on_and_all_that_it_needed_is_known() -> None:
    book, sheet = campaigning(
        campaign_in_parts,
        b"player: rome\norders:\n  - campaign: roma\n    towards: [roma, roma, carthago]\n",
    )
    state = play(book, start("m", Options(), ("rome", "carthage"))).state
    outcome = advance(book, state, Inbox({"rome": sheet}), ScriptedDice(()))
    assert [fight.city for fight in outcome.state.fights] == ["roma", "carthago"]
    told = [event for event in outcome.events if isinstance(event, OrderRefused | Remarked)]
    assert [(event.place, getattr(event, "verb", "")) for event in told] == [
        ("4:21", "campaign: roma, towards")
    ]


def campaign_until_one_is_the_last(t: Table[State]) -> None:
    """DUE-1.1: a march after another, until one says that it was the last: one that is refused never is."""
    cities = t.pick("towards", Many(CITY), rule="DUE-1.1")
    t.pick("campaign", CITY, rule="DUE-1.1")

    def go(index: int) -> Callable[[Table[State]], bool]:
        def part(t: Table[State]) -> bool:
            t.play(Marched(rule="DUE-1.1", player=t.me, city=cities[index]))
            if cities[index] in cities[:index]:
                raise unfit("twice", ("towards", index), "DUE-1.1", value=cities[index])
            return cities[index] == "carthago"

        return part

    assert [t.part(go(index)) for index in range(len(cities))] == [False, False, True]


def test_a_part_says_what_its_rule_says_and_what_it_did_stands() -> None:
    book, sheet = campaigning(
        campaign_until_one_is_the_last,
        b"player: rome\norders:\n  - campaign: roma\n    towards: [roma, roma, carthago]\n",
    )
    state = play(book, start("m", Options(), ("rome", "carthage"))).state
    outcome = advance(book, state, Inbox({"rome": sheet}), ScriptedDice(()))
    assert [fight.city for fight in outcome.state.fights] == ["roma", "carthago"]


def test_a_check_says_what_is_wrong_with_a_part_and_counts_the_rest_as_done() -> None:
    book, sheet = campaigning(
        campaign_in_parts,
        b"player: rome\norders:\n  - campaign: roma\n    towards: [roma, roma, carthago]\n",
    )
    state = play(book, start("m", Options(), ("rome", "carthage"))).state
    check = Check(book, state, sheet)
    check.run()
    assert [said.place for said in check.said] == ["sheets/rome.yaml:4:21"]
    assert [fight.city for fight in check.state.fights] == ["roma", "carthago"]


def test_each_step_is_refused_alone_with_its_line_and_has_its_own_else() -> None:
    book, sheet = campaigning(campaign, ORDERS)
    state = play(book, start("m", Options(), ("rome", "carthage"))).state
    outcome = advance(book, state, Inbox({"rome": sheet}), ScriptedDice(()))
    assert [fight.city for fight in outcome.state.fights] == ["roma", "carthago"]
    refused = [event.place for event in outcome.events if isinstance(event, OrderRefused)]
    assert refused == ["6:9", "9:9"], "the steps that failed left the others"


def campaign_after_a_throw(t: Table[State]) -> None:
    """DUE-1.1: a throw, and a part that is refused after it."""
    t.pick("campaign", CITY, rule="DUE-1.1")

    def part(t: Table[State]) -> None:
        t.throw(D6, "campaign", rule="DUE-1.1")
        t.refuse("DUE-1.1", "twice", value="roma")

    t.part(part)


BOTH_REFUSED = b"""player: rome
orders:
  - campaign: roma
    towards: [roma]
    else: [{campaign: carthago, towards: [carthago]}]
"""


def refused_in_parts(t: Table[State]) -> None:
    """DUE-1.1: an order for Rome has one part, which is refused; one for Carthage has one that isn't."""
    city = t.pick("campaign", CITY, rule="DUE-1.1")
    t.pick("towards", Many(CITY), rule="DUE-1.1")

    def part(t: Table[State]) -> None:
        t.play(Marched(rule="DUE-1.1", player=t.me, city=city))
        t.require(city != "roma", "DUE-1.1", "twice", value=city)

    t.part(part)


def refused_and_done(t: Table[State]) -> bool:
    """DUE-1.1: the same, and it counts as done."""
    refused_in_parts(t)
    return True


def outcome_of(rule: Any, orders: bytes, *, throws: tuple[int, ...] = ()) -> Any:
    book, sheet = campaigning(rule, orders)
    state = play(book, start("m", Options(), ("rome", "carthage"))).state
    return advance(book, state, Inbox({"rome": sheet}, deadline=True), ScriptedDice(throws))


def test_an_order_of_which_each_part_was_refused_came_to_nothing_and_its_else_is_tried() -> None:
    assert [each.city for each in outcome_of(refused_in_parts, BOTH_REFUSED).state.fights] == ["carthago"]
    assert outcome_of(refused_and_done, BOTH_REFUSED).state.fights == (), (
        "unless its rule says that it is done"
    )


def test_an_else_is_never_a_second_throw() -> None:
    orders = BOTH_REFUSED.replace(b"    towards: [roma]\n", b"").replace(b", towards: [carthago]", b"")
    outcome = outcome_of(campaign_after_a_throw, orders, throws=(6,))
    assert sum(isinstance(event, OrderRefused) for event in outcome.events) == 1
