"""Luck with dice: what a player threw, what was to be expected, and how seldom anybody throws so well or so badly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from fractions import Fraction

Throw = tuple[int, tuple[int, ...]]
"""A throw: the face, and all faces of the die, none of them below 0."""


class Luck(Struct, frozen=True):
    """What a player threw: so many `dice`, their sum, and the sum that was to be expected.

    `above` is the chance of such a sum or a higher one, `below` that of such a sum or a lower one.
    """

    dice: int
    thrown: int
    expected: float
    above: Fraction
    below: Fraction

    @property
    def good(self) -> bool:
        """Was the sum at least the expected one?"""
        return self.thrown >= self.expected

    @property
    def once_in(self) -> int:
        """Of so many players who throw these dice one is as far from what was to be expected, or farther."""
        return round(1 / (self.above if self.good else self.below))


def luck_of(throws: Sequence[Throw]) -> Luck:
    """The luck in some throws.

    All sums are worked out with one large number, whose digit number N counts the ways to throw the sum N: a die has a
    1 at each of its faces, and several dice are multiplied. The sum of a number's digits is its remainder modulo the
    base minus one.
    """
    from fractions import Fraction

    thrown, kinds = sum(face for face, _ in throws), Counter(die for _, die in throws)
    ways = 1
    for die, count in kinds.items():
        ways *= len(die) ** count
    digit, sums = ways.bit_length() + 1, 1
    for die, count in kinds.items():
        sums *= sum(1 << digit * face for face in die) ** count
    ones = (1 << digit) - 1
    above, below = (sums >> digit * thrown) % ones, (sums & (1 << digit * (thrown + 1)) - 1) % ones
    expected = sum(count * sum(die) / len(die) for die, count in kinds.items())
    return Luck(len(throws), thrown, expected, Fraction(above, ways), Fraction(below, ways))
