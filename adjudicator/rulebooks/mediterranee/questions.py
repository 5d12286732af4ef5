"""Decisions that come up in another player's order: the question, its answers, and what happens without an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import Struct

from adjudicator.engine.table import FieldReader, Player, Question, YesNo
from adjudicator.engine.table.domain import Domain, Flag, OneOf, Whole
from adjudicator.rulebooks.mediterranee.board import Good, PortId, ZoneId
from adjudicator.rulebooks.mediterranee.standing import (
    DUCATS,
    GALLEY,
    GOOD,
    PORT,
    POWER,
    WISHES,
    ZONE,
    Wishes,
    wishes,
)
from adjudicator.rulebooks.mediterranee.state import GalleyId, State


class Terms(Struct, frozen=True):
    """The seller's prices, in ducats a piece: what is asked, and the least taken; None:
    counter-offers are put to the seller."""

    ask: int
    floor: int | None


class Asking(Question[State, Terms], frozen=True):
    """MED-2.3: what does the owner of the port ask for the good? `top` is the most that may be asked."""

    verb = "price"
    needed = ("ask",)
    rule = "MED-2.3"
    shapes: ClassVar[Mapping[str, Domain[Any]]] = {"price": GOOD, "for": POWER, "at": PORT, "ask": DUCATS}

    good: Good
    buyer: Player
    port: PortId
    quantity: int
    top: int

    def names(self) -> Mapping[str, Any]:
        return {"price": self.good, "for": self.buyer, "at": self.port}

    def answer(self, entry: FieldReader, state: State) -> Terms:
        return Terms(entry.pick("ask", DUCATS, rule="MED-2.3"), None)

    def standing(self, state: State, asked: Player) -> Terms | None:
        for entry in state.players[asked].standing.value.prices:
            if entry.fits(self.buyer, self.good, self.port):
                return Terms(entry.ask, entry.ask if entry.floor is None else entry.floor)
        return None

    def default(self, state: State) -> Terms:
        return Terms(self.top, self.top)


class CounterOffer(YesNo[State], frozen=True):
    """MED-2.5: does the seller accept the buyer's counter-offer of `sum` ducats a piece?"""

    verb = "offer"
    needed = ("accept",)
    rule = "MED-2.5"
    shapes: ClassVar[Mapping[str, Domain[Any]]] = {
        "offer": GOOD,
        "for": POWER,
        "at": PORT,
        "sum": DUCATS,
        "accept": Flag(),
    }

    good: Good
    buyer: Player
    port: PortId
    sum: int

    def names(self) -> Mapping[str, Any]:
        return {"offer": self.good, "for": self.buyer, "at": self.port, "sum": self.sum}


class LastWord(YesNo[State], frozen=True):
    """MED-2.5: the counter-offer is refused; does the buyer take the first price?"""

    verb = "last-word"
    needed = ("take",)
    rule = "MED-2.5"
    shapes: ClassVar[Mapping[str, Domain[Any]]] = {
        "last-word": GOOD,
        "at": PORT,
        "sum": DUCATS,
        "take": Flag(),
    }

    good: Good
    port: PortId
    sum: int

    def names(self) -> Mapping[str, Any]:
        return {"last-word": self.good, "at": self.port, "sum": self.sum}


class SeatWanted(Question[State, int], frozen=True):
    """MED-1.2: which of the free seats does the bidder take?"""

    verb = "seat"
    rule = "MED-1.2"
    shapes: ClassVar[Mapping[str, Domain[Any]]] = {"seat": Whole(1)}

    free: tuple[int, ...]

    def names(self) -> Mapping[str, Any]:
        return {}

    def answer(self, entry: FieldReader, state: State) -> int:
        return entry.pick("seat", OneOf(self.free), rule="MED-1.2")

    def default(self, state: State) -> int:
        return self.free[0]


class Pass(YesNo[State], frozen=True):
    """MED-3.3: may the galley, with so many sailors aboard, go on from the zone?"""

    verb = "passage"
    needed = ("grant",)
    rule = "MED-3.3"
    shapes: ClassVar[Mapping[str, Domain[Any]]] = {"passage": GALLEY, "in": ZONE, "grant": Flag()}

    galley: GalleyId
    owner: Player
    zone: ZoneId
    sailors: int

    def names(self) -> Mapping[str, Any]:
        return {"passage": self.galley, "in": self.zone}

    def standing(self, state: State, asked: Player) -> bool | None:
        for entry in state.players[asked].standing.value.passage:
            if entry.fits(self.owner, self.galley, self.zone, self.sailors):
                return entry.grant
        return None

    def hoped(self, state: State) -> bool:
        return True


class Prize(Question[State, Wishes], frozen=True):
    """MED-4.4: an attacked galley has won; what does its owner do with the attacker's?"""

    verb = "prize"
    rule = "MED-4.4"
    shapes: ClassVar[Mapping[str, Domain[Any]]] = {"prize": GALLEY, **WISHES}

    galley: GalleyId
    winner: GalleyId
    attacker: Player

    def names(self) -> Mapping[str, Any]:
        return {"prize": self.galley}

    def answer(self, entry: FieldReader, state: State) -> Wishes:
        return wishes(entry)

    def standing(self, state: State, asked: Player) -> Wishes | None:
        for entry in state.players[asked].standing.value.defence:
            if entry.fits(self.winner, self.attacker):
                return Wishes(entry.victory, entry.crew, entry.keep)
        return None

    def default(self, state: State) -> Wishes:
        return Wishes()


QUESTIONS = (Asking, CounterOffer, LastWord, SeatWanted, Pass, Prize)
