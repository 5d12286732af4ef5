"""What every domain can do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from adjudicator.engine.table.reason import Refused, unfit

T = TypeVar("T")
Schema = dict[str, Any]


class Chance(Protocol):
    """A source of choices for bots: a whole number from 0 up to, not including, `below`."""

    def __call__(self, below: int) -> int: ...


class Domain(Struct, Generic[T], frozen=True):
    """The base of all domains: what each must be able to do.

    A game needs none of its own: `OneOf`, `Name`, `Flag`, `Whole`, `Many`, `Walk`, `Counts`, `Record`, `MapOf` and
    `Either` are enough to say what a field may hold, and `Forms` adds other ways to write it. A domain without limits,
    `Whole(1)`, is the field's type (`Verb.fields`). With limits, `Whole(1, [Limit(2, rule, "room")])`, it is what is
    possible now, from which a rule picks.
    """

    def takes(self, plain: Any) -> bool:
        """Is the value of the right type (text, number, list, mapping), whatever it is?"""
        raise NotImplementedError

    def read(self, plain: Any) -> T:
        """The value that `plain` stands for. Raises `Refused`."""
        raise NotImplementedError

    def read_each(self, items: Sequence[Any]) -> tuple[T, ...]:
        """What several values stand for. Raises `Refused`, at the number of the first that isn't admitted."""
        found: tuple[T, ...] = ()
        for index, item in enumerate(items):
            try:
                found += (self.read(item),)
            except Refused as refused:
                raise refused.within(index) from None
        return found

    def values(self) -> Iterator[Any]:
        """Every admitted value as a sheet writes it, lazily; only where `listed`."""
        raise NotImplementedError

    @property
    def listed(self) -> bool:
        """Are there few enough values to list them? If not, ask whether it admits a value."""
        return True

    @property
    def usual(self) -> Domain[Any]:
        """The part of the domain that is listed and suggested: all of it, except where there are other forms, or values
        that may become possible.
        """
        return self

    @property
    def spare(self) -> bool:
        """Does it admit values that mean nothing now, and that it never offers?"""
        return False

    def sample(self, chance: Chance) -> Any:
        """An admitted value as a sheet writes it; raises `Refused` if there is none."""
        every = list(self.values())
        if not every:
            raise unfit("none-possible")
        return every[chance(len(every))]

    def schema(self) -> Schema:
        """A JSON Schema of exactly these values, for editors to suggest."""
        raise NotImplementedError

    def shape(self) -> Schema:
        """A JSON Schema of the type alone: admits every value that could ever be possible, suggests nothing."""
        return self.schema()
