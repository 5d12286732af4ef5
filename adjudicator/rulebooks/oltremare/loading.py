"""OLT-4 Loading: the ship sails (OLT-3.5), and the cards played go on the cargo."""

from __future__ import annotations

from adjudicator.engine.table.domain import Many, OneOf
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.oltremare import events, sailing
from adjudicator.rulebooks.oltremare.board import CARDS, CardId, symbols
from adjudicator.rulebooks.oltremare.cards import COME, each_once, hand
from adjudicator.rulebooks.oltremare.standing import CARD, PORT
from adjudicator.rulebooks.oltremare.state import State, active, unseen


def load(t: Table[State]) -> None:
    """OLT-4.1: the cards played go on the own cargo in the order liked, the last one on top."""
    cards = t.state.in_play
    t.require(t.state.turn_of == t.me and not t.state.between, "OLT-4.1", "turn-is-over")
    if not cards and unseen(t.state, t.me):
        t.pick("load", Many(hand(t.state, t.me), least=1, distinct=True), rule="OLT-4.1")
        _ = Secret.hidden().value  # a check doesn't know yet which cards have been played: Unknown
    t.require(bool(cards), "OLT-4.1", "play-first")
    fresh = {name: card.value for name, card in active(t.state).fresh.items() if card.known}
    names = {card: card for card in cards} | {name: card for name, card in fresh.items() if card in cards}
    absent = {name: Reason("OLT-4.1", "not-played") for name in (*CARDS, *COME) if name not in names}
    over = Reason("OLT-4.1", "loads-too-many", {"count": len(cards)})
    each = Many(OneOf(tuple(names), absent), len(cards), len(cards), distinct=True, over=over)
    order = t.pick("load", each, rule="OLT-4.1")
    stack = each_once(t, "load", order, [names[name] for name in order])
    load_up(t, stack, *sailing.course(t))


def load_up(t: Table[State], cards: tuple[CardId, ...], way: sailing.Way, jump: str) -> None:
    """OLT-3.5, OLT-4.1: the ship sails, then the cards are loaded, and the turn is done.

    OLT-8.7: a marker is taken when all other actions of the turn are over.
    """
    if way:
        sailing.sail(t, way, jump)
    t.play(events.Loaded(rule="OLT-4.1", player=t.state.turn_of, cards=cards))


def by_default(t: Table[State]) -> None:
    """OLT-4.1: cards that no order has loaded go on as they were played, by the first route."""
    if t.state.in_play:
        way = sailing.first_way(active(t.state).ship, symbols(t.state.in_play, "ship"))
        load_up(t, t.state.in_play, way, "")


VERBS = {
    "load": Verb(load, {"load": Many(CARD, least=1, distinct=True), "via": Many(PORT, least=1), "jump": PORT})
}
