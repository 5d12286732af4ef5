"""Guesses: a position in which everything that a reader can't know is filled in by chance.

Whoever tries out what might happen plays on a guess, never on the position itself. A guess looks to its reader like the
position it was made from; a rulebook's `guess` makes one, and the contract holds it to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from adjudicator.engine.table.boxes import Box, known_of, left_of
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.secret import Secret

__all__ = ["Guess", "UnseenCards", "known_of", "shuffled", "with_values_where_hidden", "without_standing"]

T = TypeVar("T")
S = TypeVar("S")
Guess = Callable[[S, Player, Chance], S]
"""Makes a guess from a view, for its reader."""


def without_standing(view: Any, standing: Callable[[], Any]) -> Any:
    """The view, with empty standing instructions where the reader can't see them."""
    players = {
        name: seat if seat.standing.known else replace(seat, standing=Secret(standing()))
        for name, seat in view.players.items()
    }
    return replace(view, players=players)


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
