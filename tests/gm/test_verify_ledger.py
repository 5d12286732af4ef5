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
def test_a_line_that_is_gone_changed_or_new_is_found(played: Path, line: int) -> None:
    path = played / "ledger.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 5
    for changed in (
        [*lines[:line], *lines[line + 1 :]],
        [
            *lines[:line],
            lines[line].replace(b"ill", b"I").replace(b"12:00:00", b"12:00:01"),
            *lines[line + 1 :],
        ],
        [*lines[:line], lines[0], *lines[line:]],
    ):
        path.write_bytes(b"".join(changed))
        assert faults(played), changed
    path.write_bytes(b"".join(lines))
    assert faults(played) == []


def test_a_ledger_that_is_gone_is_found(played: Path) -> None:
    (played / "ledger.jsonl").unlink()
    assert any("tampered with" in fault for fault in faults(played))


def test_a_ledger_that_cannot_be_read_is_told_by_its_line(played: Path) -> None:
    with (played / "ledger.jsonl").open("ab") as file:
        file.write(b"oops\n")
    assert any("isn't an entry" in fault for fault in faults(played))


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (Closed(at=MONDAY, phase=SETUP, by="gm"), "when its sheets were in"),
        (Closed(at=MONDAY, phase=SETUP, by="deadline"), "wasn't overdue"),
        (Closed(at=MONDAY, phase=SETUP, by="sheets"), "closed before its deadline"),
        (Closed(at=MONDAY, phase="0002-t1-auction", by="sheets", early=True), "wasn't adjudicated"),
        (Closed(at=MONDAY, phase="0009-t9-auction", by="sheets"), "there is no phase"),
        (Closed(at=MONDAY, phase=SETUP, by="sheets", early=True, missing=("spain",)), "wasn't due"),
        (HeldUp(at=MONDAY, why="x"), ""),
        (Fetched(at=MONDAY, phase=SETUP, until=MONDAY), ""),
        (
            Fetched(at=MONDAY, phase=SETUP, until=MONDAY + timedelta(hours=1)),
            "when 0001-t1-setup wasn't open",
        ),
        (Fetched(at=MONDAY, phase=SETUP, until=MONDAY - timedelta(days=9)), "when 0001-t1-setup wasn't open"),
        (
            Reminded(at=MONDAY, phase=SETUP, player="venice", message="<1@x>"),
            "outside the grace of",
        ),
        (
            Reminded(at=MONDAY, phase=SETUP, player="venice", message="<1@x>"),
            "in a mail that was never begun",
        ),
        (Reminded(at=MONDAY, phase=SETUP, player="spain", message="<1@x>"), "doesn't play"),
        (Absent(at=MONDAY, player="spain", first="2026-01-01", last="2026-01-01"), "doesn't play"),
        (Undone(at=MONDAY, phase=SETUP, gone=(), where="undone/0007", why="x"), "isn't there"),
        (Sent(at=MONDAY, phase=SETUP, to="public", files={"report.md": "0"}), ""),
        (Sent(at=MONDAY, phase=SETUP, to="spain", files={}), "doesn't play"),
        (Sent(at=MONDAY, phase=SETUP, to="venice", files={"gossip.md": "0"}), "never handed out"),
        (
            Taken(at=MONDAY, phase=SETUP, player="venice", file="sheets/venice.yaml", sheet="0" * 64),
            "another sheet of venice was used",
        ),
        (
            Taken(at=MONDAY, phase=SETUP, player="venice", file="sheets/venice-2.yaml", sheet="0" * 64),
            "wasn't used",
        ),
    ],
)
def test_an_entry_that_does_not_fit_is_said(played: Path, entry: Entry, text: str) -> None:
    with commit.locked(played):
        append(Folder(played), entry)
    found = faults(played)
    assert any(text in fault for fault in found) if text else found == []


def test_a_sheet_taken_is_the_sheet_that_was_used(lagoon: Path) -> None:
    first, second = b"player: venice\norders: []\n", b"player: venice\norders: []\nsalt: x\n"
    for text in (first, second):
        (lagoon / SETUP / "sheets/venice.yaml").write_bytes(text)
        with commit.locked(lagoon):
            entry = Taken(
                at=MONDAY,
                phase=SETUP,
                player="venice",
                file="sheets/venice.yaml",
                sheet=digest_of(text),
                came=MONDAY,
            )
            append(Folder(lagoon), entry)
    send(lagoon, "genoa")
    run_if_due(lagoon, MONDAY)
    assert faults(lagoon) == []


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
