"""Ports that are worth reaching in later turns, and what a galley can hope for there."""

from __future__ import annotations

from functools import cache, lru_cache
from operator import mul
from typing import TYPE_CHECKING

from adjudicator.rulebooks.mediterranee.board import BOARD, PortId, ZoneId
from adjudicator.rulebooks.mediterranee.bot.routes import DISTANCES

if TYPE_CHECKING:
    from collections.abc import Mapping

PATIENCE = (1.0, 0.72, 0.5, 0.33, 0.2)
"""The part of a gain that counts if it comes so many turns later: others may be there first."""
MOST_HOPES = 3
"""A galley hopes for so many ports at most: then its goods are sold, or others have been there."""


@cache
def within_reach(zone: ZoneId, crew: int, left: int) -> tuple[float, ...]:
    """The part of a gain in each port that counts when a galley can be there, in the board's order: 0 for its own zone,
    and for ports that it can't reach in the turns left.
    """
    turns = [-(-DISTANCES[zone][port] // crew) for port in BOARD.ports]
    return tuple(PATIENCE[number] if 0 < number <= min(left, 4) else 0.0 for number in turns)


class Goals:
    """Ports for one purpose, with the ducats that each is worth, when `left` turns follow this one.

    `row` has the worth of every port in the board's order, 0 for those that don't serve the purpose.
    """

    def __init__(self, row: tuple[float, ...], left: int) -> None:
        self.row, self.left = row, left
        self.worths = {port: worth for port, worth in zip(BOARD.ports, row, strict=True) if worth}
        self._hopes: dict[tuple[ZoneId, int], list[float]] = {}

    def without(self, port: PortId) -> Goals:
        """The goals that are left when one is taken."""
        return goals({each: worth for each, worth in self.worths.items() if each != port}, self.left)

    def hopes(self, zone: ZoneId, crew: int) -> list[float]:
        """What a galley in the zone can gain in later turns at the best other ports, the best first."""
        key = (zone, crew)
        if key not in self._hopes:
            gains = map(mul, self.row, within_reach(zone, crew, self.left))
            self._hopes[key] = sorted(gains, reverse=True)[:MOST_HOPES]
        return self._hopes[key]

    def hope(self, zone: ZoneId, crew: int) -> float:
        """What a galley can gain at the best of the goals; 0 if it can't reach any in the turns left."""
        return self.hopes(zone, crew)[0]


def goals(worths: Mapping[PortId, float], left: int) -> Goals:
    """These ports as goals. The same worths come up again in a turn, so their goals are worked out once."""
    return _goals(tuple([worths.get(port, 0) for port in BOARD.ports]), left)


_goals = lru_cache(256)(Goals)
