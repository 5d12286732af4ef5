"""Fills in by chance what a player can't know: hands, cargoes, pirates, the deck, markers, and cards on offer."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from adjudicator.engine.table import Player, Secret
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.guess import UnseenCards, known_of, without_standing
from adjudicator.rulebooks.oltremare.board import BOARD, VENICE, CardId, GoodId, Symbol, cards_for, good_of
from adjudicator.rulebooks.oltremare.standing import Standing
from adjudicator.rulebooks.oltremare.state import Hand, Offer, Seat, Shown, State, piles


def guess(view: State, me: Player, chance: Chance) -> State:
    """OLT-0.6: hidden cards are any that aren't seen; a card on offer has the good that is shown."""
    hands = [pile for _, pile in piles(view)]
    unseen = UnseenCards(cards_for(len(view.players)), known_of(*hands), chance)
    shown = {name: cards_on_offer(view, name, unseen) for name in view.players}
    players = {name: guessed_seat(seat, shown[name], unseen) for name, seat in view.players.items()}
    state = replace(view, players=players)
    hidden = [place for place, card in enumerate(view.deck) if not card.known]
    state = replace(state, deck=guessed_deck(view.deck, hidden, unseen, chance))
    state = replace(
        state,
        drawn=cards_drawn(state),
        offers={name: with_cards_shown(state, each) for name, each in view.offers.items()},
    )
    found: State = without_standing(with_markers(state, chance), Standing)
    return found


def cards_on_offer(view: State, player: Player, unseen: UnseenCards[CardId]) -> list[CardId]:
    """Cards for a player's hand that fit the goods of the player's open offers, the same card for equal goods."""
    goods: dict[str, int] = {}
    for offer in view.offers.values():
        known = [each.good.value for each in offer.give.cards if not each.card.known and each.good.known]
        for good in known if offer.by == player else ():
            goods[good] = max(goods.get(good, 0), known.count(good))
    wanted = [good for good, count in goods.items() for _ in range(count)]
    return [unseen.take(partial(has_good, good)) for good in wanted]


def has_good(good: GoodId, card: CardId) -> bool:
    """OLT-0.1: does the card have that good?"""
    return good_of(card) == good


def guessed_seat(seat: Seat, first: list[CardId], unseen: UnseenCards[CardId]) -> Seat:
    """A seat in which these cards, then others, take the place of hidden ones."""
    left = list(first)
    hand = tuple(card if card.known else Secret(left.pop(0) if left else unseen.take()) for card in seat.hand)
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
    """OLT-2.2: an offer with cards of its player's hand that have the goods shown."""
    left = [card.value for card in state.players[offer.by].hand]
    cards = []
    for each in offer.give.cards:
        fits = [card for card in left if not each.good.known or good_of(card) == each.good.value]
        card = each.card.value if each.card.known else fits[0]
        left = [other for other in left if other != card]
        nothing: tuple[Symbol, ...] = ()
        says = each.says if each.says.known else Secret(nothing)
        cards.append(Shown(Secret(card), Secret(good_of(card)), says))
    return replace(offer, give=replace(offer.give, cards=tuple(cards)))


def with_markers(state: State, chance: Chance) -> State:
    """OLT-0.3: hidden markers are any that aren't in sight."""
    box = [marker for marker, count in BOARD.markers.items() for _ in range(count)]
    held = known_of(*(seat.markers for seat in state.players.values()))
    unseen = UnseenCards(box, [*state.markers.values(), *held], chance)
    players = {name: replace(seat, markers=unseen.fill(seat.markers)) for name, seat in state.players.items()}
    return replace(state, players=players)
