"""What a check says of sheets of Serenissima, and what forms offer, where others act before."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import pytest

from adjudicator.contract import matches
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.simulation import sheet_of
from adjudicator.engine.play.survey import possible
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.event import Player
from adjudicator.rulebooks.serenissima import RULEBOOK

TABLES = [tables[0] for tables in RULEBOOK.tables.values()]


def said(state: Any, me: Player, plain: dict[str, Any]) -> list[tuple[str, str]]:
    """What the player's own check says of a sheet: how bad it is, and why."""
    found = check_sheet(RULEBOOK, position_for(RULEBOOK, state, me), sheet_of(me, plain)).said
    return [(each.severity, each.reason.key) for each in found]


@pytest.mark.parametrize("players", TABLES, ids=len)
def test_whoever_chooses_first_every_free_number_can_be_chosen_once(players: tuple[Player, ...]) -> None:
    """SER-0.4: nobody who chooses late is told that the own choice is made."""
    before_the_round = takewhile(
        lambda step: step.before.phase.name != "round", matches.steps(RULEBOOK, players, "galleys")
    )
    choices = [step.before for step in before_the_round if step.before.phase.name == "galleys"]
    assert len(choices) == (2 if len(players) == 2 else 1)
    for state in choices:
        assert set(state.phase.due) == set(players)
        one, other = (int(number) for number in state.free_numbers()[:2])
        for me in players:
            offered = possible(RULEBOOK, RULEBOOK.phase("galleys"), position_for(RULEBOOK, state, me), me)
            assert offered["galley"]["galley"] == [{"enum": [int(number) for number in state.free_numbers()]}]
            assert said(state, me, {"orders": [{"galley": one}]}) == []
            twice = said(state, me, {"orders": [{"galley": one}, {"galley": other}]})
            assert twice == [("error", "galley-already")]
