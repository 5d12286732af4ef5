"""Triumvirat's trade (TRI-3): everybody with enough cards takes part, even without a sheet."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations, product

import pytest
from msgspec.structs import replace

from adjudicator.engine.bots import sheet_of
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.table import changed, face_down
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.event import Head
from adjudicator.rulebooks.triumvirat import RULEBOOK
from adjudicator.rulebooks.triumvirat.board import RESOURCES, SEATS
from adjudicator.rulebooks.triumvirat.events import Shown
from adjudicator.rulebooks.triumvirat.state import State

N = 2
SENDERS = [senders for count in range(len(SEATS) + 1) for senders in combinations(SEATS, count)]


def opened(counts: Collection[int]) -> State:
    """A trade of N cards, in which each player has so many cards."""
    state = RULEBOOK.start("trade", RULEBOOK.Options(), SEATS)
    for player, count in zip(SEATS, counts, strict=True):
        state = changed(state, "players", player, cards=face_down(RESOURCES[:count]))
    due = tuple(player for player, count in zip(SEATS, counts, strict=True) if count >= N)
    return replace(state, number=N, phase=Head(2, "trade", 1, due if len(due) > 1 else ()))


@pytest.mark.parametrize("senders", SENDERS, ids=str)
def test_nobody_dodges_the_trade_and_nobody_ends_with_fewer_cards(senders: Collection[str]) -> None:
    """TRI-3.1, TRI-3.2, whatever number of cards each has and whoever else has put out his already."""
    for counts in product(range(N + 2), repeat=len(SEATS)):
        state = opened(counts)
        due = state.phase.due
        sent = [player for player in due if player in senders]
        offers = [{"offer": list(RESOURCES[:N])}]
        sheets = {player: sheet_of(player, {"orders": offers}) for player in sent}
        outcome = advance(
            RULEBOOK, state, Inbox(sheets), SeededDice(seed_from("trade"), "trade", 2), strict=True
        )
        assert [event.player for event in outcome.events if isinstance(event, Shown)] == [*due], counts
        assert [outcome.state.cards_of(player) for player in SEATS] == [*counts], counts
