"""What the page says when too little is left: the very sentence of `check`, with one of a thing in the singular."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from adjudicator.contract.texts import facts_named
from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import game_texts, say, words
from adjudicator.engine.report.page_scripts import FILLED_IN, words_of_reason
from adjudicator.engine.table.reason import Reason
from tests.browser.looking import Desk, answers, desk_of
from tests.browser.written_phases import phases_of, state_of

ORDER = {"place": 3, "to": "venice-1"}
FILLED = {"field": "place", "value": 3, "possible": "–"}
"""What the page fills in for that order, beside how much is left."""


@pytest.fixture(scope="module")
def desk() -> Desk:
    """A phase with a short order. Only its form matters here, not what it takes."""
    state = state_of("mediterranee", phases_of("mediterranee").phases[0])
    return desk_of(registry.rulebook("mediterranee"), state, state.phase.due[0])


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("game", registry.OWN)
def test_the_page_counts_as_the_program_does(bare: Page, desk: Desk, game: str, number: int) -> None:
    """Every text of a game might be that of a limit: an order takes three where only so many are left."""
    texts, expected = game_texts(game), []
    limits: dict[str, list[Any]] = {}
    for key, text in words(texts)["reasons"].items():
        if key == "mean":  # a part of other texts
            continue
        given = {name: number for name in facts_named(text) if name not in (*FILLED_IN, "mean")}
        limits[key] = [number, *words_of_reason(Reason("X-1", key, given), texts, given), given]
        expected.append(say(Reason("X-1", key, {**given, **FILLED, "most": number}), texts))
    phase = desk.view.phase.name
    (said,) = answers(
        bare,
        desk,
        [{"orders": [ORDER]}],
        limits={phase: limits},
        about={phase: {"place": {"uses": [{"what": key, "times": 3} for key in limits]}}},
    )
    assert [problem["words"] for problem in said["orders"][0]["problems"]] == expected
