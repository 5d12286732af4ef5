"""Events of TRI-5 and TRI-7: barbarians appear, are driven and raised, and pillage."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec.structs import replace

from adjudicator.engine.table.event import Event, Player
from adjudicator.rulebooks.triumvirat.board import ProvinceId, Resource, Senator
from adjudicator.rulebooks.triumvirat.state import Barbarians, State, with_done, with_province


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
        here = state.provinces[self.province]
        if self.site:
            return with_province(state, self.province, sites={**here.sites, self.site: self.kind})
        new = Barbarians(self.kind == "ordinary", self.kind == "elite")
        return with_province(state, self.province, barbarians=here.barbarians + new)


class Driven(Event[State], frozen=True):
    """TRI-5.4, TRI-5.5: a pile moves a step; `lying` of it had been moved by the player before. It lies down there."""

    player: Player
    start: ProvinceId
    end: ProvinceId
    pile: Barbarians
    lying: Barbarians = Barbarians()
    sea: bool = False

    def apply(self, state: State) -> State:
        away = state.provinces[self.start].barbarians - self.pile
        state = with_province(state, self.start, barbarians=away)
        state = with_province(state, self.end, barbarians=state.provinces[self.end].barbarians + self.pile)
        state = _lie(state, self.player, self.start, Barbarians() - self.lying)
        return _lie(state, self.player, self.end, self.pile)


def _lie(state: State, player: Player, at: ProvinceId, more: Barbarians) -> State:
    """Barbarians lie down in a province, or get up."""
    there = state.done.lying.get(at, {})
    now = there.get(player, Barbarians()) + more
    left = {name: each for name, each in there.items() if name != player}
    left |= {player: now} if now.count else {}
    lying = {name: each for name, each in state.done.lying.items() if name != at}
    return with_done(state, lying={**lying, at: left} if left else lying)


class Raised(Event[State], frozen=True):
    """TRI-5.3: an ordinary barbarian in a neutral province."""

    player: Player
    province: ProvinceId

    def apply(self, state: State) -> State:
        here = state.provinces[self.province].barbarians
        return with_province(state, self.province, barbarians=here + Barbarians(1))


class Passed(Event[State], frozen=True):
    """TRI-5.3: a player passes for good."""

    player: Player

    def apply(self, state: State) -> State:
        return with_done(state, passed=(*state.done.passed, self.player))


class GoDone(Event[State], frozen=True):
    """TRI-5.3: a player's go is over, and the next one's turn comes."""

    player: Player

    def apply(self, state: State) -> State:
        return with_done(state, went=self.player)


class Pillaged(Event[State], frozen=True):
    """TRI-7.1: a piece is lost to barbarians."""

    player: Player
    province: ProvinceId
    what: Literal["temple", "city", "market", "caravan", "influence"]
    on: Resource = ""

    def apply(self, state: State) -> State:
        here = state.provinces[self.province]
        match self.what:
            case "temple":
                return with_province(state, self.province, temple=False)
            case "city":
                return with_province(state, self.province, city=False)
            case "market":
                markets = tuple(each for each in here.markets if each != self.on)
                return with_province(state, self.province, markets=markets)
            case "caravan":
                caravans = tuple(each for each in here.caravans if each != self.on)
                return with_province(state, self.province, caravans=caravans)
        return with_province(state, self.province, owner=None, since=0)


class Spared(Event[State], frozen=True):
    """TRI-10.13: a senator stops a pillage."""

    player: Player
    province: ProvinceId
    senator: Senator
