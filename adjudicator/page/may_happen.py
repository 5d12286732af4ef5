"""What may happen to a player's orders: whose acts meet them, and why an order may come to nothing.

The phase is tried with orders of others, as for the points (`foreseen.py`). What of that is told about a thing that one
of the orders names, and is somebody else's act, may happen to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.texts import say, texts_of, words
from adjudicator.engine.play.account import Word, every_account
from adjudicator.engine.report.filters import account_text
from adjudicator.engine.report.map import ground
from adjudicator.engine.report.markdown_html import plain_text
from adjudicator.engine.report.replay import named, steps_of
from adjudicator.engine.report.template import colours, names
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.sheets.reading import read_sheet
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.event import OrderRefused
from adjudicator.page.foreseen import Try
from adjudicator.page.opened import OpenView, page_path

MOST = 3
"""The most that is told of one order."""
MISSED = (Word.NOTHING, Word.PARTLY)


class May(Struct, frozen=True, omit_defaults=True):
    """What may happen to the order `at` that path: in words; and, if it is somebody's act, `who` that is, the colour
    of that seat, and the thing on the map where it meets the order.
    """

    at: Sequence[str | int]
    words: str
    who: str = ""
    seat: int = -1
    place: str = ""


def what_may_happen(seen: OpenView, text: str, then: Sequence[Try], may: Sequence[Try]) -> list[May]:
    """What may happen to the orders of a sheet in the open phase; nothing to a sheet that can't be read."""
    sheet = read_sheet(text.encode(), seen.expected)
    if not isinstance(sheet, Sheet):
        return []
    orders, sure = sheet.orders or (), [] if may is then else then
    told = dict.fromkeys(each for one in may for each in _in_one(seen, orders, one))
    known = {each for one in sure for each in _in_one(seen, orders, one)}
    found = [each for each in told if each not in known]
    return [each for order in orders for each in [one for one in found if one.at == _at(order)][:MOST]]


def _in_one(seen: OpenView, orders: Sequence[Order], one: Try) -> Iterator[May]:
    yield from _missed(seen, orders, one)
    called, colour = names(texts_of(seen.rulebook)), colours(seen.rulebook.key)
    on_map = {*ground(texts_of(seen.rulebook)).canvas.points, *names_on_board(seen.view)} - {
        *seen.view.players
    }
    about = [(order, [name for name in _texts(order.fields) if name in on_map]) for order in orders]
    for step in steps_of(seen.rulebook, one.told):
        if step.actor in ("", seen.me):
            continue
        met = {*named(step.told)}
        for order, its in about:
            for place in [name for name in its if name in met][-1:]:
                said = plain_text(step.line.partition("\n")[0])
                yield May(_at(order), said, str(called.get(step.actor)), colour.get(step.actor, -1), place)


def _missed(seen: OpenView, orders: Sequence[Order], one: Try) -> Iterator[May]:
    """The orders that come to nothing, or in part, and why."""
    texts, paths = texts_of(seen.rulebook), {place_in_file(order): _at(order) for order in orders}
    reasons = {event.by: event.reason for event in one.told.events if isinstance(event, OrderRefused)}
    for account in every_account(next(iter(one.told.accounts.values()), ())):
        at = paths.get(_place(account.place))
        if at is None or account.word not in MISSED:
            continue
        word = account_text(account, words(texts))
        why = reasons.get(account.place)
        yield May(at, word if why is None else f"{word}{words(texts)['language']['colon']}{say(why, texts)}")


def place_in_file(order: Order) -> str:
    """Line and column of an order."""
    mark = order.source.mark(order.path)
    return f"{mark.line}:{mark.column}"


def _place(text: str) -> str:
    return ":".join(text.rsplit(":", 2)[1:])


def _at(order: Order) -> Sequence[str | int]:
    return page_path(order.path)


def _texts(value: Any) -> Iterator[str]:
    """The texts in what an order names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.items():
            yield from _texts(each)
    elif isinstance(value, Sequence):
        for each in value:
            yield from _texts(each)
