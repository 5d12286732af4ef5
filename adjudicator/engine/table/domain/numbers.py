"""Whole numbers and their limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.table.domain.base import Chance, Domain, Schema
from adjudicator.engine.table.reason import unfit


class Limit(Struct, frozen=True):
    """A maximum, its rule, and the key of its reason: `Limit(2, "MED-0.6", "room", {"galley": ..})`."""

    most: int
    rule: str
    key: str
    facts: Mapping[str, Any] = {}


def between(least: int, most: int) -> Whole:
    """So many, for what is only offered (`Offering`) and never read: nobody is told why there can't be more."""
    return Whole(least, [Limit(most, "", "too-long")])


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
            "errorMessage": f"a whole number from {self.least} is needed",
        }
