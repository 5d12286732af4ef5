"""Cards against cards: what the others are likely to hold, and the totals that each side could reach."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import combinations

from msgspec import Struct

from adjudicator.engine.table import Player
from adjudicator.engine.table.remembered import Answers
from adjudicator.rulebooks.rome_carthage.board import PIP_CARDS, STATES, VALUES, Card, worth
from adjudicator.rulebooks.rome_carthage.choosing import Twice, points
from adjudicator.rulebooks.rome_carthage.setup import first_hand, first_talon
from adjudicator.rulebooks.rome_carthage.state import State

HOARD = 20
"""A card of this many points costs twice its points; lower cards cost less on top of their points."""


class Likely:
    """What an enemy is likely to show: possible totals, each with its probability.

    `wins` says how likely a total wins; a tie counts half, unless both show zeros.
    """

    def __init__(self, totals: tuple[tuple[float, int], ...]) -> None:
        self.totals, self.most = totals, max(total for _, total in totals)
        self.wins = Answers(self._wins)

    def _wins(self, own: int) -> float:
        if not own:
            return 0.0
        return sum([share if own > other else share / 2 for share, other in self.totals if own >= other])


class Choice(Struct, frozen=True):
    """Cards that could be played: their total in the fight, and the cost of giving them away."""

    total: int
    cost: float
    cards: tuple[Card, ...]


Choices = tuple[Choice, ...]
Outcome = tuple[float, float, float, tuple[Card, ...]]
"""How likely cards win, how likely they lose, their cost, and the cards."""


class Duel(Struct, frozen=True):
    """Cards against cards: one's own choices, cheapest first; those that win no more often than a cheaper one are left
    out.

    `bait` are cards with which a spy can be declared, if there are any; `answers` are then, for each total that the
    enemy may show, its probability and the cost of the cheapest cards that beat it: None if none do.
    """

    own: tuple[Outcome, ...]
    bait: tuple[Card, ...]
    answers: tuple[tuple[float, float | None], ...]


class Verdict(Struct, frozen=True):
    """The best cards found for a fight, and the value of the fight with them; `spy`: declare if the total is 2."""

    value: float
    cards: tuple[Card, ...]
    spy: str = "keep"


def cost(card: Card) -> float:
    """The value of a card in the hand: high cards decide fights,
    and a king that is played never comes back (ROM-3.2)."""
    points = worth(card)
    return points + points * points / HOARD


@lru_cache(512)
def choices(hand: tuple[Card, ...], limit: int, twice: Twice) -> Choices:
    """The sensible choices out of a hand, cheapest first: those for which no cheaper one has the same total or more."""
    found: list[Choice] = []
    for price, cards, values in _sets_by_price(hand, limit):
        total = points(values, twice)
        if not found or total > found[-1].total:
            found.append(Choice(total, price, cards))
    return tuple(found)


@lru_cache(512)
def _sets_by_price(
    hand: tuple[Card, ...], limit: int
) -> tuple[tuple[float, tuple[Card, ...], tuple[int, ...]], ...]:
    """All sets of as many cards as can be played, cheapest first: price, cards, values."""
    zeros = [card for card in hand if not worth(card)]
    useful = [*(card for card in hand if worth(card)), *zeros[:limit]]
    each = combinations(useful, min(limit, len(useful)))
    priced = [(sum(map(cost, cards)), cards, tuple(map(worth, cards))) for cards in each]
    return tuple(sorted(priced, key=lambda found: (found[0], found[1])))


def duel_of(hand: tuple[Card, ...], own: Choices, likely: Likely) -> Duel:
    """These choices out of a hand against what the enemy is likely to show."""
    nothing = sum(share for share, other in likely.totals if not other)
    outcomes: list[Outcome] = []
    for choice in own:
        wins, draws = likely.wins[choice.total], 0.0 if choice.total else nothing
        if not outcomes or wins > outcomes[-1][0]:
            outcomes.append((wins, 1 - wins - draws, choice.cost, choice.cards))
        if choice.total > likely.most:
            break
    bait = bait_in(hand, len(own[-1].cards))
    return Duel(tuple(outcomes), bait, answers_to(bait, own, likely) if bait else ())


def answers_to(
    bait: tuple[Card, ...], own: Choices, likely: Likely
) -> tuple[tuple[float, float | None], ...]:
    """For each total that the enemy may show, its probability and the cost of the cheapest cards besides the bait that
    beat it."""
    spent = {card for card in bait if worth(card)}
    left = [choice for choice in own if spent.isdisjoint(choice.cards)]
    return tuple(
        (share, next((choice.cost for choice in left if choice.total > total), None))
        for share, total in likely.totals
    )


def best(duel: Duel, win: float, lose: float, thrift: float) -> Verdict:
    """The choice with the highest expected value: `win` and `lose` are the values of the two ends,
    `thrift` the price of a card point."""
    values = [wins * win - loses * lose - thrift * price for wins, loses, price, _ in duel.own]
    most = max(values)
    *_, cards = duel.own[values.index(most)]
    return Verdict(most, cards)


def spying(duel: Duel, win: float, lose: float, thrift: float) -> Verdict | None:
    """ROM-3.7: the expected value of a spy, who sees the enemy's cards before playing; None without a total of 2."""
    if not duel.bait:
        return None
    value = 0.0
    for share, cost_of_answer in duel.answers:
        value += share * (-lose if cost_of_answer is None else max(-lose, win - thrift * cost_of_answer))
    return Verdict(value - thrift * sum(map(cost, duel.bait)), duel.bait, "declare")


@lru_cache(512)
def bait_in(hand: tuple[Card, ...], limit: int) -> tuple[Card, ...]:
    """ROM-3.7: cards whose printed total is 2: a two alone or with a zero, else two aces."""
    twos = [card for card in hand if worth(card) == 2]
    zeros = [card for card in hand if not worth(card)]
    aces = [card for card in hand if worth(card) == 1]
    if twos and len(zeros) >= limit - 1:
        return (twos[0], *zeros[: limit - 1])
    return tuple(aces[:2]) if limit == 2 and len(aces) >= 2 else ()


KING = VALUES["king"]
ZEROS = sum(not worth(card) for card in first_hand(STATES[:1]))
"""ROM-3.8: every hand keeps two zeros."""
TALON = sum(len(first_talon((state,))) for state in STATES)
"""ROM-0.3: the cards of the first talon."""
Ours = tuple[tuple[Card, ...], int, Twice]
"""The player's side of a fight: the hand, how many cards of it are played, and which of them counts twice."""
Theirs = tuple[Player, int, Twice, bool]
"""The enemy's side: whose, how many cards, which counts twice, and whether they are the best, as for a capital."""
UNLIKELY = 0.01
"""Hands with lower odds than this are left out: they hardly change what a fight is worth."""
Hands = tuple[tuple[float, tuple[int, ...]], ...]
"""Possible values of a hand's cards above zero, highest first, with the odds of each: with a king, and without."""
Habit = tuple[tuple[float, tuple[int, ...]], ...]
"""Ways to play: the odds of each, and which of the cards above zero it plays,
counted from the highest (-1: the lowest; none: zeros)."""
STRONG: Habit = ((0.7, (0, 1)), (0.12, (0,)), (0.1, (1, 2)), (0.08, ()))
USUAL: Habit = ((0.2, (0, 1)), (0.2, (0, -1)), (0.15, (1, -1)), (0.15, (1,)), (0.2, (-1,)), (0.1, ()))


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
