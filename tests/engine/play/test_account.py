"""The account of a sheet: done, partly, nothing, waits or not needed, for each order, its parts and its `else`."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.play.account import OrderAccount, Word, accounts
from adjudicator.engine.play.checking import Check, foreseen_accounts
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.table.dice import ScriptedDice
from adjudicator.engine.table.domain import Many
from adjudicator.engine.table.position import Options
from adjudicator.engine.table.reason import unfit
from adjudicator.engine.table.table import Table
from tests.engine.one_phase import play
from tests.engine.play.test_referee_steps import (
    BOTH_REFUSED,
    ORDERS,
    campaign,
    campaign_in_parts,
    campaigning,
    refused_in_parts,
)
from tests.engine.small_card_game import CITY, DUEL, Marched, State, start


def account_of(rule: Any, orders: bytes, *, steps: tuple[str, ...] = ()) -> tuple[OrderAccount, ...]:
    """The account of a sheet of campaigns by such a rule."""
    book, sheet = campaigning(rule, orders)
    state = play(book, start("m", Options(), ("rome", "carthage"))).state
    outcome = advance(book, state, Inbox({"rome": sheet}), ScriptedDice(()))
    phase = book.phase("turn")
    phase = replace(phase, verbs={name: replace(verb, steps=steps) for name, verb in phase.verbs.items()})
    seen = events_for(book, outcome.state, outcome.events, "rome")
    return accounts(sheet.orders or (), phase, seen, waiting=False)


def test_an_order_of_which_each_part_was_refused_is_nothing_and_its_else_is_done() -> None:
    (order,) = account_of(refused_in_parts, BOTH_REFUSED)
    assert (order.word, order.outcome) == (Word.NOTHING, Word.DONE)
    assert [reason.key for reason in order.reasons] == ["twice"]
    assert [each.word for each in order.otherwise] == [Word.DONE]


def test_an_order_of_which_a_part_was_refused_is_partly_done_and_its_else_not_needed() -> None:
    sheet = b"""player: rome
orders:
  - campaign: roma
    towards: [roma, roma, carthago]
    else: [{campaign: carthago, towards: [carthago]}]
"""
    (order,) = account_of(campaign_in_parts, sheet)
    assert (order.word, [reason.key for reason in order.reasons]) == (Word.PARTLY, ["twice"])
    assert [each.word for each in order.otherwise] == [Word.NOT_NEEDED]


def test_a_part_that_is_refused_without_naming_a_field_is_a_part_too() -> None:
    def march(t: Table[State]) -> None:
        city = t.pick("campaign", CITY, rule="DUE-1.1")
        t.part(lambda t: t.require(False, "DUE-1.1", "twice", value=1))
        t.part(lambda t: t.play(Marched(rule="DUE-1.1", player=t.me, city=city)))

    (order,) = account_of(march, b"player: rome\norders: [{campaign: roma}]\n")
    assert (order.word, [reason.key for reason in order.reasons]) == (Word.PARTLY, ["twice"])


def test_an_order_too_long_to_be_quoted_is_partly_done_too() -> None:
    def march(t: Table[State]) -> None:
        cities = t.pick("campaign", Many(CITY, most=99), rule="DUE-1.1")
        for index in range(1, len(cities)):
            t.part(partial(again, index))
        t.part(lambda t: t.play(Marched(rule="DUE-1.1", player=t.me, city=cities[0])))

    def again(index: int, t: Table[State]) -> None:
        raise unfit("twice", ("campaign", index), "DUE-1.1", value=index)

    orders = f"player: rome\norders:\n  - campaign: [{', '.join(['carthago'] * 40)}]\n"
    (order,) = account_of(march, orders.encode())
    assert (order.word, len(order.reasons)) == (Word.PARTLY, 39)


def test_orders_inside_an_order_have_accounts_of_their_own() -> None:
    (order,) = account_of(campaign, ORDERS, steps=("towards",))
    assert order.word is Word.PARTLY
    first, second, third = order.parts
    assert (first.word, second.word, second.outcome, third.word) == (
        Word.DONE,
        Word.NOTHING,
        Word.DONE,
        Word.NOTHING,
    )


def test_the_else_of_an_unknown_order_is_tried_and_what_comes_after_a_done_one_is_not_needed() -> None:
    sheet = b"""player: rome
orders:
  - surrender: roma
    else:
      - campaign: carthago
        towards: [carthago]
      - campaign: roma
        towards: [roma]
"""
    (order,) = account_of(refused_in_parts, sheet)
    assert [order.word, *(each.word for each in order.otherwise)] == [
        Word.NOTHING,
        Word.DONE,
        Word.NOT_NEEDED,
    ]


def test_what_has_no_events_yet_waits_with_its_else_while_the_phase_waits() -> None:
    _, sheet = campaigning(refused_in_parts, BOTH_REFUSED)
    (order,) = accounts(sheet.orders or (), DUEL.phase("turn"), (), waiting=True)
    assert (order.word, order.otherwise[0].word) == (Word.WAITS, Word.WAITS)
    (matched,) = accounts(sheet.orders or (), DUEL.phase("turn"), (), waiting=False)
    assert (matched.word, matched.otherwise[0].word) == (Word.DONE, Word.NOT_NEEDED)


def test_what_a_check_remarks_on_an_order_stands_in_its_account() -> None:
    def march(t: Table[State]) -> None:
        t.mention("DUE-1.1", "twice", "towards", 0, value=t.pick("campaign", CITY, rule="DUE-1.1"))

    orders = b"[{campaign: nowhere, else: [{campaign: roma, towards: [carthago]}]}]"
    book, sheet = campaigning(march, b"player: rome\norders: " + orders + b"\n")
    state = play(book, start("m", Options(), ("rome", "carthage"))).state
    check = Check(book, position_for(book, state, "rome"), sheet)
    check.run()
    (order,) = foreseen_accounts(
        sheet.orders or (), book.phase("turn"), check.events, check.understood, check.said
    )
    (other,) = order.otherwise
    assert "twice" in [reason.key for reason in other.reasons]
