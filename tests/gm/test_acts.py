"""The GM's acts on a match: each writes an entry with its reason, is told in the next report, and verifies."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.engine.folder.entries import Absent, Amended, Extended, PhaseOpened, Resumed
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.run import run
from adjudicator.gm import acts
from adjudicator.gm.changing import amend
from adjudicator.gm.playing import entries_of_run, run_if_due
from adjudicator.gm.situation import Now, situation
from tests.engine.match_folders import begun, said, send_all, tree
from tests.gm.weeks import entries, faults, last, told, utc

MONDAY = utc("2026-11-23 12:00")
SETUP = "0001-t1-setup"


def test_an_absence_moves_the_deadline_of_a_phase_that_waits_for_the_player(lagoon: Path) -> None:
    acts.absent(lagoon, "venice", "2026-11-25..2026-11-27", MONDAY)
    found = last(lagoon)
    assert isinstance(found, Absent)
    assert (found.due, found.moved) == (utc("2026-11-28 19:00"), ("absence",))
    assert "Venice is away from 2026-11-25 to 2026-11-27." in told(lagoon, "genoa")
    assert "Saturday 2026-11-28 20:00" in told(lagoon)
    state = situation(open_match(lagoon), MONDAY)
    assert state.left == {"venice": (1, 11), "genoa": (2, 14)}
    assert [each.player for each in state.away] == ["venice"]
    assert faults(lagoon) == []


def test_an_absence_at_another_time_moves_only_what_comes_then(lagoon: Path) -> None:
    acts.absent(lagoon, "genoa", "2026-11-29", MONDAY)
    assert "Wednesday 2026-11-25 20:00" in told(lagoon)
    run_if_due(lagoon, utc("2026-11-26 07:00"))
    opened = last(lagoon)
    assert isinstance(opened, PhaseOpened)
    assert (opened.due, opened.moved) == (utc("2026-11-30 19:00"), ("absence",))


@pytest.mark.parametrize(
    ("player", "days", "text"),
    [
        ("venise", "2026-12-01", "did you mean venice?"),
        ("venice", "2026-12-01..2026-12-20", "may be absent 2 times more, for 14 days in all; this is 20"),
        ("venice", "2026-12-02..2026-12-01", "ends before it begins"),
        ("venice", "2026-02-30", "isn't a day"),
        ("venice", "christmas", "isn't a day"),
        ("venice", "2026-11-01..2026-11-22", "is in the past"),
    ],
)
def test_an_absence_that_cannot_be_is_said(lagoon: Path, player: str, days: str, text: str) -> None:
    before = tree(lagoon)
    with pytest.raises(Faulty) as faulty:
        acts.absent(lagoon, player, days, MONDAY)
    assert text in said(faulty)
    assert tree(lagoon) == before


def test_more_absences_than_are_allowed_are_refused_until_somebody_else_plays(lagoon: Path) -> None:
    for day in ("2026-12-01", "2026-12-03"):
        acts.absent(lagoon, "venice", day, MONDAY)
    with pytest.raises(Faulty):
        acts.absent(lagoon, "venice", "2026-12-05", MONDAY)
    acts.replace(lagoon, "venice", "", MONDAY, why="gone")
    acts.absent(lagoon, "venice", "2026-12-05", MONDAY)
    assert faults(lagoon) == []


def test_a_deadline_is_put_off(lagoon: Path) -> None:
    acts.extend(lagoon, utc("2026-11-30 19:00"), MONDAY, why="mail  was\ndown")
    found = last(lagoon)
    assert found == Extended(
        at=MONDAY,
        phase=SETUP,
        due=utc("2026-11-30 19:00"),
        closes=utc("2026-12-01 07:00"),
        why="mail was down",
    )
    assert "put off to Monday 2026-11-30 20:00 (Europe/Paris, UTC+01:00): mail was down" in told(lagoon)
    assert "put off to Monday 2026-11-30 14:00 (America/New\\_York" in told(lagoon, "genoa").replace(
        "New_York", "New\\_York"
    )
    assert not run_if_due(lagoon, utc("2026-11-30 19:00")).adjudicated
    assert run_if_due(lagoon, utc("2026-12-01 07:00")).adjudicated
    assert "mail was down" in told(lagoon)
    run_if_due(lagoon, utc("2026-12-10 07:00"))
    assert "mail was down" not in told(lagoon)
    assert faults(lagoon) == []


def test_a_match_on_hold_goes_on_with_the_time_that_was_left(lagoon: Path) -> None:
    send_all(lagoon)
    acts.hold(lagoon, utc("2026-11-24 19:00"), why="ill")
    assert "the match is on hold (ill)" in told(lagoon)
    assert not run_if_due(lagoon, utc("2027-11-24 19:00")).adjudicated
    assert situation(open_match(lagoon), utc("2027-11-24 19:00")).now is Now.HELD
    acts.resume(lagoon, utc("2026-12-01 19:30"), why="well")
    found = last(lagoon)
    assert isinstance(found, Resumed)
    assert found.due == utc("2026-12-03 19:00")
    assert "The match goes on: well" in told(lagoon)
    assert run_if_due(lagoon, utc("2026-12-01 19:31")).adjudicated
    assert faults(lagoon) == []


def test_a_phase_opened_while_the_match_is_on_hold_is_due_from_when_it_goes_on(lagoon: Path) -> None:
    send_all(lagoon)
    acts.hold(lagoon, MONDAY, why="ill")
    run(lagoon, keep=entries_of_run(utc("2026-11-24 12:00")))
    assert last(lagoon) == PhaseOpened(at=utc("2026-11-24 12:00"), phase="0002-t1-auction")
    acts.resume(lagoon, utc("2026-12-01 12:00"), why="well")
    found = last(lagoon)
    assert isinstance(found, Resumed)
    assert found.due == utc("2026-12-04 19:00")


def test_somebody_else_plays(lagoon: Path) -> None:
    acts.replace(lagoon, "genoa", "new@example.org", MONDAY, why="three sheets missed")
    secrets = open_match(lagoon).secrets()
    assert secrets is not None
    assert secrets.addresses == {"venice": "venice@example.org", "genoa": "new@example.org"}
    assert secrets.zones == {}
    assert "Somebody else plays Genoa from now on: three sheets missed" in told(lagoon)
    assert "new@example.org" not in (lagoon / "ledger.jsonl").read_text()
    assert "Europe/Paris" in told(lagoon, "genoa")
    assert faults(lagoon) == []


def test_a_phase_taken_back_is_due_anew_and_its_old_sheets_do_not_play_it_at_once(lagoon: Path) -> None:
    send_all(lagoon)
    run_if_due(lagoon, MONDAY)
    tuesday = utc("2026-11-24 12:00")
    acts.undo(lagoon, tuesday, why="a slip")
    opened = last(lagoon)
    assert isinstance(opened, PhaseOpened)
    assert (opened.phase, opened.due) == (SETUP, utc("2026-11-27 19:00"))
    assert "0002-t1-auction was taken back, and 0001-t1-setup is open again: a slip" in told(lagoon)
    assert not run_if_due(lagoon, tuesday).adjudicated
    assert faults(lagoon) == []
    run(lagoon, keep=entries_of_run(utc("2026-11-25 12:00")))
    assert faults(lagoon) == []
    assert not run_if_due(lagoon, utc("2026-11-25 12:00")).adjudicated


@pytest.mark.parametrize(
    "act",
    [
        lambda match, why: acts.extend(match, utc("2026-11-30 19:00"), MONDAY, why=why),
        lambda match, why: acts.hold(match, MONDAY, why=why),
        lambda match, why: acts.replace(match, "genoa", "", MONDAY, why=why),
        lambda match, why: acts.undo(match, MONDAY, why=why),
        lambda match, why: amend(match, MONDAY, why=why),
    ],
)
@pytest.mark.parametrize("why", ["", " \n", "x" * 301, "bell\a"])
def test_what_is_done_by_hand_needs_a_reason(
    lagoon: Path, act: Callable[[Path, str], object], why: str
) -> None:
    before = tree(lagoon)
    with pytest.raises(Faulty) as faulty:
        act(lagoon, why)
    assert "say why" in said(faulty)
    assert faulty.value.misused
    assert tree(lagoon) == before


def test_a_reason_is_told_as_it_was_written(lagoon: Path) -> None:
    acts.hold(lagoon, MONDAY, why="<script>alert(1)</script> *snow* [x](y)")
    assert "The match was put on hold: \\<script>alert(1)\\</script> \\*snow\\* [x\\](y)" in told(lagoon)


def test_what_cannot_be_done_now_is_said(lagoon: Path) -> None:
    for act, text in (
        (lambda: acts.extend(lagoon, utc("2026-11-01 19:00"), MONDAY, why="x"), "is in the past"),
        (lambda: acts.resume(lagoon, MONDAY, why="x"), "isn't on hold"),
        (lambda: acts.replace(lagoon, "spain", "a@b.c", MONDAY, why="x"), "no player spain"),
        (lambda: acts.replace(lagoon, "genoa", "nobody", MONDAY, why="x"), "isn't a mail address"),
        (lambda: acts.undo(lagoon, MONDAY, why="x"), "nothing to take back"),
        (lambda: amend(lagoon, MONDAY, why="x"), "nothing was changed"),
    ):
        with pytest.raises(Faulty) as faulty:
            act()
        assert text in said(faulty)
    acts.hold(lagoon, MONDAY, why="x")
    for act, text in (
        (lambda: acts.hold(lagoon, MONDAY, why="x"), "is on hold already"),
        (lambda: acts.extend(lagoon, utc("2026-11-30 19:00"), MONDAY, why="x"), "resume it first"),
    ):
        with pytest.raises(Faulty) as faulty:
            act()
        assert text in said(faulty)
    assert len(entries(lagoon)) == 2


# -- by hand ---------------------------------------------------------------------------------------------------------


def edit(match: Path, old: str, new: str) -> None:
    path = match / open_match(match).phases[-1] / "state.yaml"
    text = path.read_text()
    assert re.search(old, text)
    path.write_text(re.sub(old, new, text, count=1))


def test_a_hand_edit_is_recorded_and_done_again(lagoon: Path) -> None:
    send_all(lagoon)
    run_if_due(lagoon, MONDAY)
    edit(lagoon, "treasury: [0-9]+", "treasury: 1700")
    assert any("edited by hand" in fault for fault in faults(lagoon))
    entry = amend(lagoon, MONDAY, why="a wrong booking")
    assert [change.path[-1] for change in entry.changes] == ["treasury"]
    said = "The GM has changed the position of 0002-t1-auction by hand"
    change = re.escape("players.venice.treasury: ") + "[0-9]+, now 1700"
    assert re.search(rf"{said} \({change}\): a wrong booking", told(lagoon))
    for reader in ("genoa", "public"):
        assert f"{said} (something that you may not know): a wrong booking" in told(lagoon, reader)
    assert faults(lagoon) == []
    edit(lagoon, "treasury: 1700", "treasury: 1900")
    assert any("edited by hand" in fault for fault in faults(lagoon))
    assert [change.was for change in amend(lagoon, MONDAY, why="not seven").changes] == [1700]
    assert faults(lagoon) == []
    send_all(lagoon)
    run_if_due(lagoon, MONDAY)
    assert "not seven" in told(lagoon)
    assert faults(lagoon) == []
    acts.undo(lagoon, MONDAY, why="once more")
    assert faults(lagoon) == []
    acts.undo(lagoon, MONDAY, why="once more")
    send_all(lagoon)
    run(lagoon, keep=entries_of_run(MONDAY))
    assert faults(lagoon) == []  # what was taken back with the change is played without it


def test_a_match_without_a_schedule_can_be_amended_too(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    edit(match, "treasury: [0-9]+", "treasury: 1700")
    amend(match, MONDAY, why="a gift")
    assert faults(match) == []
    send_all(match)
    run(match, keep=entries_of_run(MONDAY))
    assert faults(match) == []
    assert isinstance(entries(match)[0], Amended)
    assert "a gift" in told(match)


def test_what_other_papers_say_too_is_not_changed_by_hand(lagoon: Path) -> None:
    edit(lagoon, "chain: .*", f'chain: "{"0" * 64}"')
    with pytest.raises(Faulty):
        amend(lagoon, MONDAY, why="x")
