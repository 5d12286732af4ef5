"""The keys of `known.yaml`: what a player knows beyond the view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct


class Bounds(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A hidden number: at least `least`, at most `most` (missing: nobody can say); equal if it is certain."""

    least: int
    most: int | None = None


class SeenCards(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Hidden cards that were `seen` last at a place of the position: they are still `there`, or they may have gone `to`
    other places since.
    """

    seen: str
    state: Literal["there", "may-have-left"]
    cards: tuple[str, ...]
    to: tuple[str, ...] = ()


class Pile(Struct, frozen=True, forbid_unknown_fields=True):
    """A pile of hidden cards, and the cards that can't be in it: all those that must lie elsewhere."""

    without: tuple[str, ...]


class KnownFile(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a player knows beyond the view of a phase. Places are paths in the position, with a point between steps:
    `players.genoa.treasury`. In a hand cards have no order. In a pile the last step is the number of the first card, as
    the position lists them, and the others lie right after it.
    """

    format: str
    match: str
    phase: str
    player: str
    numbers: Mapping[str, Bounds] = {}
    cards: tuple[SeenCards, ...] = ()
    piles: Mapping[str, Pile] = {}
