"""The deck: drawing from it (OLT-2.4, OLT-3.3, OLT-3.4), and making a new one when it runs out (OLT-6.1)."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.engine.table import Secret, Table, face_down
from adjudicator.rulebooks.oltremare import events, scoring
from adjudicator.rulebooks.oltremare.board import VENICE, CardId
from adjudicator.rulebooks.oltremare.state import State, cards_in_stock


def draw(t: Table[State], onto: events.Onto, *, rule: str, bought: bool = False) -> None:
    """OLT-5.3: draws a card from the deck; the Venice card is scored at once, and the next one is drawn instead.

    A check doesn't know the card and assumes that it isn't the Venice card; `look` says so when all cards of an order
    are drawn.
    """
    while t.state.deck or cards_in_stock(t.state):
        if not t.state.deck:
            renew(t)
        card = t.state.deck[0]
        if card.known and card.value == VENICE:
            find_venice(t, onto)
            continue
        t.play(events.Drew(rule=rule, player=t.state.turn_of, card=card, onto=onto, bought=bought))
        begin_last_round(t)
        return


def find_venice(t: Table[State], where: events.Where) -> None:
    """OLT-5.1, OLT-6.1: scores, and removes the Venice card, which is the first card of the deck and may be the only
    one."""
    scoring.score_venice(t, t.state.turn_of, where)
    begin_last_round(t)


def begin_last_round(t: Table[State]) -> None:
    """OLT-6.1: begins the last round if the deck is empty."""
    if not (t.state.deck or t.state.last_round):
        t.play(events.LastRound(rule="OLT-6.1"))


def look(t: Table[State], cards: Iterable[Secret[CardId]]) -> None:
    """OLT-5.3: looks at cards that were drawn or received. A check doesn't know them, so the order ends there."""
    for card in cards:
        t.reveal(card)


def renew(t: Table[State]) -> None:
    """OLT-6.1: shuffles the discard into a new deck; if there is none, the first player's cargo and pirate pile."""
    if t.state.discard:
        order = t.shuffle(t.state.discard, "deck", rule="OLT-6.1")
        t.play(events.DeckLaid(rule="OLT-6.1", cards=face_down(order), source="discard"))
        return
    first = t.state.seats[0]
    scoring.settle(t, first)
    seat = t.state.players[first]
    order = t.shuffle([t.reveal(card) for card in (*seat.cargo, *seat.pirates)], "deck", rule="OLT-6.1")
    t.play(events.DeckLaid(rule="OLT-6.1", cards=face_down(order), source="piles", player=first))
