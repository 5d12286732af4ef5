"""OLT-3 Actions: cards are played, and their symbols carried out: ducats, pirates, cards; then the ship."""

from __future__ import annotations

from adjudicator.engine.table import Reason, Table, Use, Verb, once
from adjudicator.engine.table.domain import Many
from adjudicator.rulebooks.oltremare import deck, events, scoring
from adjudicator.rulebooks.oltremare.board import CardId, gain, has_unknown_card, symbols
from adjudicator.rulebooks.oltremare.commerce import UNPLAYED, check_may_act
from adjudicator.rulebooks.oltremare.hand import as_known, this_many_cards
from adjudicator.rulebooks.oltremare.loading import load_up
from adjudicator.rulebooks.oltremare.standing import CARD
from adjudicator.rulebooks.oltremare.state import State, active, must_play


def play(t: Table[State]) -> None:
    """OLT-3.1: a player must play exactly as many cards as the top card of the cargo has cargo symbols."""
    count, held = must_play(t.state), len(t.state.players[t.me].hand)
    few, many = Reason("OLT-3.1", "plays-too-few"), Reason("OLT-3.1", "plays-too-many", {"count": count})
    if held < count:
        few = Reason("OLT-3.1", "hand-too-small", {"count": count, "value": held})
    names = t.pick("play", this_many_cards(t, count, few, many), rule="OLT-3.1")
    check_may_act(t, "OLT-3.1")
    t.prepared(t.state.phase.name != "commerce" or t.state.sailing, "OLT-2.1", "talk-first")
    cards = as_known(t, "play", names)
    load_follows = any("load" in order for order in t.to_come(t.me) or ())
    if not (load_follows or has_unknown_card(cards) or symbols(cards, "cards")) and (
        ships := symbols(cards, "ship")
    ):
        t.warn("OLT-3.5", "no-load", count=ships)
    carry_out(t, cards)


def carry_out(t: Table[State], cards: tuple[CardId, ...]) -> None:
    """OLT-3.2 to 3.4: carries out the symbols in their order; ship symbols wait for the loading of the cargo."""
    t.play(events.Played(rule="OLT-3.1", player=t.state.turn_of, cards=cards))
    ducats(t, cards)
    pirates(t, cards)
    for _ in range(gain(symbols(cards, "cards"))):
        deck.draw(t, "hand", rule="OLT-3.4")
    deck.look(t, t.state.drawn)
    if not cards:
        load_up(t, (), (), "")  # OLT-6.1: nothing is left to play


def ducats(t: Table[State], cards: tuple[CardId, ...]) -> None:
    """OLT-3.2, OLT-8.1, OLT-8.4: ducat symbols pay; good deals add one; calm sea pays for ship symbols."""
    player, marker = t.state.turn_of, active(t.state).active
    count, ships = symbols(cards, "ducat") + (marker == "good-deals"), symbols(cards, "ship")
    scoring.pay(t, "OLT-8.4" if marker == "good-deals" else "OLT-3.2", player, gain(count), "symbols", count)
    if marker == "calm-sea":
        scoring.pay(t, "OLT-8.1", player, ships, "calm-sea", ships)


def pirates(t: Table[State], cards: tuple[CardId, ...]) -> None:
    """OLT-3.3, OLT-8.3: cards go unseen on the pirate pile, unless the marker for victory over pirates is active."""
    if active(t.state).active != "victory":
        for _ in range(gain(symbols(cards, "pirate"))):
            deck.draw(t, "pirates", rule="OLT-3.3")


VERBS = {
    "play": Verb(
        play,
        {"play": Many(CARD, distinct=True)},
        uses=(
            once("play", "OLT-3.1", "already-played", decide=True),
            Use("card {each}", "play"),
            Use("free {each}", "play", times=0, keeps=1, perhaps=True),
            UNPLAYED,
            Use("unplayed", ends=True),
        ),
        subject=("play",),
    )
}
