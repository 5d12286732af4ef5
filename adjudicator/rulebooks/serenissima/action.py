"""SER-2 Action: loading, moving, then selling or fighting, each of which may be left out."""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from adjudicator.engine.table.domain import OneOf, Walk
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.serenissima.board import BORDERS, HOLD, GalleyId, ZoneId
from adjudicator.rulebooks.serenissima.combat import beat
from adjudicator.rulebooks.serenissima.conquest import fights
from adjudicator.rulebooks.serenissima.events import Called
from adjudicator.rulebooks.serenissima.fields import (
    FIGHTS,
    IF_BLOCKED,
    LOAD,
    NUMBER,
    SELL,
    WAY,
    IfBlocked,
    Target,
)
from adjudicator.rulebooks.serenissima.loading import lines_now, load
from adjudicator.rulebooks.serenissima.movement import blockader, move
from adjudicator.rulebooks.serenissima.naming import not_to_call
from adjudicator.rulebooks.serenissima.sale import Wanted, for_sale, sell, unsaleable
from adjudicator.rulebooks.serenissima.state import State, on_call


class Business(Struct, frozen=True):
    """What a galley does where its way ends: goods to sell, whom to fight, and what if it is blockaded."""

    sell: Wanted
    fight: tuple[Target, ...]
    if_blocked: IfBlocked


def sail(t: Table[State]) -> None:
    """SER-1.2, SER-2: the action of a galley; what fails of it leaves the rest."""
    name = called(t, "sail")
    lines = t.pick("load", lines_now(t.state, t.me, name), rule="SER-2.1", default=None) or ()
    way = t.pick("via", ways(t.state, name), rule="SER-3.1", default=None) or ()
    wanted = t.pick("sell", SELL, rule="SER-4.1", default=None) or ()
    targets = t.pick("fight", FIGHTS, rule="SER-5.1", default=None) or ()
    if_blocked = t.pick("if_blocked", IF_BLOCKED, rule="SER-4.3", default="end")
    t.play(Called(rule="SER-1.1", player=t.me, galley=name))
    load(t, name, len(lines))
    if way and name in t.state.galleys:
        t.part(partial(move, name=name))
    if name in t.state.galleys:
        how = IfBlocked() if if_blocked == "end" else if_blocked
        trade_or_fight(
            t, name, way[-1] if way else t.state.galleys[name].zone, Business(wanted, targets, how)
        )


def called(t: Table[State], verb: str) -> GalleyId:
    """SER-1.1, SER-1.2: the galley whose turn it is: one's own, not yet called in this round."""
    mine = [int(name) for name in on_call(t.state) if t.state.galleys[name].owner == t.me]
    return str(t.pick(verb, OneOf(mine, but=not_to_call(t.state, t.me)), rule="SER-1.1"))


def ways(state: State, name: GalleyId) -> Walk:
    """SER-3.1: where it can go depends on the sailors that it has loaded: any way is admitted, and looked at then."""
    return Walk(state.galleys[name].zone, BORDERS, HOLD, loose=True)


def trade_or_fight(t: Table[State], name: GalleyId, aim: ZoneId, business: Business) -> None:
    """SER-4, SER-5: if anything can be sold the turn ends with the sale, unless that is blockaded, else the fights."""
    goods = for_sale(business.sell, t.state.galleys[name].zone, aim)
    saleable = any(unsaleable(t.state, name, good) is None for _, good in goods)
    if saleable and (other := blockader(t, name, "sale")):
        if beat(t, name, other, business.if_blocked) and name in t.state.galleys:
            ports = tuple(target for target in business.fight if target.port)
            fights(t, name, ports, business.if_blocked)
        return
    sell(t, name, goods)
    if not saleable:
        fights(t, name, business.fight, business.if_blocked)


SAIL = Verb(
    sail,
    {"sail": NUMBER, "load": LOAD, "via": WAY, "sell": SELL, "fight": FIGHTS, "if_blocked": IF_BLOCKED},
)
