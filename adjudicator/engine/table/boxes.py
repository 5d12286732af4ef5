"""Boxes of cards: which there are, where they can lie hidden; and guesses in which all that a reader cannot know is
filled in.

Whoever tries out what might happen plays on a guess, never on the position itself. A guess looks to its reader like the
position it was made from; a rulebook's `guess` makes one, and the contract holds it to that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
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


S = TypeVar("S")
Guess = Callable[[S, Player, Chance], S]
"""Makes a guess from a view, for its reader."""


def without_standing(view: S, standing: Callable[[], Any]) -> S:
    """The view, with empty standing instructions where the reader can't see them."""
    there: Any = view
    players = {
        name: seat if seat.standing.known else replace(seat, standing=Secret(standing()))
        for name, seat in there.players.items()
    }
    return cast(S, replace(there, players=players))


def shuffled(items: Iterable[T], chance: Chance) -> list[T]:
    """The items in a random order."""
    left = list(items)
    return [left.pop(chance(len(left))) for _ in range(len(left))]


class UnseenCards(Generic[T]):
    """The cards of a box that the reader sees nowhere, in a random order, to be put where cards are hidden."""

    def __init__(self, box: Iterable[T], seen: Iterable[T], chance: Chance) -> None:
        self.left = shuffled(left_of(box, seen), chance)

    @classmethod
    def of(cls, box: Box, view: Any, chance: Chance) -> UnseenCards[str]:
        """The cards of a box of the rulebook (`Rulebook.boxes`) that the reader of the view sees nowhere."""
        return UnseenCards(box.cards, box.seen(view), chance)

    def take(self, fits: Callable[[T], bool] = lambda card: True) -> T:
        """The next of the cards that fit. Raises LookupError if there is none: the view can't be as it is."""
        for index, card in enumerate(self.left):
            if fits(card):
                return self.left.pop(index)
        raise LookupError("no card is left that could be hidden here")

    def fill(self, cards: Sequence[Secret[T]]) -> tuple[Secret[T], ...]:
        """The cards, with one of those unseen wherever one is hidden."""
        return tuple(card if card.known else Secret(self.take()) for card in cards)


def with_values_where_hidden(
    secrets: Mapping[Player, Secret[T]], value: Callable[[Player], T]
) -> dict[Player, Secret[T]]:
    """Secrets by player, with a value wherever one is hidden."""
    return {player: each if each.known else Secret(value(player)) for player, each in secrets.items()}
