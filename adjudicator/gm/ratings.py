"""Ratings with their uncertainty, by Glicko (Mark Glickman, 1995): how strong somebody is, and how sure that is.

Each match counts as one game in all: of n who played, each plays every other for a part w = 1 / (n - 1) of it. Whoever
finished before another has won (s = 1), those who share a place have drawn (s = 1/2). With R and D the rating and its
deviation before the match, and q = ln 10 / 400:

    g(D) = 1 / sqrt(1 + 3 q² D² / π²)                     how much a result against somebody says
    e    = 1 / (1 + 10 ** (g(D of the other) * (R of the other - R) / 400))
    D'   = 1 / sqrt(1 / D² + w q² sum of g² e (1 - e)), but at least 75
    R'   = R + q D'² w sum of g (s - e)

Everybody begins with 1500 and 350. In two of three cases or more a strength lies within D of its rating. The least D
lets ratings follow people who learn: with it a game between equals moves them by 16. All values are those from before
the match, so the order of its persons makes no difference; the order of the matches does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import log, pi, sqrt

from msgspec import Struct

BEGIN, SPREAD = 1500.0, 400.0
"""The first rating, and the difference with which somebody who is surely so strong wins ten of 11 games."""
UNSURE, SUREST = 350.0, 75.0
"""The first deviation, and the least."""
_Q = log(10) / SPREAD

Places = tuple[tuple[str, ...], ...]
"""The persons of a match by place, best first; those who share a place are together."""


class Rating(Struct, frozen=True):
    """A rating, and its deviation: in two of three cases or more the strength lies within so much of it."""

    rating: float = BEGIN
    give: float = UNSURE

    def __str__(self) -> str:
        return f"{round(self.rating)} ± {round(self.give)}"


def ratings(finishes: Iterable[Places]) -> dict[str, Rating]:
    """Everybody's rating after these matches, which count in their order."""
    found: dict[str, Rating] = {}
    for changed in ratings_after_matches(finishes):
        found |= changed
    return found


def ratings_after_matches(finishes: Iterable[Places]) -> Iterator[dict[str, Rating]]:
    """After each match, the ratings of those who played it."""
    found: dict[str, Rating] = {}
    for places in finishes:
        at = {one: index for index, place in enumerate(places) for one in place}
        before = {one: found.get(one, Rating()) for one in sorted(at)}
        after = {
            one: rating_after(
                own,
                [(theirs, score(at[one], at[other])) for other, theirs in before.items() if other != one],
                1 / (len(before) - 1),
            )
            for one, own in before.items()
        }
        found |= after
        yield after


def rating_after(own: Rating, games: Iterable[tuple[Rating, float]], part: float = 1) -> Rating:
    """A rating after games against others, each with the part of a victory that it was; each counts as that part of a
    game.
    """
    won = known = 0.0
    for other, result in games:
        expected, says = expected_score(own, other), weight(other.give)
        won += part * says * (result - expected)
        known += part * (_Q * says) ** 2 * expected * (1 - expected)
    give = max(1 / sqrt(1 / own.give**2 + known), SUREST)
    return Rating(own.rating + _Q * give**2 * won, give)


def weight(give: float) -> float:
    """How much a result against somebody says whose rating has that deviation: 1 if it is sure."""
    return 1 / sqrt(1 + 3 * (_Q * give / pi) ** 2)


def expected_score(own: Rating, other: Rating) -> float:
    """The expected result against another one, from 0 to 1."""
    return float(1 / (1 + 10 ** (weight(other.give) * (other.rating - own.rating) / SPREAD)))


def score(own: int, other: int) -> float:
    """The part of a victory that counts: 1 for a place before the other's, 1/2 for the same place, 0 for one
    after it.
    """
    return 0.5 if own == other else float(own < other)
