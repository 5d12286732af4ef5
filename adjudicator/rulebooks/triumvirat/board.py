"""The board, the box and the cards (TRI-0), and the names that the rules use of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

from adjudicator.engine.table.board import Outlines, load, outlines

ProvinceId = str
Resource = str
Card = str
"""A card in hand: a resource, or `tax`."""
Senator = str
Title = Literal["trade", "politics", "arms"]
Deck = Literal["deck", "barbarian_deck"]
Lost = Literal["temple", "city", "market", "caravan", "influence"]
"""TRI-7.1: a kind of piece that a pillage can destroy."""


class Crop(Struct, frozen=True):
    """A resource: its cards in the box, and whether it brings barbarians."""

    cards: int
    barbarian: bool = False


class Land(Struct, frozen=True):
    """A province as printed: its resources, its city site, its coast, its neighbours."""

    name: str
    lonlat: tuple[float, float]
    borders: tuple[ProvinceId, ...]
    resources: tuple[Resource, ...] = ()
    city: bool = False
    coast: bool = False


class StartPieces(Struct, frozen=True):
    """TRI-0.2: the pieces with which a player begins in a province."""

    city: bool = False
    temple: bool = False
    caravans: tuple[Resource, ...] = ()
    legions: int = 0


class Start(Struct, frozen=True):
    """TRI-0.2: the pieces with which a player begins."""

    title: Title
    capital: ProvinceId
    pieces: Mapping[ProvinceId, StartPieces]


class Figure(Struct, frozen=True):
    """A senator: points in each domain, and a power (TRI-10)."""

    trade: int
    politics: int
    arms: int
    power: str


class Board(Struct, frozen=True):
    """The whole board.

    `costs`: prices in cards or taxes. `senator_costs`: those of a player's first, second and later senators. `numbers`:
    single numbers of the rules. `pillage`: the order in which pieces are lost, by option.
    """

    resources: Mapping[Resource, Crop]
    taxes: int
    provinces: Mapping[ProvinceId, Land]
    straits: tuple[tuple[ProvinceId, ProvinceId], ...]
    italy: tuple[ProvinceId, ...]
    starts: Mapping[str, Start]
    costs: Mapping[str, int]
    senator_costs: tuple[int, ...]
    pieces: Mapping[str, int]
    numbers: Mapping[str, int]
    generals: Mapping[str, Mapping[Title, int]]
    senators: Mapping[Senator, Figure]
    events: Mapping[str, int]
    pillage: Mapping[str, tuple[Lost, ...]]


BOARD = load(__package__, Board)
SEATS = tuple(BOARD.starts)
CAESAR, CRASSUS, POMPEY = SEATS
TITLES: tuple[Title, ...] = ("trade", "politics", "arms")
TAX, CITY = "tax", "city"
RESOURCES = tuple(BOARD.resources)
CARDS: tuple[Card, ...] = (*RESOURCES, TAX)
"""Every kind of card in the board's order, taxes last."""
BOX: Mapping[Card, int] = {**{name: crop.cards for name, crop in BOARD.resources.items()}, TAX: BOARD.taxes}
LANDS = BOARD.provinces
ROME = "roma"
ITALY = BOARD.italy
OUTSIDE = tuple(name for name in LANDS if name not in ITALY)
SITES = {name: (*LANDS[name].resources, *(CITY,) * LANDS[name].city) for name in ITALY}
"""TRI-0.3: Italy's production sites."""
BORDERS: Mapping[ProvinceId, tuple[ProvinceId, ...]] = {name: land.borders for name, land in LANDS.items()}
ISSUED: Mapping[str, int] = {**dict.fromkeys(BOARD.senators, 1), **BOARD.events}
"""TRI-0.4: the cards of the deck."""
BARBARIAN_CARDS = tuple(name for name, crop in BOARD.resources.items() if crop.barbarian)
COUNTED = BOARD.numbers["counted"]
"""TRI-6.3: the value of a die that is counted instead of thrown."""
MOST_POINTS = BOARD.numbers["most-points"]
"""TRI-9.1: the most points of influence with which a player isn't yet perpetual dictator."""


def card_of(site: str) -> Card:
    """TRI-2.3: the card that a site of Italy gives."""
    return TAX if site == CITY else site


def in_order(cards: Mapping[Card, int]) -> tuple[Card, ...]:
    """The given number of cards of each kind, in the board's order."""
    return tuple([card for card in CARDS if card in cards for _ in range(cards[card])])


def convoys(count: int) -> int:
    """TRI-5.5, TRI-6.1: the number of convoys for so many units or barbarians."""
    return -(-count // BOARD.numbers["per-convoy"])


COASTS = {
    name: tuple(to for to, there in LANDS.items() if to != name and land.coast and there.coast)
    for name, land in LANDS.items()
}
"""TRI-0.3: the provinces linked to each by sea: all coasts are linked."""
NEXT = {name: tuple(to for to in LANDS if to in (*BORDERS[name], *COASTS[name])) for name in LANDS}
"""TRI-4.2, TRI-6.2: the provinces next to each, by land, strait or sea."""


@cache
def lands() -> Outlines:
    """The outlines of the provinces, for the map alone: read only where one is drawn."""
    return outlines(__package__)
