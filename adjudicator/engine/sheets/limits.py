"""Limits: how much of a sheet is read.

They limit the work, not only the messages: a hostile file of 64 KiB takes no longer than a long honest one.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from adjudicator.engine.table.position import PHASES
from adjudicator.engine.table.reason import Flaw, Reason
from adjudicator.engine.text.source import Path, Source

MOST_ORDERS = 200
"""The most orders of a sheet, including those of `else` and `later`, and answers of a file; no more are read."""
MOST_ENTRIES = 200
"""The most entries of one kind of standing instructions; a longer list is refused whole."""
MOST_FACTS = 500
"""The most facts in an order's `if:`, including those within `not` and `any`."""
MOST_NESTED = 4
"""How deep `not` and `any` may be nested."""


def first_orders(source: Source) -> tuple[Source, tuple[Flaw, ...]]:
    """A sheet with its first MOST_ORDERS orders, and a flaw about the rest, at the head of the file.

    Those of the open phase come first. A too long list of standing instructions keeps one entry too many.
    """
    plain: Any = source.plain
    counting = _Counting()
    kept = dict(plain)
    if "orders" in plain:
        kept["orders"] = counting.first(plain["orders"], ("orders",))
    if isinstance(later := plain.get("later"), dict):
        kept["later"] = {
            name: {**value, "orders": counting.first(value["orders"], ("later", name, "orders"))}
            if isinstance(value, dict) and "orders" in value
            else value
            for name, value in later.items()
        }
    if isinstance(standing := plain.get("standing"), dict):
        kept["standing"] = {
            key: value[: MOST_ENTRIES + 1] if isinstance(value, list) else value
            for key, value in standing.items()
        }
        if isinstance(phases := standing.get(PHASES), dict):
            kept["standing"][PHASES] = {
                name: counting.first(orders, ("standing", PHASES, name)) for name, orders in phases.items()
            }
    found = replace(source, plain=kept)
    if not counting.beyond:
        return found, ()
    facts = {"most": MOST_ORDERS, "line": source.mark(counting.beyond).line}
    head: Path = (next(key for key in ("orders", "later", "standing") if key in plain),)
    return found, (Flaw(Reason("SHEET", "too-many-orders", facts), head, key=True),)


class _Counting:
    """Counts orders in file order, each before those of its `else`."""

    def __init__(self) -> None:
        self.left = MOST_ORDERS
        self.beyond: Path = ()

    def first(self, orders: Any, path: Path) -> Any:
        if not isinstance(orders, list):
            return orders
        kept: list[Any] = []
        for index, order in enumerate(orders):
            if not self.left:
                self.beyond = self.beyond or (*path, index)
                break
            self.left -= 1
            if isinstance(order, dict) and "else" in order:
                kept.append({**order, "else": self.first(order["else"], (*path, index, "else"))})
            else:
                kept.append(order)
        return kept
