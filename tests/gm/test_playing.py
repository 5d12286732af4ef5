"""A match run by the clock: a complete phase is played, an overdue one is closed, any other is left alone."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from adjudicator.engine.folder.entries import Closed, PhaseOpened
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.match.run import run
from adjudicator.gm import acts
from adjudicator.gm.playing import entries_of_run, run_by_hand, run_if_due
from adjudicator.gm.situation import Now, situation
from tests.cli.calling import adjudicator as call
from tests.engine.match_folders import begun, send, send_all, tree
from tests.gm.weeks import WEEK, entries, faults, last, told, utc, week

DUE, CLOSES = utc("2026-11-25 19:00"), utc("2026-11-26 07:00")
SETUP = "0001-t1-setup"


def now(match: Path, at: str) -> Now:
    return situation(open_match(match), utc(at)).now


def test_a_match_begins_with_its_deadline_in_the_readers_zones(lagoon: Path) -> None:
    assert entries(lagoon) == (PhaseOpened(at=utc("2026-11-22 12:00"), phase=SETUP, due=DUE, closes=CLOSES),)
    assert "Wednesday 2026-11-25 20:00 (Europe/Paris, UTC+01:00)" in told(lagoon)
    assert "Wednesday 2026-11-25 14:00 (America/New_York, UTC-05:00)" in told(lagoon, "genoa")
    assert "20:00 (Europe/Paris" in told(lagoon, "public")
    assert "14:00 (America/New" in (lagoon / SETUP / "for/genoa/sheet.yaml").read_text()
    assert faults(lagoon) == []


def test_a_calendar_file_goes_to_whoever_is_due(lagoon: Path) -> None:
    file = lagoon / SETUP / "for/venice/due.ics"
    lines = file.read_bytes().decode().split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert {"METHOD:PUBLISH", "SEQUENCE:0", "DTSTART:20261125T190000Z", "DTSTAMP:20261122T120000Z"} < {*lines}
    assert not (lagoon / SETUP / "for/public/due.ics").exists()
    uid = next(line for line in lines if line.startswith("UID:"))
    acts.extend(lagoon, utc("2026-11-27 19:00"), utc("2026-11-23 12:00"), why="snow")
    after = file.read_bytes().decode().split("\r\n")
    assert {uid, "SEQUENCE:1", "DTSTART:20261127T190000Z"} < {*after}
    acts.hold(lagoon, utc("2026-11-24 12:00"), why="ill")
    assert "BEGIN:VALARM" in after and "TRIGGER:-PT12H" in after
    held = file.read_bytes().decode().split("\r\n")
    assert {uid, "SEQUENCE:2", "STATUS:CANCELLED"} < {*held} and "BEGIN:VALARM" not in held
    assert all(len(line.encode()) <= 75 for line in lines)


def test_until_the_deadline_it_waits_and_after_the_grace_it_closes(lagoon: Path) -> None:
    before = tree(lagoon)
    for at in ("2026-11-22 12:00", "2026-11-25 18:59:59", "2026-11-25 19:00", "2026-11-26 06:59:59"):
        assert not run_if_due(lagoon, utc(at)).adjudicated
    assert tree(lagoon) == before
    assert now(lagoon, "2026-11-25 18:59:59") is Now.RUNNING
    assert now(lagoon, "2026-11-25 19:00") is Now.LATE
    assert now(lagoon, "2026-11-26 07:00") is Now.OVERDUE
    assert run_if_due(lagoon, CLOSES).adjudicated == (SETUP,)
    closed, opened = entries(lagoon)[1:]
    assert closed == Closed(at=CLOSES, phase=SETUP, by="deadline", missing=("venice", "genoa"))
    assert isinstance(opened, PhaseOpened)
    assert opened.due == utc("2026-11-29 19:00")
    assert faults(lagoon) == []


def test_what_is_complete_is_played_at_once(lagoon: Path) -> None:
    send_all(lagoon)
    assert run_if_due(lagoon, utc("2026-11-23 12:00")).adjudicated == (SETUP,)
    assert entries(lagoon)[1] == Closed(at=utc("2026-11-23 12:00"), phase=SETUP, by="sheets", early=True)
    assert faults(lagoon) == []


def test_or_not_before_the_deadline_if_the_schedule_says_so(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon", {**WEEK, "early": False})
    send_all(match)
    assert now(match, "2026-11-25 18:59:59") is Now.EARLY
    assert not run_if_due(match, utc("2026-11-25 18:59:59")).adjudicated
    assert run_if_due(match, utc("2026-11-25 19:00")).adjudicated == (SETUP,)
    assert entries(match)[1] == Closed(at=utc("2026-11-25 19:00"), phase=SETUP, by="sheets")
    assert faults(match) == []


def test_the_gm_may_close_a_phase_before_its_time(lagoon: Path) -> None:
    send(lagoon, "venice")
    run(lagoon, deadline=True, keep=entries_of_run(utc("2026-11-23 12:00"), why="all agree"))
    assert entries(lagoon)[1] == Closed(
        at=utc("2026-11-23 12:00"), phase=SETUP, by="gm", missing=("genoa",), early=True, why="all agree"
    )
    assert "The GM has closed 0001-t1-setup before its time: all agree" in told(lagoon)
    assert faults(lagoon) == []


def test_who_misses_sheets_in_a_row_is_told_and_the_seat_is_open(lagoon: Path) -> None:
    send(lagoon, "genoa")
    run_if_due(lagoon, CLOSES)
    seats = situation(open_match(lagoon), CLOSES).missed_in_a_row
    assert [(seat.player, seat.missed, seat.warned, seat.open) for seat in seats] == [
        ("venice", 1, True, False)
    ]
    at = utc("2026-11-30 07:00")
    run_if_due(lagoon, at)
    seats = situation(open_match(lagoon), at).missed_in_a_row
    assert [(seat.player, seat.missed, seat.open) for seat in seats] == [
        ("venice", 2, True),
        ("genoa", 1, False),
    ]
    acts.replace(lagoon, "venice", "new@example.org", at, why="gone")
    assert [seat.player for seat in situation(open_match(lagoon), at).missed_in_a_row] == ["genoa"]
    assert faults(lagoon) == []


def test_a_sheet_ends_the_row(lagoon: Path) -> None:
    run_if_due(lagoon, CLOSES)
    send_all(lagoon)
    run_if_due(lagoon, utc("2026-11-27 12:00"))
    assert situation(open_match(lagoon), utc("2026-11-27 12:00")).missed_in_a_row == ()


def test_without_a_schedule_a_match_is_played_when_complete_and_keeps_no_ledger(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    assert not run_if_due(match, utc("2026-11-23 12:00")).adjudicated
    send_all(match)
    assert run_if_due(match, utc("2026-11-23 12:00")).adjudicated
    assert not (match / "ledger.jsonl").exists()
    assert now(match, "2036-11-23 12:00") is Now.RUNNING


def test_a_question_that_waits_has_the_deadline_of_its_phase(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon", pacing="live")
    at = CLOSES
    for _ in range(12):
        run_if_due(match, at)
        at = getattr(last(match), "closes", None) or at
        if open_match(match).head(open_match(match).last).over:
            break
    assert faults(match) == []


@pytest.mark.parametrize(
    "answer", ["answers: []", "answers: [", "answers: [{seat: 9}]", "answers: [{grant: 1}]"]
)
def test_an_answer_that_is_none_keeps_no_phase_open(tmp_path: Path, answer: str) -> None:
    match = week(tmp_path / "lagoon", pacing="live", stops="all")
    run_by_hand(match, utc("2026-11-22 12:30"), deadline=True)
    for player, bid in (("venice", 200), ("genoa", 100)):
        sheet = match / "0002-t1-auction" / "sheets" / f"{player}.yaml"
        sheet.write_text(f"player: {player}\norders:\n  - bid: {bid}\n")
    run_if_due(match, utc("2026-11-22 14:00"))
    assert situation(open_match(match), utc("2026-11-22 14:00")).waiting == "venice"
    (match / "0002-t1-auction" / "answers" / "venice.yaml").write_text(f"player: venice\n{answer}\n")
    assert not run_if_due(match, utc("2026-11-22 15:00")).adjudicated
    assert not run_if_due(match, CLOSES - timedelta(minutes=1)).adjudicated
    assert run_if_due(match, CLOSES).adjudicated == ("0002-t1-auction",)
    assert faults(match) == []


def test_a_whole_match_goes_by_without_a_sheet_and_its_ledger_tells_it_elsewhere(lagoon: Path) -> None:
    while not (match := Folder(lagoon)).head(match.last).over:
        ahead = last(lagoon)
        assert isinstance(ahead, PhaseOpened)
        assert ahead.closes is not None
        assert run_if_due(lagoon, ahead.closes).adjudicated
    assert not run_if_due(lagoon, utc("2040-01-01 00:00")).adjudicated
    assert now(lagoon, "2040-01-01 00:00") is Now.OVER
    assert faults(lagoon) == []
    opened = [entry.phase for entry in entries(lagoon) if isinstance(entry, PhaseOpened)]
    closed = [entry.phase for entry in entries(lagoon) if isinstance(entry, Closed)]
    assert {*opened} <= {*closed}


@pytest.mark.parametrize("moment", ["2026-12-24 19:00", "2026-12-21 07:00"])
def test_deadlines_keep_off_holidays(lagoon: Path, moment: str) -> None:
    run_if_due(lagoon, utc(moment))
    opened = last(lagoon)
    assert isinstance(opened, PhaseOpened)
    assert opened.due is not None
    assert opened.due.date().isoformat() in ("2027-01-03", "2026-12-24") or opened.moved == ("holiday",)
    assert not "2026-12-24" <= opened.due.date().isoformat() <= "2027-01-02"


def test_the_command_that_closes_a_phase_says_who_has_missed_sheets(lagoon: Path) -> None:
    first = call("run", lagoon, "--if-due", "--at", "2026-11-26T07:00Z").output
    assert "Missed: venice, 1 sheet in a row." in first
    second = call("run", lagoon, "--if-due", "--at", "2026-11-30T07:00Z").output
    assert "Missed: venice, 2 sheets in a row; somebody else may take the seat (see replace)." in second
    send_all(lagoon)
    assert "Missed" not in call("run", lagoon, "--if-due", "--at", "2026-12-01T07:00Z").output
