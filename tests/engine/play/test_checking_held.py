"""A check carries orders out in the phase's own course:
orders that the referee would hold are held, not called faulty."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from adjudicator.contract.cases import Case, position
from adjudicator.engine.library import registry
from adjudicator.engine.play.checking import CheckResult, check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet

ROME = registry.rulebook("rome-carthage")
FOUR = ("rome", "constantinople", "alexandria", "carthage")
BETRAYAL = """player: rome
orders:
  - {betray: constantinople-infantry-1, via: [aquileia]}
  - {fight: aquileia, cards: [hearts-8, hearts-4]}
"""


def checked(text: str) -> CheckResult:
    """A check of a sheet in Rome's first turn, on the player's own view."""
    plain: dict[str, Any] = {"case": "turn", "phase": "turn", "players": FOUR, "options": {"first": "rome"}}
    state = position(ROME, msgspec.convert({**plain, "expect": {}}, Case), ("pieces",))
    sheet = read_sheet(text.encode(), Expected(ROME, state.match, state.phase, FOUR, "rome"))
    assert isinstance(sheet, Sheet), sheet
    return check_sheet(ROME, position_for(ROME, state, "rome"), sheet)


def test_orders_after_a_betrayal_are_looked_at_when_its_fight_is_over() -> None:
    found = checked(f"{BETRAYAL}  - {{move: rome-ship-1, via: [aleria]}}\n")
    assert found.problems == ()
    assert [(order.good, order.waits) for order in found.understood] == [
        (True, False),
        (True, False),
        (True, True),
    ]


def test_what_the_schema_says_against_them_is_said() -> None:
    found = checked(f"{BETRAYAL}  - {{moove: rome-ship-1}}\n")
    assert [problem.line for problem in found.problems] == [5]
    assert not found.understood[-1].good


@pytest.mark.parametrize("via", ["[roma]", "[carthago]"])
def test_without_a_betrayal_they_are_looked_at_at_once(via: str) -> None:
    found = checked(f"player: rome\norders:\n  - {{move: rome-ship-1, via: {via}}}\n")
    assert [problem.code for problem in found.problems] != []
    assert not found.understood[0].waits
