"""MED-2.13: deals between players whose galleys lie in the same zone, by the bargain of MED-2.5.

A deal order is done when an order or a standing instruction of the other player matches it (`Meeting`: they agree, it
can be done, and the bargain finds a price); otherwise it stays open while the other player has orders to come that may
match it. If none does, it is refused at the end of the phase, and at once if none can.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.table import Player, Private, Question, Reason, Secret, Table
from adjudicator.engine.table.domain import Counts, Domain, Limit, OneOf, Part, Record, Whole
from adjudicator.engine.table.event import OrderRefused, Remarked
from adjudicator.engine.table.reason import when_named
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.mediterranee.board import BOARD, GOODS
from adjudicator.rulebooks.mediterranee.building import leaving
from adjudicator.rulebooks.mediterranee.events import DealClosed, DealOffered, Dealt
from adjudicator.rulebooks.mediterranee.purchase import OFFER, Offer, check_offer, note_failure
from adjudicator.rulebooks.mediterranee.standing import DUCATS, DealEntry, warn_of_ask, warn_of_offer
from adjudicator.rulebooks.mediterranee.state import Deal, GalleyId, State, none_aboard, not_yours

MOST_OPEN = 12
"""The most open deals of a player at a time (Ruling): each deal order is compared with all open ones."""
RULE = "MED-2.13"
NOBODY = Deal("", "", False, "", 0, "", None, Secret(0), {}, Secret(""))
NEVER = -1
"""The limit of a player who would be paid."""


class Meeting(Question[State, Deal], frozen=True):
    """MED-2.13: does the other player make the same deal from the other side? No player is asked this.

    `how`: a deal that is done now; one for which the bargain finds no price (`unpriced`); or any that agrees in
    players, goods and quantities, even if something else prevents it (`agreed`).
    """

    verb = "deal"
    rule = RULE
    shapes: ClassVar[Mapping[str, Domain[Any]]] = {}
    waits = False

    deal: Deal
    how: Literal["done", "unpriced", "agreed"] = "done"

    @property
    def looks_back(self) -> bool:
        return self.how != "done"

    def names(self) -> Mapping[str, Any]:
        return {"deal": self.deal.good}

    def meets(self, state: State, other: Question[State, Any]) -> Deal | None:
        if isinstance(other, Meeting) and self.met_by(state, other.deal):
            return opposite_side(self.deal, other.deal)
        return None

    def met_by(self, state: State, deal: Deal) -> bool:
        """Does the other player's deal match this one?"""
        theirs = opposite_side(self.deal, deal)
        if not sides_agree(self.deal, theirs):
            return False
        if self.how == "agreed":
            return True
        price = price_of(self.deal, theirs)
        if not possible(state, self.deal, theirs) or (price is None) != (self.how == "unpriced"):
            return False
        buyer = theirs.by if self.deal.sells else self.deal.by
        return price is None or price * self.deal.quantity <= state.players[buyer].treasury.value

    def standing(self, state: State, asked: Player) -> Deal | None:
        for entry in state.players[asked].standing.value.deals:
            agreeing = [each for each in sides(state, entry, self.deal) if sides_agree(self.deal, each)]
            now = [each for each in agreeing if possible(state, self.deal, each)]
            agreeing = now if self.how != "agreed" else now or agreeing
            if agreeing:
                return agreeing[0] if self.met_by(state, agreeing[0]) else None
        return None

    def default(self, state: State) -> Deal:
        return NOBODY


def open_deal(state: State, meeting: Meeting) -> Deal | None:
    """An open deal of the other player that matches the deal from this side."""
    return next((held.value for held in state.deals if meeting.met_by(state, held.value)), None)


def opposite_side(mine: Deal, theirs: Deal) -> Deal:
    """MED-2.13: the other player's deal, written from the side opposite to `mine`.

    Both sides can write goods for goods as a sale, or both as a purchase: wine sold for gold is gold sold for wine.
    **Ruling**: as neither side then offers ducats, the deal is done without ducats, unless one of them demands some.
    """
    if theirs.sells != mine.sells or len(theirs.for_) != 1:
        return theirs
    ((good, quantity),) = theirs.for_.items()
    price = NEVER if theirs.sells and theirs.last.value else 0
    return replace(
        theirs,
        sells=not theirs.sells,
        good=good,
        quantity=quantity,
        for_={theirs.good: theirs.quantity},
        first=price,
        last=Secret(price),
    )


def sides_agree(mine: Deal, theirs: Deal) -> bool:
    """MED-2.13: do the two sides agree in players, good, quantity and what is given for it?"""
    return (
        theirs.by == mine.with_
        and theirs.with_ == mine.by
        and theirs.sells != mine.sells
        and theirs.good == mine.good
        and theirs.quantity == mine.quantity
        and theirs.for_ == mine.for_
    )


def possible(state: State, one: Deal, other: Deal) -> bool:
    """MED-2.13: are both galleys in one zone and the goods aboard,
    and is there room when the deal is done (MED-0.6)?"""
    seller, buyer = (one, other) if one.sells else (other, one)
    loads, unloads = state.galleys.get(buyer.galley), state.galleys.get(seller.galley)
    if loads is None or unloads is None or loads.zone != unloads.zone:
        return False
    back = sum(one.for_.values())
    return (
        unloads.cargo.count(one.good) >= one.quantity
        and all(loads.cargo.count(good) >= count for good, count in one.for_.items())
        and loads.room() >= one.quantity - back
        and unloads.room() >= back - one.quantity
    )


def price_of(one: Deal, other: Deal) -> int | None:
    """MED-2.5 by file: the price that a seller (ask, floor) and a buyer (offer, limit) find; None if they find none.

    The buyer never pays more than the limit, the seller never takes less than the floor, whatever they named first
    (**Ruling**).
    """
    seller, buyer = (one, other) if one.sells else (other, one)
    floor, limit = seller.last.value, buyer.last.value
    ask = max(seller.first or 0, floor)
    offer = None if buyer.first is None else min(buyer.first, limit)
    if offer is not None and ask <= offer:
        return ask
    if offer is not None and offer >= floor:
        return offer
    return ask if ask <= limit else None


def ask_and_floor(ask: int | None, floor: int | None) -> tuple[int, int]:
    """MED-2.5: without a floor the floor is the ask, without an ask the ask is the floor;
    without either the goods are given away."""
    first = ask if ask is not None else floor or 0
    return first, first if floor is None else floor


def sides(state: State, entry: DealEntry, mine: Deal) -> list[Deal]:
    """The deals that a standing instruction of the other player allows with `mine`, one for each possible galley."""
    me, named = mine.with_, entry.from_ or entry.to
    good = entry.sell or entry.buy
    quantity = mine.quantity if good == mine.good else mine.for_.get(good, 0)
    if entry.with_ not in ("", mine.by) or not quantity or entry.quantity not in (0, quantity):
        return []
    first: int | None
    if entry.sell:
        first, last = ask_and_floor(entry.ask, entry.floor)
    else:
        first, last = entry.offer, entry.limit if entry.limit is not None else entry.offer or 0
    terms = (first, Secret(last), entry.for_, Secret(""))
    zone = state.galleys[mine.galley].zone if mine.galley in state.galleys else ""
    return [
        opposite_side(mine, Deal(me, mine.by, bool(entry.sell), good, quantity, name, *terms))
        for name, galley in state.galleys_in(zone).items()
        if galley.owner == me and named in ("", name)
    ]


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
