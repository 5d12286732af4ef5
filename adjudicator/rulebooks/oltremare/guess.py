"""Fills in by chance what a player can't know: hands, cargoes, pirates, the deck, markers, and cards on offer."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from adjudicator.engine.table import Player, Secret
from adjudicator.engine.table.boxes import Box
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.guess import UnseenCards, known_of, without_standing
from adjudicator.rulebooks.oltremare.board import BOARD, VENICE, CardId, GoodId, Symbol, cards_for, good_of
from adjudicator.rulebooks.oltremare.standing import Standing
from adjudicator.rulebooks.oltremare.state import Hand, Offer, Seat, Shown, State

PILES = (("deck",), ("players", "*", "cargo"), ("players", "*", "pirates"))
MARKERS = tuple(marker for marker, count in BOARD.markers.items() for _ in range(count))


def boxes(state: State) -> tuple[Box, ...]:
    """OLT-0.1, OLT-0.3, OLT-0.6: the goods cards, and the markers."""
    cards, open_ = cards_for(len(state.players)), (*state.discard, *state.in_play)
    return (
        Box(cards, open_, PILES, hands=(("players", "*", "hand"),)),
        Box(MARKERS, tuple(state.markers.values()), piles=(("players", "*", "markers"),)),
    )


def guess(view: State, me: Player, chance: Chance) -> State:
    """OLT-0.6: hidden cards are any that aren't seen; a card on offer has the good that is shown."""
    unseen, markers = (UnseenCards.of(box, view, chance) for box in boxes(view))
    shown = {name: cards_on_offer(view, name, unseen) for name in view.players}
    players = {name: guessed_seat(seat, shown[name], unseen) for name, seat in view.players.items()}
    players = {name: replace(seat, markers=markers.fill(seat.markers)) for name, seat in players.items()}
    state = replace(view, players=players)
    hidden = [place for place, card in enumerate(view.deck) if not card.known]
    state = replace(state, deck=guessed_deck(view.deck, hidden, unseen, chance))
    state = replace(
        state,
        drawn=cards_drawn(state),
        offers={name: with_cards_shown(state, each) for name, each in view.offers.items()},
    )
    found: State = without_standing(state, Standing)
    return found


def cards_on_offer(view: State, player: Player, unseen: UnseenCards[CardId]) -> list[CardId]:
    """Cards for a player's hand that fit the goods of the player's open offers, the same card for equal goods; none
    where the hand is known to hold one.
    """
    goods: dict[str, int] = {}
    for offer in view.offers.values():
        known = [each.good.value for each in offer.give.cards if not each.card.known and each.good.known]
        for good in known if offer.by == player else ():
            goods[good] = max(goods.get(good, 0), known.count(good))
    seen = [good_of(card) for card in known_of(view.players[player].hand)]
    wanted = [good for good, count in goods.items() for _ in range(count - seen.count(good))]
    cards = []
    for good in wanted:
        with suppress(LookupError):  # the card offered has left the hand since, and lies where it is seen
            cards.append(unseen.take(partial(has_good, good)))
    return cards


def has_good(good: GoodId, card: CardId) -> bool:
    """OLT-0.1: does the card have that good?"""
    return good_of(card) == good


def guessed_seat(seat: Seat, first: list[CardId], unseen: UnseenCards[CardId]) -> Seat:
    """A seat in which these cards, as many as there is room for, then others take the place of hidden ones."""
    left = list(first)
    hand = tuple(card if card.known else Secret(left.pop(0) if left else unseen.take()) for card in seat.hand)
    unseen.left += left
    fresh = {name: card if card.known else hand[-1] for name, card in seat.fresh.items()}
    cargo, pirates = unseen.fill(seat.cargo), unseen.fill(seat.pirates)
    return replace(seat, hand=hand, fresh=fresh, cargo=cargo, pirates=pirates)


def guessed_deck(deck: Hand, hidden: list[int], unseen: UnseenCards[CardId], chance: Chance) -> Hand:
    """OLT-5.3: the deck; if it has one place more than there are cards left, the Venice card lies in one of them."""
    venice = hidden[chance(len(hidden))] if len(hidden) > len(unseen.left) else -1
    return tuple(
        card if card.known else Secret(VENICE if place == venice else unseen.take())
        for place, card in enumerate(deck)
    )


def cards_drawn(state: State) -> Hand:
    """The cards drawn in the turn: the last ones of the hand, if they are hidden."""
    hand = state.players[state.turn_of].hand
    last = hand[len(hand) - len(state.drawn) :]
    return tuple(card if card.known else other for card, other in zip(state.drawn, last, strict=False))


def with_cards_shown(state: State, offer: Offer) -> Offer:
    """OLT-2.2: an offer with cards of its player's hand that have the goods shown, or with others where the cards have
    left the hand since.
    """
    left = [card.value for card in state.players[offer.by].hand]
    left += [card for card in cards_for(len(state.players)) if card not in left]
    cards = []
    for each in offer.give.cards:
        fits = [card for card in left if not each.good.known or good_of(card) == each.good.value]
        card = each.card.value if each.card.known else fits[0]
        left = [other for other in left if other != card]
        nothing: tuple[Symbol, ...] = ()
        says = each.says if each.says.known else Secret(nothing)
        cards.append(Shown(Secret(card), Secret(good_of(card)), says))
    return replace(offer, give=replace(offer.give, cards=tuple(cards)))
