"""Ports that are worth reaching in later turns, and what a galley can hope for there."""

from __future__ import annotations

from functools import cache, lru_cache
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
def within_reach(zone: ZoneId, crew: int, left: int) -> Mapping[PortId, float]:
    """The other ports that a galley can reach in the turns left, and the part of a gain that counts by then."""
    turns = {port: -(-DISTANCES[zone][port] // crew) for port in BOARD.ports if port != zone}
    return {port: PATIENCE[number] for port, number in turns.items() if number <= min(left, 4)}


class Goals:
    """Ports for one purpose, with the ducats that each is worth, when `left` turns follow this one."""

    def __init__(self, worths: Mapping[PortId, float], left: int) -> None:
        self.worths, self.left = worths, left
        self._hopes: dict[tuple[ZoneId, int], list[float]] = {}

    def without(self, port: PortId) -> Goals:
        """The goals that are left when one is taken."""
        return goals({each: worth for each, worth in self.worths.items() if each != port}, self.left)

    def hopes(self, zone: ZoneId, crew: int) -> list[float]:
        """What a galley in the zone can gain in later turns at the best other ports, the best first."""
        key = (zone, crew)
        if key not in self._hopes:
            shares = within_reach(zone, crew, self.left)
            gains = [worth * shares[port] for port, worth in self.worths.items() if port in shares]
            self._hopes[key] = sorted(gains, reverse=True)[:MOST_HOPES]
        return self._hopes[key]

    def hope(self, zone: ZoneId, crew: int) -> float:
        """What it can gain at the best of them; 0 if no turn is left, or no port can be reached."""
        return self.hopes(zone, crew)[0] if self.left and self.hopes(zone, crew) else 0.0


def goals(worths: Mapping[PortId, float], left: int) -> Goals:
    """These ports as goals. Equal ones come again in the phases of a turn: their hopes are worked out once."""
    return _goals(tuple(worths.items()), left)


@lru_cache(256)
def _goals(worths: tuple[tuple[PortId, float], ...], left: int) -> Goals:
    return Goals(dict(worths), left)
