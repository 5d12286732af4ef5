"""Random numbers for bots and fuzzers: they follow from a text and are the same on every machine."""

from __future__ import annotations

_ALL = 2**64 - 1


class SeededChance:
    """A source of whole numbers, the same ones for the same `seed`: `chance(6)` is from 0 to 5.

    The generator is splitmix64, started from the seed's SHA-256: fast, and good enough for bots. The throws of a match
    come from `dice`, not from here.
    """

    __slots__ = ("state",)

    def __init__(self, seed: str) -> None:
        from hashlib import sha256  # imported here: a check that needs no chance is quicker without it

        self.state = int.from_bytes(sha256(seed.encode()).digest()[:8], "big")

    def __call__(self, below: int) -> int:
        """The next number from 0 up to, not including, `below`. Raises ValueError if there is none.

        Fewer than one call in 2**32 falls beyond the last full range of `below`, where numbers are slightly uneven.
        """
        if below < 1:
            raise ValueError(below)
        self.state = state = (self.state + 0x9E3779B97F4A7C15) & _ALL
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _ALL
        return (state ^ (state >> 31)) % below
