"""Events of war (TRI-6), of titles (TRI-8), and of the end (TRI-9): marched, fought, won, lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from adjudicator.engine.table import Deed, Event, Player, Secret, bids, changed
from adjudicator.rulebooks.triumvirat.board import Card, ProvinceId, Title
from adjudicator.rulebooks.triumvirat.events.placed import There
from adjudicator.rulebooks.triumvirat.pieces import Barbarians, Done, Emperor, Result, Troops
from adjudicator.rulebooks.triumvirat.state import State


class Marched(Deed[State], frozen=True):
    """TRI-6.1: units go from a province to another, those first that haven't attacked."""

    start: ProvinceId
    end: ProvinceId
    troops: Troops
    convoy: bool = False

    def apply(self, state: State) -> State:
        spent = self.troops - (self.troops & state.fresh(self.player, self.start))
        state = state.moved(self.start, self.player, -self.troops).moved(self.end, self.player, self.troops)
        state = state.acting(self.start, attacked=-spent)
        return state.acting(self.end, both=spent, moved=self.troops - spent)


class UnitsSpent(There, frozen=True):
    """TRI-6.1: units attack, each once, those first that have moved."""

    troops: Troops

    def apply(self, state: State) -> State:
        moved = self.troops & state.acted(self.province).moved
        return state.acting(self.province, moved=-moved, both=moved, attacked=self.troops - moved)


class Fought(There, frozen=True):
    """TRI-6.3: a throw of both sides. `against` is an Emperor; nobody: barbarians, thrown for by `thrower`.

    `dice` and `others` are what each die counts, bonuses of veterans, elites and senators apart in `sums`.
    """

    troops: Troops
    dice: tuple[int, ...]
    others: tuple[int, ...]
    sums: tuple[int, int]
    losses: tuple[int, int]
    against: Player = ""
    thrower: Player = ""


class UnitsFell(There, frozen=True):
    """TRI-6.3: units lost in a fight; the attacker's have all attacked, and those fall first that have moved too."""

    troops: Troops
    attacker: bool = False

    def apply(self, state: State) -> State:
        both = self.troops & state.acted(self.province).both
        state = state.moved(self.province, self.player, -self.troops)
        spent = {"both": -both, "attacked": both - self.troops} if self.attacker else {}
        return state.acting(self.province, **spent)


class BarbariansFell(Event[State], frozen=True):
    """TRI-6.3: barbarians lost in a fight outside Italy."""

    province: ProvinceId
    barbarians: Barbarians

    def apply(self, state: State) -> State:
        return state.beset(self.province, -self.barbarians)


class SiteFreed(There, frozen=True):
    """TRI-6.3, TRI-6.5: the barbarian on a site of Italy is lost; a card is won for it, if there is one left."""

    site: str
    card: Card = ""

    def apply(self, state: State) -> State:
        sites = {**state.provinces[self.province].sites, self.site: "free"}
        state = changed(state, "provinces", self.province, sites=sites)
        if not self.card:
            return state
        won = {**state.won, self.player: (*state.won.get(self.player, ()), self.card)}
        return replace(state, won=won).drawn(self.player, (self.card,))


class Promoted(There, frozen=True):
    """TRI-6.4: a legion becomes a veteran; rather one that has attacked, or attacked and moved, than one that could."""

    def apply(self, state: State) -> State:
        done, fresh = state.acted(self.province), state.fresh(self.player, self.province).legions
        state = state.moved(self.province, self.player, Troops(-1, 1))
        spent = "attacked" if done.attacked.legions else "both" if done.both.legions else ""
        what = spent or ("" if fresh else "moved")
        return state.acting(self.province, **{what: Troops(-1, 1)}) if what else state


class MedalWon(Deed[State], frozen=True):
    """TRI-6.5: a medal in one domain of the own general."""

    domain: Title

    def apply(self, state: State) -> State:
        medals = state.players[self.player].medals
        medals = {**medals, self.domain: medals.get(self.domain, 0) + 1}
        return changed(state, "players", self.player, medals=medals)


class Proclaimed(Deed[State], frozen=True):
    """TRI-6.6: a player proclaims himself Emperor."""

    def apply(self, state: State) -> State:
        return replace(state, emperor=Emperor(self.player, state.phase.turn))


class EmperorFell(Deed[State], frozen=True):
    """TRI-6.6: an Emperor has no units left in Rome."""

    def apply(self, state: State) -> State:
        return replace(state, emperor=Emperor())


class WentHome(Deed[State], frozen=True):
    """TRI-6.5: units leave Italy for a province of their player; without one (`end` empty) they go to the box."""

    start: ProvinceId
    end: ProvinceId
    troops: Troops

    def apply(self, state: State) -> State:
        state = state.moved(self.start, self.player, -state.units(self.start, self.player))
        return state.moved(self.end, self.player, self.troops) if self.end else state


class WarDone(Deed[State], frozen=True):
    """TRI-6.1: a player's war is done: in the next one's turn other units move."""

    def apply(self, state: State) -> State:
        return state.noted(acted={}, used=())


# -- titles, and the end ---------------------------------------------------------------------------------------------


class TaxesBid(bids.BidMade, frozen=True):
    """TRI-8.1: taxes for each domain, in the closed hand."""

    bid: Secret[Mapping[str, int]]


class BidShown(bids.BidShown, frozen=True):
    """TRI-8.1: a bid is shown; what it costs is paid by an event of its own."""

    bid: Mapping[str, int]


class TitleAwarded(Deed[State], frozen=True):
    """TRI-8.1: the highest sum takes a title from its holder, or keeps it; `tied`: others have as much."""

    title: Title
    sums: Mapping[Player, int]
    before: Player
    tied: bool = False

    def apply(self, state: State) -> State:
        return replace(state, titles={**state.titles, self.title: self.player})


class TurnEnded(Event[State], frozen=True):
    """TRI-1.1, TRI-8.2: events are discarded, and what counts by the turn is cleared."""

    def apply(self, state: State) -> State:
        used = (*state.used, *state.events)
        return replace(state, used=used, events=(), won={}, done=Done(), order=())


class Ended(Event[State], frozen=True):
    """TRI-9: the match is over: who has won, by its rule; nobody, when all have lost."""

    ends: ClassVar[bool] = True
    winners: tuple[Player, ...]
    points: int = 0

    def apply(self, state: State) -> State:
        return replace(state, result=Result(self.winners, self.rule))
