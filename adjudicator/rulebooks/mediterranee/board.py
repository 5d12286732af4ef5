"""The board and the box: ports, zones, warehouse slots, and how many pieces there are (MED-0.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from adjudicator.engine.table.board import load

Good = str
PortId = str
ZoneId = str


class Place(Struct, frozen=True):
    """A port as the board has it: name, the good it produces, the size of its warehouse, whose capital it is."""

    name: str
    good: Good
    size: Literal["small", "medium", "capital"]
    lonlat: tuple[float, float]
    capital_of: str | None = None
    sure: tuple[str, ...] = ()


class Zone(Struct, frozen=True):
    """A sea zone: with a port on it (and its id), on a coast, or open sea (MED-2.13)."""

    name: str
    kind: Literal["port", "coast", "open"]
    lonlat: tuple[float, float]
    borders: tuple[ZoneId, ...]


class Board(Struct, frozen=True):
    """The whole board. `slots` are the numbers of a warehouse's slots by size; a sale pays 100 times the number.

    **Ruling** (MED-6.2): they begin with 2 in a warehouse of each size.
    """

    goods: tuple[Good, ...]
    slots: Mapping[str, tuple[int, ...]]
    ports: Mapping[PortId, Place]
    zones: Mapping[ZoneId, Zone]
    via: Mapping[str, tuple[tuple[float, float], ...]]

    def slots_of(self, port: PortId) -> tuple[int, ...]:
        """The numbers of the port's warehouse slots, the smallest first."""
        return self.slots[self.ports[port].size]


BOARD = load(__package__, Board)
GOODS = BOARD.goods
BORDERS: Mapping[ZoneId, tuple[ZoneId, ...]] = {name: zone.borders for name, zone in BOARD.zones.items()}
POWERS = ("venice", "genoa", "spain", "turkey")
CAPITAL: Mapping[str, PortId] = {
    place.capital_of: port for port, place in BOARD.ports.items() if place.capital_of
}
PRODUCERS: Mapping[Good, tuple[PortId, ...]] = {
    good: tuple(port for port, place in BOARD.ports.items() if place.good == good) for good in BOARD.goods
}

# MED-0.5: what the box holds.
GALLEYS, FORTRESSES, SAILORS, EACH_GOOD = 28, 20, 176, 15
HOLD = 5
"""MED-0.6: the most pieces aboard a galley, sailors and goods together."""
