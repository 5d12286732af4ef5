"""Sheets: what one player sends for one phase, read from a source into orders with their places.

Reads an entry of a file field by field, for the referee, a check, standing instructions and answers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.library.texts import first_flaws
from adjudicator.engine.table.domain import Domain
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Flaw, Reason, Refused
from adjudicator.engine.text.source import Path, Source

ANSWERS = "answers"
"""The folder of files of answers, and the key of their list."""
NOT_DUE = "not-due"
"""Why the orders of a player who isn't due don't count."""
KEYWORDS = ("if", "else")


Flaws = Mapping[Path, tuple[Flaw, ...]]


class Order(Struct, frozen=True):
    """One thing to do, verb first. `path` leads to it in the source; `flaws` are what the schema finds wrong with it.

    `at` is its place if nothing else is left of its sheet: an order that has waited in the position.
    """

    verb: str
    fields: Mapping[str, Any]
    source: Source
    path: Path
    conditions: Mapping[str, Any] = {}
    otherwise: tuple[Order, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    at: str = ""

    @property
    def plain(self) -> Any:
        """The order as it stands in the sheet."""
        found: Any = self.source.plain
        for step in self.path:
            found = found[step]
        return found

    def place(self, path: Path = (), *, key: bool = False) -> str:
        """The place of the order, or of a part of it: `sheets/venice.yaml:7:5`."""
        if self.at:
            return self.at
        mark = self.source.mark((*self.path, *path) if path else self.path, key=key)
        return f"{self.source.name}:{mark.line}:{mark.column}"


class Answer(Struct, frozen=True):
    """One entry of an answer file, verb first, and its place."""

    verb: str
    fields: Mapping[str, Any]
    place: str


class Sheet(Struct, frozen=True):
    """A player's sheet. `orders` is None if it has none: it isn't a sheet yet, but its standing instructions count.

    `phases` are standing orders for whole phases, None if it doesn't mention them; `later` are orders sent ahead.
    `seen` is the mark that it names, of the last report that its player has.
    """

    player: Player
    source: Source
    orders: tuple[Order, ...] | None = None
    standing: Mapping[str, Any] = {}
    phases: Mapping[str, tuple[Order, ...]] | None = None
    later: Mapping[str, tuple[Order, ...]] = {}
    salt: str = ""
    seen: str = ""
    ready: bool = True
    flaws: tuple[Flaw, ...] = ()

    def flaws_as_a_whole(self, due: Sequence[Player]) -> Iterator[Flaw]:
        """What is wrong in the sheet outside orders and standing instructions; their faults are told where they are
        taken in.
        """
        apart = {("standing", key) for key in self.standing}
        yield from first_flaws(self.source, [flaw for flaw in self.flaws if flaw.path[:2] not in apart])
        if self.orders and self.player not in due:
            facts = {"player": self.player, "due": list(due)}
            yield Flaw(Reason("SHEET", NOT_DUE, facts), ("orders",), key=True)


A_MARK = re.compile("[0-9a-f]{16}")
"""A mark as it is written (`folder/marks.py`)."""


class SeenMark(Struct, frozen=True, omit_defaults=True):
    """A mark that a player has seen, and the phase whose reports have it. Without a phase no report here has it, or one
    of the phase `undone`, which was taken back; without digits either, it isn't even a mark.
    """

    phase: str = ""
    mark: str = ""
    undone: str = ""

    @property
    def is_foreign(self) -> bool:
        """Has no report of the match this mark, nor had any?"""
        return not (self.phase or self.undone)


def path_of_innermost_order(path: Path, end: int) -> Path:
    """The path of the innermost order that `path` leads into, starting from the order at its first `end` steps."""
    while len(path) >= end + 2 and path[end] == "else":
        end += 2
    return path[:end]


def step_at(order: Order, field: str, index: int, plain: Any) -> Order:
    """One of the orders in a field of an order, with its flaws."""
    path = (*order.path, field, index)
    flaws: dict[Path, tuple[Flaw, ...]] = {}
    for flaw in order.flaws:
        if flaw.path[: len(path)] == path:
            home = path_of_innermost_order(flaw.path, len(path))
            flaws[home] = (*flaws.get(home, ()), flaw)
    return order_at(order.source, path, plain, flaws)


def order_at(source: Source, path: Path, plain: Any, flaws: Flaws) -> Order:
    """The order at `path`; `flaws` are the schema's, by the order they lie in."""
    if type(plain) is not dict or not plain:
        return Order("", {}, source, path, flaws=flaws.get(path, ()))
    verb = next(iter(plain))
    orders = plain.get("else")
    otherwise = tuple(
        order_at(source, (*path, "else", index), item, flaws)
        for index, item in enumerate(orders if type(orders) is list else ())
    )
    conditions = plain.get("if")
    return Order(
        verb=verb,
        fields={key: value for key, value in plain.items() if key not in KEYWORDS},
        source=source,
        path=path,
        conditions=conditions if type(conditions) is dict else {},
        otherwise=otherwise,
        flaws=flaws.get(path, ()),
    )


def order_from_position(plain: Any, at: str) -> Order:
    """An order that has waited in a position, with nothing but the place left of its sheet."""
    source = Source(at.rsplit(":", 2)[0], plain)
    return replace(order_at(source, (), plain, {}), at=at)


def orders_at(source: Source, path: Path, plain: Any, flaws: Flaws) -> tuple[Order, ...]:
    """The orders of a list of orders."""
    items = plain if isinstance(plain, list) else []
    return tuple(order_at(source, (*path, index), item, flaws) for index, item in enumerate(items))


class Reader:
    """Reads the fields of an entry in a file; `taken` are the fields that were asked for."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.fields = fields
        self.taken: tuple[str, ...] = ()

    @property
    def named(self) -> Collection[str] | None:
        """The fields that the entry has; None while they are still being chosen."""
        return self.fields

    def pick(self, field: str, among: Domain[Any], *, rule: str, default: Any = ...) -> Any:
        """The field's value as the domain reads it. Raises `Refused`."""
        if field in self.fields:
            self.taken += (field,)
            plain = self.fields[field]
        elif default is None:
            return None
        elif default is ...:
            raise Refused(Reason(rule, "missing", {"field": field}))
        else:
            plain = default
        try:
            return among.read(plain)
        except Refused as refused:
            raise refused.under(rule, field) from None

    def require(self, ok: bool, rule: str, why: str, **facts: Any) -> None:
        """Raises `Refused` unless `ok`."""
        if not ok:
            raise Refused(Reason(rule, why, facts))

    def prepared(self, ok: bool, rule: str, why: str, **facts: Any) -> None:
        """Raises `Refused` unless `ok`."""
        self.require(ok, rule, why, **facts)

    def warn(self, rule: str, why: str, *path: str | int, **facts: Any) -> None:
        """Ignored: a check reports it."""
