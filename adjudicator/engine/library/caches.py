"""What a process keeps about the positions and events of a match; it ends with the work on the match."""

from __future__ import annotations

from typing import Any, TypeVar
from weakref import WeakSet

K = TypeVar("K")
V = TypeVar("V")


class Recent(dict[K, V]):
    """Keeps up to `most` entries, then starts again empty. Keys may be identities if the entry keeps the object."""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, most: int) -> None:
        self.most = most

    def keep(self, key: K, value: V) -> None:
        """Keeps a value under a key."""
        if len(self) >= self.most:
            self.clear()
        self[key] = value


class OfMatch(Recent[K, V]):
    """A cache of what was worked out from one match's own positions and events: no other match can use it."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        _OF_MATCHES.add(self)


_OF_MATCHES: WeakSet[OfMatch[Any, Any]] = WeakSet()


def forget_match() -> None:
    """Drops what is kept of a match once the work on it is done, so that the process stays small."""
    for each in list(_OF_MATCHES):
        each.clear()
