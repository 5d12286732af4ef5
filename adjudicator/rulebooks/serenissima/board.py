"""The board and the box: ports, zones, slots, the Doge's track and cards, and how many pieces there are (SER-0)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

from adjudicator.engine.table.board import load

Card = str
Good = str
GalleyId = str
"""The number of a galley as files write it: `4`."""
PortId = str
ZoneId = str
Building = Literal["fort", "basilica"]


class Place(Struct, frozen=True):
    """A port on the board: its name, the good it produces, the slots of its warehouse (also the most sailors stationed
    there: SER-0.6), and whether it is a start port."""

    name: str
    good: Good
    size: Literal[3, 4, 5]
    lonlat: tuple[float, float]
    start: bool = False


class Zone(Struct, frozen=True):
    """A sea zone: open sea, or the zone of the port of the same name."""

    name: str
    kind: Literal["port", "open"]
    lonlat: tuple[float, float]
    borders: tuple[ZoneId, ...]


class Track(Struct, frozen=True):
    """The Doge's track: the square on which the white pawn starts, and those of the three scorings."""

    start: int
    scorings: tuple[int, ...]


class Supply(Struct, frozen=True):
    """The pieces for a number of players: sailors of each player, galleys in all."""

    sailors: int
    galleys: int


class Board(Struct, frozen=True):
    """The whole board.

    `slots`: what sales pay, by size of the warehouse. `scoring`: what a port pays by its filled slots. `goods`: the
    number of cubes. `value_order`: the goods, the dearest first.
    """

    goods: Mapping[Good, int]
    value_order: tuple[Good, ...]
    slots: Mapping[int, tuple[int, ...]]
    scoring: Mapping[int, tuple[int, ...]]
    track: Mapping[int, Track]
    doge: tuple[Card, ...]
    dice: Mapping[str, int]
    players: Mapping[int, Supply]
    ports: Mapping[PortId, Place]
    zones: Mapping[ZoneId, Zone]
    via: Mapping[str, tuple[tuple[float, float], ...]]

    def slots_of(self, port: PortId) -> tuple[int, ...]:
        """What a sale pays by slot, the smallest first."""
        return self.slots[self.ports[port].size]


BOARD = load(__package__, Board)
GOODS = tuple(BOARD.goods)
BORDERS: Mapping[ZoneId, tuple[ZoneId, ...]] = {name: zone.borders for name, zone in BOARD.zones.items()}
START_PORTS = tuple(name for name, place in BOARD.ports.items() if place.start)
COLOURS = ("blue", "red", "orange", "black")
"""SER-0.1: the players, clockwise."""

HOLD = 5
"""SER-0.6: the most sailors and goods aboard a galley together."""
FLEET = 6
"""SER-0.1: the most galleys of a player (cubes on the wheel)."""
BUILDINGS: Mapping[str, int] = {"fort": 5, "basilica": 5}
"""SER-0.5: the number of forts and of basilicas."""
DIE = (1,) * BOARD.dice["skulls"] + (0,) * (BOARD.dice["faces"] - BOARD.dice["skulls"])
"""SER-5.2: the faces of a die of the box, of which 1 is a skull."""
HOURGLASSES: Mapping[Card, int] = {"wine": 0, "one": 1, "two": 2, "two-shuffle": 2}
"""SER-7.1: the cards of the Doge, and how far each moves the pawn."""


def supply(players: int) -> Supply:
    """SER-0.1: the pieces for a number of players; for an impossible number, those for the nearest possible one."""
    return BOARD.players[min(max(players, 2), 4)]


@cache
def track(players: int) -> Track:
    """SER-7.3: the Doge's track for a number of players."""
    return BOARD.track[min(max(players, 2), 4)]


@cache
def numbers(players: int) -> tuple[GalleyId, ...]:
    """SER-0.1: the numbers of the galleys in the box, by the number of players."""
    return tuple(str(number) for number in range(1, supply(players).galleys + 1))


NUMBERS = numbers(len(COLOURS))
"""The numbers of all galleys."""
