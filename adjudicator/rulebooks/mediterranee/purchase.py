"""MED-2.1 to 2.5: buying goods in ports, and the bargain over their price."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from adjudicator.engine.table import Player, Private, Reason, Table
from adjudicator.engine.table.domain import AtMost, Limit, OneOf, Part, Record, Whole, so_many, up_to
from adjudicator.engine.table.event import Remarked
from adjudicator.rulebooks.mediterranee.board import BOARD, PRODUCERS, Good, PortId
from adjudicator.rulebooks.mediterranee.events import Bargained, Bought
from adjudicator.rulebooks.mediterranee.questions import Asking, CounterOffer, LastWord, Terms
from adjudicator.rulebooks.mediterranee.standing import DUCATS, warn_of_offer
from adjudicator.rulebooks.mediterranee.state import Bank, Bargain, Galley, State, elsewhere

PRICE = 100
"""MED-2.2: ducats for a piece in a neutral port or the player's own; MED-2.3: the least that an owner may ask."""
ASK, MONOPOLY = 300, 1000
"""MED-2.3, MED-2.4: the most that an owner may ask, without and with every port that produces the good."""


NO_GALLEY_THERE = dict.fromkeys(BOARD.ports, Reason("", "no-galley-there"))
PRODUCES_ANOTHER = {
    port: dict.fromkeys(BOARD.goods, Reason("", "produces-another", {"port": port})) for port in BOARD.ports
}


class Offer(Struct, frozen=True):
    """A buyer's prices: the counter-offer, and the most paid (None: not named), in ducats a piece."""

    offer: int | None = None
    limit: int | None = None


OFFER: Record[Offer] = Record(Offer, {"offer": Part(DUCATS), "limit": Part(DUCATS)})


def buy(t: Table[State]) -> None:
    """MED-2.1: a player buys a port's good where he or she has a galley, as much as there is room for aboard."""
    mine = t.state.galleys_of(t.me)
    ports = dict.fromkeys([galley.zone for galley in mine.values() if galley.zone in BOARD.ports])
    port = t.pick("at", OneOf(ports, but=NO_GALLEY_THERE), rule="MED-2.1")
    good = t.pick("buy", OneOf((BOARD.ports[port].good,), but=PRODUCES_ANOTHER[port]), rule="MED-2.1")
    near = {name: galley for name, galley in mine.items() if galley.zone == port}
    galley = t.pick("to", OneOf(near, but=elsewhere(t.state, t.me, port)), rule="MED-2.1")
    owner, seller, price = t.state.ports[port].owner, Bank, PRICE
    others_port = owner not in (None, t.me)
    wanted = how_many(t, good, galley, near[galley], "MED-2.3" if others_port else "MED-2.2")
    quantity = so_many(wanted)
    if owner is not None and others_port:
        offer = t.pick("price", OFFER, rule="MED-2.5", default=None) or Offer(None, ASK)
        warn_of_offer(t, offer.offer, offer.limit, "price")
        seller, price = owner, bargain(t, owner, good, port, quantity, offer)
        if isinstance(wanted, AtMost):
            quantity = affordable(t, quantity, price)
    rule = "MED-2.2" if seller == Bank else "MED-2.3"
    pay(t, Bought(t.me, good, quantity, port, galley, price, seller, rule=rule))


def how_many(t: Table[State], good: Good, name: str, galley: Galley, paid: str) -> int | AtMost:
    """MED-0.6, MED-2.2 or MED-2.3, MED-0.5: at most as many as there is room for, as the purse pays for at the lowest
    price, and as the box has.

    `paid` is the rule of the price. `{most: 3}` buys up to three within these limits (**Ruling**).
    """
    limits = [
        Limit(galley.room(), "MED-0.6", "room", {"galley": name}),
        Limit(t.state.players[t.me].treasury.value // PRICE, paid, "purse", {"price": PRICE}),
        Limit(t.state.supply_of(good), "MED-0.5", "box", {"what": good}),
    ]
    found: int | AtMost = t.pick("quantity", up_to(Whole(1, limits)), rule="MED-2.1", default=1)
    return found


def affordable(t: Table[State], quantity: int, price: int) -> int:
    """MED-2.3: with `most`, as many as the purse pays for at the price found (**Ruling**)."""
    treasury = t.state.players[t.me].treasury.value
    return max(1, min(quantity, treasury // price))


def pay(t: Table[State], bought: Bought) -> None:
    """MED-2.2, MED-2.3: the goods go aboard, if the purse pays for them at the price found."""
    treasury = t.state.players[t.me].treasury.value
    if bought.price * bought.quantity > treasury:
        if bought.seller != Bank:
            facts = {"good": bought.good, "port": bought.port, "price": bought.price}
            tell_of_failure(t, bought.seller, offer=None, **facts)
        most, value = treasury // bought.price, bought.quantity
        t.refuse(bought.rule, "purse", most=most, price=bought.price, value=value)
    t.play(bought)


def highest(state: State, owner: Player, good: Good) -> int:
    """MED-2.3, MED-2.4: the most that an owner may ask: 300, or 1,000 with every port that produces the good."""
    monopoly = all(state.ports[port].owner == owner for port in PRODUCERS[good])
    return MONOPOLY if monopoly else ASK


def check_offer(t: Table[State], partner: Player, good: Good, price: int | None) -> None:
    """MED-2.5: one counter-offer: whoever has bargained with the same player over the same good in vain names no new
    price in this turn's market (**Ruling**)."""
    before = [held.value for held in t.state.bargains]
    mine = [each for each in before if (each.by, each.with_, each.good) == (t.me, partner, good)]
    named = {said for each in mine for said in each.prices}
    new = bool(mine) and price is not None and price not in named
    t.require(not new, "MED-2.5", "new-price", good=good, player=partner, value=price, prices=sorted(named))


def note_failure(t: Table[State], partner: Player, good: Good, *prices: int | None) -> None:
    """MED-2.5: remembers a failed bargain, and the prices that both have heard, until the market is over."""
    if t.state.rules < 5:
        return
    heard = tuple(price for price in prices if price is not None and price >= 0)
    failed = Private(Bargain(t.me, partner, good, heard))
    t.play(Bargained(rule="MED-2.5", to=(t.me, partner), bargain=failed))


def bargain(t: Table[State], owner: Player, good: Good, port: PortId, quantity: int, offer: Offer) -> int:
    """MED-2.5: the seller names a price; the buyer takes it, or makes one counter-offer, and has the last word.

    The buyer never pays more than the limit, even after a higher offer (**Ruling**).
    """
    top = highest(t.state, owner, good)
    check_offer(t, owner, good, offer.offer)
    terms = t.ask(owner, Asking(good, t.me, port, quantity, top))
    ask = legal_price(t, owner, port, "ask", max(terms.ask, terms.floor or 0), top)
    limit = offer.limit
    said = offer.offer if offer.offer is None or limit is None else min(offer.offer, limit)
    if said is not None and ask <= said:
        return ask
    if said is None:
        taken = ask <= (ASK if limit is None else limit)
    elif is_accepted(t, owner, good, port, terms, said, top):
        return said
    else:
        taken = t.ask(t.me, LastWord(good, port, ask)) if limit is None else ask <= limit
    if not taken:
        tell_of_failure(t, owner, good=good, port=port, price=ask, offer=said)
        note_failure(t, owner, good, ask, said)
        t.refuse("MED-2.5", "no-price", good=good, port=port, price=ask)
    return ask


def is_accepted(
    t: Table[State], owner: Player, good: Good, port: PortId, terms: Terms, offer: int, top: int
) -> bool:
    """MED-2.5: does the seller accept the counter-offer?"""
    if offer < PRICE:
        return False
    if terms.floor is None:
        return t.ask(owner, CounterOffer(good, t.me, port, offer))
    return offer >= legal_price(t, owner, port, "floor", terms.floor, top)


def tell_of_failure(t: Table[State], owner: Player, **facts: Any) -> None:
    """MED-2.5: the seller is told of a failed bargain: with whom, over what, and any counter-offer.

    The reason stays the buyer's secret: the treasury (MED-0.8), and the most that the buyer would have paid.
    """
    why = "came-to-nothing" if facts["offer"] is None else "came-to-nothing-offered"
    reason = Reason("MED-2.5", why, {"player": t.me, **facts})
    t.play(Remarked(rule="MED-2.5", by="-", to=(owner,), player=owner, reason=reason))


def legal_price(t: Table[State], owner: Player, port: PortId, what: str, price: int, top: int) -> int:
    """MED-2.3, MED-2.4: a price outside the range is moved to the nearest legal price, and its owner is told."""
    nearest = min(max(price, PRICE), top)
    if nearest != price:
        facts: dict[str, Any] = {"what": what, "price": price, "nearest": nearest, "port": port, "top": top}
        rule = "MED-2.4" if top > ASK else "MED-2.3"
        why = Reason(rule, "price-range", facts)
        t.play(Remarked(rule=rule, by="-", to=(owner,), player=owner, reason=why))
    return nearest
