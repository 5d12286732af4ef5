"""How a check understood a player's orders, and what it says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from adjudicator.engine.sheets.sheet import Order
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.text.problem import Severity
from adjudicator.engine.text.source import Path


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
