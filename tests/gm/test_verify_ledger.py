"""`verify` finds every change of a ledger, and each entry that doesn't fit its match."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from adjudicator.engine.folder import commit
from adjudicator.engine.folder.entries import (
    Absent,
    Closed,
    Entry,
    Fetched,
    HeldUp,
    Reminded,
    Sent,
    Taken,
    Undone,
)
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import append
from adjudicator.gm import acts
from adjudicator.gm.playing import run_if_due
from tests.engine.match_folders import send, send_all
from tests.gm.weeks import faults, utc

MONDAY = utc("2026-11-23 12:00")
SETUP = "0001-t1-setup"


@pytest.fixture(scope="module")
def played_once(first_week: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    match = Path(shutil.copytree(first_week, tmp_path_factory.mktemp("played") / "lagoon"))
    send_all(match)
    acts.hold(match, MONDAY, why="ill")
    acts.resume(match, MONDAY, why="well")
    run_if_due(match, MONDAY)
    assert faults(match) == []
    return match


@pytest.fixture
def played(played_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played_once, tmp_path / "lagoon"))


@pytest.mark.parametrize("line", range(5))
@pytest.mark.parametrize("how", ["gone", "other"])
def test_what_the_last_reports_told_of_the_gms_acts_stays(
    line: int, how: str, first_week: Path, tmp_path: Path
) -> None:
    """Before the next phase is opened as well, when the chain doesn't hold these lines yet."""
    match = Path(shutil.copytree(first_week, tmp_path / "lagoon"))
    acts.absent(match, "venice", "2026-11-25", MONDAY, why="away")
    acts.hold(match, MONDAY, why="ill")
    acts.resume(match, MONDAY, why="well")
    acts.extend(match, utc("2026-11-28 19:00"), MONDAY, why="snow")
    assert faults(match) == []
    lines = (match / "ledger.jsonl").read_bytes().splitlines(keepends=True)
    assert len(lines) == 5
    lines[line] = b"" if how == "gone" else lines[line].replace(b'"at":"2026', b'"at":"2025')
    (match / "ledger.jsonl").write_bytes(b"".join(lines))
    assert faults(match) != []
