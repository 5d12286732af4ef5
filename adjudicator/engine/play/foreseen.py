"""The account of a sheet before it is carried out: what will become of each order as far as its player can know, and
what that may still become.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.play.account import Doubt, OrderAccount, Word, accounts
from adjudicator.engine.play.findings import Finding, UnderstoodOrder
from adjudicator.engine.sheets.sheet import Order
from adjudicator.engine.table.event import Event
from adjudicator.engine.table.table import Verb


def foreseen_accounts(
    orders: Sequence[Order],
    verbs: Mapping[str, Verb[Any]],
    events: Iterable[Event[Any]],
    understood: Iterable[UnderstoodOrder],
    said: Iterable[Finding],
) -> tuple[OrderAccount, ...]:
    """What will become of the orders for one phase, from what a check made of them: its events, how it understood each
    order, and all that it said.
    """
    known = {each.place: each for each in understood}
    found = [_with_doubts(each, known) for each in accounts(orders, verbs, events, waiting=False)]
    homes = dict[str, list[Finding]]()
    places = {place for each in found for place in _places_of(each)}
    for each in said:
        homes.setdefault(each.place if each.place in places else each.order, []).append(each)
    own = {order.place() for order in orders}
    return tuple(_with_findings(each, homes) for each in found if each.place in own)


def _places_of(found: OrderAccount) -> Iterator[str]:
    yield found.place
    for each in (*found.parts, *found.otherwise):
        yield from _places_of(each)


def _with_findings(found: OrderAccount, homes: Mapping[str, Sequence[Finding]]) -> OrderAccount:
    return replace(
        found,
        findings=tuple(homes.get(found.place, ())),
        parts=tuple(_with_findings(each, homes) for each in found.parts),
        otherwise=tuple(_with_findings(each, homes) for each in found.otherwise),
    )


def _with_doubts(
    found: OrderAccount,
    known: Mapping[str, UnderstoodOrder],
    *,
    outer: Doubt | None = None,
    above: Doubt | None = None,
) -> OrderAccount:
    """The account, with what may still become of the order, its parts and its `else`. `outer` is what is in doubt of
    the order that it is a part of, `above` of those in whose `else` it stands.
    """
    found = _with_own_doubt(found, known.get(found.place))
    if found.may is None and outer is not None:
        found = replace(found, may=_opposite(found.word), doubt=outer)
    if found.may is None and above is not None and found.word is not Word.WAITS:
        tried = found.word is not Word.NOT_NEEDED
        found = replace(found, may=Word.NOT_NEEDED if tried else Word.DONE, doubt=above)
    parts = tuple(_with_doubts(each, known, outer=found.doubt) for each in found.parts)
    open_ = next((each.doubt for each in parts if each.may is not None), None)
    if found.may is None and open_ is not None:
        found = replace(found, may=Word.PARTLY if found.word is Word.DONE else Word.DONE, doubt=open_)
    others, doubt = list[OrderAccount](), found.doubt
    if found.word is Word.WAITS:
        doubt = Doubt.UNKNOWN
    for each in found.otherwise:
        others.append(_with_doubts(each, known, above=doubt))
        doubt = doubt or _doubt_within(others[-1])
    return replace(found, parts=parts, otherwise=tuple(others))


def _doubt_within(found: OrderAccount) -> Doubt | None:
    """What is in doubt of an order or of its `else`, and so of what comes after them."""
    doubts = (_doubt_within(each) for each in found.otherwise)
    return found.doubt or next((each for each in doubts if each is not None), None)


def _with_own_doubt(found: OrderAccount, how: UnderstoodOrder | None) -> OrderAccount:
    """The account of an order by what a check knows of it alone."""
    if how is None:
        return found
    if how.waits:  # its phase isn't reached, so nothing was tried
        return replace(found, word=Word.WAITS if how.good else Word.NOTHING, phase=how.phase)
    doubt = None
    if how.tried and how.doubtful:
        doubt = Doubt.CONDITION
    elif how.tried and how.good and how.preventable:
        doubt = Doubt.OTHERS
    elif how.tried and (how.depends or ((how.good or how.partly) and how.unsure)):
        doubt = Doubt.UNKNOWN
    may = None if doubt is None else _opposite(found.word)
    if doubt is Doubt.UNKNOWN and how.partly and not how.depends:  # what was refused of it can't be helped
        may = Word.NOTHING
    if doubt is None and how.tried and how.halfway and found.word is Word.DONE:
        may, doubt = Word.PARTLY, Doubt.UNKNOWN
    return replace(found, may=may, doubt=doubt, phase=how.phase)


def _opposite(word: Word) -> Word:
    """What an order becomes if what it depends on turns out otherwise."""
    return Word.DONE if word in (Word.NOTHING, Word.PARTLY) else Word.NOTHING
