"""Tallies: so many of each of a few kinds, reckoned with as one thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import add, neg, sub
from typing import Self, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, astuple

from adjudicator.engine.table.domain import Counts, Limit, Whole


class Tally(Struct, frozen=True, forbid_unknown_fields=True):
    """So many of each kind. A subclass names the kinds, each a field `= 0`, in the order in which they are taken."""

    @property
    def count(self) -> int:
        """How many in all."""
        return sum(astuple(self))

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, astuple(self), astuple(other)))

    def __sub__(self, other: Self) -> Self:
        return type(self)(*map(sub, astuple(self), astuple(other)))

    def __neg__(self) -> Self:
        return type(self)(*map(neg, astuple(self)))

    def __and__(self, other: Self) -> Self:
        """Of each kind as many as there are in both."""
        return type(self)(*map(min, astuple(self), astuple(other)))

    def first(self, count: int, order: Sequence[str] = ()) -> Self:
        """So many of them, or all: those of the kinds that `order` names first, then the other kinds."""
        there, taken = asdict(self), dict[str, int]()
        for kind in dict.fromkeys((*order, *there)):
            taken[kind] = min(there[kind], count)
            count -= taken[kind]
        return type(self)(**taken)


T = TypeVar("T", bound=Tally)


def tallied(tallies: Mapping[str, T], name: str, change: T) -> dict[str, T]:
    """Tallies by name, after a change of one of them: that comes last now, or, come to nothing, is left out."""
    others = {each: tally for each, tally in tallies.items() if each != name}
    now = tallies.get(name, type(change)()) + change
    return {**others, name: now} if now.count else others


def up_to_all(there: Tally, rule: str, why: str, *more: Limit) -> Counts:
    """So many of each kind as there are, for a rule to pick from; `more` are limits of each kind besides."""
    limits = {kind: [Limit(count, rule, why), *more] for kind, count in asdict(there).items()}
    return Counts({kind: Whole(0, limits[kind]) for kind in limits})
