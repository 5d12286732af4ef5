"""A check of standing orders and of sheets without orders: when they count, and which of two comes first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from adjudicator.contract.cases import Case, position
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.library import registry
from adjudicator.engine.match.sheet_checks import look_at_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import Expected, expected_in
from tests.engine.match_folders import begun, run, send_all

ROME = registry.rulebook("rome-carthage")
CHEAPEST = "spy: cheapest"
OF_SPIES = "phases: {spy: [{spy: roma, cards: [hearts-8, hearts-4]}]}"


def of_rome(text: str, standing: dict[str, Any] | None = None) -> list[str]:
    """What a check says of Rome's standing instructions, beside those in force."""
    four = ("rome", "constantinople", "alexandria", "carthage")
    plain: dict[str, Any] = {"case": "turn", "phase": "turn", "players": four, "options": {"first": "rome"}}
    state = position(ROME, msgspec.convert({**plain, "expect": {}}, Case), ("pieces",))
    rome = state.players["rome"]
    held = msgspec.convert(standing or {}, type(rome.standing.value))
    seats = {**state.players, "rome": replace(rome, standing=type(rome.standing)(held))}
    view = position_for(ROME, replace(state, players=seats), "rome")
    asked = Expected(ROME, state.match, state.phase, four, "rome")
    found = look_at_sheet(f"player: rome\norders: []\n{text}".encode(), asked, view, "view.yaml").problems
    return [f"{each.line}: {each.text}" for each in found if "never used" in each.text]


@pytest.mark.parametrize(
    ("text", "standing", "line"),
    [
        (f"standing: {{{CHEAPEST}, {OF_SPIES}}}", {}, 3),
        (f"standing: {{{OF_SPIES}}}", {"spy": "cheapest"}, 3),
        (f"standing: {{{CHEAPEST}}}", {"phases": {"spy": []}}, 3),
        (f"standing: {{{OF_SPIES}}}", {}, None),
        (f"standing: {{spy: ask, {OF_SPIES}}}", {"spy": "cheapest"}, None),
        (f"standing: {{{CHEAPEST}, phases: {{fight: []}}}}", {"phases": {"spy": []}}, None),
        ("standing: {draw: agree}", {"spy": "cheapest", "phases": {"spy": []}}, None),
    ],
)
def test_a_setting_that_answers_all_of_a_phase_leaves_its_orders_idle(
    text: str, standing: dict[str, Any], line: int | None
) -> None:
    found = of_rome(text, standing)
    assert [each.split(":")[0] for each in found] == ([str(line)] if line else [])


def said(match: Path, player: str, text: str) -> tuple[list[str], list[str]]:
    """What `check` says of a player's sheet for the open phase: how it was understood, and what is wrong."""
    folder = Folder(match)
    state = folder.state(folder.last)
    asked = expected_in(folder.rulebook, state, player)
    view = position_for(folder.rulebook, state, player)
    found = look_at_sheet(f"player: {player}\n{text}".encode(), asked, view, "view.yaml")
    return [line.split(": ", 1)[1] for line in found.lines], [each.text for each in found.problems]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("orders: []", "no orders: the rules decide everything for venice (MED-0)"),
        (
            "standing: {prices: []}",
            "no `orders` yet, so the match still waits for venice: write orders of this phase below `orders:` (place); "
            "`orders: []` lets the rules decide everything (MED-0)",
        ),
    ],
)
def test_set_up_isnt_passed(lagoon: Path, text: str, wanted: str) -> None:
    lines, problems = said(lagoon, "venice", text)
    assert wanted in [*lines, *problems]


def test_standing_orders_of_the_due_phase_itself_wait_for_orders_beside_them(lagoon: Path) -> None:
    send_all(lagoon)
    run(lagoon)
    phases = "standing: {phases: {auction: [{bid: 100}]}}"
    lines, _ = said(lagoon, "venice", phases)
    assert any("auction, done: " in each and "{bid: 100}" in each for each in lines), (
        "at a deadline they are what is carried out"
    )
    assert any("the match still waits" in each for each in lines)
    lines, _ = said(lagoon, "venice", f"orders: []\n{phases}")
    assert any("for the next time" in each for each in lines)
    assert not any(
        "for the next time" in each for each in said(lagoon, "venice", f"orders: [{{bid: 9}}]\n{phases}")[0]
    )


def test_set_up_comes_once_and_takes_no_standing_orders(lagoon: Path) -> None:
    _, problems = said(
        lagoon, "venice", "orders: []\nstanding: {phases: {setup: [{place: 4, to: venice-1}]}}"
    )
    assert any(
        "setup comes only once in a match, so it can't have standing orders; possible: auction" in each
        for each in problems
    )


def test_who_isnt_due_is_told_that_what_is_sent_ahead_counts(tmp_path: Path) -> None:
    pond = begun(tmp_path / "pond", pacing="live")
    send_all(pond)
    run(pond)
    send_all(pond)
    run(pond)
    ahead = "later: {combat: {orders: []}}"
    other = next(player for player in ("venice", "genoa") if player not in Folder(pond).state(3).phase.due)
    lines, problems = said(pond, other, ahead)
    assert lines == [
        f"standing instructions and orders for later phases alone; no orders are asked of {other} now"
    ]
    _, problems = said(pond, other, f"orders: [{{build: {other}-3}}]\n{ahead}")
    assert any(
        "its orders have no effect, its standing instructions and `later` count" in each for each in problems
    )


def test_who_isnt_due_in_the_open_phase_hears_of_standing_orders_for_it() -> None:
    four = ("venice", "genoa", "spain", "turkey")
    rulebook = registry.rulebook("mediterranee")
    plain: dict[str, Any] = {"case": "combat", "phase": "combat", "players": four}
    state = position(rulebook, msgspec.convert({**plain, "expect": {}}, Case), ("pieces",))
    state = replace(state, phase=replace(state.phase, due=("venice", "genoa", "turkey")))
    asked = Expected(rulebook, state.match, state.phase, four, "spain")
    text = "player: spain\nstanding:\n  phases:\n    combat: [{attack: venice-1, with: spain-1}, {attak: venice-2}]\n"
    view = position_for(rulebook, state, "spain")
    found = look_at_sheet(text.encode(), asked, view, "view.yaml")
    assert any("attack: venice-1, with: spain-1" in line for line in found.lines), found.lines
    assert ["attak" in each.text for each in found.problems].count(True) == 1, "a fault is said once"
