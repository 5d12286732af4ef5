"""Events of pieces on the board (TRI-0, 4, 5, 7): built, appeared, driven, pillaged."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec.structs import asdict, replace

from adjudicator.engine.table import Deed, Event, changed
from adjudicator.rulebooks.triumvirat.board import BOARD, Lost, ProvinceId, Resource, Senator
from adjudicator.rulebooks.triumvirat.pieces import Barbarians, Troops
from adjudicator.rulebooks.triumvirat.state import State


class There(Deed[State], frozen=True):
    """An event of a player in a province."""

    province: ProvinceId


# -- building --------------------------------------------------------------------------------------------------------


class StartPlaced(Deed[State], frozen=True):
    """TRI-0.2: a player's pieces of the start."""

    def apply(self, state: State) -> State:
        for name, found in BOARD.starts[self.player].pieces.items():
            state = changed(state, "provinces", name, owner=self.player, **asdict(found))
        return state


class InfluencePlaced(There, frozen=True):
    """TRI-4.2: a province comes under a player's influence; own units there stay."""

    def apply(self, state: State) -> State:
        own = state.units(self.province, self.player)
        since = 0 if state.phase.name == "start" else state.phase.turn
        state = state.moved(self.province, self.player, -own)
        state = changed(state, "provinces", self.province, owner=self.player, since=since)
        return state.moved(self.province, self.player, own)


class Built(Deed[State], frozen=True):
    """TRI-4.3: a city, a caravan, a market in a caravan's place, or a temple."""

    what: Literal["city", "caravan", "market", "temple"]
    province: ProvinceId
    on: Resource = ""

    def apply(self, state: State) -> State:
        here = state.provinces[self.province]
        if not self.on:
            return changed(state, "provinces", self.province, **{self.what: True})
        if self.what == "caravan":
            return changed(state, "provinces", self.province, caravans=(*here.caravans, self.on))
        left = tuple(each for each in here.caravans if each != self.on)
        return changed(state, "provinces", self.province, caravans=left, markets=(*here.markets, self.on))


class Recruited(There, frozen=True):
    """TRI-4.3: new legions."""

    legions: int

    def apply(self, state: State) -> State:
        return state.moved(self.province, self.player, Troops(self.legions))


# -- barbarians ------------------------------------------------------------------------------------------------------


class BarbarianDrawn(Event[State], frozen=True):
    """TRI-5.1: a card of the barbarian deck."""

    reveals: ClassVar[bool] = True
    resource: Resource

    def apply(self, state: State) -> State:
        out = (*state.barbarian_out, self.resource)
        return replace(state, barbarian_deck=state.barbarian_deck[1:], barbarian_out=out)


class Appeared(Event[State], frozen=True):
    """TRI-1.2, TRI-5.1: a barbarian in a province, or on a site of Italy, in place of the one there."""

    province: ProvinceId
    kind: Literal["ordinary", "elite"]
    site: str = ""

    def apply(self, state: State) -> State:
        if not self.site:
            return state.beset(self.province, Barbarians(**{self.kind: 1}))
        sites = {**state.provinces[self.province].sites, self.site: self.kind}
        return changed(state, "provinces", self.province, sites=sites)


class Driven(Deed[State], frozen=True):
    """TRI-5.4, TRI-5.5: a pile moves a step, those first that lay for the player before. It lies down there."""

    start: ProvinceId
    end: ProvinceId
    pile: Barbarians
    sea: bool = False

    def apply(self, state: State) -> State:
        lay = state.done.lying.get(self.start, {}).get(self.player, Barbarians()) & self.pile
        state = state.beset(self.start, -self.pile).beset(self.end, self.pile)
        lying = {name: dict(each) for name, each in state.done.lying.items()}
        for at, change in ((self.start, -lay), (self.end, self.pile)):
            there = lying.pop(at, {})
            now = there.pop(self.player, Barbarians()) + change
            there |= {self.player: now} if now.count else {}
            lying |= {at: there} if there else {}
        return state.noted(lying=lying)


class Raised(There, frozen=True):
    """TRI-5.3: an ordinary barbarian in a neutral province."""

    def apply(self, state: State) -> State:
        return state.beset(self.province, Barbarians(1))


class Passed(Deed[State], frozen=True):
    """TRI-5.3: a player passes for good."""

    def apply(self, state: State) -> State:
        return state.noted(passed=(*state.done.passed, self.player))


class GoDone(Deed[State], frozen=True):
    """TRI-5.3: a player's go is over, and the next one's turn comes."""

    def apply(self, state: State) -> State:
        return state.noted(went=self.player)


class Pillaged(There, frozen=True):
    """TRI-7.1: a piece is lost to barbarians."""

    what: Lost
    on: Resource = ""

    def apply(self, state: State) -> State:
        if self.what == "influence":
            return changed(state, "provinces", self.province, owner=None, since=0)
        if not self.on:
            return changed(state, "provinces", self.province, **{self.what: False})
        field = f"{self.what}s"
        left = tuple(each for each in getattr(state.provinces[self.province], field) if each != self.on)
        return changed(state, "provinces", self.province, **{field: left})


class Spared(There, frozen=True):
    """TRI-10.13: a senator stops a pillage."""

    senator: Senator
