"""MED-2.13: deals between players whose galleys lie in the same zone, by the bargain of MED-2.5.

A player's deal order is met by an order or a standing instruction of the other, else it stays open until the other
acts; nobody meets it: it is refused at the end of the phase.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import Struct

from adjudicator.engine.table.domain import Counts, Domain, Limit, OneOf, Part, Record, Whole
from adjudicator.engine.table.event import OrderRefused, Player
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.secret import Private, Secret
from adjudicator.engine.table.table import Question, Table
from adjudicator.rulebooks.mediterranee.board import BOARD, GOODS
from adjudicator.rulebooks.mediterranee.events import DealClosed, DealOffered, Dealt
from adjudicator.rulebooks.mediterranee.naming import none_aboard, not_yours
from adjudicator.rulebooks.mediterranee.purchase import OFFER, Offer
from adjudicator.rulebooks.mediterranee.standing import DUCATS, DealEntry
from adjudicator.rulebooks.mediterranee.state import (
    Deal,
    Galley,
    GalleyId,
    State,
    galleys_in,
    galleys_of,
    room,
)

RULE = "MED-2.13"


class Asked(Struct, frozen=True):
    """A seller's price in a deal: asked, and the least taken."""

    ask: int | None = None
    floor: int | None = None


ASK: Record[Asked] = Record(Asked, {"ask": Part(DUCATS), "floor": Part(DUCATS)})


class Meeting(Question[State, Deal], frozen=True):
    """MED-2.13: does the other player make the same deal from the other side? Not a question that anyone is put."""

    verb = "deal"
    rule = RULE
    shapes: ClassVar[Mapping[str, Domain[Any]]] = {}
    waits = False

    deal: Deal
    priced: bool = True
    """A deal with which the bargain finds a price that the buyer can pay; or one with which it finds none?"""

    @property
    def looks_back(self) -> bool:
        return not self.priced

    def names(self) -> Mapping[str, Any]:
        return {"deal": self.deal.good}

    def meets(self, state: State, other: Question[State, Any]) -> Deal | None:
        if isinstance(other, Meeting) and self.met_by(state, other.deal):
            return other.deal
        return None

    def met_by(self, state: State, theirs: Deal) -> bool:
        """Do the two agree, can the deal be done now, and is there a price or, if that is asked, none?"""
        if not could(state, self.deal, theirs):
            return False
        price = price_of(self.deal, theirs)
        if price is None or not self.priced:
            return price is None and not self.priced
        buyer = theirs.by if self.deal.sells else self.deal.by
        return price * self.deal.quantity <= state.players[buyer].treasury.value

    def standing(self, state: State, asked: Player) -> Deal | None:
        for entry in state.players[asked].standing.value.deals:
            fitting = [each for each in sides(state, entry, self.deal) if could(state, self.deal, each)]
            if fitting:
                return fitting[0] if self.met_by(state, fitting[0]) else None
        return None

    def default(self, state: State) -> Deal:
        return NOBODY


NOBODY = Deal("", "", False, "", 0, "", None, Secret(0), {}, Secret(""))


def partners(state: State, me: Player) -> dict[Player, set[str]]:
    """MED-2.13: the players one may deal with, and in which zones: those where both have a galley, not open sea."""
    found: dict[Player, set[str]] = {}
    zones = {galley.zone for galley in galleys_of(state, me).values()}
    for galley in state.galleys.values():
        if galley.owner != me and galley.zone in zones and BOARD.zones[galley.zone].kind != "open":
            found.setdefault(galley.owner, set()).add(galley.zone)
    return found


def no_partners(state: State, me: Player) -> dict[Player, Reason]:
    """Why one can't deal with oneself, nor with those who have no galley beside one's own."""
    return {player: Reason("", "yourself" if player == me else "no-meeting") for player in state.players}


def apart(state: State, me: Player, partner: Player) -> dict[GalleyId, Reason]:
    """Why galleys can't take part in a deal: not one's own, or where the partner has none."""
    away = {
        name: Reason("", "lies-apart", {"zone": galley.zone, "player": partner})
        for name, galley in galleys_of(state, me).items()
    }
    return not_yours(state, me) | away


def buy(t: Table[State], seller: Player) -> None:
    """MED-2.13: buying goods aboard another player's galley in the same zone."""
    found = partners(t.state, t.me)
    mine = {
        name: galley for name, galley in galleys_of(t.state, t.me).items() if galley.zone in found[seller]
    }
    name = t.pick("to", OneOf(mine, but=apart(t.state, t.me, seller)), rule=RULE)
    good = t.pick("buy", OneOf(GOODS), rule=RULE)
    for_ = t.pick("for", aboard(mine[name], name), rule=RULE, default=None) or {}
    most = room(mine[name]) + sum(for_.values())
    quantity = t.pick(
        "quantity", Whole(1, [Limit(most, "MED-0.6", "room", {"galley": name})]), rule=RULE, default=1
    )
    price = t.pick("price", OFFER, rule="MED-2.5", default=None) or Offer(0, 0)
    last = price.offer if price.limit is None else price.limit
    make(
        t, Deal(t.me, seller, False, good, quantity, name, price.offer, Secret(last or 0), for_, Secret(t.by))
    )


def sell(t: Table[State]) -> None:
    """MED-2.13: selling goods aboard one's own galley to another player in the same zone."""
    found = partners(t.state, t.me)
    buyer = t.pick("to", OneOf(tuple(found), but=no_partners(t.state, t.me)), rule=RULE)
    mine = {name: galley for name, galley in galleys_of(t.state, t.me).items() if galley.zone in found[buyer]}
    name = t.pick("from", OneOf(mine, but=apart(t.state, t.me, buyer)), rule=RULE)
    cargo = mine[name].cargo
    good = t.pick("sell", OneOf(tuple(dict.fromkeys(cargo)), but=none_aboard(name)), rule=RULE)
    limit = Limit(cargo.count(good), RULE, "aboard", {"galley": name})
    quantity = t.pick("quantity", Whole(1, [limit]), rule=RULE, default=1)
    most = room(mine[name]) + quantity
    anything = {good: Whole(0, [Limit(most, "MED-0.6", "room", {"galley": name})]) for good in GOODS}
    for_ = t.pick("for", Counts(anything), rule=RULE, default=None) or {}
    t.require(sum(for_.values()) <= most, "MED-0.6", "no-room", galley=name, over=sum(for_.values()) - most)
    price = t.pick("price", ASK, rule="MED-2.5", default=None) or Asked()
    ask, floor = asked_for(price.ask, price.floor)
    make(t, Deal(t.me, buyer, True, good, quantity, name, ask, Secret(floor), for_, Secret(t.by)))


def asked_for(ask: int | None, floor: int | None) -> tuple[int, int]:
    """MED-2.5: a floor left out is the ask, an ask left out the floor; without either the goods are given away."""
    first = ask if ask is not None else floor or 0
    return first, first if floor is None else floor


def aboard(galley: Galley, name: GalleyId) -> Counts:
    """The goods that a galley can give."""
    held = {good: galley.cargo.count(good) for good in GOODS}
    return Counts(
        {good: Whole(0, [Limit(count, RULE, "aboard", {"galley": name})]) for good, count in held.items()}
    )


def make(t: Table[State], mine: Deal) -> None:
    """MED-2.13: the deal is done if the other player meets it now; else it stands open until the other acts.

    Met by a deal that agrees in all but the price, it is refused at once (MED-2.5).
    """
    open_ = open_deal(t.state, Meeting(mine))
    theirs = open_ or t.ask(mine.with_, Meeting(mine))
    if theirs == NOBODY:
        unpriced = Meeting(mine, priced=False)
        if open_deal(t.state, unpriced) is not None or t.ask(mine.with_, unpriced) != NOBODY:
            t.refuse("MED-2.5", "no-deal", good=mine.good, player=mine.with_)
        t.play(DealOffered(rule=RULE, to=(mine.by, mine.with_), deal=Private(mine)))
        return
    if open_ is not None:
        t.play(DealClosed(rule=RULE, to=(mine.by, mine.with_), deal=Private(open_)))
    carry_out(t, mine, theirs)


def carry_out(t: Table[State], mine: Deal, theirs: Deal) -> None:
    """MED-2.13: goods and ducats change hands at the price of the bargain."""
    seller, buyer = (mine, theirs) if mine.sells else (theirs, mine)
    price = price_of(mine, theirs)
    assert price is not None
    done = Dealt(
        rule=RULE,
        seller=seller.by,
        buyer=buyer.by,
        good=mine.good,
        quantity=mine.quantity,
        loads=buyer.galley,
        unloads=seller.galley,
        price=price,
        back=mine.for_,
    )
    t.play(done)


def open_deal(state: State, meeting: Meeting) -> Deal | None:
    """An open deal of the other player that meets the deal from this side."""
    return next((held.value for held in state.deals if meeting.met_by(state, held.value)), None)


def could(state: State, mine: Deal, theirs: Deal) -> bool:
    """Do the two agree in all but the price, and can the deal be done now?"""
    return agree(mine, theirs) and possible(state, mine, theirs)


def agree(mine: Deal, theirs: Deal) -> bool:
    """The same deal from the two sides: players, good, quantity and what is given for it agree."""
    return (
        theirs.by == mine.with_
        and theirs.with_ == mine.by
        and theirs.sells != mine.sells
        and theirs.good == mine.good
        and theirs.quantity == mine.quantity
        and theirs.for_ == mine.for_
    )


def possible(state: State, one: Deal, other: Deal) -> bool:
    """Both galleys are in one zone, the goods are aboard, and all fits when the deal is done (MED-0.6)."""
    seller, buyer = (one, other) if one.sells else (other, one)
    loads, unloads = state.galleys.get(buyer.galley), state.galleys.get(seller.galley)
    if loads is None or unloads is None or loads.zone != unloads.zone:
        return False
    back = sum(one.for_.values())
    return (
        unloads.cargo.count(one.good) >= one.quantity
        and all(loads.cargo.count(good) >= count for good, count in one.for_.items())
        and room(loads) >= one.quantity - back
        and room(unloads) >= back - one.quantity
    )


def price_of(one: Deal, other: Deal) -> int | None:
    """MED-2.5 by file: the price of seller (ask, floor) and buyer (offer, limit); None: no deal."""
    seller, buyer = (one, other) if one.sells else (other, one)
    ask, floor = seller.first or 0, seller.last.value
    offer, limit = buyer.first, buyer.last.value
    if offer is not None and ask <= offer:
        return ask
    if offer is not None and offer >= floor:
        return offer
    return ask if ask <= limit else None


def sides(state: State, entry: DealEntry, mine: Deal) -> list[Deal]:
    """The deals that a standing instruction of the other player makes with `mine`, one for each galley that could."""
    me = mine.with_
    named = entry.from_ or entry.to
    zone = state.galleys[mine.galley].zone
    good = entry.sell or entry.buy
    first: int | None
    fits = entry.with_ in ("", mine.by) and good == mine.good and entry.quantity in (0, mine.quantity)
    if not fits:
        return []
    if entry.sell:
        first, last = asked_for(entry.ask, entry.floor)
    else:
        first, last = entry.offer, entry.limit if entry.limit is not None else entry.offer or 0
    terms = (first, Secret(last), entry.for_, Secret(""))
    galleys = [
        name for name, galley in galleys_in(state, zone).items() if galley.owner == me and named in ("", name)
    ]
    return [Deal(me, mine.by, bool(entry.sell), good, mine.quantity, name, *terms) for name in galleys]


def close(t: Table[State]) -> None:
    """MED-2.13: at the end of the phase, open deals that the other's standing deals meet now are done.

    Those that nobody meets are refused; an `else` comes too late then (**Ruling**).
    """
    for held in t.state.deals:
        deal = held.value
        t.play(DealClosed(rule=RULE, to=(deal.by, deal.with_), deal=held))
        theirs = t.ask(deal.with_, Meeting(deal))
        if theirs != NOBODY:
            carry_out(t, deal, theirs)
            continue
        verb = f"{'sell' if deal.sells else 'buy'}: {deal.good}"
        reason = Reason(RULE, "deal-not-met", {"player": deal.with_})
        place = deal.at.value.partition(":")[2]
        refused = OrderRefused(
            rule=RULE, by=deal.at.value, to=(deal.by,), player=deal.by, verb=verb, reason=reason, place=place
        )
        t.play(refused)
