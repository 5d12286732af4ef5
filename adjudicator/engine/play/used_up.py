"""What orders of a sheet use up for those below: things that can be done once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from adjudicator.engine.play.account import UnderstoodOrder, is_meant
from adjudicator.engine.sheets.sheet import Order
from adjudicator.engine.table.rulebook import Phase
from adjudicator.engine.text.source import Path


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
