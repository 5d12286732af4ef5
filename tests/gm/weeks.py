"""Matches with a schedule, for the tests of what a GM does."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Entry
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.match.begin import begin
from adjudicator.gm.playing import entries_of_run
from tests.engine.match_folders import PHASE_BY_PHASE, TWO

WEEK = {
    "zone": "Europe/Paris",
    "at": "20:00",
    "every": "3 days",
    "grace": "12 hours",
    "not": ["2026-12-24..2027-01-02"],
    "absence": {"times": 2, "days": 14},
    "missed": {"warn": 1, "replace": 2},
}
BEGUN = "2026-11-22 12:00"
"""A Sunday; the first phase is due on Wednesday, the 25th, at 19:00 UTC, and closes at 7:00 UTC the next morning."""


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def week(
    path: Path, schedule: dict[str, object] | None = None, *, name: str = "lagoon", **options: str
) -> Path:
    """A new match of two with a schedule, begun on a Sunday at noon; genoa reads deadlines in New York."""
    begin(
        "mediterranee",
        path,
        TWO,
        options={**PHASE_BY_PHASE, "turns": "2", **options},
        seed_text="test",
        name=name,
        addresses={"venice": "venice@example.org", "genoa": "genoa@example.org"},
        schedule=WEEK if schedule is None else schedule,
        zones={"genoa": "America/New_York"},
        keep=entries_of_run(utc(BEGUN)),
    )
    return path


def entries(path: Path) -> tuple[Entry, ...]:
    return ledger_of(open_match(path))


def last(path: Path) -> Entry:
    return entries(path)[-1]


def told(path: Path, who: str = "venice") -> str:
    """The report of the open phase."""
    return (path / Folder(path).phases[-1] / "for" / who / "report.md").read_text()


def faults(path: Path) -> list[str]:
    """All that `verify` finds wrong."""
    return [problem.text for problem in verify(path).problems]
