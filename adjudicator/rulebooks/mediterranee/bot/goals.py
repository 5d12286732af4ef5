"""Ports that are worth reaching in later turns, and what a galley can hope for there."""

from __future__ import annotations

from functools import cache, lru_cache
from operator import mul

from adjudicator.engine.table.remembered import Answers
from adjudicator.rulebooks.mediterranee.board import BOARD, PortId, ZoneId
from adjudicator.rulebooks.mediterranee.bot.routes import DISTANCES

PORTS = tuple(BOARD.ports)
PATIENCE = (1.0, 0.72, 0.5, 0.33, 0.2)
"""The part of a gain that counts if it comes so many turns later: others may be there first."""
MOST_HOPES = 3
"""A galley hopes for so many ports at most: then its goods are sold, or others have been there."""


@cache
def within_reach(zone: ZoneId, crew: int, left: int) -> tuple[float, ...]:
    """The part of a gain in each port that counts when a galley can be there, in the board's order: 0 for its own zone,
    and for ports that it can't reach in the turns left.
    """
    turns = [-(-DISTANCES[zone][port] // crew) for port in PORTS]
    return tuple(PATIENCE[number] if 0 < number <= min(left, 4) else 0.0 for number in turns)


class Goals:
    """Ports for one purpose, with the ducats that each is worth, when `left` turns follow this one.

    `row` has the worth of every port in the board's order, 0 for those that don't serve the purpose. `hopes` says what
    a galley can gain in later turns at the best other ports, the best first, by its zone and crew; 0 if it can't reach
    any in the turns left. `profits` says how much it gains above a price: by its zone and crew, the price, the hopes to
    pass over, and the number of pieces.
    """

    def __init__(self, row: tuple[float, ...], left: int) -> None:
        self.row, self.left = row, left
        self.worths = dict(zip(PORTS, row, strict=True))
        self.hopes = Answers(self._hopes)
        self.profits = Answers(self._profits)

    def without(self, port: PortId) -> Goals:
        """The goals that are left when one is taken."""
        place = PORTS.index(port)
        return goals((*self.row[:place], 0, *self.row[place + 1 :]), self.left)

    def _hopes(self, place: tuple[ZoneId, int]) -> list[float]:
        zone, crew = place
        gains = map(mul, self.row, within_reach(zone, crew, self.left))
        return sorted(gains, reverse=True)[:MOST_HOPES]

    def _profits(self, pieces: tuple[ZoneId, int, int, int, int]) -> float:
        zone, crew, price, past, count = pieces
        return sum([hope - price for hope in self.hopes[zone, crew][past : past + count] if hope > price])


goals = lru_cache(256)(Goals)
"""The same worths come up again in a turn, so their goals are worked out once."""
