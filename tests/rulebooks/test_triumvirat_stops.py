"""What Triumvirat asks for ahead is what it takes: the number of cards to put out doesn't change after it was asked."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.engine.play.simulation import at_random, played
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.rulebooks.triumvirat import RULEBOOK
from adjudicator.rulebooks.triumvirat.board import SEATS
from adjudicator.rulebooks.triumvirat.pieces import Options
from adjudicator.rulebooks.triumvirat.standing import number


def calls_for_another(view: Any, me: Player, chance: Chance) -> dict[str, Any]:
    """A random player whose standing instructions call for another number of cards in each sheet."""
    return {**at_random(RULEBOOK)(view, me, chance), "standing": {"lead": {"trade": chance(4)}}}


@pytest.mark.parametrize("stops", ["all", *RULEBOOK.stops], ids=str)
def test_the_cards_put_out_are_as_many_as_were_asked_for_when_the_match_last_waited(stops: Any) -> None:
    asked: dict[Player, int] = {}
    trades = 0
    bots = dict.fromkeys(SEATS, calls_for_another)
    for step in played(RULEBOOK, SEATS, bots, "calls", Options(stops=stops, max_turns=8)):
        state = step.before
        if stops == "all" or state.phase.name in stops:
            asked = {player: number(position_for(RULEBOOK, state, player)) for player in SEATS}
        if state.phase.name == "trade" and state.phase.due:
            trades += 1
            assert asked == dict.fromkeys(SEATS, number(state))
    assert trades > 3
