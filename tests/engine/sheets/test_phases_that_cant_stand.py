"""Orders for a phase that the game has but that can't have orders here: the message says why."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import game_texts, say
from adjudicator.engine.sheets.form_schema import sheet_schema
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.event import Head


def whys(game: str, phase: str, text: str) -> list[tuple[str, str]]:
    """Of what a sheet for a phase says, why it can't stand there: by key, and in words."""
    rulebook: Any = registry.rulebook(game)
    players = rulebook.tables[max(rulebook.tables)][0]
    asked = Expected(rulebook, "m", Head(1, phase, 1), players, players[0])
    sheet = read_sheet(f"player: {players[0]}\n{text}\n".encode(), asked)
    assert isinstance(sheet, Sheet)
    return [(flaw.reason.key, say(flaw.reason, game_texts(game))) for flaw in sheet.flaws]


@pytest.mark.parametrize("game", registry.OWN)
def test_a_phase_that_comes_but_once_has_no_standing_orders(game: str) -> None:
    phases = [phase for phase in registry.rulebook(game).phases if phase.verbs]
    for phase in phases:
        found = whys(game, phases[-1].name, f"standing: {{phases: {{{phase.name}: []}}}}")
        assert [key for key, _ in found] == (["comes-once"] if phase.once else [])
        assert all(text.startswith(f"{phase.name} comes only once") for _, text in found)


@pytest.mark.parametrize("game", registry.OWN)
def test_what_can_be_sent_ahead_is_the_rest_of_the_turn_and_ones_own_next_one(game: str) -> None:
    """Wherever the match stops; a form offers the same as a sheet may hold."""
    rulebook = registry.rulebook(game)
    phases = [phase for phase in rulebook.phases if phase.verbs]
    for now, here in enumerate(phases):
        offered = sheet_schema(rulebook, here)["properties"].get("later", {}).get("properties", {})
        for at, phase in enumerate(phases):
            found = whys(game, here.name, f"later: {{{phase.name}: {{orders: []}}}}")
            ahead = at > now or phase.own_turn
            assert [key for key, _ in found] == ([] if ahead else ["not-ahead"])
            assert all(text.startswith(f"{phase.name} doesn't come after") for _, text in found)
            assert (phase.name in offered) == ahead


def test_what_is_no_phase_isnt_known() -> None:
    assert [key for key, _ in whys("mediterranee", "sale", "standing: {phases: {sell: []}}")] == [
        "unknown-key"
    ]
    assert [key for key, _ in whys("mediterranee", "sale", "later: {start: {orders: []}}")] == ["unknown-key"]
