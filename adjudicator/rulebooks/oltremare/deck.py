"""The deck: drawn from (OLT-2.4, OLT-3.3, OLT-3.4), and made anew when it runs out (OLT-6.1)."""

from __future__ import annotations

from typing import Literal

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.oltremare import scoring
from adjudicator.rulebooks.oltremare.board import VENICE, CardId
from adjudicator.rulebooks.oltremare.events import DeckLaid, Drew, LastRound
from adjudicator.rulebooks.oltremare.state import State, in_stock


def draw(
    t: Table[State], player: Player, onto: Literal["hand", "pirates"], *, rule: str, bought: bool = False
) -> None:
    """OLT-5.3: a card of the deck; in place of the Venice card, once it has been scored, another is drawn."""
    while in_stock(t.state):
        if not t.state.deck:
            renew(t)
        card = t.state.deck[0]
        t.play(Drew(rule=rule, player=player, card=card, onto=onto, bought=bought))
        if not t.state.deck and not t.state.last_round:
            t.play(LastRound(rule="OLT-6.1"))
        if t.reveal(card) != VENICE:
            return
        scoring.intermediate(t, player, onto, bought=bought)


def renew(t: Table[State]) -> None:
    """OLT-6.1: the discard is shuffled into a new deck; without one, the first player's cargo and pirate pile."""
    if t.state.discard:
        lay(t, list(t.state.discard), "discard")
        return
    first = t.state.seats[0]
    scoring.settle(t, first)
    seat = t.state.players[first]
    lay(t, [t.reveal(card) for card in (*seat.cargo, *seat.pirates)], "piles", first)


def lay(
    t: Table[State], cards: list[CardId], source: Literal["discard", "piles"], player: Player = ""
) -> None:
    """OLT-6.1: cards are shuffled and laid as the deck."""
    order = t.shuffle(cards, "deck", rule="OLT-6.1")
    laid = DeckLaid(rule="OLT-6.1", cards=tuple(Secret(card) for card in order), source=source, player=player)
    t.play(laid)
