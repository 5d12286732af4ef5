"""An undo that takes several phases back is told of all of them."""

from __future__ import annotations

from pathlib import Path

from adjudicator.gm import acts
from adjudicator.gm.playing import run_if_due
from tests.gm.weeks import told, utc, week


def test_several_phases_were_taken_back(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon", stops="auction,movement")
    later = utc("2026-12-06 12:00")
    run_if_due(match, utc("2026-11-26 07:00"))
    run_if_due(match, later)
    gone = acts.undo(match, later, why="a slip").folders
    assert len(gone) > 1
    assert f"{', '.join(gone)} were taken back: a slip" in told(match)
