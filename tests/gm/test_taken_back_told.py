"""Reports tell all phases that an undo takes back."""

from __future__ import annotations

from pathlib import Path

from adjudicator.engine.folder.folder import Folder
from adjudicator.gm import acts
from adjudicator.gm.playing import run_if_due
from tests.engine.match_folders import send_all
from tests.gm.weeks import told, utc, week


def test_several_phases_were_taken_back(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon", stops="auction,movement")
    later = utc("2026-12-06 12:00")
    run_if_due(match, utc("2026-11-26 07:00"))
    run_if_due(match, later)
    gone = acts.undo(match, later, why="a slip").folders
    assert len(gone) > 1
    assert f"{', '.join(gone)} were taken back, and {Folder(match).phases[-1]} is open again: a slip" in told(
        match
    )


def test_a_phase_that_is_played_again_isnt_called_taken_back(lagoon: Path) -> None:
    """Nobody reads that the phase was taken back for which a sheet is asked in the next line."""
    run_if_due(lagoon, utc("2026-11-26 07:00"))
    gone = Folder(lagoon).phases[-1]
    acts.undo(lagoon, utc("2026-11-26 08:00"), why="a slip")
    assert "this one is open once more" in told(lagoon)
    send_all(lagoon)
    run_if_due(lagoon, utc("2026-12-01 08:00"))
    assert Folder(lagoon).phases[-1] == gone
    report = told(lagoon)
    assert "**A phase was taken back and played again.**" in report
    assert "open once more.**" not in report
    assert f"{gone} was taken back, and 0001-t1-setup is open again: a slip" in report
    assert report.index("taken back and") < report.index("**Decide: your")
