"""A check tries orders ahead in every position of a match, even if secrets lie between."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.contract.legality import sample_value
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import expected_in, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.text.writing import write
from tests.engine.written_match import Match
from tests.rulebooks.every_match import POSITIONS


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
@pytest.mark.parametrize("where", ["later", "standing"])
def test_orders_for_every_phase_are_looked_at(match: Match, state: Any, who: str, where: str) -> None:
    rulebook, chance = match.rulebook, SeededChance("ahead")
    view = position_for(rulebook, state, who)
    phases = {
        phase.name: [
            {field: sample_value(domain, chance) for field, domain in verb.fields.items()}
            for verb in phase.verbs.values()
        ]
        for phase in rulebook.phases
        if phase.verbs
    }
    asked = expected_in(rulebook, state, who)
    ahead = {"later": {name: {"orders": orders} for name, orders in phases.items()}}
    sheet = {"player": who, **(ahead if where == "later" else {"standing": {"phases": phases}})}
    for orders in ({}, {"orders": []}, {"orders": phases.get(state.phase.name, [])}):
        found = read_sheet(write({**sheet, **orders}).encode(), asked)
        assert isinstance(found, Sheet)
        understood = {each.place for each in check_sheet(rulebook, view, found).understood}
        held = [order for orders in (found.phases or found.later).values() for order in orders]
        assert {order.place() for order in held} <= understood
