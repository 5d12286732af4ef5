"""The deck: drawn from (OLT-2.4, OLT-3.3, OLT-3.4), and made anew when it runs out (OLT-6.1)."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.engine.table import Secret, Table, face_down
from adjudicator.rulebooks.oltremare import events, scoring
from adjudicator.rulebooks.oltremare.board import VENICE, CardId
from adjudicator.rulebooks.oltremare.state import State, in_stock


def draw(t: Table[State], onto: events.Onto, *, rule: str, bought: bool = False) -> None:
    """OLT-5.3: a card of the deck; in place of the Venice card, once it has been scored, another is drawn.

    A check doesn't know the card and takes it for another; `look` says so when all cards of an order are drawn.
    """
    while in_stock(t.state):
        if not t.state.deck:
            renew(t)
        card, player = t.state.deck[0], t.state.turn_of
        t.play(events.Drew(rule=rule, player=player, card=card, onto=onto, bought=bought))
        if not t.state.deck and not t.state.last_round:
            t.play(events.LastRound(rule="OLT-6.1"))
        if not card.known or card.value != VENICE:
            return
        scoring.intermediate(t, player, onto, bought=bought)


def look(t: Table[State], cards: Iterable[Secret[CardId]]) -> None:
    """OLT-5.3: cards that have come are looked at: in a check, which doesn't know them, the order ends with that."""
    for card in cards:
        t.reveal(card)


def renew(t: Table[State]) -> None:
    """OLT-6.1: the discard is shuffled into a new deck; without one, the first player's cargo and pirate pile."""
    if t.state.discard:
        order = t.shuffle(t.state.discard, "deck", rule="OLT-6.1")
        t.play(events.DeckLaid(rule="OLT-6.1", cards=face_down(order), source="discard"))
        return
    first = t.state.seats[0]
    scoring.settle(t, first)
    seat = t.state.players[first]
    order = t.shuffle([t.reveal(card) for card in (*seat.cargo, *seat.pirates)], "deck", rule="OLT-6.1")
    t.play(events.DeckLaid(rule="OLT-6.1", cards=face_down(order), source="piles", player=first))
