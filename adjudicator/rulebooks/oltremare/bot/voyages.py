"""The merchant's voyage: which cards to play, in which order to load them, where to sail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

from adjudicator.engine.table import Player
from adjudicator.rulebooks.oltremare.board import CARDS, CardId, good_of, symbols
from adjudicator.rulebooks.oltremare.bot import alone
from adjudicator.rulebooks.oltremare.bot.worth import (
    MARKERS,
    worth_of_goods,
    worth_of_lots,
    worth_of_symbols,
    worth_of_top,
)
from adjudicator.rulebooks.oltremare.loading import Way, jumps, ways
from adjudicator.rulebooks.oltremare.state import State, hand_of, must_play, top

MOST_HAND = 10
"""The most cards of a hand that are considered."""

KEPT = 0.7
"""The part of the worth of goods in the hand that counts."""
FOLLOWS = 1.2
"""The worth of a card in hand that can lengthen the lot on top."""
JUMP = 0.5
"""A marker reached by a jump is worth so much less."""


def orders(view: State, me: Player, gone: Sequence[CardId] = (), got: int = 0) -> list[dict[str, Any]]:
    """The cards to play, how to load them, and purchases of missing cards.

    `gone` are cards that the same sheet has given away, `got` is how many it has received.
    """
    hand = [card for card in hand_of(view, me) if card not in gone]
    buys = alone.purchases(view, len(hand) + got)
    lacking = must_play(view) - len(hand)
    if lacking <= 0:
        cards = cards_to_play(view, me, gone)
        return [*buys, {"play": list(cards)}, *([loading(view, me, cards)] if cards else [])]
    came = [f"got-{at}" for at in range(1, got + 1)] + [f"drawn-{at}" for at in range(1, lacking + 1)]
    return [*buys, {"play": [*hand, *came[:lacking]]}, {"load": [*came[:lacking], *hand]}]


def cards_to_play(view: State, me: Player, gone: Sequence[CardId] = ()) -> tuple[CardId, ...]:
    """The cards with the best symbols and lots, minus the worth that they would have had in the hand."""
    hand = [card for card in reversed(alone.cards_to_spare(view, me)) if card not in gone][:MOST_HAND]
    size = min(must_play(view), len(hand))
    return max(combinations(hand, size), key=lambda cards: worth(view, me, cards, hand))


def worth(view: State, me: Player, cards: Sequence[CardId], hand: Sequence[CardId]) -> float:
    """The worth of playing these cards."""
    seat = view.players[me]
    rest: dict[str, int] = {}
    for card in hand:
        if card not in cards:
            rest[good_of(card)] = rest.get(good_of(card), 0) + 1
    lots = max((worth_of_order(view, me, order, hand) for order in orderings(cards)), default=0.0)
    return worth_of_symbols(seat, cards, len(hand)) + lots + KEPT * worth_of_goods(rest)


def orderings(cards: Sequence[CardId]) -> Iterator[tuple[CardId, ...]]:
    """The ways to load cards so that those of one good lie together."""
    groups: dict[str, list[CardId]] = {}
    for card in sorted(cards, key=lambda card: (CARDS[card].cargo, card)):
        groups.setdefault(good_of(card), []).append(card)
    for order in permutations(groups.values()):
        yield tuple(card for group in order for card in group)


def worth_of_order(view: State, me: Player, order: Sequence[CardId], hand: Sequence[CardId]) -> float:
    """The worth of loading in this order: the lots, and the top card with what the hand can add to it."""
    if not order:
        return 0.0
    held = len(view.players[me].hand) - (0 if view.in_play else len(order))
    more = sum(good_of(card) == good_of(order[-1]) for card in hand if card not in order)
    return worth_of_lots(order, top(view.players[me])) + worth_of_top(order[-1], held + 1) + FOLLOWS * more


def loading(view: State, me: Player, cards: Sequence[CardId]) -> dict[str, Any]:
    """The order of loading and the route."""
    hand = hand_of(view, me)
    order = max(orderings(cards), key=lambda order: worth_of_order(view, me, order, hand))
    found: dict[str, Any] = {"load": list(order)}
    count = symbols(cards, "ship")
    if not count:
        return found
    way = max(ways(view.players[me].ship, count), key=lambda way: goal(view, way))
    found["via"] = list(way)
    goals = jumps(view, way)
    if goals:
        found["jump"] = max(goals, key=lambda port: MARKERS[view.markers[port]])
    return found


def goal(view: State, way: Way) -> float:
    """The worth of the end of a route: its marker, or that of a jump."""
    marker = view.markers.get(way[-1])
    best = max((MARKERS[view.markers[port]] for port in jumps(view, way)), default=0.0)
    return max(MARKERS[marker] if marker else 0.0, best - JUMP)
