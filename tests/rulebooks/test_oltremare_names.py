"""`drawn-1` and `got-1` name cards among the orders of one phase: a check agrees with the run about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import expected_in, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.event import OrderRefused
from adjudicator.rulebooks.oltremare import RULEBOOK
from adjudicator.rulebooks.oltremare.board import CARDS


@pytest.fixture
def opened(tmp_path: Path) -> Path:
    """A match without talks, so that a turn's phases follow each other at once; the first turn is open."""
    players, options = ("contarini", "dandolo", "grimani"), {"pages": "off", "talks": "0"}
    begin("oltremare", tmp_path / "m", players, options=options, seed_text="calm")
    return tmp_path / "m"


def sheet_of(match: Folder, orders: str) -> tuple[str, str]:
    """Whose turn it is, and that player's sheet; `NAMED` in it are as many cards as must be played, `drawn-1` first."""
    state = match.state(match.last)
    player = state.phase.due[0]
    seat = state.players[player]
    count = CARDS[seat.cargo[-1].value].cargo
    named = ["drawn-1", *(card.value for card in seat.hand)][:count]
    assert len(named) == count
    return player, f"player: {player}\n{orders.replace('NAMED', ', '.join(named))}\n"


def faults_of_the_check(match: Folder, player: str, text: str) -> list[str]:
    """Why the player's own check finds orders not good, by key."""
    state = match.state(match.last)
    asked = expected_in(RULEBOOK, state, player)
    sheet = read_sheet(text.encode(), asked)
    assert isinstance(sheet, Sheet)
    found = check_sheet(RULEBOOK, position_for(RULEBOOK, state, player), sheet)
    return [each.reason.key for each in found.said if each.severity != "warning"]


def faults_of_the_run(path: Path, player: str, text: str) -> list[str]:
    """Why the run refuses orders, by key."""
    folder = path / "0001-t1-commerce" / "sheets"
    folder.mkdir(exist_ok=True)
    (folder / f"{player}.yaml").write_text(text, encoding="utf-8")
    run(path)
    match = Folder(path)
    events = [event for number in range(match.last) for event in match.events(number)]
    return [event.reason.key for event in events if isinstance(event, OrderRefused)]


@pytest.mark.parametrize(
    ("orders", "faults"),
    [
        ("orders: [{buy: deck}, {then: sail}, {play: [NAMED]}]", []),
        (
            "orders: [{buy: deck}, {then: sail}]\nlater: {voyage: {orders: [{play: [NAMED]}]}}",
            ["not-in-hand"],
        ),
        ("orders: []\nlater: {voyage: {orders: [{buy: deck}, {play: [NAMED]}]}}", []),
        ("orders: [{buy: deck}]\nlater: {voyage: {orders: [{play: [NAMED]}]}}", ["not-in-hand"]),
        (
            "orders: [{buy: deck}]\nlater: {voyage: {orders: [{buy: deck, times: 2}, {play: [NAMED]}]}}",
            [],
        ),
        ("orders: [{buy: deck}]\nstanding: {phases: {voyage: [{play: [NAMED]}]}}", ["not-in-hand"]),
    ],
)
def test_a_name_holds_among_the_orders_of_one_phase(opened: Path, orders: str, faults: list[str]) -> None:
    match = Folder(opened)
    player, text = sheet_of(match, orders)
    assert faults_of_the_check(match, player, text) == faults
    assert faults_of_the_run(opened, player, text) == faults
