"""TRI-4.4 Senators bought, and TRI-4.5: what is kept after building; Rabirius's exchange (TRI-10.3)."""

from __future__ import annotations

from collections import Counter

from adjudicator.engine.table.domain import Either, OneOf
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.triumvirat import building, ending
from adjudicator.rulebooks.triumvirat.board import BOARD, CARDS, RESOURCES, TAX, Card, in_order
from adjudicator.rulebooks.triumvirat.events.building import (
    Discarded,
    Paid,
    SenatorBought,
    Swapped,
    TaxesKept,
    Used,
)
from adjudicator.rulebooks.triumvirat.events.cards import TradeClosed
from adjudicator.rulebooks.triumvirat.production import supply
from adjudicator.rulebooks.triumvirat.standing import CARD, PAY, SENATOR
from adjudicator.rulebooks.triumvirat.state import State, holding, power, purse, ready

TAXES = OneOf(("taxes",))


def price(state: State, player: Player) -> int:
    """TRI-4.4: 6, then 7, then 8, counted over the match (Ruling). TRI-10.6: one less."""
    steps = BOARD.costs.senators
    base = steps[min(state.bought.get(player, 0), len(steps) - 1)]
    return base - (1 if power(state, player, "cheaper-senators") else 0)


def senator(t: Table[State]) -> None:
    """TRI-4.4: a senator on offer, all in taxes or all in different resources (Ruling)."""
    away = {name: Reason("TRI-4.4", "not-on-offer") for name in BOARD.senators}
    name = t.pick("senator", OneOf(t.state.on_offer, but=away), rule="TRI-4.4")
    cost = price(t.state, t.me)
    by_taxes = TAXES.takes(t.pick("pay", Either((TAXES, PAY)), rule="TRI-4.4"))
    if by_taxes:
        held = purse(t.state, t.me)
        t.require(held >= cost, "TRI-4.4", "not-enough-taxes", field="pay", price=cost, held=held)
        t.play(Paid(rule="TRI-4.4", player=t.me, taxes=cost))
    else:
        cards = building.cards_to_pay(t, cost)
        t.play(Paid(rule="TRI-4.4", player=t.me, cards=cards))
    t.play(SenatorBought(rule="TRI-4.4", player=t.me, senator=name))
    ending.look_at_points(t, t.me)


def swap(t: Table[State]) -> None:
    """TRI-10.3: one tax for one resource with the bank or back, once a turn."""
    who = power(t.state, t.me, "exchange-one")
    t.require(bool(who), "TRI-10.3", "no-such-power")
    t.require(ready(t.state, t.me, "exchange-one"), "TRI-10.3", "used-already")
    held = holding(t.state, t.me)
    not_there = {card: Reason("TRI-10.3", "not-in-hand") for card in CARDS}
    gives = t.pick("swap", OneOf([card for card in CARDS if held[card]], but=not_there), rule="TRI-10.3")
    others = RESOURCES if gives == TAX else (TAX,)
    gets = t.pick(
        "for",
        OneOf(others, but=dict.fromkeys(CARDS, Reason("TRI-10.3", "tax-for-resource"))),
        rule="TRI-10.3",
    )
    t.play(Used(rule="TRI-10.3", player=t.me, senator=who))
    if not supply(t, gets):
        t.refuse("TRI-0.5", "box-is-empty", card=gets)
    t.play(Swapped(rule="TRI-10.3", player=t.me, senator=who, gives=gives, gets=gets))


def put_away(t: Table[State]) -> None:
    """TRI-4.5: resources are discarded, but for one that a senator keeps (TRI-10.8); taxes are kept, face up."""
    if t.state.result.by:
        return
    for player in t.state.seats:
        hand = Counter(t.reveal(card) for card in t.state.players[player].cards)
        taxes = hand.pop(TAX, 0)
        if taxes:
            t.play(TaxesKept(rule="TRI-4.5", player=player, count=taxes))
        gone = hand - Counter(kept_card(t, player, hand))
        if gone:
            t.play(Discarded(rule="TRI-4.5", player=player, cards=in_order(gone)))
    t.play(TradeClosed(rule="TRI-4.5"))


def kept_card(t: Table[State], player: Player, hand: Counter[Card]) -> list[Card]:
    """TRI-10.8: one resource card over the turn: the one of `keep`, else the first in the board's order (Ruling)."""
    if not power(t.state, player, "keep-one-card"):
        return []
    wanted = t.reveal(t.state.players[player].standing).keep
    return next(([card] for card in (wanted, *RESOURCES) if hand[card]), [])


def can(state: State, player: Player) -> bool:
    """TRI-4.1, TRI-4.4: two cards build something, in hand or kept."""
    seat = state.players[player]
    return len(seat.cards) + seat.taxes > 0


VERBS = {
    "senator": Verb(senator, {"senator": SENATOR, "pay": Either((TAXES, PAY))}, ("pay",)),
    "swap": Verb(swap, {"swap": CARD, "for": CARD}, ("for",)),
}
