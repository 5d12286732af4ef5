"""The merchant's decisions without others: what is worth how much, cards to buy and discard, and the voyage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import Any

from adjudicator.engine.table import Player
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.oltremare import board
from adjudicator.rulebooks.oltremare.commerce import price_now
from adjudicator.rulebooks.oltremare.state import Seat, State
from adjudicator.rulebooks.oltremare.voyage import Way, jumps, ways

TILE = 1.5
"""A prestige tile."""
CARD = 1.2
"""One more card in hand."""
PIRATE = 0.9
"""A card on the pirate pile, which costs 1 ducat at the end and may be bought back."""
LATER = 0.8
"""A ducat that lots not yet loaded may pay one day."""
HAND = 6
"""The number of cards for which a hand has room; more go to the pirates."""
DRAWN, CROWDED = 2.6, 0.6
"""What a card drawn is worth where there is room, and what one costs where there is none."""
LONGER, LACKING, OVER = 1.3, 2.5, 1.5
"""For the card on top of the cargo: what each card to play is worth that it asks for, what each that is lacking then
costs, and each that the hand may not keep."""
MARKERS: Mapping[board.Marker, float] = {
    "good-deals": 5.0,
    "favourable-trade": 4.0,
    "victory": 4.0,
    "calm-sea": 3.0,
    "local-influence": 3.0,
    "compass": 1.5,
}


@remembered
def counts(view: State, me: Player) -> Mapping[board.GoodId, int]:
    """The number of each good available for a lot: in the hand, and one for the top of the cargo."""
    found = dict(board.goods_of(view.hand_of(me)))
    card = view.players[me].top()
    if card is not None:
        found[board.good_of(card)] = found.get(board.good_of(card), 0) + 1
    return found


def worth_of_goods(have: Mapping[board.GoodId, int]) -> float:
    """The worth of the lots that these goods could make."""
    return sum([worth_of_lot(good, count) for good, count in have.items()])


@cache
def worth_of_lot(good: board.GoodId, count: int) -> float:
    """The worth of so many cards of one good: the lot that they could make, and the cards themselves."""
    return LATER * board.pay(good, count) + CARD * count


def worth_of_exchange(
    have: Mapping[board.GoodId, int], gets: Mapping[board.GoodId, int], gives: Mapping[board.GoodId, int]
) -> float:
    """The worth of an exchange of goods to a player with these goods."""
    after = {
        good: max(0, have.get(good, 0) + gets.get(good, 0) - gives.get(good, 0))
        for good in (*have, *gets, *gives)
    }
    return worth_of_goods(after) - worth_of_goods(have)


def worth_of_symbols(seat: Seat, cards: Sequence[board.CardId], hand: int) -> float:
    """The worth of the symbols of cards: ducats, pirates, and cards as far as the hand has room for them."""
    ducats = board.gain(board.symbols(cards, "ducat") + (seat.active == "good-deals"))
    ducats += board.symbols(cards, "ship") if seat.active == "calm-sea" else 0
    pirates = 0 if seat.active == "victory" else board.gain(board.symbols(cards, "pirate"))
    drawn = board.gain(board.symbols(cards, "cards"))
    room = max(0, HAND - (hand - len(cards)))
    return ducats - PIRATE * pirates + DRAWN * min(drawn, room) - CROWDED * max(0, drawn - room)


def worth_of_top(card: board.CardId, hand: int) -> float:
    """The worth of a card on top of the cargo with this number of cards in hand:
    it says how many are played and kept."""
    face = board.CARDS[card]
    lacking, over = max(0, face.cargo - hand), max(0, hand - face.power)
    return LONGER * face.cargo - LACKING * lacking - OVER * over


def worth_of_lots(cards: Iterable[board.CardId], before: board.CardId | None) -> float:
    """The change in pay from loading cards in this order: the first may lengthen the lot on top, of unknown length."""
    found, run, good = 0.0, 1 if before else 0, board.good_of(before) if before else ""
    for card in cards:
        run, good = (run + 1, good) if board.good_of(card) == good else (1, board.good_of(card))
        found += board.pay(good, run) - board.pay(good, run - 1)
    return found


def discards(view: State, me: Player) -> list[dict[str, Any]]:
    """The cards that promise least go to the pirates."""
    count = view.excess()
    return [{"discard": list(cards_to_spare(view, me)[:count])}] if count else []


def hand_kept(view: State, me: Player) -> list[board.CardId]:
    """The hand after the discards."""
    gone = cards_to_spare(view, me)[: view.excess()]
    return [card for card in view.hand_of(me) if card not in gone]


@remembered
def cards_to_spare(view: State, me: Player) -> Sequence[board.CardId]:
    """The cards of the hand, those least useful for its lots first."""
    have = counts(view, me)

    def missed(card: board.CardId) -> tuple[int, str]:
        count = have[board.good_of(card)]
        return board.pay(board.good_of(card), count) - board.pay(board.good_of(card), count - 1), card

    return tuple(sorted(view.hand_of(me), key=missed))


def purchases(view: State, hand: int) -> list[dict[str, Any]]:
    """As many cards as must be played; one or two more if they are cheap."""
    lacking = max(0, view.must_play() - hand)
    cheap = 2 - lacking - view.bought if view.players[view.turn_of].active == "favourable-trade" else 0
    count = min(lacking + max(0, cheap), view.cards_in_stock())
    return [{"buy": "deck", "times": count}] if count and price_now(view) else []


MOST_HAND = 10
"""The most cards of a hand that are considered."""

KEPT = 0.7
"""The part of the worth of goods in the hand that counts."""
FOLLOWS = 1.2
"""The worth of a card in hand that can lengthen the lot on top."""
JUMP = 0.5
"""A marker reached by a jump is worth so much less."""


def orders(view: State, me: Player, gone: Sequence[board.CardId] = (), got: int = 0) -> list[dict[str, Any]]:
    """The cards to play, how to load them, and purchases of missing cards.

    `gone` are cards that the same sheet has given away, `got` is how many it has received.
    """
    hand = [card for card in view.hand_of(me) if card not in gone]
    buys = purchases(view, len(hand) + got)
    lacking = view.must_play() - len(hand)
    if lacking <= 0:
        cards = cards_to_play(view, me, gone)
        return [*buys, {"play": list(cards)}, *([loading(view, me, cards)] if cards else [])]
    came = [f"got-{at}" for at in range(1, got + 1)] + [f"drawn-{at}" for at in range(1, lacking + 1)]
    return [*buys, {"play": [*hand, *came[:lacking]]}, {"load": [*came[:lacking], *hand]}]


def cards_to_play(view: State, me: Player, gone: Sequence[board.CardId] = ()) -> tuple[board.CardId, ...]:
    """The cards with the best symbols and lots, minus the worth that they would have had in the hand."""
    hand = [card for card in reversed(cards_to_spare(view, me)) if card not in gone][:MOST_HAND]
    size = min(view.must_play(), len(hand))
    return max(combinations(hand, size), key=lambda cards: worth(view, me, cards, hand))


def worth(view: State, me: Player, cards: Sequence[board.CardId], hand: Sequence[board.CardId]) -> float:
    """The worth of playing these cards."""
    seat = view.players[me]
    rest: dict[str, int] = {}
    for card in hand:
        if card not in cards:
            rest[board.good_of(card)] = rest.get(board.good_of(card), 0) + 1
    lots = max((worth_of_order(view, me, order, hand) for order in orderings(cards)), default=0.0)
    return worth_of_symbols(seat, cards, len(hand)) + lots + KEPT * worth_of_goods(rest)


def orderings(cards: Sequence[board.CardId]) -> Iterator[tuple[board.CardId, ...]]:
    """The ways to load cards so that those of one good lie together."""
    groups: dict[str, list[board.CardId]] = {}
    for card in sorted(cards, key=lambda card: (board.CARDS[card].cargo, card)):
        groups.setdefault(board.good_of(card), []).append(card)
    for order in permutations(groups.values()):
        yield tuple(card for group in order for card in group)


def worth_of_order(
    view: State, me: Player, order: Sequence[board.CardId], hand: Sequence[board.CardId]
) -> float:
    """The worth of loading in this order: the lots, and the top card with what the hand can add to it."""
    if not order:
        return 0.0
    held = len(view.players[me].hand) - (0 if view.in_play else len(order))
    more = sum(board.good_of(card) == board.good_of(order[-1]) for card in hand if card not in order)
    return worth_of_lots(order, view.players[me].top()) + worth_of_top(order[-1], held + 1) + FOLLOWS * more


def loading(view: State, me: Player, cards: Sequence[board.CardId]) -> dict[str, Any]:
    """The order of loading and the route."""
    hand = view.hand_of(me)
    order = max(orderings(cards), key=lambda order: worth_of_order(view, me, order, hand))
    found: dict[str, Any] = {"load": list(order)}
    count = board.symbols(cards, "ship")
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
