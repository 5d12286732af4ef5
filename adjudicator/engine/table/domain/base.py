"""What every domain can do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from adjudicator.engine.table.reason import unfit

T = TypeVar("T")
Schema = dict[str, Any]


class Chance(Protocol):
    """A source of choices for bots: a whole number from 0 up to, not including, `below`."""

    def __call__(self, below: int) -> int: ...


class Domain(Struct, Generic[T], frozen=True):
    """The base of all: what a domain must be able to do.

    A game makes none of its own: `OneOf`, `Name`, `Flag`, `Whole`, `Many`, `Walk`, `Counts`, `Record`, `MapOf` and
    `Either` are enough to say what a field may hold, and `Forms` adds other ways to write it. A domain without
    limits is the field's type (`Verb.fields`), `Whole(1)`; with them it is what is possible now, from which a rule
    picks: `Whole(1, [Limit(2, rule, "room")])`.
    """

    def takes(self, plain: Any) -> bool:
        """Is the value of the right kind (text, number, list, mapping), whatever else?"""
        raise NotImplementedError

    def read(self, plain: Any) -> T:
        """The value that `plain` stands for. Raises `Refused`."""
        raise NotImplementedError

    def values(self) -> Iterator[Any]:
        """Every admitted value as a sheet writes it, lazily; only where `listed`."""
        raise NotImplementedError

    @property
    def listed(self) -> bool:
        """Are there few enough values to list them? Else the domain is asked."""
        return True

    @property
    def usual(self) -> Domain[Any]:
        """The part of it that is listed and suggested: itself, but for what can be written in other forms too."""
        return self

    def sample(self, chance: Chance) -> Any:
        """An admitted value as a sheet writes it; raises `Refused` if there is none."""
        every = list(self.values())
        if not every:
            raise unfit("none-possible")
        return every[chance(len(every))]

    def schema(self) -> Schema:
        """JSON Schema of these very values, for editors to suggest."""
        raise NotImplementedError

    def shape(self) -> Schema:
        """JSON Schema of the type alone: admits every value that could ever be possible, suggests nothing."""
        return self.schema()
