"""A new schedule for a running match: what it changes, what stays, and that the match replays."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import (
    Absent,
    Entry,
    PhaseOpened,
    Rescheduled,
    Undone,
    of_kind,
    standing,
)
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import deadline_in_force, entries_in, line_of
from adjudicator.gm import acts
from adjudicator.gm.changing import reschedule
from adjudicator.gm.playing import absences, run_if_due
from adjudicator.gm.situation import Now, situation
from tests.cli.calling import adjudicator
from tests.engine.match_folders import begun, send_all
from tests.gm.weeks import WEEK, entries, faults, last, told, utc

MONDAY = utc("2026-11-23 12:00")
SETUP = "0001-t1-setup"
OTHER = {"zone": "America/New_York", "at": "18:00", "every": "5 days", "days": ["fri"], "early": False}


def test_the_deadline_that_was_said_stands_and_those_to_come_follow_the_other_schedule(lagoon: Path) -> None:
    before = deadline_in_force(entries(lagoon), SETUP)
    reschedule(lagoon, OTHER, MONDAY, why="all have asked for more time")
    after = deadline_in_force(entries(lagoon), SETUP)
    assert before is not None
    assert after == before
    assert "Wednesday 2026-11-25 14:00 (America/New_York, UTC-05:00)" in told(lagoon)
    run_if_due(lagoon, utc("2026-11-26 07:00"))
    opened = last(lagoon)
    assert isinstance(opened, PhaseOpened)
    # Five days after Thursday the 26th is Tuesday; the first Friday then is the 4th, at 18:00 in New York.
    assert (opened.due, opened.closes, opened.moved) == (
        utc("2026-12-04 23:00"),
        utc("2026-12-04 23:00"),
        ("day",),
    )
    assert faults(lagoon) == []


def test_the_next_report_says_it_with_its_reason_to_everybody(lagoon: Path) -> None:
    reschedule(lagoon, OTHER, MONDAY, why="more *time*")
    for reader in ("venice", "genoa", "public"):
        text = told(lagoon, reader)
        assert "Deadlines follow a new schedule from now on" in text
        assert "every: 5 days" in text
        assert r"more \*time\*" in text


def test_early_play_and_absences_go_by_it_at_once(lagoon: Path) -> None:
    send_all(lagoon)
    assert situation(open_match(lagoon), MONDAY).now is Now.COMPLETE
    reschedule(lagoon, {**OTHER, "absence": {"times": 1, "days": 3}}, MONDAY, why="x")
    found = situation(open_match(lagoon), MONDAY)
    assert found.now is Now.EARLY
    assert found.left == {"venice": (1, 3), "genoa": (1, 3)}


def test_a_match_without_a_schedule_gets_one(tmp_path: Path) -> None:
    match = begun(tmp_path / "pond")
    reschedule(match, {"zone": "Europe/Paris", "every": "2 days"}, MONDAY, why="by the clock now")
    found = deadline_in_force(entries(match), SETUP)
    assert found is not None
    assert (found.due, found.by) == (utc("2026-11-25 19:00"), Rescheduled)
    assert "by the GM, with a new schedule" in adjudicator("due", match, "--at", "2026-11-24T12:00").output
    assert not run_if_due(match, utc("2026-11-25 18:59")).adjudicated
    assert run_if_due(match, utc("2026-11-25 19:00")).adjudicated
    assert verify(match).good


def test_one_on_hold_gets_its_deadline_when_it_is_resumed(tmp_path: Path) -> None:
    match = begun(tmp_path / "pond")
    acts.hold(match, MONDAY, why="ill")
    reschedule(match, {"every": "2 days"}, MONDAY, why="x")
    assert deadline_in_force(entries(match), SETUP) is None
    acts.resume(match, utc("2026-11-30 12:00"), why="well")
    found = deadline_in_force(entries(match), SETUP)
    assert found is not None
    assert found.due == utc("2026-12-02 20:00")


def test_what_is_taken_back_takes_no_schedule_and_no_absence_with_it(lagoon: Path) -> None:
    run_if_due(lagoon, utc("2026-11-26 07:00"))
    phase = open_match(lagoon).phases[-1]
    acts.absent(lagoon, "venice", "2026-11-29", utc("2026-11-26 08:00"))
    assert deadline_in_force(entries(lagoon), phase).by is Absent  # type: ignore[union-attr]
    reschedule(lagoon, OTHER, utc("2026-11-26 08:00"), why="x")
    acts.undo(lagoon, utc("2026-11-26 09:00"), why="again")
    kept = standing(entries(lagoon))
    assert [each.schedule for each in of_kind(kept, Rescheduled)] == [OTHER]
    assert len(absences(entries(lagoon), ["venice"])) == 1
    assert deadline_in_force(entries(lagoon), phase) is None
    # The phase that is open again is due by the schedule that holds now: Friday, at 18:00 in New York.
    assert deadline_in_force(entries(lagoon), SETUP).due == utc("2026-12-04 23:00")  # type: ignore[union-attr]
    assert situation(open_match(lagoon), utc("2026-11-26 09:00")).left == {}
    assert faults(lagoon) == []


@pytest.mark.parametrize("kind", [Absent, Rescheduled])
def test_the_deadline_that_an_entry_gave_a_phase_goes_with_it(kind: type[Absent | Rescheduled]) -> None:
    more = {"due": MONDAY, "closes": MONDAY, "moved": ("absence",), "phase": "0002-t1-auction", "why": "x"}
    own = {"player": "venice", "first": "a", "last": "b"} if kind is Absent else {"schedule": OTHER}
    entry = kind(at=MONDAY, **own, **more)
    gone = Undone(at=MONDAY, phase=SETUP, gone=("0002-t1-auction",), where="undone/0001", why="x")
    assert standing([entry, gone]) == [replace(entry, phase="", due=None, closes=None, moved=()), gone]
    assert standing([entry]) == [entry]


def test_what_cant_be_is_said_and_nothing_is_written(lagoon: Path, tmp_path: Path) -> None:
    before, file = entries(lagoon), tmp_path / "s.yaml"
    file.write_text("zone: Europe/Pari\nevery: {auctoin: 1 day}\n")
    said = adjudicator("schedule", lagoon, file, "--why", "x").output
    assert "s.yaml:1:7: SCHEDULE zone: there is no time zone Europe/Pari" in said
    assert "s.yaml:2:9: SCHEDULE there is no phase auctoin" in said
    file.write_text("every: 4 days\n")
    assert adjudicator("schedule", lagoon, file).exit_code == 2
    assert adjudicator("schedule", lagoon, "--why", "x").exit_code == 2
    assert adjudicator("schedule", lagoon, tmp_path / "none.yaml", "--why", "x").exit_code == 1
    with pytest.raises(Faulty, match="already has this schedule"):
        reschedule(lagoon, WEEK, MONDAY, why="x")
    assert entries(lagoon) == before


def test_it_is_shown_changed_in_a_file_and_given_back(lagoon: Path, tmp_path: Path) -> None:
    shown = adjudicator("schedule", lagoon).output
    file = tmp_path / "s.yaml"
    file.write_text(shown)
    assert (
        "already" in adjudicator("schedule", lagoon, file, "--why", "x", "--at", "2026-11-23T12:00Z").output
    )
    file.write_text(shown.replace("3 days", "4 days"))
    said = adjudicator("schedule", lagoon, file, "--why", "more time", "--at", "2026-11-23T12:00Z").output
    assert "is due: Wednesday 2026-11-25 20:00 (Europe/Paris" in said
    assert "every: 4 days" in adjudicator("schedule", lagoon).output
    assert "no schedule" in adjudicator("schedule", begun(tmp_path / "pond")).output


def test_an_entry_without_a_schedule_or_a_reason_is_found(lagoon: Path) -> None:
    reschedule(lagoon, OTHER, MONDAY, why="x")
    ledger = lagoon / "ledger.jsonl"
    good = ledger.read_bytes()
    for changed, said in (({"why": ""}, "needs a reason"), ({"schedule": {}}, "there is no schedule in it")):
        lines = [line_of(_changed(entry, changed)) for entry in entries_in(good, "ledger.jsonl")]
        ledger.write_bytes(b"".join(lines))
        assert any(said in each for each in faults(lagoon))


def _changed(entry: Entry, changed: dict[str, object]) -> Entry:
    return replace(entry, **changed) if isinstance(entry, Rescheduled) else entry
