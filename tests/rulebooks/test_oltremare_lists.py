"""The message about a list of cards that is too short: how many are needed and why, and how many are missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.contract.cases import Case, position
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.rulebooks.oltremare import RULEBOOK

ASKED = {
    "by": "contarini",
    "to": "dandolo",
    "give": {"ducats": 1},
    "for": {"goods": {"gem": 1, "parchment": 1}},
}
OVER = {"players": {"contarini": {"hand": ["gem-01", "gem-02", "gem-04", "gem-05", "gem-07", "gem-08"]}}}


@pytest.mark.parametrize(
    ("phase", "who", "given", "order", "said"),
    [
        (
            "voyage",
            "contarini",
            {},
            "play: [gem-01]",
            "you must play as many cards as your top card has cargo symbols, 3: name 2 more",
        ),
        (
            "voyage",
            "contarini",
            {"players": {"contarini": {"hand": ["gem-01", "gem-02"]}}},
            "play: [gem-01]",
            "you must play as many cards as your top card has cargo symbols, 3, and you have 2: get more first",
        ),
        (
            "cargo",
            "contarini",
            {"in_play": ["gem-01", "gem-02", "gem-04"]},
            "load: [gem-01, gem-02]",
            "you must load all cards that you have played, 3 in all: name 1 more",
        ),
        (
            "commerce",
            "contarini",
            OVER,
            "discard: [gem-01]",
            "your hand is over its limit by 2: name 1 more",
        ),
        (
            "answer",
            "dandolo",
            {"offers": {"contarini-1": ASKED}},
            "{accept: contarini-1, with: [gem-07]}",
            "contarini-1 asks for {gem: 1, parchment: 1}: `with` must name as many cards, 2",
        ),
    ],
)
def test_a_list_that_is_too_short_says_what_is_missing(
    phase: str, who: str, given: Mapping[str, Any], order: str, said: str
) -> None:
    case = Case(case=phase, phase=phase, given={"deck": ["..."], **given}, expect={})
    state = position(RULEBOOK, case, ("markers", "offers"))
    view = position_for(RULEBOOK, state, who)
    asked = Expected(RULEBOOK, "case", state.phase, tuple(state.players), who)
    sheet = read_sheet(f"orders:\n- {order}\nplayer: {who}\n".encode(), asked)
    assert isinstance(sheet, Sheet)
    assert [problem.text for problem in check_sheet(RULEBOOK, view, sheet).problems] == [said]
