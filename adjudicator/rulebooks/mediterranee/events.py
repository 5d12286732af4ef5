"""What happens in a match: small physical events, each of which changes the position or tells the players something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from adjudicator.engine.table import Deed, Event, Player, Private, Secret, changed, paid, players
from adjudicator.rulebooks.mediterranee.board import Good, PortId, ZoneId
from adjudicator.rulebooks.mediterranee.state import (
    Bank,
    Bargain,
    Bid,
    Deal,
    Galley,
    GalleyId,
    State,
    in_board_order,
)


class Placed(Deed[State], frozen=True):
    """MED-0.3: sailors of the start go aboard a galley or into the capital's garrison."""

    sailors: int
    place: str

    def apply(self, state: State) -> State:
        return state.with_sailors(self.place, self.sailors)


class TurnBegan(Event[State], frozen=True):
    """MED-1.1: the turn marker moves to a new turn; records of the last turn are cleared."""

    def apply(self, state: State) -> State:
        return replace(state, bargains=(), built=(), enlisted={}, moved=(), landed=())


class BidMade(players.BidMade, frozen=True):
    """MED-1.1: a player bids, in secret."""

    bid: Secret[Bid]


class BidShown(players.BidShown, frozen=True):
    """MED-1.1, MED-1.5: a bid is shown and paid to the bank."""

    sum: int

    def apply(self, state: State) -> State:
        shown: State = super().apply(state)
        return paid(shown, "treasury", self.player, Bank, self.sum)


class SeatChosen(Deed[State], frozen=True):
    """MED-1.2, MED-1.4: a player has a seat in the order of play; `bid` is 0 if the dice decided."""

    seat: int
    bid: int


class OrderSet(Event[State], frozen=True):
    """MED-1.2: this turn's order of play."""

    order: tuple[Player, ...]

    def apply(self, state: State) -> State:
        return replace(state, order=self.order)


class Bought(Deed[State], frozen=True):
    """MED-2.1: goods bought in a port, at `price` ducats each, paid to the owner of a foreign port or the bank."""

    good: Good
    quantity: int
    port: PortId
    galley: GalleyId
    price: int
    seller: Player = Bank

    def apply(self, state: State) -> State:
        state = paid(state, "treasury", self.player, self.seller, self.price * self.quantity)
        return state.with_goods(self.galley, {self.good: self.quantity})


class DealOffered(Event[State], frozen=True):
    """MED-2.13: a deal that can't be done yet stands open until the other player acts."""

    deal: Private[Deal]

    def apply(self, state: State) -> State:
        return replace(state, deals=(*state.deals, self.deal))

    def leaves_open(self) -> Mapping[str, bool]:
        return place_of(self.deal, open_=True)


class DealClosed(Event[State], frozen=True):
    """MED-2.13: an open deal is closed: done, or met by nobody."""

    deal: Private[Deal]

    def apply(self, state: State) -> State:
        left = list(state.deals)
        left.remove(self.deal)
        return replace(state, deals=tuple(left))

    def leaves_open(self) -> Mapping[str, bool]:
        return place_of(self.deal, open_=False)


def place_of(deal: Private[Deal], *, open_: bool) -> Mapping[str, bool]:
    """The place of a deal's order, if the reader is its owner, and whether the deal is open."""
    return {deal.value.at.value: open_} if deal.known and deal.value.at.known else {}


class Bargained(Event[State], frozen=True):
    """MED-2.5: two players have found no price, and don't bargain anew over the same good in this market."""

    stays: ClassVar[bool] = True

    bargain: Private[Bargain]

    def apply(self, state: State) -> State:
        return replace(state, bargains=(*state.bargains, self.bargain))


class Dealt(Event[State], frozen=True):
    """MED-2.13: goods change galleys between two players, at `price` ducats each, perhaps for other goods."""

    seller: Player
    buyer: Player
    good: Good
    quantity: int
    loads: GalleyId
    unloads: GalleyId
    price: int
    back: Mapping[Good, int]

    def apply(self, state: State) -> State:
        state = paid(state, "treasury", self.buyer, self.seller, self.price * self.quantity)
        goods = {self.good: self.quantity}
        state = state.without_goods(self.unloads, goods).without_goods(self.loads, self.back)
        return state.with_goods(self.loads, goods).with_goods(self.unloads, self.back)


class Built(Deed[State], frozen=True):
    """MED-2.7: a galley is built; other events bring its crew aboard."""

    port: PortId
    galley: GalleyId
    sum: int

    def apply(self, state: State) -> State:
        galleys = {**state.galleys, self.galley: Galley(self.player, self.port, 0, ())}
        # another galley has the name now
        lost = tuple(loss for loss in state.lost if loss.galley != self.galley)
        state = replace(state, galleys=galleys, lost=lost, built=(*state.built, self.port))
        return paid(state, "treasury", self.player, Bank, self.sum)


class Fortified(Deed[State], frozen=True):
    """MED-2.8: a fortress is built."""

    port: PortId
    sum: int

    def apply(self, state: State) -> State:
        state = changed(state, "ports", self.port, fortress=True)
        return paid(replace(state, built=(*state.built, self.port)), "treasury", self.player, Bank, self.sum)


class Enlisted(Deed[State], frozen=True):
    """MED-2.9: sailors enlisted in a port, to the garrison or a galley."""

    sailors: int
    port: PortId
    place: str
    sum: int

    def apply(self, state: State) -> State:
        already = state.enlisted.get(self.port, 0)
        state = replace(state, enlisted={**state.enlisted, self.port: already + self.sailors})
        return paid(state, "treasury", self.player, Bank, self.sum).with_sailors(self.place, self.sailors)


class Shifted(Deed[State], frozen=True):
    """MED-2.10: sailors and goods go from one galley or garrison to another."""

    sailors: int
    goods: Mapping[Good, int]
    source: str
    target: str

    def apply(self, state: State) -> State:
        state = state.with_sailors(self.source, -self.sailors).with_sailors(self.target, self.sailors)
        if not self.goods:
            return state
        return state.without_goods(self.source, self.goods).with_goods(self.target, self.goods)


class Jettisoned(Deed[State], frozen=True):
    """MED-2.11: goods thrown away."""

    goods: Mapping[Good, int]
    galley: GalleyId

    def apply(self, state: State) -> State:
        return state.without_goods(self.galley, self.goods)


class Dismissed(Deed[State], frozen=True):
    """MED-2.12: sailors are put ashore: into the player's own garrison, otherwise back to the supply."""

    sailors: int
    galley: GalleyId
    port: PortId

    def apply(self, state: State) -> State:
        state = state.with_sailors(self.galley, -self.sailors)
        own = state.ports[self.port].owner == self.player
        return state.with_sailors(self.port, self.sailors) if own else state


class Sank(Event[State], frozen=True):
    """MED-0.6: a galley goes down with the goods left aboard."""

    galley: GalleyId
    owner: Player
    cargo: tuple[Good, ...] = ()

    def apply(self, state: State) -> State:
        return state.without_galley(self.galley)


class Entered(Deed[State], frozen=True):
    """MED-3.1, MED-3.2: a galley enters a zone."""

    galley: GalleyId
    zone: ZoneId

    def apply(self, state: State) -> State:
        moved = state.moved if self.galley in state.moved else (*state.moved, self.galley)
        return replace(changed(state, "galleys", self.galley, zone=self.zone), moved=moved)


class LeaveGiven(Event[State], frozen=True):
    """MED-3.3, MED-3.4: leave to go on, given or refused."""

    asked: Player
    player: Player
    galley: GalleyId
    zone: ZoneId
    given: bool


class Struck(Deed[State], frozen=True):
    """MED-4.2: one attack: the dice and sailors of each side, and the losses, which both take at the same moment."""

    attacker: GalleyId
    target: str
    owner: Player
    thrown: tuple[int, int]
    sailors: tuple[int, int]
    fortress: bool
    losses: tuple[int, int]

    def apply(self, state: State) -> State:
        own, other = self.losses
        return state.with_sailors(self.attacker, -own).with_sailors(self.target, -other)


class Captured(Deed[State], frozen=True):
    """MED-4.4, MED-4.6: a galley is taken, with sailors of the winning galley."""

    galley: GalleyId
    winner: GalleyId
    crew: int

    def apply(self, state: State) -> State:
        state = state.with_loss(self.galley, "captured")
        state = changed(state, "galleys", self.galley, owner=self.player, sailors=self.crew)
        return state.with_sailors(self.winner, -self.crew)


class Stowed(Deed[State], frozen=True):
    """MED-4.5: the goods of two galleys are divided between them again; `lost` goes overboard."""

    cargo: Mapping[GalleyId, tuple[Good, ...]]
    lost: tuple[Good, ...] = ()

    def apply(self, state: State) -> State:
        for galley, goods in self.cargo.items():
            state = changed(state, "galleys", galley, cargo=in_board_order(goods))
        return state


class Landed(Deed[State], frozen=True):
    """MED-5.1, MED-5.4: sailors land and take control; only the flag changes: fortress and warehouse stay."""

    sailors: int
    galley: GalleyId
    port: PortId
    before: Player | None

    def apply(self, state: State) -> State:
        state = state.with_sailors(self.galley, -self.sailors)
        landed = state.landed if self.port in state.landed else (*state.landed, self.port)
        garrison = state.ports[self.port].garrison + self.sailors
        state = changed(state, "ports", self.port, owner=self.player, garrison=garrison)
        return replace(state, landed=landed)


class Sold(Deed[State], frozen=True):
    """MED-6.2, MED-6.3: a good sold to a port: the slot it takes, the ducats for it, and the bonus."""

    good: Good
    galley: GalleyId
    port: PortId
    slot: int
    sum: int
    bonus: int = 0

    def apply(self, state: State) -> State:
        state = state.without_goods(self.galley, {self.good: 1})
        warehouse = (*state.ports[self.port].warehouse, self.good)
        state = changed(state, "ports", self.port, warehouse=warehouse)
        return paid(state, "treasury", Bank, self.player, self.sum + self.bonus)


class Income(Deed[State], frozen=True):
    """MED-6.4: a player gets the 300 ducats of his or her own capital."""

    sum: int

    def apply(self, state: State) -> State:
        return paid(state, "treasury", Bank, self.player, self.sum)
