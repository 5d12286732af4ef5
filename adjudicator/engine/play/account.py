"""The account of a sheet: what became of each order, its parts and its `else`, derived from what happened in the phase.

It is no event, and its owner's alone: it says what the events of the sheet's lines (`Event.by`) come to, as far as
their owner may know them.

How a check understood a player's orders, what it says of them, and what they use up for those below.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from adjudicator.engine.sheets.sheet import Order, step_at
from adjudicator.engine.table.event import Event, OrderRefused, Remarked
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Phase
from adjudicator.engine.text.problem import Severity
from adjudicator.engine.text.source import Path
from adjudicator.engine.text.syntax import shortened
from adjudicator.engine.text.writing import in_a_line


class UnderstoodOrder(Struct, frozen=True):
    """An order as it was understood: its place, its text, and whether it is good as far as can be known.

    `partly`: a part of it isn't possible, and the rest is good. `tried` is false if it stands in an `else` and the
    order before it was carried out. `waits`: until after a phase in
    between. `doubtful`: its `if` isn't true now, but may become true. `depends`: it isn't possible as things stand, but
    something that nobody knows yet can make it possible. `unsure`: it comes after something that nobody knows yet, or
    depends on another's answer. `halfway`: it throws in one of its parts, after which others may be refused.
    `preventable`: players who act before can prevent it. `phase` is the later phase it is
    for, empty for the open one.
    """

    place: str
    order: Mapping[str, Any]
    good: bool
    partly: bool = False
    tried: bool = True
    waits: bool = False
    doubtful: bool = False
    depends: bool = False
    unsure: bool = False
    halfway: bool = False
    preventable: bool = False
    phase: str = ""


def is_meant(order: UnderstoodOrder) -> bool:
    """Does the order stand for its player's decision, as far as can be known: isn't it simply refused?"""
    return order.tried and (order.good or order.partly or order.depends or order.doubtful or order.waits)


class Finding(Struct, frozen=True):
    """What a check finds wrong or odd: where (`sheets/venice.yaml:7:5`), why, how bad it is, and the order's
    own place.
    """

    place: str
    reason: Reason
    severity: Severity
    order: str = ""


def with_else(order: Order) -> Iterator[Order]:
    """The order and all orders in its `else`, at any depth, in the order in which they are tried."""
    yield order
    for other in order.otherwise:
        yield from with_else(other)


def names_in(plain: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """All names in an order's fields, each with its path."""
    if isinstance(plain, str):
        yield path, plain
    elif isinstance(plain, Mapping | list | tuple):
        for key, value in plain.items() if isinstance(plain, Mapping) else enumerate(plain):
            yield from names_in(value, (*path, key))


LONGEST_LINE = 120
"""The most characters with which a line quotes an order."""

Fault = OrderRefused | Remarked


class Word(StrEnum):
    """What became of an order. Templates have a text for each of these values."""

    DONE = "done"
    """All that was asked for was carried out; so was an order that asks for nothing, such as a pass."""
    PARTLY = "partly"
    """A part was carried out; the rest has a reason."""
    NOTHING = "nothing"
    """The order was refused, or each of its parts was: its `else` was tried."""
    WAITS = "waits"
    """The order is open as long as a partner has orders to come, or until a later phase."""
    NOT_NEEDED = "not-needed"
    """An order above it was done or partly done."""


class Doubt(StrEnum):
    """Why it can't be known yet what will become of an order. Templates have a text for each of these values."""

    CONDITION = "if"
    """Its `if` isn't true now, and may come true."""
    OTHERS = "others"
    """Players who act before can prevent it."""
    UNKNOWN = "unknown"
    """It depends on what nobody, or not its player, knows yet."""


class OrderAccount(Struct, frozen=True):
    """What became of an order: its place in the sheet, its word, its fields as written, and what is to be said of what
    wasn't carried out, each with its place and reason.

    `parts` are those of the orders inside it, `otherwise` those of its `else`. Before the order is carried out, `may`
    is the word that it may still get instead, and `doubt` says why; `phase` is the later phase that it is for, empty
    for the open one.
    """

    place: str
    word: Word
    order: Mapping[str, Any] = {}
    findings: tuple[Finding, ...] = ()
    parts: tuple[OrderAccount, ...] = ()
    otherwise: tuple[OrderAccount, ...] = ()
    may: Word | None = None
    doubt: Doubt | None = None
    phase: str = ""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why the order, or a part of it, wasn't carried out."""
        return tuple(each.reason for each in self.findings)

    @property
    def line(self) -> str:
        """The order on one line, cut if it is long: `buy: wine, at: venezia`."""
        return shortened(in_a_line(dict(self.order))[1:-1], LONGEST_LINE)

    @property
    def outcome(self) -> Word:
        """The word of the order with its `else`: that of the first of them that didn't come to nothing."""
        if self.word is not Word.NOTHING:
            return self.word
        return next((each.outcome for each in self.otherwise if each.outcome is not Word.NOTHING), self.word)


def accounts(
    orders: Sequence[Order], phase: Phase[Any] | None, events: Iterable[Event[Any]], *, waiting: bool
) -> tuple[OrderAccount, ...]:
    """What became of the orders that were carried out for a due player in a phase, from its events as that player may
    know them (`view.events_for`).

    `phase`: None to tell only what events say by themselves. `waiting`: it waits for an answer, and so does what hasn't
    ended yet. An order without any event in a phase that is over was matched by another player's order, or asked for
    nothing; if the match ended in the middle of the phase (`Phase.over`), its turn never came. What events say of
    orders that have waited since an earlier phase comes last.
    """
    told = _Told(orders, phase, events, waiting=waiting)
    found = tuple(_account(order, told) for order in orders)
    known = {each.place for each in every_account(found)}
    return (*found, *(each for each in _accounts_of_others(told) if each.place not in known))


def every_account(of: Iterable[OrderAccount]) -> Iterator[OrderAccount]:
    """The accounts, each followed by those of its parts and of its `else`."""
    for each in of:
        yield each
        yield from every_account(each.parts)
        yield from every_account(each.otherwise)


class _Told:
    """What happened in a phase, by the place of the order that it is about."""

    def __init__(
        self,
        orders: Iterable[Order],
        phase: Phase[Any] | None,
        events: Iterable[Event[Any]],
        *,
        waiting: bool,
    ) -> None:
        self.verbs, self.waiting = {} if phase is None else phase.verbs, waiting
        self.ended: Reason | None = None  # why orders without any event came to nothing
        self.last = ""  # the place of the order that caused the last event; empty if none of these did
        # Orders whose `else` isn't tried: those left open or passed over, and whether they are open still.
        self.aside: dict[str, bool] = {}
        self.by, self.about = defaultdict[str, list[Event[Any]]](list), defaultdict[str, list[Fault]](list)
        inside = {step.place() for order in orders for each in with_else(order) for step in self.steps(each)}
        for event in events:
            self.aside |= event.leaves_open()
            if isinstance(event, Remarked) and not event.by and event.rule != "SHEET":
                self.aside[event.place] = False
            self.by[event.by].append(event)
            self.last = event.by
            if event.ends and phase is not None and phase.over is not None:
                self.ended = Reason(event.rule, "match-over")
            if isinstance(event, OrderRefused | Remarked):
                where = event.where if isinstance(event, OrderRefused) else event.place
                self.about[where if where in inside or not event.by else event.by].append(event)

    def steps(self, order: Order) -> Iterator[Order]:
        """The orders inside an order, each with those of its `else`."""
        verb = self.verbs.get(order.verb)
        for step in () if verb is None else verb.steps:
            lines = order.fields.get(step)
            for index, plain in enumerate(lines if isinstance(lines, list) else ()):
                yield from with_else(step_at(order, step, index, plain))


def _accounts_of_others(told: _Told) -> Iterator[OrderAccount]:
    """What events tell of orders without their sheet: those that were refused, or are open."""
    for place in dict.fromkeys((*told.about, *told.aside)):
        refused = next((each for each in told.about[place] if isinstance(each, OrderRefused)), None)
        if refused is not None:
            verb, _, thing = refused.verb.partition(": ")
            changed = bool(refused.by) and _changed(told.by[refused.by])
            word = Word.PARTLY if changed else Word.NOTHING
            yield OrderAccount(place, word, {verb: thing}, tuple(map(_finding, told.about[place])))
        elif told.aside.get(place):
            yield OrderAccount(place, Word.WAITS)


def _finding(event: Fault) -> Finding:
    where = event.where if isinstance(event, OrderRefused) else event.place
    return Finding(where, event.reason, "error", event.by)


def _account(order: Order, told: _Told, silent: Word | None = None) -> OrderAccount:
    """The account of an order and its `else`. `silent` is the word of what has no events, if that is known."""
    found = _account_alone(order, told, silent)
    others: list[OrderAccount] = []
    fate = _fate_below(found, told)
    for other in order.otherwise:
        others.append(_account(other, told, silent) if fate is None else _untried(other, fate))
        fate = fate or _fate_below(others[-1], told)
    return replace(found, otherwise=tuple(others))


def _fate_below(found: OrderAccount, told: _Told) -> Word | None:
    """What becomes of the orders of an `else` that come after this one; None if they are tried."""
    if found.outcome is not Word.NOTHING:
        return Word.WAITS if found.outcome is Word.WAITS else Word.NOT_NEEDED
    # What was left open, and then refused when the phase was over, was refused too late for its `else`.
    return Word.NOTHING if any(each.place in told.aside for each in every_account((found,))) else None


def _untried(order: Order, word: Word) -> OrderAccount:
    return OrderAccount(
        order.place(), word, order.fields, otherwise=tuple(_untried(other, word) for other in order.otherwise)
    )


def _account_alone(order: Order, told: _Told, silent: Word | None) -> OrderAccount:
    """The account of an order without its `else`."""
    place, inside = order.place(), [step.place() for step in told.steps(order)]
    own = told.about[place]
    changed = any(_changed(told.by[at]) for at in (place, *inside))
    missed = tuple(_finding(event) for event in own if _is_missed(event, order, alone=not changed))
    steps = [step for step in told.steps(order) if len(step.path) == len(order.path) + 2]
    if told.aside.get(place) or (told.waiting and changed and told.last in (place, *inside)):
        word = Word.WAITS
    elif changed:
        word = Word.PARTLY if missed else Word.DONE
    elif missed or any(isinstance(event, OrderRefused) for at in inside for event in told.about[at]):
        word = Word.NOTHING
    elif place in told.aside:
        word = Word.DONE
    elif silent is None and told.ended is not None:
        word, missed = Word.NOTHING, (Finding(place, told.ended, "error"),)
    else:
        word = silent or (Word.WAITS if told.waiting else Word.DONE)
    of_silent = Word.WAITS if word is Word.WAITS else Word.NOTHING
    parts = tuple(_account(step, told, of_silent) for step in steps)
    if word is Word.DONE and any(part.outcome is not Word.DONE for part in parts):
        word = Word.PARTLY
    return OrderAccount(place, word, order.fields, missed, parts)


def _changed(events: Iterable[Event[Any]]) -> bool:
    """Did an order bring about anything? What it only left open doesn't count, what stays of a refused one doesn't, nor
    what the rules did after it.
    """
    for event in events:
        if isinstance(event, OrderRefused) and not event.of_part:
            return False
        if not (isinstance(event, OrderRefused | Remarked) or event.stays or event.leaves_open()):
            return True
    return False


def _is_missed(event: Fault, order: Order, *, alone: bool) -> bool:
    """Does the event say that the order, or a part of it, wasn't carried out? A remark by a game does, if it is about a
    part, or if nothing else came of the order (`alone`).
    """
    if isinstance(event, OrderRefused):
        return True
    return event.rule != "SHEET" and (alone or event.place in _places_inside(order))


def _places_inside(order: Order) -> set[str]:
    """The places of all values in an order's fields."""
    return {order.place(path) for path in _paths_in(order.fields) if path}


def _paths_in(plain: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    if isinstance(plain, Mapping | list):
        for key, value in plain.items() if isinstance(plain, Mapping) else enumerate(plain):
            yield from _paths_in(value, (*path, key))


class User(Struct, frozen=True):
    """The order that uses something up: its path, and whether it is sure to be carried out."""

    path: Path
    sure: bool


class UsedUp(Struct):
    """By the later phase that is tried (empty: the open one) and the limit: the last order that uses it up."""

    by: dict[tuple[str, str], User] = field(default_factory=dict)

    def note(self, ahead: str, phase: Phase[Any], order: Order, tried: Iterable[UnderstoodOrder]) -> None:
        """Notes what an order uses up, or one of its `else`, from how they were understood."""
        for each in tried:
            if is_meant(each):
                sure = (each.good or each.partly) and not (each.unsure or each.doubtful)
                self.by |= dict.fromkeys(limits(ahead, phase, each.order), User(order.path, sure))

    def holds(self, ahead: str, phase: Phase[Any], order: Order) -> bool:
        """Has an order above used up what this one needs, whatever others do? One that is sure to be carried out has,
        and so has the same order directly above: had that been refused, so would this one be.
        """
        above = (self.by[what] for what in limits(ahead, phase, order.fields) if what in self.by)
        return any(each.sure or is_repeated(order, each.path) for each in above)


def limits(ahead: str, phase: Phase[Any], order: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The limits of which an order leaves nothing, each with the later phase that it is for."""
    verb = phase.verbs.get(next(iter(order), ""))
    for use in verb.uses or () if verb is not None else ():
        if use.alone and (what := use.limit_of(order)):
            yield ahead, what


def is_repeated(order: Order, since: Path) -> bool:
    """Is the order the same as the one at that path, and as all between them? Not if they have an `else`."""
    *home, first = since
    *same, last = order.path or ("",)
    lines: Any = order.source.plain
    if order.at or same != home or "else" in order.plain:
        return False
    for step in home:
        lines = lines[step]
    return all(line == order.plain for line in lines[first:last])
