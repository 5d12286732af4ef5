"""A stand-in for rpds-py in a page: its maps, lists and sets as Python's own, as far as jsonschema's parts use them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class HashTrieMap(dict[Any, Any]):
    """A mapping of which every change gives another one."""

    @classmethod
    def convert(cls, value: Any) -> HashTrieMap:
        """A mapping, as one of these."""
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key: Any, value: Any) -> HashTrieMap:
        """The mapping with one more key."""
        return HashTrieMap({**self, key: value})

    def remove(self, key: Any) -> HashTrieMap:
        """The mapping without a key. Raises KeyError."""
        kept = HashTrieMap(self)
        del kept[key]
        return kept

    def update(self, *others: Any, **more: Any) -> HashTrieMap:  # type: ignore[override]
        """The mapping with the keys of others."""
        made = HashTrieMap(self)
        for other in (*others, more):
            dict.update(made, other)
        return made


class HashTrieSet(frozenset[Any]):
    """A set of which every change gives another one."""

    def insert(self, value: Any) -> HashTrieSet:
        """The set with one more value."""
        return HashTrieSet(self | {value})

    def update(self, *others: Iterable[Any]) -> HashTrieSet:
        """The set with all values of others."""
        return HashTrieSet(self.union(*others))


class List(tuple[Any, ...]):
    """A list of which every change gives another one; it grows at its front."""

    def __new__(cls, *values: Any) -> List:
        """A list of the values; of one list's values, if that is all it is given."""
        if len(values) == 1 and not isinstance(values[0], str):
            (values,) = values
        return tuple.__new__(cls, values)

    def push_front(self, value: Any) -> List:
        """The list with one more value before all others."""
        return List((value, *self))

    @property
    def first(self) -> Any:
        """The first value."""
        return self[0]

    @property
    def rest(self) -> List:
        """All values but the first."""
        return List(self[1:])
