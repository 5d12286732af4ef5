"""What happens in a match: small physical events, each of which changes the position or tells the players something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from adjudicator.engine.table import Deed, Event, Player, Secret, changed, paid, removed
from adjudicator.rulebooks.serenissima.board import Building, Card, GalleyId, Good, PortId, ZoneId
from adjudicator.rulebooks.serenissima.state import Act, Bank, Galley, State, Turn


class OfGalley(Deed[State], frozen=True):
    """Something that a galley does, or that happens to it."""

    galley: GalleyId


class CardsLaid(Event[State], frozen=True):
    """SER-7.1: the cards of the Doge, shuffled."""

    cards: tuple[Secret[Card], ...]

    def apply(self, state: State) -> State:
        return replace(state, doge=self.cards, doge_out=())


class Closed(Event[State], frozen=True):
    """SER-0.3: a port is closed for the match, by the players' choice or by lot."""

    port: PortId
    by_lot: bool

    def apply(self, state: State) -> State:
        return changed(state, "ports", self.port, closed=True)


class SeatsTaken(Event[State], frozen=True):
    """SER-0.4: the seats, clockwise from the first player."""

    seats: tuple[Player, ...]

    def apply(self, state: State) -> State:
        return replace(state, seats=self.seats)


class Manned(Deed[State], frozen=True):
    """SER-0.4: a start port is chosen, and sailors put in it."""

    port: PortId
    sailors: int
    by_lot: bool = False

    def apply(self, state: State) -> State:
        return changed(state, "ports", self.port, owner=self.player, garrison=self.sailors)


class Launched(OfGalley, frozen=True):
    """SER-0.4, SER-6.2, SER-7.4: a galley comes from the stock with its crew, for `sum` ducats in all."""

    port: PortId
    crew: int
    sum: int = 0
    by_lot: bool = False

    def apply(self, state: State) -> State:
        galleys = {**state.galleys, self.galley: Galley(self.player, self.port, self.crew)}
        return paid(replace(state, galleys=galleys), "ducats", self.player, Bank, self.sum)


class Called(OfGalley, frozen=True):
    """SER-1.1: it is a galley's turn."""

    def apply(self, state: State) -> State:
        zone = state.galleys[self.galley].zone
        return replace(state, done=(*state.done, int(self.galley)), acting=Turn(self.galley, zone))


class Paused(Event[State], frozen=True):
    """SER-1.1: live pacing: the galleys whose orders were due have had their turns; others are still to come."""

    def apply(self, state: State) -> State:
        return replace(state, acting=None)


class Shifted(Deed[State], frozen=True):
    """SER-2.1: sailors go from a port or a galley to another."""

    sailors: int
    source: str
    target: str

    def apply(self, state: State) -> State:
        return state.with_sailors(self.source, -self.sailors).with_sailors(self.target, self.sailors)


class Loaded(OfGalley, frozen=True):
    """SER-2.3: goods of the port come aboard, for a sum paid to the owner of a foreign port, else to the bank."""

    port: PortId
    good: Good
    quantity: int
    sum: int
    seller: Player = Bank

    def apply(self, state: State) -> State:
        state = state.with_goods(self.galley, {self.good: self.quantity})
        if state.ports[self.port].owner == self.player:
            state = state.with_turn(free_cube=True)
        return paid(state, "ducats", self.player, self.seller, self.sum)


class Transferred(Deed[State], frozen=True):
    """SER-2.4: goods go from one galley to another."""

    goods: Mapping[Good, int]
    source: GalleyId
    target: GalleyId

    def apply(self, state: State) -> State:
        return state.with_goods(self.source, self.goods, -1).with_goods(self.target, self.goods)


class Jettisoned(OfGalley, frozen=True):
    """SER-2.4: goods are thrown into the sea."""

    goods: Mapping[Good, int]

    def apply(self, state: State) -> State:
        return state.with_goods(self.galley, self.goods, -1)


class Sank(OfGalley, frozen=True):
    """SER-0.6, SER-5.4: a galley goes back to the stock, with what is left aboard."""

    sailors: int = 0
    cargo: tuple[Good, ...] = ()

    def apply(self, state: State) -> State:
        return removed(state, "galleys", self.galley)


class Entered(OfGalley, frozen=True):
    """SER-3.1: a galley enters a zone."""

    zone: ZoneId

    def apply(self, state: State) -> State:
        state = state.with_turn(moved=state.turn().moved + 1)
        return changed(state, "galleys", self.galley, zone=self.zone)


class Blockaded(OfGalley, frozen=True):
    """SER-3.2, SER-4.3, SER-5.6: a player who could declare a blockade does so or doesn't.

    `sailors`: the player's sailors on galleys there; `against_sailors`: those of the galley.
    """

    zone: ZoneId
    against: Act
    declared: bool
    sailors: int
    against_sailors: int

    def apply(self, state: State) -> State:
        return state.with_turn(blocked=True) if self.declared and self.against != "move" else state


class Sold(OfGalley, frozen=True):
    """SER-4.1, SER-4.2: a good goes into a port's warehouse, for a sum and the bonus of spice, both from the bank."""

    port: PortId
    good: Good
    sum: int
    bonus: int = 0

    def apply(self, state: State) -> State:
        goods = (*state.ports[self.port].warehouse, self.good)
        state = changed(state, "ports", self.port, warehouse=goods)
        state = state.with_goods(self.galley, {self.good: 1}, -1)
        return paid(state, "ducats", Bank, self.player, self.sum + self.bonus)


class FortFired(Deed[State], frozen=True):
    """SER-5.7: the fort of an attacked port throws its dice: the number of skulls, and what the attacker loses."""

    port: PortId
    galley: GalleyId
    skulls: int
    losses: int

    def apply(self, state: State) -> State:
        return state.with_sailors(self.galley, -self.losses)


class Struck(Deed[State], frozen=True):
    """SER-5.2, SER-5.10: a throw of both sides, the attacker first: their values, skulls and losses."""

    attacker: GalleyId
    target: str
    owner: Player
    values: tuple[int, int]
    skulls: tuple[int, int]
    losses: tuple[int, int]

    def apply(self, state: State) -> State:
        return state.with_sailors(self.attacker, -self.losses[0]).with_sailors(self.target, -self.losses[1])


class Reckoned(OfGalley, frozen=True):
    """SER-5.1, SER-5.5: the value with which a galley attacks in this turn is worked out."""

    value: int

    def apply(self, state: State) -> State:
        return state.with_turn(value=self.value)


class BrokenOff(OfGalley, frozen=True):
    """SER-5.3: the attacker stops between two throws, with these sailors left on both sides."""

    target: str
    own: int
    other: int


class Salvaged(OfGalley, frozen=True):
    """SER-5.4: the surviving galley takes goods of the one that sinks."""

    wreck: GalleyId
    goods: Mapping[Good, int]

    def apply(self, state: State) -> State:
        return state.with_goods(self.wreck, self.goods, -1).with_goods(self.galley, self.goods)


class Landed(OfGalley, frozen=True):
    """SER-5.6, SER-5.8: sailors land, and the port is their player's with all that is in it."""

    port: PortId
    sailors: int
    before: Player | None

    def apply(self, state: State) -> State:
        state = state.with_sailors(self.galley, -self.sailors)
        return changed(state, "ports", self.port, owner=self.player, garrison=self.sailors)


class Freed(Event[State], frozen=True):
    """SER-5.8: a port becomes neutral, since its garrison is beaten and nobody lands."""

    port: PortId
    before: Player

    def apply(self, state: State) -> State:
        return changed(state, "ports", self.port, owner=None, garrison=0)


class Recruited(Deed[State], frozen=True):
    """SER-6.1: sailors are bought, for a port or a galley."""

    sailors: int
    place: str
    sum: int

    def apply(self, state: State) -> State:
        return paid(state, "ducats", self.player, Bank, self.sum).with_sailors(self.place, self.sailors)


class Built(Deed[State], frozen=True):
    """SER-6.3: a fort or a basilica is built."""

    what: Building
    port: PortId
    sum: int

    def apply(self, state: State) -> State:
        state = changed(state, "ports", self.port, **{self.what: True})
        return paid(state, "ducats", self.player, Bank, self.sum)


class CardDrawn(Event[State], frozen=True):
    """SER-7.1: a card of the Doge is turned up, and the pawn moves on."""

    reveals: ClassVar[bool] = True
    card: Card
    pawn: int

    def apply(self, state: State) -> State:
        return replace(state, doge=state.doge[1:], doge_out=(*state.doge_out, self.card), pawn=self.pawn)


class WinePaid(Deed[State], frozen=True):
    """SER-7.2: a player is paid for wine ports."""

    ports: tuple[PortId, ...]
    sum: int

    def apply(self, state: State) -> State:
        return paid(state, "ducats", Bank, self.player, self.sum)


class ScoringHeld(Event[State], frozen=True):
    """SER-7.3: the pawn has reached or passed the square of a scoring."""

    number: int

    def apply(self, state: State) -> State:
        return replace(state, scorings=self.number)


class PortsPaid(Deed[State], frozen=True):
    """SER-8.1: a player is paid at a scoring: for the filled slots of each port, and for basilicas."""

    ports: Mapping[PortId, int]
    basilicas: tuple[PortId, ...]
    sum: int

    def apply(self, state: State) -> State:
        return paid(state, "ducats", Bank, self.player, self.sum)


class RoundEnded(Event[State], frozen=True):
    """SER-7: all galleys have had their turns, and the Doge has had a card."""

    def apply(self, state: State) -> State:
        return replace(state, done=(), acting=None)


class Finished(Event[State], frozen=True):
    """SER-8.2: the match is over; the richest player has won, of several the one with most ports."""

    ends: ClassVar[bool] = True
    players: tuple[Player, ...]
    ducats: int
    by_ports: bool

    def apply(self, state: State) -> State:
        return replace(state, result=self.players)
