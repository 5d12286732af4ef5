"""Labelled dice: each throw follows from the seed and its label, so an additional throw changes no other.

A throw is the HMAC-SHA256 under the referee's seed of match, phase number, the players' salts, what was drawn in public
for the phase (if anything was), the label and a counter, as `docs/dice.md` explains; anyone with the published seed can
repeat it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any, Protocol

Die = tuple[int, ...]
D6: Die = (1, 2, 3, 4, 5, 6)


class OutOfDice(Exception):
    """The scripted throws are used up, or don't fit; `what` is the label of the throw that was needed."""

    def __init__(self, what: tuple[str, ...], faces: Sequence[Any], got: Any = None) -> None:
        super().__init__(" ".join(what))
        self.what, self.faces, self.got = what, faces, got


class Dice(Protocol):
    """Where throws come from."""

    def throw(self, die: Die, what: tuple[str, ...]) -> int:
        """One face of the die. `what` is the throw's label."""

    def shuffle(self, items: Sequence[str], what: tuple[str, ...]) -> tuple[str, ...]:
        """The items in random order."""


class SeededDice:
    """Dice from a secret seed, for one phase of one match; `beacon` is what was drawn in public for it, if anything."""

    def __init__(
        self, seed: bytes, match: str, phase: int, salts: Sequence[str] = (), beacon: str = ""
    ) -> None:
        self.seed, self.phase = seed, phase
        self.head = [match, phase, list(salts), *([beacon] if beacon else [])]
        self.labels: dict[tuple[str, ...], tuple[bytes, int]] = {}

    @cached_property
    def digest(self) -> Callable[..., bytes]:
        """The HMAC of a text."""
        return hmac_digest()

    @cached_property
    def begun(self) -> str:
        """What every label of the phase begins with, as JSON."""
        from json import dumps

        return dumps(self.head, separators=(",", ":"))[:-1]

    def throw(self, die: Die, what: tuple[str, ...]) -> int:
        return die[self._below(len(die), what)]

    def shuffle(self, items: Sequence[str], what: tuple[str, ...]) -> tuple[str, ...]:
        left = list(items)
        return tuple([left.pop(self._below(count, what)) for count in range(len(left), 0, -1)])

    def _below(self, bound: int, what: tuple[str, ...]) -> int:
        """A whole number below `bound`, all equally likely: numbers past the last full range are drawn again."""
        if what not in self.labels:
            words = ",".join(map(quoted(), what))
            self.labels[what] = f"{self.begun},[{words}]".encode(), 0
        while True:
            label, thrown = self.labels[what]
            self.labels[what] = label, thrown + 1
            mac = self.digest(self.seed, b"%b,%d]" % (label, thrown), "sha256")
            number = int.from_bytes(mac[:8], "big")
            if number < 2**64 - 2**64 % bound:
                return number % bound


# What only a throw or a seed needs. OpenSSL takes long to load; to import what is loaded takes longer than to write a
# label.


@cache
def hmac_digest() -> Callable[..., bytes]:
    """The function for the HMAC of a text."""
    from hmac import digest

    return digest


@cache
def quoted() -> Callable[[str], str]:
    """The function that writes a text as JSON."""
    from json.encoder import encode_basestring_ascii

    return encode_basestring_ascii


@cache
def sha256() -> Callable[[bytes], Any]:
    """The hash function."""
    import hashlib

    return hashlib.sha256


class ScriptedDice:
    """Throws made by hand: faces in order; one may be a list, for a shuffle. `then` throws when they are used up."""

    def __init__(self, throws: Sequence[Any], then: Dice | None = None) -> None:
        self.left, self.then = list(throws), then

    def throw(self, die: Die, what: tuple[str, ...]) -> int:
        if not self.left:
            if self.then is None:
                raise OutOfDice(what, die)
            return self.then.throw(die, what)
        face = self.left.pop(0)
        if face not in die:
            raise OutOfDice(what, die, face)
        return int(face)

    def shuffle(self, items: Sequence[str], what: tuple[str, ...]) -> tuple[str, ...]:
        if not self.left:
            if self.then is None:
                raise OutOfDice(what, items)
            return self.then.shuffle(items, what)
        order = self.left.pop(0)
        if not isinstance(order, list | tuple) or sorted(order) != sorted(items):
            raise OutOfDice(what, items, order)
        return tuple(order)


def commitment(seed: bytes) -> str:
    """The seed's SHA-256, which stands in `match.yaml` from the start, so that the seed can't be changed later."""
    return str(sha256()(seed).hexdigest())


def seed_from(text: str) -> bytes:
    """A seed made from a text, for matches that are to be the same each time."""
    return bytes(sha256()(f"adjudicator seed\n{text}".encode()).digest())
