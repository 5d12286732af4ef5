"""The worth to the bot, in ducats, of goods, symbols, markers and cards on top of a cargo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from adjudicator.engine.table import Player
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.oltremare.board import (
    CARDS,
    CardId,
    GoodId,
    Marker,
    gain,
    good_of,
    goods_of,
    pay,
    symbols,
)
from adjudicator.rulebooks.oltremare.state import Seat, State, hand_of, top

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
MARKERS: Mapping[Marker, float] = {
    "good-deals": 5.0,
    "favourable-trade": 4.0,
    "victory": 4.0,
    "calm-sea": 3.0,
    "local-influence": 3.0,
    "compass": 1.5,
}


@remembered
def counts(view: State, me: Player) -> Mapping[GoodId, int]:
    """The number of each good available for a lot: in the hand, and one for the top of the cargo."""
    found = dict(goods_of(hand_of(view, me)))
    card = top(view.players[me])
    if card is not None:
        found[good_of(card)] = found.get(good_of(card), 0) + 1
    return found


def worth_of_goods(have: Mapping[GoodId, int]) -> float:
    """The worth of the lots that these goods could make."""
    return sum([worth_of_lot(good, count) for good, count in have.items()])


@cache
def worth_of_lot(good: GoodId, count: int) -> float:
    """The worth of so many cards of one good: the lot that they could make, and the cards themselves."""
    return LATER * pay(good, count) + CARD * count


def worth_of_exchange(
    have: Mapping[GoodId, int], gets: Mapping[GoodId, int], gives: Mapping[GoodId, int]
) -> float:
    """The worth of an exchange of goods to a player with these goods."""
    after = {
        good: max(0, have.get(good, 0) + gets.get(good, 0) - gives.get(good, 0))
        for good in (*have, *gets, *gives)
    }
    return worth_of_goods(after) - worth_of_goods(have)


def worth_of_symbols(seat: Seat, cards: Sequence[CardId], hand: int) -> float:
    """The worth of the symbols of cards: ducats, pirates, and cards as far as the hand has room for them."""
    ducats = gain(symbols(cards, "ducat") + (seat.active == "good-deals"))
    ducats += symbols(cards, "ship") if seat.active == "calm-sea" else 0
    pirates = 0 if seat.active == "victory" else gain(symbols(cards, "pirate"))
    drawn = gain(symbols(cards, "cards"))
    room = max(0, HAND - (hand - len(cards)))
    return ducats - PIRATE * pirates + DRAWN * min(drawn, room) - CROWDED * max(0, drawn - room)


def worth_of_top(card: CardId, hand: int) -> float:
    """The worth of a card on top of the cargo with this number of cards in hand:
    it says how many are played and kept."""
    face = CARDS[card]
    lacking, over = max(0, face.cargo - hand), max(0, hand - face.power)
    return LONGER * face.cargo - LACKING * lacking - OVER * over


def worth_of_lots(cards: Iterable[CardId], before: CardId | None) -> float:
    """The change in pay from loading cards in this order: the first may lengthen the lot on top, of unknown length."""
    found, run, good = 0.0, 1 if before else 0, good_of(before) if before else ""
    for card in cards:
        run, good = (run + 1, good) if good_of(card) == good else (1, good_of(card))
        found += pay(good, run) - pay(good, run - 1)
    return found
