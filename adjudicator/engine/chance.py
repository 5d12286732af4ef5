"""Chance for bots and fuzzers: whole numbers that follow from a text, the same on every machine."""

from __future__ import annotations

from hashlib import sha256

_ALL = 2**64 - 1


class Chance:
    """A callable: a whole number from 0 up to, not including, `below`; the next call gives the next one.

    The same `seed` gives the same numbers. The generator is splitmix64, its first state the seed's SHA-256: quick
    and good enough for bots; the dice of a match come from `dice`.
    """

    __slots__ = ("state",)

    def __init__(self, seed: str) -> None:
        self.state = int.from_bytes(sha256(seed.encode()).digest()[:8], "big")

    def __call__(self, below: int) -> int:
        # `below` is far under 2**32, so that numbers past the last full range, which would have to be drawn again
        # for perfect evenness, come up less than once in 2**32 calls. Below 1 there is no number: ValueError.
        if below < 1:
            raise ValueError(below)
        self.state = state = (self.state + 0x9E3779B97F4A7C15) & _ALL
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _ALL
        return (state ^ (state >> 31)) % below
