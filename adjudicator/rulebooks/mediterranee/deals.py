"""MED-2.13: deals between players whose galleys lie in the same zone, by the bargain of MED-2.5.

A deal order is done when an order or a standing instruction of the other player matches it (`meeting`); otherwise it
stays open while the other player has orders to come that may match it. If none does, it is refused at the end of the
phase, and at once if none can.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.table import Player, Private, Reason, Secret, Table
from adjudicator.engine.table.domain import Counts, Limit, OneOf, Part, Record, Whole
from adjudicator.engine.table.event import OrderRefused, Remarked
from adjudicator.engine.table.reason import when_named
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.mediterranee.board import BOARD, GOODS
from adjudicator.rulebooks.mediterranee.building import leaving
from adjudicator.rulebooks.mediterranee.events import DealClosed, DealOffered, Dealt
from adjudicator.rulebooks.mediterranee.meeting import (
    NOBODY,
    RULE,
    Meeting,
    ask_and_floor,
    open_deal,
    opposite_side,
    possible,
    price_of,
)
from adjudicator.rulebooks.mediterranee.naming import none_aboard, not_yours
from adjudicator.rulebooks.mediterranee.purchase import OFFER, Offer, check_offer, note_failure
from adjudicator.rulebooks.mediterranee.standing import DUCATS, warn_of_ask, warn_of_offer
from adjudicator.rulebooks.mediterranee.state import Deal, GalleyId, State

MOST_OPEN = 12
"""The most open deals of a player at a time (Ruling): each deal order is compared with all open ones."""


class AskedPrices(Struct, frozen=True):
    """A seller's prices in a deal, in ducats a piece: the one asked, and the least taken."""

    ask: int | None = None
    floor: int | None = None


ASK: Record[AskedPrices] = Record(AskedPrices, {"ask": Part(DUCATS), "floor": Part(DUCATS)})


@remembered
def partners(state: State, me: Player) -> Mapping[Player, Collection[str]]:
    """MED-2.13: the players with whom a player may deal, and in which zones:
    those where both have a galley, except open sea."""
    found: dict[Player, set[str]] = {}
    zones = {galley.zone for galley in state.galleys_of(me).values()}
    for galley in state.galleys.values():
        if galley.owner != me and galley.zone in zones and BOARD.zones[galley.zone].kind != "open":
            found.setdefault(galley.owner, set()).add(galley.zone)
    return found


@when_named
def no_partners(state: State, me: Player) -> dict[Player, Reason]:
    """MED-2.13: why a player can't deal with oneself, nor with players without a galley in the same zone."""
    return {player: Reason("", "yourself" if player == me else "no-meeting") for player in state.players}


@when_named
def why_not_in_deal(state: State, me: Player, partner: Player) -> Mapping[GalleyId, Reason]:
    """MED-2.13: why galleys can't take part in a deal: they aren't the player's, or lie where the partner has none."""
    away = {
        name: Reason("", "lies-apart", {"zone": galley.zone, "player": partner})
        for name, galley in state.galleys_of(me).items()
    }
    return not_yours(state, me) | away


def buy(t: Table[State], seller: Player) -> None:
    """MED-2.13: a player buys goods aboard another player's galley in the same zone."""
    found = partners(t.state, t.me)
    mine = {name: galley for name, galley in t.state.galleys_of(t.me).items() if galley.zone in found[seller]}
    name = t.pick("to", OneOf(mine, but=why_not_in_deal(t.state, t.me, seller)), rule=RULE)
    good = t.pick("buy", OneOf(GOODS), rule=RULE)
    for_ = t.pick("for", leaving(name, mine[name].goods(), RULE), rule=RULE, default=None) or {}
    most = mine[name].room() + sum(for_.values())
    # Ruling: at least one piece changes hands; ducats alone can't be given.
    some = Whole(1, [Limit(most, "MED-0.6", "room", {"galley": name})])
    quantity = t.pick("quantity", some, rule=RULE, default=1)
    price = t.pick("price", OFFER, rule="MED-2.5", default=None) or Offer(0, 0)
    warn_of_offer(t, price.offer, price.limit, "price")
    first, last = price.offer, Secret((price.offer if price.limit is None else price.limit) or 0)
    make(t, Deal(t.me, seller, False, good, quantity, name, first, last, for_, Secret(t.by)))


def sell(t: Table[State]) -> None:
    """MED-2.13: a player sells goods aboard a galley to another player in the same zone."""
    found = partners(t.state, t.me)
    buyer = t.pick("to", OneOf(tuple(found), but=no_partners(t.state, t.me)), rule=RULE)
    mine = {name: galley for name, galley in t.state.galleys_of(t.me).items() if galley.zone in found[buyer]}
    name = t.pick("from", OneOf(mine, but=why_not_in_deal(t.state, t.me, buyer)), rule=RULE)
    cargo = mine[name].cargo
    good = t.pick("sell", OneOf(tuple(dict.fromkeys(cargo)), but=none_aboard(name)), rule=RULE)
    limit = Limit(cargo.count(good), RULE, "aboard", {"galley": name})
    quantity = t.pick("quantity", Whole(1, [limit]), rule=RULE, default=1)
    most = mine[name].room() + quantity
    anything = {good: Whole(0, [Limit(most, "MED-0.6", "room", {"galley": name})]) for good in GOODS}
    for_ = t.pick("for", Counts(anything), rule=RULE, default=None) or {}
    t.require(sum(for_.values()) <= most, "MED-0.6", "no-room", galley=name, over=sum(for_.values()) - most)
    price = t.pick("price", ASK, rule="MED-2.5", default=None) or AskedPrices()
    warn_of_ask(t, price.ask, price.floor, "price")
    ask, floor = ask_and_floor(price.ask, price.floor)
    make(t, Deal(t.me, buyer, True, good, quantity, name, ask, Secret(floor), for_, Secret(t.by)))


def make(t: Table[State], mine: Deal) -> None:
    """MED-2.13: the deal is done if the other player's side matches it now; otherwise it stays open until the other
    acts.

    It is refused at once, so that its `else` is tried, if the other's deal agrees in all but the price (MED-2.5), or if
    nothing that the other has sent can still match it.
    """
    check_offer(t, mine.with_, mine.good, mine.first)
    offered = sum(held.value.by == t.me for held in t.state.deals)
    t.require(offered < MOST_OPEN, RULE, "deals-open", most=MOST_OPEN)
    held = open_deal(t.state, Meeting(mine))
    theirs = opposite_side(mine, held) if held is not None else t.ask(mine.with_, Meeting(mine))
    if theirs != NOBODY:
        if held is not None:
            t.play(DealClosed(rule=RULE, to=(mine.by, mine.with_), deal=Private(held)))
        carry_out(t, mine, theirs)
        return
    failed = agreeing_side(t, Meeting(mine, "unpriced"), t.state.deals)
    if failed == NOBODY and not may_be_met(t.state, mine, t.to_come(mine.with_)):
        failed = agreeing_side(t, Meeting(mine, "agreed"), t.state.deals)
    elif failed == NOBODY:
        t.play(DealOffered(rule=RULE, to=(mine.by, mine.with_), deal=Private(mine)))
        return
    waiting = open_deal(t.state, Meeting(mine, "agreed"))
    why = why_not(t, mine, failed, live=waiting is not None)
    if waiting is not None:
        tell_of_purse(t, waiting, opposite_side(waiting, mine))
    if failed != NOBODY and price_of(mine, failed) is None:
        note_failure(t, mine.with_, mine.good, mine.first, failed.first)
    t.refuse(why.rule, why.key, **why.facts)


def may_be_met(state: State, mine: Deal, orders: Sequence[Mapping[str, Any]] | None) -> bool:
    """MED-2.13: can the other player still match the deal, by an order to come or a standing deal?"""
    standing = state.rules < 5 and Meeting(mine, "agreed").standing(state, mine.with_) is not None
    if orders is None or standing:
        return True
    goods = (mine.good, *mine.for_)  # no set: the schema may find a list in the order's place for a name
    return any(
        (order.get("buy") in goods and order.get("from") == mine.by)
        or (order.get("sell") in goods and order.get("to") == mine.by)
        for order in orders
    )


def agreeing_side(t: Table[State], meeting: Meeting, open_: Sequence[Private[Deal]]) -> Deal:
    """MED-2.13: the other player's side that agrees: an open deal, an order or a standing deal; or `NOBODY`."""
    held = next((each.value for each in open_ if meeting.met_by(t.state, each.value)), None)
    return t.ask(meeting.deal.with_, meeting) if held is None else opposite_side(meeting.deal, held)


def why_not(t: Table[State], mine: Deal, theirs: Deal, *, live: bool) -> Reason:
    """MED-2.13, MED-2.5: why a deal isn't done: nobody agrees, no price, no money, or it can't be carried out.

    `live`: the other's side can still be met now. Where its order was refused before, that was in the way, and not
    what the purse holds by now. The owner of a standing deal that agreed is told that it failed, but not that the other
    player can't pay (MED-0.8).
    """
    if theirs == NOBODY:
        return Reason(RULE, "deal-not-met", {"player": mine.with_})
    standing = Meeting(mine, "agreed").standing(t.state, mine.with_) == theirs
    if standing:
        heard = Reason("MED-2.5", "standing-deal-failed", {"player": mine.by, "good": mine.good})
        t.play(Remarked(rule="MED-2.5", by="-", to=(mine.with_,), player=mine.with_, reason=heard))
    price = price_of(mine, theirs)
    if price is None:
        return Reason("MED-2.5", "no-deal", {"good": mine.good, "player": mine.with_})
    treasury = t.state.players[mine.by].treasury.value
    short = not mine.sells and price * mine.quantity > treasury
    if (live or standing) and short and possible(t.state, mine, theirs):
        return Reason(RULE, "purse", {"value": mine.quantity, "price": price, "most": treasury // price})
    return Reason(RULE, "deal-impossible", {"player": mine.with_})


def tell_of_purse(t: Table[State], waiting: Deal, theirs: Deal) -> None:
    """MED-2.13: whoever can't pay for an open deal is told so when the other acts: by the end of the phase the purse
    may hold more or less."""
    if t.state.rules < 5:
        return
    why = why_not(t, waiting, theirs, live=True)
    if why.key == "purse":
        at = waiting.at.value
        t.play(Remarked(rule=RULE, by=at, to=(waiting.by,), player=waiting.by, reason=why, place=at))


def carry_out(t: Table[State], mine: Deal, theirs: Deal) -> None:
    """MED-2.13: goods and ducats change hands at the price of the bargain."""
    seller, buyer = (mine, theirs) if mine.sells else (theirs, mine)
    price = price_of(mine, theirs)
    assert price is not None
    sides, galleys = (seller.by, buyer.by), (buyer.galley, seller.galley)
    t.play(Dealt(*sides, mine.good, mine.quantity, *galleys, price, mine.for_, rule=RULE))


def close(t: Table[State]) -> None:
    """MED-2.13: at the end of the phase the deals that nobody has met are refused; it is too late for their `else`
    (**Ruling**)."""
    open_ = t.state.deals
    for held in open_:
        deal = held.value
        t.play(DealClosed(rule=RULE, to=(deal.by, deal.with_), deal=held))
        theirs = t.ask(deal.with_, Meeting(deal)) if t.state.rules < 5 else NOBODY
        if theirs != NOBODY:
            carry_out(t, deal, theirs)
            continue
        verb = f"{'sell' if deal.sells else 'buy'}: {deal.good}"
        theirs = agreeing_side(t, Meeting(deal, "agreed"), open_)
        reason = why_not(t, deal, theirs, live=t.state.rules < 5)
        by, place = deal.at.value, deal.at.value.partition(":")[2]
        t.play(OrderRefused(deal.by, verb, reason, place, rule=reason.rule, by=by, to=(deal.by,)))
