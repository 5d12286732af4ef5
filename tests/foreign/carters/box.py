"""What must be true of every position."""

from __future__ import annotations

from adjudicator.engine.table.reason import Flaw, flaw

from .board import BOARD, DECK
from .state import State


def no_card_too_many(state: State) -> Flaw | None:
    """CAR-0.2: no more cards of a good than there are; a card that is hidden can't be counted."""
    held = [card for seat in state.players.values() for card in seat.hand] + list(state.laid.values())
    cards = [*state.gone, *(card.value for card in held)]
    for card in cards:
        if cards.count(card) > DECK.count(card):
            return flaw(("players",), "CAR-0.2", "too-many-cards", card=card, most=BOARD.each)
    return None


def carts_are_whole(state: State) -> Flaw | None:
    """CAR-0.1: every cart is a player's, and stands in a town."""
    for name, cart in state.carts.items():
        if cart.owner not in state.players or name != f"{cart.owner}-cart":
            return flaw(("carts", name, "owner"), "CAR-0.1", "no-such-cart", value=name)
        if cart.town not in BOARD.towns:
            return flaw(("carts", name, "town"), "CAR-0.1", "no-such-town", value=cart.town)
    return None


CHECKS = (no_card_too_many, carts_are_whole)
INVARIANTS = (no_card_too_many,)
