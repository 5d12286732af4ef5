"""The board and the cards (OLT-0.1, OLT-0.3), and the numbers that the rules name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby

from msgspec import Struct

from adjudicator.engine.table.board import load
from adjudicator.engine.table.secret import Unknown

CardId = str
GoodId = str
Marker = str
PortId = str
Symbol = str


class Good(Struct, frozen=True):
    """A good: how many cards there are of it, and what a lot of one to five pays, in ducats."""

    name: str
    count: int
    payout: tuple[int, ...]


class Card(Struct, frozen=True):
    """A card: its good, the sailor power, the cargo symbols, two action symbols, and perhaps a port."""

    good: GoodId
    power: int
    cargo: int
    symbols: tuple[Symbol, ...]
    port: PortId = ""


class Port(Struct, frozen=True):
    """A port, and the ports that a route connects with it."""

    name: str
    lonlat: tuple[float, float]
    routes: tuple[PortId, ...]


class Board(Struct, frozen=True):
    """Everything that is printed: goods, cards, ports and markers."""

    goods: Mapping[GoodId, Good]
    cards: Mapping[CardId, Card]
    markers: Mapping[Marker, int]
    ports: Mapping[PortId, Port]


BOARD = load(__package__, Board)
CARDS = BOARD.cards
GOODS = tuple(BOARD.goods)
PORTS = tuple(BOARD.ports)
ROUTES: Mapping[PortId, tuple[PortId, ...]] = {name: port.routes for name, port in BOARD.ports.items()}
MARKERS = tuple(BOARD.markers)
HOUSES = ("contarini", "dandolo", "grimani", "loredan", "morosini")
VENICE = "venice"  # the Venice card (OLT-5)

NOT_FOR_TWO = "grain"  # OLT-0.1: the good left out with two players
DUCATS = 11  # OLT-0.2: at the start
HAND = 4  # OLT-0.4: cards in hand at the start
PRICE, DEAR = 3, 4  # OLT-2.4: the price of a card, and the price while the player has 0 ducats or less
FAVOURABLE = (1, 2, 3, 4)  # OLT-8.6: the prices with favourable trade, of the first card and the next ones
PURCHASES = 4  # OLT-2.4: the most cards that a player may buy in a turn
GAINS = (0, 1, 3, 6)  # OLT-3.2 to 3.4: ducats, pirate cards, cards drawn for 0, 1, 2, 3 or more symbols
AWARDS = (6, 3, 1)  # OLT-5.1, OLT-7.4: what the first, second and third place pay
INFLUENCE = 3  # OLT-8.5: local influence pays the power minus this

PLACES = {card: place for place, card in enumerate(CARDS)}
"""The place of each card in the board's order."""


def good_of(card: CardId) -> GoodId:
    """The good of a card."""
    return CARDS[card].good


def goods_of(cards: Iterable[CardId]) -> Mapping[GoodId, int]:
    """The number of cards of each good, in the board's order."""
    return counted([CARDS[card].good for card in cards])


def counted(goods: Sequence[GoodId]) -> Mapping[GoodId, int]:
    """The number of times that each good occurs in a list, in the board's order."""
    return {good: goods.count(good) for good in GOODS if good in goods}


def in_order(cards: Iterable[CardId]) -> list[CardId]:
    """Cards in the board's order: by good, then by number."""
    return sorted(cards, key=PLACES.__getitem__)


@cache
def cards_for(players: int) -> tuple[CardId, ...]:
    """OLT-0.1: the goods cards for this number of players."""
    return tuple(card for card in CARDS if players > 2 or good_of(card) != NOT_FOR_TWO)


def has_unknown_card(cards: Iterable[CardId]) -> bool:
    """Does a check know one of the played cards only by its name in the sheet, such as `drawn-1`?"""
    return not all([card in CARDS for card in cards])


def symbols(cards: Iterable[CardId], symbol: Symbol) -> int:
    """The number of times that a symbol occurs on cards.
    Raises Unknown if a check doesn't know one of them (`has_unknown_card`)."""
    try:
        return sum([CARDS[card].symbols.count(symbol) for card in cards])
    except KeyError:
        raise Unknown from None


def gain(count: int) -> int:
    """OLT-3.2 to 3.4: what this number of symbols brings."""
    return GAINS[min(count, len(GAINS) - 1)]


class Lot(Struct, frozen=True):
    """Consecutive cards of one good, and what they pay."""

    good: GoodId
    count: int
    ducats: int


def lots(cards: Sequence[CardId]) -> tuple[Lot, ...]:
    """OLT-7.2: the lots of a cargo (bottom to top), from the top down, each with what it pays."""
    runs = ((good, len(list(run))) for good, run in groupby(reversed(cards), good_of))
    return tuple(Lot(good, count, pay(good, count)) for good, count in runs)


def payouts(good: GoodId) -> tuple[int, ...]:
    """OLT-7.2: what lots of 1, 2, 3, ... cards pay, up to the size after which the pay stays the same."""
    payout = BOARD.goods[good].payout
    return payout[: payout.index(payout[-1]) + 1]


def pay(good: GoodId, count: int) -> int:
    """OLT-7.2: what a lot of this size pays; a size beyond the table pays as much as the last in it."""
    payout = BOARD.goods[good].payout
    return payout[min(count, len(payout)) - 1] if count else 0
