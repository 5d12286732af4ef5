"""Reasons why names are impossible, worked out only when one is named: most orders name what is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial, update_wrapper
from typing import Any, ParamSpec

from adjudicator.engine.table.reason import Reason

P = ParamSpec("P")


class LazyReasons(partial[Mapping[Any, Reason]], Mapping[Any, Reason]):
    """Reasons by name, as `OneOf(..., but=)` takes them; equal to any mapping with the same content.

    Work them out from values that never change, such as a position: this may happen later, or never.
    """

    @cached_property
    def _found(self) -> Mapping[Any, Reason]:
        return self()

    def __getitem__(self, name: Any) -> Reason:
        return self._found[name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __or__(self, other: Mapping[Any, Reason]) -> LazyReasons:
        return LazyReasons(_together, self, other)

    def __ror__(self, other: Mapping[Any, Reason]) -> LazyReasons:
        return LazyReasons(_together, other, self)


def _together(*several: Mapping[Any, Reason]) -> dict[Any, Reason]:
    found: dict[Any, Reason] = {}
    for each in several:
        found |= each._found if isinstance(each, LazyReasons) else each
    return found


def when_named(reasons: Callable[P, Mapping[Any, Reason]]) -> Callable[P, LazyReasons]:
    """Turns a function that gives reasons by name into one that runs only when one of them is asked for."""
    return update_wrapper(partial(LazyReasons, reasons), reasons)
