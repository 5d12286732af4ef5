"""What is left of everything that a player's orders in a turn share: cards, purchases, offers, and the turn itself."""

from __future__ import annotations

from adjudicator.engine.table import Limits, Player
from adjudicator.engine.table.domain import Limit
from adjudicator.rulebooks.oltremare.board import PURCHASES
from adjudicator.rulebooks.oltremare.offers import MOST_OFFERS
from adjudicator.rulebooks.oltremare.state import State, cards_in_stock, hand_of, next_offer


def limits(state: State, player: Player) -> Limits:
    """OLT-2.1, OLT-2.4, OLT-3.1: what can be bought and offered, and what comes too late."""
    left = MOST_OFFERS + 1 - next_offer(state, player)
    found = {
        "purchases": Limit(PURCHASES - state.bought, "OLT-2.4", "bought-enough", {"purchases": PURCHASES}),
        "of deck": Limit(cards_in_stock(state), "OLT-2.4", "pile-is-smaller"),
        "of pirates": Limit(len(state.players[player].pirates), "OLT-2.4", "pile-is-smaller"),
        "offers": Limit(left, "OLT-2.1", "offers-enough"),
        "unplayed": Limit(int(not (state.in_play or state.between)), "OLT-3.1", "already-played"),
        "talk": Limit(int(not state.sailing), "OLT-2.1", "sailing-already"),
    }
    for card in hand_of(state, player):
        found[f"card {card}"] = Limit(1, "OLT-0.6", "card-gone", {"card": card})
        found[f"free {card}"] = Limit(1, "OLT-2.1", "card-offered", {"card": card})
    return found
