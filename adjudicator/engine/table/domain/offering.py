"""Values of which only those are offered that are possible now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from adjudicator.engine.table.domain.base import Chance, Domain, Schema

T = TypeVar("T")


class Offering(Domain[T], frozen=True, eq=False):
    """Whatever its type admits: the rule looks at it later, when other orders may have made it possible.

    Offered is only what is possible now, worked out when it is listed, from what never changes, such as a position.
    """

    type: Domain[T]
    now: Callable[[], Domain[Any]]

    @property
    def listed(self) -> bool:
        return False

    @property
    def usual(self) -> Domain[Any]:
        return self.now()

    @property
    def spare(self) -> bool:
        return True

    def takes(self, plain: Any) -> bool:
        return self.type.takes(plain)

    def read(self, plain: Any) -> T:
        return self.type.read(plain)

    def read_each(self, items: Sequence[Any]) -> tuple[T, ...]:
        return self.type.read_each(items)

    def sample(self, chance: Chance) -> Any:
        return self.now().sample(chance)

    def schema(self) -> Schema:
        return self.now().schema()

    def shape(self) -> Schema:
        return self.type.shape()
