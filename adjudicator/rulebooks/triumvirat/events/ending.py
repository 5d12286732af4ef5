"""Events of TRI-8 and TRI-9: bids and titles, the end of a turn, and that of the match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from adjudicator.engine.table import bids
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.secret import Secret
from adjudicator.rulebooks.triumvirat.board import Title
from adjudicator.rulebooks.triumvirat.state import Done, Result, State


class TaxesBid(bids.BidMade, frozen=True):
    """TRI-8.1: taxes for each domain, in the closed hand."""

    bid: Secret[Mapping[str, int]]


class BidShown(bids.BidShown, frozen=True):
    """TRI-8.1: a bid is shown; what it costs is paid by an event of its own."""

    bid: Mapping[str, int]


class TitleTaken(Event[State], frozen=True):
    """TRI-8.1: the highest sum takes a title from its holder."""

    player: Player
    title: Title
    sums: Mapping[Player, int]
    before: Player

    def apply(self, state: State) -> State:
        return replace(state, titles={**state.titles, self.title: self.player})


class TitleKept(Event[State], frozen=True):
    """TRI-8.1: a title stays where it is; `tied`: others have as much as the highest."""

    player: Player
    title: Title
    sums: Mapping[Player, int]
    tied: bool = False


class TurnEnded(Event[State], frozen=True):
    """TRI-1.1, TRI-8.2: events are discarded, and what counts by the turn is cleared."""

    def apply(self, state: State) -> State:
        used = (*state.used, *state.events)
        return replace(state, used=used, events=(), won={}, done=Done(), order=())


class Ended(Event[State], frozen=True):
    """TRI-9: the match is over: who has won, and by which rule; nobody, when all have lost."""

    ends: ClassVar[bool] = True
    winners: tuple[Player, ...]
    by_rule: str
    points: int = 0

    def apply(self, state: State) -> State:
        return replace(state, result=Result(self.winners, self.by_rule))
