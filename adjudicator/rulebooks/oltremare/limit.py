"""OLT-1 Sailor power: the hand limit at the start of a turn."""

from __future__ import annotations

from adjudicator.engine.table.domain import Many
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.secret import face_down
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.oltremare import events
from adjudicator.rulebooks.oltremare.board import CardId
from adjudicator.rulebooks.oltremare.cards import cards_named, hand
from adjudicator.rulebooks.oltremare.standing import CARD
from adjudicator.rulebooks.oltremare.state import State, excess


def discard(t: Table[State]) -> None:
    """OLT-1.1: the cards in excess of the power go on the own pirate pile, in the order liked."""
    count = excess(t.state)
    t.require(count > 0, "OLT-1.1", "within-limit")
    over = Reason("OLT-1.1", "discards-too-many")
    among = Many(hand(t.state, t.me), count, count, distinct=True, over=over)
    cards = t.pick("discard", among, rule="OLT-1.1")
    lay_down(t, cards_named(t, "discard", cards))


def lay_down(t: Table[State], cards: tuple[CardId, ...]) -> None:
    """OLT-1.1: face down on the pirate pile, the last one on top."""
    t.play(events.Discarded(rule="OLT-1.1", player=t.state.turn_of, cards=face_down(cards)))


VERBS = {"discard": Verb(discard, {"discard": Many(CARD, least=1, distinct=True)})}
