"""The turn of a player who sends no sheet, by the chapter "How it is played by file" of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from adjudicator.engine.table import PhaseRun, Player, Table
from adjudicator.engine.table.rulebook import WaitingOrder
from adjudicator.rulebooks.oltremare import bot, events, hand, loading, voyage
from adjudicator.rulebooks.oltremare.board import BOARD, CardId, good_of, in_order
from adjudicator.rulebooks.oltremare.commerce import pay_and_take
from adjudicator.rulebooks.oltremare.seen import seen_by
from adjudicator.rulebooks.oltremare.state import (
    State,
    active,
    cards_in_stock,
    excess,
    hand_of,
    must_play,
    top,
)


def play_on(t: Table[State], what: Literal["all", "play"] = "all") -> None:
    """OLT-1 to OLT-4: plays the turn: discards, no deals, purchases as needed,
    cards that lengthen the top lot, the first route."""
    if t.state.between:
        return
    t.play(events.RulePlays(rule="OLT-3.1", player=t.state.turn_of, what=what))
    if cards := excess_cards(t.state):
        hand.lay_down(t, tuple(cards))
    if not t.state.in_play:
        buy(t)
        play(t)
    loading.load_by_default(t)


def excess_cards(state: State) -> list[CardId]:
    """OLT-1.1: the cards above the hand limit: of the commonest goods, which are worth the least, first;
    of a good the lowest numbers first."""
    cards = in_order(hand_of(state, state.turn_of))
    return sorted(cards, key=lambda card: -BOARD.goods[good_of(card)].count)[: excess(state)]


def buy(t: Table[State]) -> None:
    """OLT-2.4: buys the cards that are missing for what must be played, from the deck;
    if that is empty, from the player's pirate pile."""
    while len(active(t.state).hand) < must_play(t.state):
        pay_and_take(t, "deck" if cards_in_stock(t.state) else "pirates")


def play(t: Table[State]) -> None:
    """OLT-3.1: plays the cards that lengthen the top lot, then others by lot."""
    hand, card = in_order(t.reveal(card) for card in active(t.state).hand), top(active(t.state))
    longer = [each for each in hand if card is not None and good_of(each) == good_of(card)]
    rest = [each for each in hand if each not in longer]
    count = must_play(t.state)
    drawn = t.shuffle(rest, "cards to play", rule="OLT-3.1") if count > len(longer) and rest else ()
    voyage.carry_out(t, (*longer, *drawn)[:count])


# -- a program in place of the rule ----------------------------------------------------------------------------------


def play_by_program(run: PhaseRun, player: Player) -> None:
    """`absent: bot`: the game's own bot plays, makes no deals, and uses only what the absent player may know."""
    run.play(events.RulePlays(rule="OLT-3.1", player=player, what="program"))
    done = True
    while done and not run.state.between:
        order = bot.alone_now(seen_by(run.state, player), player)
        done = run.carry_out(player, order_for(run, player, order))


def order_for(run: PhaseRun, player: Player, order: Mapping[str, Any]) -> Any:
    """An order that isn't in the player's sheet."""
    return run.taken_up(WaitingOrder(order, f"sheets/{player}.yaml:1:1"))
