"""Orders sent ahead for a phase in which their player has nothing to decide:
the player is told once, and of lost pieces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from adjudicator.contract.cases import Case, position
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.resolving import play, read_given
from adjudicator.engine.match.run import run
from adjudicator.engine.table.event import Remarked
from adjudicator.rulebooks.mediterranee import RULEBOOK
from tests.engine.match_folders import at_position, report_of, send

FLEET = {"owner": "genoa", "zone": "creta", "sailors": 5, "cargo": []}
GALLEY = {"owner": "venice", "zone": "creta", "sailors": 1, "cargo": []}
ATTACK = "orders: [{attack: venice-1, with: genoa-1}]\nlater: {landing: {orders: []}}"
LATER = "orders: []\nlater: {landing: {orders: [%s]}}"


@pytest.fixture
def fight() -> Any:
    """A position in which Genoa is about to sink Venice's only galley."""
    plain = {"case": "combat", "phase": "combat", "players": ("venice", "genoa"), "expect": {}}
    galleys = {"galleys": {"genoa-1": FLEET, "venice-1": GALLEY}}
    return position(RULEBOOK, msgspec.convert({**plain, "given": galleys}, Case), ("galleys",))


def told(events: Any) -> list[tuple[str, Any]]:
    """Why orders weren't needed, and the pieces named."""
    reasons = [event.reason for event in events if isinstance(event, Remarked)]
    return [(reason.key, reason.facts.get("lost")) for reason in reasons if "later" in reason.key]


@pytest.mark.parametrize(
    ("landing", "why"),
    [
        ("{land: 1, from: venice-1}", ("later-lost", ["venice-1"])),
        ("{land: 1, from: venice-1, if: {venice-1: {there: true}}}", ("later-not-needed", None)),
        ("{land: 1, from: venice-2}", ("later-not-needed", None)),
        ("{land: 1, from: venice-2, else: [{land: 1, from: venice-1}]}", ("later-not-needed", None)),
    ],
)
def test_a_galley_lost_before_the_phase_is_named(tmp_path: Path, fight: Any, landing: str, why: Any) -> None:
    match = at_position(tmp_path / "creta", fight)
    send(match, "venice", LATER % landing)
    send(match, "genoa", ATTACK)
    run(match, throws=[6, 1])
    folder = Folder(match)
    events = [event for number in range(folder.last) for event in folder.events(number)]
    assert told(events) == [why]
    report = report_of(match, folder.phases[-1], "venice")
    assert ("because you have lost venice-1" in report) == (why[1] is not None)
    assert "your orders for landing weren't needed" in report


def test_resolve_names_it_too(fight: Any) -> None:
    sheets = {
        "venice": f"player: venice\n{LATER % '{land: 1, from: venice-1}'}".encode(),
        "genoa": f"player: genoa\n{ATTACK}".encode(),
    }
    played, _ = play(RULEBOOK, fight, read_given(RULEBOOK, fight, sheets, {}).mail, [6, 1], None)
    events = [event for phase in played for event in phase.outcome.events]
    assert told(events) == [("later-lost", ["venice-1"])]
