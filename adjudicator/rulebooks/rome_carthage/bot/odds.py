"""Cards against cards: the totals that a player could reach, and those that an enemy is likely to show."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from msgspec import Struct

from adjudicator.engine.table.remembered import Answers
from adjudicator.rulebooks.rome_carthage.board import Card, worth
from adjudicator.rulebooks.rome_carthage.choosing import Twice, points

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
    beat it.
    """
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
