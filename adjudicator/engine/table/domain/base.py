"""What every domain can do.

Whole numbers and their limits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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


class Unlisted(Domain[T], frozen=True):
    """A domain with too many values to list them."""

    @property
    def listed(self) -> bool:
        return False


class Mapped(Unlisted[T], frozen=True):
    """A domain whose values are written as mappings."""

    def takes(self, plain: Any) -> bool:
        return type(plain) is dict


class Limit(Struct, frozen=True):
    """A maximum, its rule, and the key of its reason: `Limit(2, "MED-0.6", "room", {"galley": ..})`."""

    most: int
    rule: str
    key: str
    facts: Mapping[str, Any] = {}


def between(least: int, most: int) -> Whole:
    """A whole number between two, by no rule of a game: for what is only offered (`Offering`)."""
    return Whole(least, [Limit(most, "SHEET", "number-too-high")])


class Whole(Domain[int], frozen=True):
    """A whole number from `least` in steps; if limits are broken, the first in the given order is cited."""

    least: int = 0
    limits: Sequence[Limit] = ()
    step: int = 1

    @property
    def most(self) -> int | None:
        """The highest number admitted; None without limits."""
        if not self.limits:
            return None
        most = min([limit.most for limit in self.limits])
        return most - (most - self.least) % self.step if self.step > 1 else most

    @property
    def listed(self) -> bool:
        return bool(self.limits)

    def takes(self, plain: Any) -> bool:
        return type(plain) is int  # `true` isn't a number

    def read(self, plain: Any) -> int:
        if type(plain) is not int:
            raise unfit("not-whole", value=plain)
        if plain < self.least:
            raise unfit("too-few", value=plain, least=self.least)
        if plain % self.step:
            raise unfit("not-a-multiple", value=plain, step=self.step)
        for limit in self.limits:
            if plain > limit.most:
                raise unfit(limit.key, rule=limit.rule, value=plain, most=max(limit.most, 0), **limit.facts)
        return plain

    def values(self) -> Iterator[Any]:
        most = self.most
        return iter(range(self.least, self.least if most is None else most + 1, self.step))

    def sample(self, chance: Chance) -> Any:
        most = self.most if self.limits else self.least + 9 * self.step
        if most is None or most < self.least:
            raise unfit("none-possible")
        return self.least + self.step * chance((most - self.least) // self.step + 1)

    def schema(self) -> Schema:
        schema = {**self.shape(), "minimum": self.least}
        most = self.most
        return schema if most is None else {**schema, "maximum": max(most, self.least)}

    def shape(self) -> Schema:
        return {
            "type": "integer",
            "minimum": self.least,
            **({"multipleOf": self.step} if self.step > 1 else {}),
        }
