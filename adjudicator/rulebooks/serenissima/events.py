"""What happens in a match: small physical events, each of which changes the position or is a word to the players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from msgspec.structs import replace

from adjudicator.engine.table.event import ENGINE_EVENTS, Event, Player
from adjudicator.engine.table.points import Scored
from adjudicator.engine.table.secret import Secret
from adjudicator.rulebooks.serenissima.board import Card, GalleyId, Good, PortId, ZoneId
from adjudicator.rulebooks.serenissima.state import (
    Act,
    Bank,
    Galley,
    State,
    Turn,
    crewed,
    paid,
    stowed,
    sunk,
    with_galley,
    with_port,
)


class CardsLaid(Event[State], frozen=True):
    """SER-7.1: the cards of the Doge, shuffled."""

    cards: tuple[Secret[Card], ...]

    def apply(self, state: State) -> State:
        return replace(state, doge=self.cards, doge_out=())


class Closed(Event[State], frozen=True):
    """SER-0.3: a port is closed for the match; the players' choice, or by lot."""

    port: PortId
    by_lot: bool

    def apply(self, state: State) -> State:
        return with_port(state, self.port, closed=True)


class SeatsTaken(Event[State], frozen=True):
    """SER-0.4: the seats, clockwise from the first player."""

    seats: tuple[Player, ...]

    def apply(self, state: State) -> State:
        return replace(state, seats=self.seats)


class Manned(Event[State], frozen=True):
    """SER-0.4: a start port is chosen, and sailors put in it."""

    player: Player
    port: PortId
    sailors: int
    by_lot: bool = False

    def apply(self, state: State) -> State:
        return crewed(with_port(state, self.port, owner=self.player), self.port, self.sailors)


class Launched(Event[State], frozen=True):
    """SER-0.4, SER-6.2, SER-7.4: a galley comes from the stock with its crew, for so many ducats in all."""

    player: Player
    galley: GalleyId
    port: PortId
    crew: int
    sum: int = 0
    by_lot: bool = False

    def apply(self, state: State) -> State:
        state = paid(state, self.player, Bank, self.sum)
        galleys = {**state.galleys, self.galley: Galley(self.player, self.port, self.crew)}
        return replace(state, galleys=galleys)


class Called(Event[State], frozen=True):
    """SER-1.1: it is a galley's turn."""

    player: Player
    galley: GalleyId

    def apply(self, state: State) -> State:
        zone = state.galleys[self.galley].zone
        return replace(state, done=(*state.done, int(self.galley)), acting=Turn(self.galley, zone))


class Paused(Event[State], frozen=True):
    """SER-1.1: the galleys that were called have had their turns; others are still to come."""

    def apply(self, state: State) -> State:
        return replace(state, acting=None)


class Shifted(Event[State], frozen=True):
    """SER-2.1: sailors go from a port or a galley to another."""

    player: Player
    sailors: int
    source: str
    target: str

    def apply(self, state: State) -> State:
        return crewed(crewed(state, self.source, -self.sailors), self.target, self.sailors)


class Loaded(Event[State], frozen=True):
    """SER-2.3: goods of the port come aboard, for a sum paid to the owner of a foreign port, else to the bank."""

    player: Player
    galley: GalleyId
    port: PortId
    good: Good
    quantity: int
    sum: int
    seller: Player = Bank

    def apply(self, state: State) -> State:
        state = stowed(
            paid(state, self.player, self.seller, self.sum), self.galley, {self.good: self.quantity}
        )
        if state.acting is None or state.ports[self.port].owner != self.player:
            return state
        return replace(state, acting=replace(state.acting, free_cube=True))


class Transferred(Event[State], frozen=True):
    """SER-2.4: goods go from one galley to another."""

    player: Player
    goods: Mapping[Good, int]
    source: GalleyId
    target: GalleyId

    def apply(self, state: State) -> State:
        return stowed(stowed(state, self.source, self.goods, -1), self.target, self.goods)


class Jettisoned(Event[State], frozen=True):
    """SER-2.4: goods are thrown into the sea."""

    player: Player
    galley: GalleyId
    goods: Mapping[Good, int]

    def apply(self, state: State) -> State:
        return stowed(state, self.galley, self.goods, -1)


class Sank(Event[State], frozen=True):
    """SER-0.6, SER-5.4: a galley goes back to the stock, with what is left aboard."""

    player: Player
    galley: GalleyId
    sailors: int = 0
    cargo: tuple[Good, ...] = ()

    def apply(self, state: State) -> State:
        return sunk(state, self.galley)


class Entered(Event[State], frozen=True):
    """SER-3.1: a galley enters a zone."""

    player: Player
    galley: GalleyId
    zone: ZoneId

    def apply(self, state: State) -> State:
        state = with_galley(state, self.galley, zone=self.zone)
        if state.acting is None:
            return state
        return replace(state, acting=replace(state.acting, moved=state.acting.moved + 1))


class Blockaded(Event[State], frozen=True):
    """SER-3.2, SER-4.3, SER-5.6: a player who could, declares a blockade or doesn't; `sailors` has one on galleys
    there, `against_sailors` the galley."""

    player: Player
    galley: GalleyId
    zone: ZoneId
    against: Act
    declared: bool
    sailors: int
    against_sailors: int


class Sold(Event[State], frozen=True):
    """SER-4.1, SER-4.2: a good goes into a port's warehouse, for a sum and the bonus of spice, both from the bank."""

    player: Player
    galley: GalleyId
    port: PortId
    good: Good
    sum: int
    bonus: int = 0

    def apply(self, state: State) -> State:
        state = stowed(state, self.galley, {self.good: 1}, -1)
        state = with_port(state, self.port, warehouse=(*state.ports[self.port].warehouse, self.good))
        return paid(state, Bank, self.player, self.sum + self.bonus)


class FortFired(Event[State], frozen=True):
    """SER-5.7: the fort of an attacked port throws its dice: so many skulls, and what the attacker loses."""

    player: Player
    port: PortId
    galley: GalleyId
    skulls: int
    losses: int

    def apply(self, state: State) -> State:
        return crewed(state, self.galley, -self.losses)


class Struck(Event[State], frozen=True):
    """SER-5.2, SER-5.10: a throw of both sides, attacker first: the values, the skulls, and what each loses."""

    player: Player
    attacker: GalleyId
    target: str
    owner: Player
    values: tuple[int, int]
    skulls: tuple[int, int]
    losses: tuple[int, int]

    def apply(self, state: State) -> State:
        own, other = self.losses
        return crewed(crewed(state, self.attacker, -own), self.target, -other)


class Reckoned(Event[State], frozen=True):
    """SER-5.1, SER-5.5: the value with which a galley attacks in this turn."""

    player: Player
    galley: GalleyId
    value: int

    def apply(self, state: State) -> State:
        assert state.acting is not None
        return replace(state, acting=replace(state.acting, value=self.value))


class Salvaged(Event[State], frozen=True):
    """SER-5.4: the surviving galley takes goods of the one that sinks."""

    player: Player
    galley: GalleyId
    wreck: GalleyId
    goods: Mapping[Good, int]

    def apply(self, state: State) -> State:
        return stowed(stowed(state, self.wreck, self.goods, -1), self.galley, self.goods)


class Landed(Event[State], frozen=True):
    """SER-5.6, SER-5.8: sailors land, and the port is their player's with all that is in it."""

    player: Player
    galley: GalleyId
    port: PortId
    sailors: int
    before: Player | None

    def apply(self, state: State) -> State:
        state = with_port(crewed(state, self.galley, -self.sailors), self.port, owner=self.player)
        return with_port(state, self.port, garrison=self.sailors)


class Freed(Event[State], frozen=True):
    """SER-5.8: a port whose garrison is beaten, and in which nobody lands, is neutral."""

    port: PortId
    before: Player

    def apply(self, state: State) -> State:
        return with_port(state, self.port, owner=None, garrison=0)


class Recruited(Event[State], frozen=True):
    """SER-6.1: sailors are bought, for a port or a galley."""

    player: Player
    sailors: int
    place: str
    sum: int

    def apply(self, state: State) -> State:
        return crewed(paid(state, self.player, Bank, self.sum), self.place, self.sailors)


class Built(Event[State], frozen=True):
    """SER-6.3: a fort or a basilica is built."""

    player: Player
    what: Literal["fort", "basilica"]
    port: PortId
    sum: int

    def apply(self, state: State) -> State:
        return paid(with_port(state, self.port, **{self.what: True}), self.player, Bank, self.sum)


class CardDrawn(Event[State], frozen=True):
    """SER-7.1: a card of the Doge is turned up, and the pawn moves on."""

    reveals: ClassVar[bool] = True
    card: Card
    pawn: int

    def apply(self, state: State) -> State:
        return replace(state, doge=state.doge[1:], doge_out=(*state.doge_out, self.card), pawn=self.pawn)


class WinePaid(Event[State], frozen=True):
    """SER-7.2: what a player gets for the wine ports."""

    player: Player
    ports: tuple[PortId, ...]
    sum: int

    def apply(self, state: State) -> State:
        return paid(state, Bank, self.player, self.sum)


class ScoringHeld(Event[State], frozen=True):
    """SER-7.3: the pawn has reached or passed the square of a scoring."""

    number: int

    def apply(self, state: State) -> State:
        return replace(state, scorings=self.number)


class PortsPaid(Event[State], frozen=True):
    """SER-8.1: what a scoring brings a player: by port for its filled slots, and for the basilicas."""

    player: Player
    ports: Mapping[PortId, int]
    basilicas: tuple[PortId, ...]
    sum: int

    def apply(self, state: State) -> State:
        return paid(state, Bank, self.player, self.sum)


class RoundEnded(Event[State], frozen=True):
    """SER-7: all galleys have had their turns, and the Doge has had a card."""

    def apply(self, state: State) -> State:
        return replace(state, done=(), acting=None)


class Finished(Event[State], frozen=True):
    """SER-8.2: the match is over; who is richest, or has more ports among the richest, has won."""

    ends: ClassVar[bool] = True
    players: tuple[Player, ...]
    ducats: int
    by_ports: bool

    def apply(self, state: State) -> State:
        return replace(state, result=self.players)


EVENTS: tuple[type[Event[State]], ...] = (
    *ENGINE_EVENTS,
    CardsLaid,
    Closed,
    SeatsTaken,
    Manned,
    Launched,
    Called,
    Paused,
    Shifted,
    Loaded,
    Transferred,
    Jettisoned,
    Sank,
    Entered,
    Blockaded,
    Sold,
    FortFired,
    Reckoned,
    Struck,
    Salvaged,
    Landed,
    Freed,
    Recruited,
    Built,
    CardDrawn,
    WinePaid,
    ScoringHeld,
    PortsPaid,
    RoundEnded,
    Scored,
    Finished,
)
