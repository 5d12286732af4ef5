"""Events of TRI-6: marches, fights and what they bring, Emperors, and the way home."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from adjudicator.engine.table.event import Event, Player
from adjudicator.rulebooks.triumvirat.board import Card, ProvinceId, Title
from adjudicator.rulebooks.triumvirat.state import (
    Acted,
    Barbarians,
    Emperor,
    State,
    Troops,
    drawn,
    units,
    with_done,
    with_province,
    with_seat,
    with_units,
)

Class = Literal["moved", "attacked", "both"]


def _acted(state: State, at: ProvinceId, kind: Class, more: Troops) -> State:
    """Units of the player whose turn it is count among those that have acted, or no more."""
    here = state.done.acted.get(at, Acted())
    here = replace(here, **{kind: getattr(here, kind) + more})
    left = {name: each for name, each in state.done.acted.items() if name != at}
    return with_done(state, acted={**left, at: here} if here != Acted() else left)


class Marched(Event[State], frozen=True):
    """TRI-6.1: units go from a province to another; `attacked` of them have attacked before."""

    player: Player
    start: ProvinceId
    end: ProvinceId
    troops: Troops
    attacked: Troops = Troops()
    convoy: bool = False

    def apply(self, state: State) -> State:
        state = with_units(state, self.start, self.player, self.troops, away=True)
        state = with_units(state, self.end, self.player, self.troops)
        state = _acted(state, self.start, "attacked", Troops() - self.attacked)
        state = _acted(state, self.end, "both", self.attacked)
        return _acted(state, self.end, "moved", self.troops - self.attacked)


class UnitsSpent(Event[State], frozen=True):
    """TRI-6.1: units attack, each once; `moved` of them have moved before."""

    player: Player
    province: ProvinceId
    troops: Troops
    moved: Troops = Troops()

    def apply(self, state: State) -> State:
        state = _acted(state, self.province, "moved", Troops() - self.moved)
        state = _acted(state, self.province, "both", self.moved)
        return _acted(state, self.province, "attacked", self.troops - self.moved)


class Fought(Event[State], frozen=True):
    """TRI-6.3: a throw of both sides. `against` is an Emperor; nobody: barbarians, thrown for by `thrower`.

    `dice` and `others` are what each die counts, bonuses of veterans, elites and senators apart in `sums`.
    """

    player: Player
    province: ProvinceId
    troops: Troops
    dice: tuple[int, ...]
    others: tuple[int, ...]
    sums: tuple[int, int]
    losses: tuple[int, int]
    against: Player = ""
    thrower: Player = ""


class UnitsFell(Event[State], frozen=True):
    """TRI-6.3: units lost in a fight, those first that have done everything (for the attacker all have attacked)."""

    player: Player
    province: ProvinceId
    troops: Troops
    moved: Troops = Troops()
    attacker: bool = False

    def apply(self, state: State) -> State:
        state = with_units(state, self.province, self.player, self.troops, away=True)
        if not self.attacker:
            return state
        state = _acted(state, self.province, "both", Troops() - self.moved)
        return _acted(state, self.province, "attacked", self.moved - self.troops)


class BarbariansFell(Event[State], frozen=True):
    """TRI-6.3: barbarians lost in a fight outside Italy."""

    province: ProvinceId
    barbarians: Barbarians

    def apply(self, state: State) -> State:
        left = state.provinces[self.province].barbarians - self.barbarians
        return with_province(state, self.province, barbarians=left)


class SiteFreed(Event[State], frozen=True):
    """TRI-6.3, TRI-6.5: the barbarian on a site of Italy is lost."""

    player: Player
    province: ProvinceId
    site: str

    def apply(self, state: State) -> State:
        sites = {**state.provinces[self.province].sites, self.site: "free"}
        return with_province(state, self.province, sites=sites)


class CardWon(Event[State], frozen=True):
    """TRI-6.5: a card for a freed site."""

    player: Player
    card: Card

    def apply(self, state: State) -> State:
        won = {**state.won, self.player: (*state.won.get(self.player, ()), self.card)}
        return drawn(replace(state, won=won), self.player, (self.card,))


class Promoted(Event[State], frozen=True):
    """TRI-6.4: a legion becomes a veteran; it has attacked, and perhaps moved."""

    player: Player
    province: ProvinceId
    kind: Class | None = None

    def apply(self, state: State) -> State:
        change = Troops(-1, 1)
        state = with_units(state, self.province, self.player, change)
        return _acted(state, self.province, self.kind, change) if self.kind else state


class MedalWon(Event[State], frozen=True):
    """TRI-6.5: a medal in one domain of the own general."""

    player: Player
    domain: Title

    def apply(self, state: State) -> State:
        medals = state.players[self.player].medals
        return with_seat(state, self.player, medals={**medals, self.domain: medals.get(self.domain, 0) + 1})


class Proclaimed(Event[State], frozen=True):
    """TRI-6.6: a player proclaims himself Emperor."""

    player: Player

    def apply(self, state: State) -> State:
        return replace(state, emperor=Emperor(self.player, state.phase.turn))


class EmperorFell(Event[State], frozen=True):
    """TRI-6.6: an Emperor has no units left in Rome."""

    player: Player

    def apply(self, state: State) -> State:
        return replace(state, emperor=Emperor())


class WentHome(Event[State], frozen=True):
    """TRI-6.5: units leave Italy for a province of their player; without one (`end` empty) they go to the box."""

    player: Player
    start: ProvinceId
    end: ProvinceId
    troops: Troops

    def apply(self, state: State) -> State:
        state = with_units(state, self.start, self.player, units(state, self.start, self.player), away=True)
        return with_units(state, self.end, self.player, self.troops) if self.end else state


class WarDone(Event[State], frozen=True):
    """TRI-6.1: a player's war is done: in the next one's turn other units move."""

    player: Player

    def apply(self, state: State) -> State:
        return with_done(state, acted={}, used=())
