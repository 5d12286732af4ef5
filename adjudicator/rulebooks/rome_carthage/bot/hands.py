"""What is publicly known about the others' hands, and what they are likely to play."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from adjudicator.rulebooks.rome_carthage.board import PIPS, SUITS, VALUES, Card, worth
from adjudicator.rulebooks.rome_carthage.bot.odds import Likely, counted
from adjudicator.rulebooks.rome_carthage.start import first_hand
from adjudicator.rulebooks.rome_carthage.state import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudicator.engine.table.event import Player

KING = VALUES["king"]
Hands = tuple[tuple[float, tuple[int, ...]], ...]
"""What a hand's cards above zero may be worth, highest first, each with its odds: with a king, and without."""
Habit = tuple[tuple[float, tuple[int, ...]], ...]
"""Ways to play: how often, and which of the cards above zero from the highest (-1: the lowest; none: zeros)."""
STRONG: Habit = ((0.7, (0, 1)), (0.12, (0,)), (0.1, (1, 2)), (0.08, ()))
USUAL: Habit = (
    (0.2, (0, 1)),
    (0.2, (0, -1)),
    (0.15, (1, -1)),
    (0.15, (1,)),
    (0.2, (-1,)),
    (0.1, ()),
)


class Rivals:
    """The other players' hands as far as the view tells; worked-out values are kept."""

    def __init__(self, view: State) -> None:
        self.view = view
        self.left = sum(view.packs) if view.packs else len(view.talon)
        self._hands: dict[Player, Hands] = {}
        self._likely: dict[Any, Likely] = {}

    def likely(
        self, player: Player, habit: Habit, limit: int, kinds: tuple[str, str], doubling: bool
    ) -> Likely:
        """What the player's cards may count in a fight; `kinds` are the own piece's and the one against it."""
        key = (player, habit, limit, kinds, doubling)
        if key not in self._likely:
            self._likely[key] = likely_totals(self.hands(player), habit, limit, kinds, doubling=doubling)
        return self._likely[key]

    def hands(self, player: Player) -> Hands:
        """What the player's cards above zero may be worth."""
        if player not in self._hands:
            self._hands[player] = self._reckoned(player)
        return self._hands[player]

    def _reckoned(self, player: Player) -> Hands:
        hand = self.view.players[player].hand
        if all(card.known for card in hand):
            return ((1.0, ranked(worth(card.value) for card in hand if worth(card.value))),)
        kept = [card for card in self.begun_with(player) if card in self.unseen]
        others = [worth(card) for card in self.unseen if card not in self.begun]
        count = max(0, len(hand) - 2)
        royal = self.king_odds(player)
        found: list[tuple[float, tuple[int, ...]]] = []
        for share, kings in ((royal, 1), (1 - royal, 0)):
            if share > 0.01 and count >= kings:
                drawn = spread(others, count - kings - len(kept))
                values = ranked([*[KING] * kings, *map(worth, kept), *drawn])
                found.append((share, values[:count]))
        return tuple(found) or ((1.0, ()),)

    @cached_property
    def unseen(self) -> tuple[Card, ...]:
        """The cards from ace to ten that are neither spent nor in a hand that the player sees."""
        hands = [card.value for seat in self.view.players.values() for card in seat.hand if card.known]
        known = {*hands, *self.view.spent}
        return tuple(card for suit in SUITS for pip in PIPS if (card := f"{suit}-{pip}") not in known)

    @cached_property
    def fresh(self) -> bool:
        """ROM-1.1: is it still the first talon? Its cards and those drawn from it, one or two a turn, are twenty."""
        view = self.view
        drawn = 0
        for index, player in enumerate(view.seats):
            turns = view.round - 2 + (index <= view.seats.index(view.mover))
            alone = len(view.seats) == 3 and len(view.players[player].states) == 2
            drawn += max(0, turns) * (2 if alone else 1)
        return drawn + self.left == 20

    def begun_with(self, player: Player) -> tuple[Card, ...]:
        """ROM-0.3, ROM-6.1: what a player had at first and still has unless it was shown; later on nobody can tell."""
        return first_hand(self.view.players[player].states) if self.fresh else ()

    @cached_property
    def begun(self) -> frozenset[Card]:
        """The first hands of all."""
        return frozenset(card for player in self.view.players for card in self.begun_with(player))

    def king_odds(self, player: Player) -> float:
        """How likely a hidden hand has a king: the hidden places less those of zeros and of the unseen cards."""
        hidden = [
            seat
            for seat in self.view.players.values()
            if seat.hand and not any(card.known for card in seat.hand)
        ]
        kings = self.left + sum(len(seat.hand) - 2 for seat in hidden) - len(self.unseen)
        states = sum(len(seat.states) for seat in hidden)
        return min(1.0, max(0.0, kings * len(self.view.players[player].states) / max(1, states)))


def ranked(values: Iterable[int]) -> tuple[int, ...]:
    """The highest first."""
    return tuple(sorted(values, reverse=True))


def spread(values: list[int], count: int) -> list[int]:
    """So many values that stand for a hand drawn from a pool: evenly out of the sorted pool."""
    pool = ranked(values)
    if count <= 0 or not pool:
        return []
    return [pool[min(len(pool) - 1, int((index + 0.5) * len(pool) / count))] for index in range(count)]


def likely_totals(
    hands: Hands,
    habit: Habit,
    limit: int,
    kinds: tuple[str, str],
    *,
    doubling: bool = True,
) -> Likely:
    """What an enemy's cards may count: `kinds` are its piece's and the one against it."""
    shares: dict[int, float] = {}
    for share, values in hands:
        for often, places in habit:
            picked = [
                values[place]
                for place in dict.fromkeys(place if place >= 0 else len(values) - 1 for place in places)
                if 0 <= place < len(values)
            ][:limit]
            padded = [*picked, *[0] * (limit - len(picked))]
            total = counted(padded, *kinds, doubling=doubling)
            shares[total] = shares.get(total, 0.0) + share * often
    return tuple((share, total) for total, share in shares.items())
