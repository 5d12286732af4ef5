"""MED-2.13: when the two sides of a deal match: they agree, it can be done,
and the bargain of MED-2.5 finds a price."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from adjudicator.engine.table import Player, Question, Secret
from adjudicator.engine.table.domain import Domain
from adjudicator.rulebooks.mediterranee.standing import DealEntry
from adjudicator.rulebooks.mediterranee.state import Deal, State

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
