"""Boxes of cards: which cards there are, and where they can lie hidden; for guesses, and for what readers remember."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from msgspec import Struct

from adjudicator.engine.table.secret import Secret

T = TypeVar("T")
Kind = tuple[str, ...]
"""A kind of places in a position, step by step: `("players", "*", "hand")`; `*` stands for every key."""
Place = tuple[str, ...]
Cards = tuple[Secret[Any], ...]
OUT: Place = ("out",)
"""Where cards are said to lie that have left the game."""


class Box(Struct, frozen=True):
    """The cards of one box in a position: all of them, those in sight of everybody or out of the game, and the places
    of the others.

    In `piles` cards keep their order: one comes or goes at an end. In `hands` they have none. Names that only point to
    a card of one of these, such as the cards of an offer that stay in the hand, are no places. `leave` are cards that
    leave the game when they are played, which no position tells.
    """

    cards: Sequence[str]
    open: Sequence[str] = ()
    piles: tuple[Kind, ...] = ()
    hands: tuple[Kind, ...] = ()
    leave: Collection[str] = ()

    def places(self, state: Any) -> Sequence[tuple[Place, Cards]]:
        """The places where cards of the box lie now, each with its cards."""
        found = [each for kind in (*self.piles, *self.hands) for each in at_kind(state, kind)]
        return [(place, cards_in(held)) for place, held in found]

    def has(self, place: Place) -> bool:
        """Is this one of the places of the box?"""
        return is_of(place, (*self.piles, *self.hands)) or (place == OUT and bool(self.leave))

    def seen(self, state: Any) -> list[str]:
        """The cards in the open, and those that the reader of a position sees where others may not."""
        return [*self.open, *known_of(*(cards for _, cards in self.places(state)))]


def at_kind(value: Any, kind: Kind) -> Sequence[tuple[Place, Any]]:
    """What lies at the places of a kind, each with its place."""
    found: list[tuple[Place, Any]] = [((), value)]
    for step in kind:
        if step == "*":
            found = [((*place, key), each) for place, held in found for key, each in held.items()]
        else:
            found = [((*place, step), getattr(held, step)) for place, held in found]
    return found


GONE: Any = object()
"""What is at a place that isn't there."""


class Changes:
    """What lies otherwise in a position than in another one. What is the same object in both isn't looked into."""

    def __init__(self, before: Any, after: Any) -> None:
        self._found: dict[Kind, list[tuple[Place, Any, Any]]] = {(): [((), before, after)]}

    def at(self, kind: Kind) -> list[tuple[Place, Any, Any]]:
        """The places of a kind at which something else lies now, with what lay there and what lies there; `GONE` where
        there was or is no such place.
        """
        if kind in self._found:
            return self._found[kind]
        found, step = list[tuple[Place, Any, Any]](), kind[-1]
        for place, one, other in self.at(kind[:-1]):
            if step != "*":
                steps = [(step, getattr(one, step, GONE), getattr(other, step, GONE))]
            elif one is GONE or other is GONE:
                steps = [(key, GONE, each) for key, each in ({} if other is GONE else other).items()]
                steps += [(key, each, GONE) for key, each in ({} if one is GONE else one).items()]
            else:
                steps = [(key, each, other.get(key, GONE)) for key, each in one.items()]
                steps += [(key, GONE, each) for key, each in other.items() if key not in one]
            for key, was, now in steps:
                if was is not now:
                    found.append(((*place, key), was, now))
        self._found[kind] = found
        return found


def cards_in(held: Any) -> Cards:
    """The cards at a place, which may have none, a single one, or several."""
    return () if held is GONE else (held,) if isinstance(held, Secret) else held


@lru_cache(maxsize=4096)
def is_of(place: Place, kinds: tuple[Kind, ...]) -> bool:
    """Is a place of one of these kinds?"""
    return any(
        len(kind) == len(place) and all(step in ("*", there) for step, there in zip(kind, place, strict=True))
        for kind in kinds
    )


@lru_cache(maxsize=64)
def names_of(cards: Sequence[str]) -> frozenset[str]:
    """The names of some cards, to be looked up in."""
    return frozenset(cards)


def known_of(*piles: Iterable[Secret[T]]) -> list[T]:
    """The cards of some piles that the reader sees."""
    return [card.value for pile in piles for card in pile if card.known]


def left_of(cards: Iterable[T], gone: Iterable[T]) -> list[T]:
    """The cards without those gone, each as often as it is gone."""
    count, left = Counter(gone), list[T]()
    if not count:
        return list(cards)
    for card in cards:
        if count[card]:
            count[card] -= 1
        else:
            left.append(card)
    return left


def no_boxes(state: Any) -> tuple[Box, ...]:
    """The default of a rulebook that doesn't say where its cards lie, or has none."""
    return ()
