"""The board: towns and the roads between them, and the numbers of the box."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from adjudicator.engine.table.board import load
from adjudicator.engine.table.domain import Flag, Name, OneOf


class Town(Struct, frozen=True):
    """A town: its name, where it lies, the coins it pays to the first (CAR-2.4), the towns a road away."""

    name: str
    lonlat: tuple[float, float]
    pays: int
    roads: tuple[str, ...]


class Board(Struct, frozen=True):
    """The whole board."""

    goods: tuple[str, ...]
    each: int
    dealt: int
    alone: int
    roads: int
    towns: Mapping[str, Town]
    homes: Mapping[str, str]


BOARD = load(__package__, Board)
ROADS = {name: town.roads for name, town in BOARD.towns.items()}
DECK = tuple(good for good in BOARD.goods for _ in range(BOARD.each))
MOST_ROADS = BOARD.roads
"""CAR-2.2: the roads that a cart goes in a turn."""
MUDDY = 1
"""CAR-2.1: and those of a muddy one."""

# The types of fields.
GOOD, TOWN, PLAYER = OneOf(BOARD.goods), OneOf(tuple(BOARD.towns)), OneOf(tuple(BOARD.homes))
CART = Name("cart", f"({'|'.join(BOARD.homes)})-cart")
FLAG = Flag()
