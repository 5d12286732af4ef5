"""A command at a time before the ledger's last entry acts as it would have at the time of that entry."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from adjudicator.engine.folder import commit
from adjudicator.engine.folder.entries import Entry, Reminded, Resumed, Sent
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import append
from adjudicator.gm import acts
from adjudicator.gm.changing import reschedule
from adjudicator.gm.playing import run_by_hand, run_if_due
from tests.engine.match_folders import begun, send_all
from tests.gm.weeks import entries, faults, last, utc

pytestmark = pytest.mark.usefixtures("nobody_reads")
SETUP = "0001-t1-setup"
MONDAY, BEFORE = utc("2026-11-23 12:00"), utc("2026-11-20 12:00")
CLOSED = utc("2026-11-26 07:00")


def held(match: Path) -> None:
    acts.hold(match, MONDAY, why="ill")


def held_and_resumed(match: Path) -> None:
    held(match)
    acts.resume(match, MONDAY, why="well")


def all_sheets_in(match: Path) -> None:
    held_and_resumed(match)
    send_all(match)


def played(match: Path) -> None:
    all_sheets_in(match)
    run_if_due(match, MONDAY)


def overdue(match: Path) -> None:
    acts.extend(match, CLOSED, MONDAY, why="snow")
    with commit.locked(match):  # an entry in a grace that is over by then
        append(Folder(match), Reminded(at=CLOSED, phase=SETUP, player="venice", message="<1@x>"))
        append(Folder(match), Sent(at=CLOSED, phase=SETUP, to="venice", message="<1@x>"))


@pytest.mark.parametrize(
    ("first", "act"),
    [
        (held, lambda match, at: acts.resume(match, at, why="well")),
        (held_and_resumed, lambda match, at: acts.absent(match, "venice", "2026-11-25..2026-11-27", at)),
        (held_and_resumed, lambda match, at: acts.extend(match, utc("2026-11-27 19:00"), at, why="snow")),
        (all_sheets_in, run_if_due),
        (all_sheets_in, run_by_hand),
        (held_and_resumed, lambda match, at: run_by_hand(match, at, deadline=True, why="all agree")),
        (overdue, lambda match, at: run_by_hand(match, at, deadline=True, why="all agree")),
        (played, lambda match, at: acts.undo(match, at, why="wrong")),
    ],
)
def test_an_act_counts_from_the_last_entry(
    lagoon: Path,
    tmp_path: Path,
    first: Callable[[Path], None],
    act: Callable[[Path, datetime], object],
) -> None:
    first(lagoon)
    then = last(lagoon).at
    other = Path(shutil.copytree(lagoon, tmp_path / "other" / "lagoon"))
    act(lagoon, BEFORE)
    act(other, then)
    assert entries(lagoon) == entries(other)
    assert faults(lagoon) == []


def test_a_match_that_is_resumed_has_the_time_it_had(lagoon: Path) -> None:
    held(lagoon)
    acts.resume(lagoon, BEFORE, why="well")
    found = last(lagoon)
    assert isinstance(found, Resumed)
    assert found.due is not None
    assert found.due >= utc("2026-11-25 19:00")


def test_a_first_schedule_counts_from_the_last_entry(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    acts.hold(match, MONDAY, why="ill")
    acts.resume(match, MONDAY, why="well")
    found = reschedule(match, {"zone": "UTC", "every": "3 days"}, BEFORE, why="weekly")
    assert found.due is not None
    assert found.due >= utc("2026-11-26 12:00")


def test_a_deadline_before_the_last_entry_is_past(lagoon: Path) -> None:
    held_and_resumed(lagoon)
    acts.extend(lagoon, utc("2026-11-30 19:00"), utc("2026-11-27 12:00"), why="snow")
    with pytest.raises(Faulty) as found:
        acts.extend(lagoon, utc("2026-11-26 19:00"), BEFORE, why="less")
    assert [each.text for each in found.value.problems] == ["2026-11-26 19:00 UTC is in the past"]


@pytest.mark.parametrize(
    "act",
    [
        lambda match, at: acts.absent(match, "venice", "2026-11-25..2026-11-27", at),
        lambda match, at: acts.extend(match, utc("2026-11-29 19:00"), at, why="snow"),
        lambda match, at: run_by_hand(match, at, deadline=True, why="all agree"),
    ],
)
def test_what_is_done_in_the_second_of_a_reminder_leaves_it_good(
    lagoon: Path, act: Callable[[Path, datetime], object]
) -> None:
    late = utc("2026-11-25 19:00")
    reminded: list[Entry] = [
        Reminded(at=late, phase=SETUP, player="venice", message="<1@x>"),
        Sent(at=late, phase=SETUP, to="venice", message="<1@x>"),
    ]
    with commit.locked(lagoon):
        append(Folder(lagoon), *reminded)
    act(lagoon, late)
    assert faults(lagoon) == []
