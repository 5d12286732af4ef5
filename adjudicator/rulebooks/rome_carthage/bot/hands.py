"""What is publicly known about the others' hands, and what they are likely to play."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from adjudicator.engine.table.remembered import Answers
from adjudicator.rulebooks.rome_carthage.board import PIP_CARDS, STATES, VALUES, Card, worth
from adjudicator.rulebooks.rome_carthage.bot.odds import Duel, Likely, choices, duel_of
from adjudicator.rulebooks.rome_carthage.choosing import Twice, points
from adjudicator.rulebooks.rome_carthage.start import first_hand, first_talon
from adjudicator.rulebooks.rome_carthage.state import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudicator.engine.table.event import Player

KING = VALUES["king"]
ZEROS = sum(not worth(card) for card in first_hand(STATES[:1]))
"""ROM-3.8: every hand keeps two zeros."""
TALON = sum(len(first_talon((state,))) for state in STATES)
"""ROM-0.3: the cards of the first talon."""
Ours = tuple[tuple[Card, ...], int, Twice]
"""The player's side of a fight: the hand, how many cards of it are played, and which of them counts twice."""
Theirs = tuple["Player", int, Twice, bool]
"""The enemy's side: whose, how many cards, which counts twice, and whether they are the best, as for a capital."""
UNLIKELY = 0.01
"""Hands with lower odds than this are left out: they hardly change what a fight is worth."""
Hands = tuple[tuple[float, tuple[int, ...]], ...]
"""Possible values of a hand's cards above zero, highest first, with the odds of each: with a king, and without."""
Habit = tuple[tuple[float, tuple[int, ...]], ...]
"""Ways to play: the odds of each, and which of the cards above zero it plays,
counted from the highest (-1: the lowest; none: zeros)."""
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
    """The other players' hands as far as the view tells.

    Worked out when first asked for: `hands`, the possible values of a player's cards above zero; `likely`, the likely
    totals of a player's cards in a fight; `duels`, what one's own cards and an enemy's can add up to.
    """

    def __init__(self, view: State) -> None:
        self.view = view
        self.left = sum(view.packs) if view.packs else len(view.talon)
        self.hands = Answers(self._hands)
        self.likely = Answers(self._likely)
        self.duels = Answers(self._duel)

    def _duel(self, sides: tuple[Ours, Theirs]) -> Duel:
        ours, theirs = sides
        return duel_of(ours[0], choices(*ours), self.likely[theirs])

    def _likely(self, theirs: Theirs) -> Likely:
        player, limit, twice, strong = theirs
        return likely_totals(self.hands[player], STRONG if strong else USUAL, limit, twice)

    def _hands(self, player: Player) -> Hands:
        hand = self.view.players[player].hand
        if all(card.known for card in hand):
            return ((1.0, highest_first(worth(card.value) for card in hand if worth(card.value))),)
        kept = [card for card in self.cards_from_start(player) if card in self.unseen]
        others = [worth(card) for card in self.unseen if card not in self.first_hands]
        count = max(0, len(hand) - ZEROS)
        royal = self.king_odds(player)
        found: list[tuple[float, tuple[int, ...]]] = []
        for share, kings in ((royal, 1), (1 - royal, 0)):
            if share > UNLIKELY and count >= kings:
                drawn = spread(others, count - kings - len(kept))
                values = highest_first([*[KING] * kings, *map(worth, kept), *drawn])
                found.append((share, values[:count]))
        return tuple(found) or ((1.0, ()),)

    @cached_property
    def unseen(self) -> tuple[Card, ...]:
        """The cards from ace to ten that are neither spent nor in a hand that the player sees."""
        hands = [card.value for seat in self.view.players.values() for card in seat.hand if card.known]
        known = {*hands, *self.view.spent}
        return tuple([card for card in PIP_CARDS if card not in known])

    @cached_property
    def fresh(self) -> bool:
        """ROM-1.1: is the first talon still in use? Its cards and those drawn from it,
        one or two a turn, are twenty."""
        view = self.view
        drawn = 0
        for index, player in enumerate(view.seats):
            turns = view.round - 2 + (index <= view.seats.index(view.mover))
            alone = len(view.seats) == 3 and len(view.players[player].states) == 2
            drawn += max(0, turns) * (2 if alone else 1)
        return drawn + self.left == TALON

    def cards_from_start(self, player: Player) -> tuple[Card, ...]:
        """ROM-0.3, ROM-6.1: the cards that a player had at the start and hasn't shown since;
        after the first talon nobody can tell."""
        return first_hand(self.view.players[player].states) if self.fresh else ()

    @cached_property
    def first_hands(self) -> frozenset[Card]:
        """The first hands of all players."""
        return frozenset(card for player in self.view.players for card in self.cards_from_start(player))

    def king_odds(self, player: Player) -> float:
        """The odds that a hidden hand has a king: all hidden cards minus zeros and minus the unseen cards up to ten."""
        hidden = [
            seat
            for seat in self.view.players.values()
            if seat.hand and not any(card.known for card in seat.hand)
        ]
        kings = self.left + sum(len(seat.hand) - ZEROS for seat in hidden) - len(self.unseen)
        states = sum(len(seat.states) for seat in hidden)
        return min(1.0, max(0.0, kings * len(self.view.players[player].states) / max(1, states)))


def highest_first(values: Iterable[int]) -> tuple[int, ...]:
    """The values from the highest to the lowest."""
    return tuple(sorted(values, reverse=True))


def spread(values: list[int], count: int) -> list[int]:
    """The given number of values that stand for a hand drawn from a pool, taken evenly from the sorted pool."""
    pool = highest_first(values)
    if count <= 0 or not pool:
        return []
    return [pool[min(len(pool) - 1, int((index + 0.5) * len(pool) / count))] for index in range(count)]


def likely_totals(hands: Hands, habit: Habit, limit: int, twice: Twice) -> Likely:
    """The likely totals of an enemy's cards."""
    shares: dict[int, float] = {}
    for share, values in hands:
        for often, places in habit:
            picked = [
                values[place]
                for place in dict.fromkeys(place if place >= 0 else len(values) - 1 for place in places)
                if 0 <= place < len(values)
            ][:limit]
            padded = [*picked, *[0] * (limit - len(picked))]
            total = points(padded, twice)
            shares[total] = shares.get(total, 0.0) + share * often
    return Likely(tuple((share, total) for total, share in shares.items()))
