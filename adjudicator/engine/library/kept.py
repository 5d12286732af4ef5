"""What a process keeps of the positions and events of matches, and where that ends: with the work on a match."""

from __future__ import annotations

from typing import Any, TypeVar
from weakref import WeakSet

K = TypeVar("K")
V = TypeVar("V")


class Recent(dict[K, V]):
    """Keeps up to `most` entries, then begins anew. Keys may hold identities if the entry keeps what they are of."""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, most: int) -> None:
        self.most = most

    def keep(self, key: K, value: V) -> None:
        """Keeps a value under a key."""
        if len(self) >= self.most:
            self.clear()
        self[key] = value


class OfMatch(Recent[K, V]):
    """The same for what is told of a match's own positions and events: no other match has any use for it."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        _OF_MATCHES.add(self)


_OF_MATCHES: WeakSet[OfMatch[Any, Any]] = WeakSet()


def forget_match() -> None:
    """Ends what is kept of a match, once the work on it is done: however many a process has, it stays small."""
    for each in list(_OF_MATCHES):
        each.clear()
