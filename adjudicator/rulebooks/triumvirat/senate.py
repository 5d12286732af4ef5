"""TRI-4.4 Senators bought, and TRI-4.5: what is kept after building; Rabirius's exchange (TRI-10.3)."""

from __future__ import annotations

from collections import Counter

from adjudicator.engine.table import Player, Reason, Table, Verb
from adjudicator.engine.table.domain import Either, OneOf
from adjudicator.rulebooks.triumvirat import building, ending, taxes
from adjudicator.rulebooks.triumvirat.board import BOARD, CARDS, RESOURCES, TAX, Card, in_order
from adjudicator.rulebooks.triumvirat.events import dealt
from adjudicator.rulebooks.triumvirat.production import supply
from adjudicator.rulebooks.triumvirat.standing import CARD, PAY
from adjudicator.rulebooks.triumvirat.state import State

SENATOR = OneOf(tuple(BOARD.senators))
TAXES = OneOf(("taxes",))
LACKING = dict.fromkeys(CARDS, Reason("TRI-10.3", "not-in-hand"))
UNLIKE = dict.fromkeys(CARDS, Reason("TRI-10.3", "tax-for-resource"))


def price(state: State, player: Player) -> int:
    """TRI-4.4: 6, then 7, then 8, counted over the match (Ruling). TRI-10.6: one less."""
    steps = BOARD.senator_costs
    base = steps[min(state.bought.get(player, 0), len(steps) - 1)]
    return base - (1 if state.power(player, "cheaper-senators") else 0)


def senator(t: Table[State]) -> None:
    """TRI-4.4: a senator on offer, all in taxes or all in different resources (Ruling)."""
    away = dict.fromkeys(BOARD.senators, Reason("TRI-4.4", "not-on-offer"))
    name = t.pick("senator", OneOf(t.state.on_offer, but=away), rule="TRI-4.4")
    cost = price(t.state, t.me)
    if TAXES.takes(t.pick("pay", Either((TAXES, PAY)), rule="TRI-4.4")):
        taxes.pay(t, cost, rule="TRI-4.4", field="pay")
    else:
        t.play(dealt.Paid(rule="TRI-4.4", player=t.me, cards=building.cards_to_pay(t, cost)))
    t.play(dealt.SenatorBought(rule="TRI-4.4", player=t.me, senator=name))
    ending.look_at_points(t, t.me)


def swap(t: Table[State]) -> None:
    """TRI-10.3: one tax for one resource with the bank or back, once a turn."""
    who = t.state.power(t.me, "exchange-one")
    t.require(bool(who), "TRI-10.3", "no-such-power")
    t.require(bool(t.state.ready(t.me, "exchange-one")), "TRI-10.3", "used-already")
    mine = [card for card in CARDS if t.state.holding(t.me)[card]]
    gives = t.pick("swap", OneOf(mine, but=LACKING), rule="TRI-10.3")
    gets = t.pick("for", OneOf(RESOURCES if gives == TAX else (TAX,), but=UNLIKE), rule="TRI-10.3")
    t.play(dealt.Used(rule="TRI-10.3", player=t.me, senator=who))
    if not supply(t, gets):
        t.refuse("TRI-0.5", "box-is-empty", card=gets)
    t.play(dealt.Swapped(rule="TRI-10.3", player=t.me, senator=who, gives=gives, gets=gets))


def put_away(t: Table[State]) -> None:
    """TRI-4.5: resources are discarded, but for one that a senator keeps (TRI-10.8); taxes are kept, face up."""
    if t.state.result.by:
        return
    for player in t.state.seats:
        hand = Counter(map(t.reveal, t.state.players[player].cards))
        kept = hand.pop(TAX, 0)
        gone = in_order(hand - Counter(kept_card(t, player, hand)))
        if gone or kept:
            t.play(dealt.PutAway(rule="TRI-4.5", player=player, cards=gone, kept=kept))
    t.play(dealt.PhaseDone(rule="TRI-4.5"))


def kept_card(t: Table[State], player: Player, hand: Counter[Card]) -> list[Card]:
    """TRI-10.8: one resource card over the turn: the one of `keep`, else the first in the board's order (Ruling)."""
    if not t.state.power(player, "keep-one-card"):
        return []
    wanted = t.reveal(t.state.players[player].standing).keep
    return next(([card] for card in (wanted, *RESOURCES) if hand[card]), [])


VERBS = {
    "senator": Verb(senator, {"senator": SENATOR, "pay": Either((TAXES, PAY))}, ("pay",)),
    "swap": Verb(swap, {"swap": CARD, "for": CARD}, ("for",)),
}
