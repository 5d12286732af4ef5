"""The board: states, cities, roads and lanes; the pieces (ROM-0.2) and the cards (ROM-0.3)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

from adjudicator.engine.table.board import Outlines, load, outlines

Card = str
City = str
Piece = str
StateName = str
Kind = Literal["elephant", "cavalry", "infantry", "ship"]


class Nation(Struct, frozen=True):
    """A state: its name, capital, suit and quarter of the map."""

    name: str
    capital: City
    suit: str
    quarter: str


class Town(Struct, frozen=True):
    """A city: its state, and whether it is a capital, a port, on an island."""

    name: str
    state: StateName
    lonlat: tuple[float, float]
    capital: bool = False
    port: bool = False
    island: bool = False


class Way(Struct, frozen=True):
    """A road (or strait) or a lane between two cities."""

    between: tuple[City, City]
    kind: Literal["road", "strait", "coast", "open"]
    via: tuple[tuple[float, float], ...] = ()


class Board(Struct, frozen=True):
    """The whole board; `seats` is the order of the states clockwise round the map."""

    states: Mapping[StateName, Nation]
    seats: tuple[StateName, ...]
    cities: Mapping[City, Town]
    roads: tuple[Way, ...]
    lanes: tuple[Way, ...]


def neighbours(ways: tuple[Way, ...]) -> Mapping[City, tuple[City, ...]]:
    """The neighbours of each city along the given roads or lanes, in their order."""
    found: dict[City, tuple[City, ...]] = dict.fromkeys(BOARD.cities, ())
    for way in ways:
        one, other = way.between
        found[one] += (other,)
        found[other] += (one,)
    return found


BOARD = load(__package__, Board)
STATES = BOARD.seats
CAPITALS: Mapping[StateName, City] = {name: nation.capital for name, nation in BOARD.states.items()}
ROADS = neighbours(tuple(way for way in BOARD.roads if way.kind == "road"))
ROADS_AND_STRAITS = neighbours(BOARD.roads)
LANES = neighbours(BOARD.lanes)

# ROM-0.2: the pieces of a state.
KINDS: Mapping[str, Kind] = {
    "elephant": "elephant",
    "cavalry": "cavalry",
    "infantry-1": "infantry",
    "infantry-2": "infantry",
    "infantry-3": "infantry",
    "ship-1": "ship",
    "ship-2": "ship",
}
STATE_OF: Mapping[Piece, StateName] = {f"{state}-{kind}": state for state in STATES for kind in KINDS}
"""The state of each piece."""

# ROM-0.3: the cards; ace 1, two to ten their number, jack and queen 0, king 15.
VALUES: Mapping[str, int] = {
    "ace": 1,
    **{str(number): number for number in range(2, 11)},
    "jack": 0,
    "queen": 0,
    "king": 15,
}
SUITS = tuple(BOARD.states[state].suit for state in STATES)
PIPS = tuple(rank for rank, value in VALUES.items() if 0 < value <= 10)
EVEN = ("2", "4", "6", "8", "10")
ODD = ("ace", "3", "5", "7", "9")
CARDS: tuple[Card, ...] = tuple(f"{suit}-{rank}" for suit in SUITS for rank in VALUES)
PIP_CARDS = tuple(f"{suit}-{rank}" for suit in SUITS for rank in PIPS)
WORTH: Mapping[Card, int] = {card: VALUES[card.partition("-")[2]] for card in CARDS}


def worth(card: Card) -> int:
    """ROM-0.3: the card's printed value."""
    return WORTH[card]


def is_king(card: Card) -> bool:
    """ROM-0.3: is the card a king?"""
    return card.endswith("-king")


def cards_of_suit(state: StateName, ranks: tuple[str, ...]) -> tuple[Card, ...]:
    """ROM-0.3: the cards of a state's suit with the given ranks."""
    return tuple(f"{BOARD.states[state].suit}-{rank}" for rank in ranks)


@cache
def lands() -> Outlines:
    """The outlines of the states, for the map alone: read only where one is drawn."""
    return outlines(__package__)
