"""Tallies: a number for each of a few kinds, counted as one thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import add, neg, sub
from typing import Self, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, astuple

from adjudicator.engine.table.domain import Counts, Limit, Whole


class Tally(Struct, frozen=True, forbid_unknown_fields=True):
    """A number for each kind. A subclass names the kinds, each a field `= 0`, in the order in which they are taken."""

    @property
    def count(self) -> int:
        """The total number."""
        return sum(astuple(self))

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, astuple(self), astuple(other)))

    def __sub__(self, other: Self) -> Self:
        return type(self)(*map(sub, astuple(self), astuple(other)))

    def __neg__(self) -> Self:
        return type(self)(*map(neg, astuple(self)))

    def __and__(self, other: Self) -> Self:
        """For each kind the lower of the two numbers."""
        return type(self)(*map(min, astuple(self), astuple(other)))

    def first(self, count: int, order: Sequence[str] = ()) -> Self:
        """The first `count`, or all: the kinds that `order` names first, then the others."""
        there = asdict(self)
        taken: dict[str, int] = {}
        for kind in dict.fromkeys((*order, *there)):
            taken[kind] = min(there[kind], count)
            count -= taken[kind]
        return type(self)(**taken)


T = TypeVar("T", bound=Tally)


def with_tally(tallies: Mapping[str, T], name: str, change: T) -> dict[str, T]:
    """Tallies by name after a change of one: it comes last now, or is left out if it has become empty."""
    others = {each: tally for each, tally in tallies.items() if each != name}
    now = tallies.get(name, type(change)()) + change
    return {**others, name: now} if now.count else others


def up_to_all(there: Tally, rule: str, why: str, *more: Limit) -> Counts:
    """At most as many of each kind as there are, for a rule to pick from; `more` are further limits of each kind."""
    limits = {kind: [Limit(count, rule, why), *more] for kind, count in asdict(there).items()}
    return Counts({kind: Whole(0, limits[kind]) for kind in limits})
