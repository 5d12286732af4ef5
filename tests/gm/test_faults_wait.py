"""A faulty sheet completes no phase before its deadline,
and the schedule says how long to pause after the last sheet."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder.entries import Closed, Taken
from adjudicator.engine.folder.folder import changing, open_match
from adjudicator.engine.folder.ledger import add_entries
from adjudicator.engine.match.run import run
from adjudicator.gm.playing import run_if_due
from adjudicator.gm.situation import Now, situation
from tests.cli.calling import adjudicator as call
from tests.engine.match_folders import begun, send, send_all
from tests.gm.weeks import WEEK, entries, faults, utc, week

pytestmark = pytest.mark.usefixtures("nobody_reads")
SETUP = "0001-t1-setup"
SOON, DUE = utc("2026-11-23 12:00"), utc("2026-11-25 19:00")
FAULTS = {
    "refused": "orders:\n  - place: 9\n    to: genoa-1\n",
    "a place that isn't there": "orders:\n  - place: 99\n    to: genoa-1\n",
    "another's galley": "orders:\n  - place: 4\n    to: venice-1\n",
    "no such verb": "orders:\n  - pleace: 4\n    to: genoa-1\n",
    "one among good ones": "orders:\n  - place: 4\n    to: genoa-1\n  - sail: 4\n",
}


@pytest.mark.parametrize("text", FAULTS.values(), ids=FAULTS)
def test_a_sheet_with_faults_is_played_at_the_deadline_and_not_before(lagoon: Path, text: str) -> None:
    send(lagoon, "venice")
    (lagoon / SETUP / "sheets/genoa.yaml").write_text(f"player: genoa\n{text}")
    found = situation(open_match(lagoon), SOON)
    assert (found.now, found.faulty, found.plays) == (Now.FAULTY, ("genoa",), DUE)
    assert not run_if_due(lagoon, SOON).adjudicated
    assert run_if_due(lagoon, DUE).adjudicated == (SETUP,)
    assert entries(lagoon)[1] == Closed(at=DUE, phase=SETUP, by="sheets")
    assert faults(lagoon) == []


def test_the_gm_is_told_whose_it_is_and_how_to_play_it_all_the_same(lagoon: Path) -> None:
    send(lagoon, "venice")
    (lagoon / SETUP / "sheets/genoa.yaml").write_text(f"player: genoa\n{FAULTS['refused']}")
    at = ("--at", "2026-11-23T12:00Z")
    told = " ".join(call("run", lagoon, "--if-due", *at).output.split())
    assert "faults" in told
    assert f"adjudicator run {lagoon} --deadline" in told
    for command in ("due", "status"):
        assert "genoa" in next(
            line
            for line in call(command, lagoon, *at).output.splitlines()
            if line.startswith("There are faults")
        )
    assert call("run", lagoon, "--deadline", *at).exit_code == 0
    assert entries(lagoon)[1] == Closed(at=SOON, phase=SETUP, by="gm", early=True)
    assert faults(lagoon) == []


def test_a_better_sheet_completes_it(lagoon: Path) -> None:
    (lagoon / SETUP / "sheets/genoa.yaml").write_text(f"player: genoa\n{FAULTS['refused']}")
    send(lagoon, "venice")
    assert not run_if_due(lagoon, SOON).adjudicated
    send(lagoon, "genoa")
    assert run_if_due(lagoon, SOON).adjudicated == (SETUP,)


def test_without_a_schedule_it_waits_for_another_sheet_or_for_the_gm(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    send(match, "venice")
    (match / SETUP / "sheets/genoa.yaml").write_text(f"player: genoa\n{FAULTS['refused']}")
    assert situation(open_match(match), SOON).now is Now.FAULTY
    assert not run_if_due(match, utc("2036-11-23 12:00")).adjudicated
    assert run(match).adjudicated == (SETUP,)


def test_a_pause_after_the_last_sheet_begins_anew_with_each(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon", {**WEEK, "pause": "2 hours"})
    send_all(match)
    taken(match, "2026-11-23 12:00")
    assert situation(open_match(match), SOON).plays == utc("2026-11-23 14:00")
    assert situation(open_match(match), utc("2026-11-23 13:59:59")).now is Now.PAUSE
    taken(match, "2026-11-23 13:00")
    assert not run_if_due(match, utc("2026-11-23 14:00")).adjudicated
    assert (
        "It will be played Monday 2026-11-23 16:00" in call("due", match, "--at", "2026-11-23T14:00Z").output
    )
    assert run_if_due(match, utc("2026-11-23 15:00")).adjudicated == (SETUP,)


def test_the_deadline_ends_it(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon", {**WEEK, "pause": "2 hours"})
    send_all(match)
    taken(match, "2026-11-25 18:59")
    assert situation(open_match(match), utc("2026-11-25 18:59")).plays == DUE
    assert run_if_due(match, DUE).adjudicated == (SETUP,)


def test_where_no_sheet_came_by_mail_there_is_none(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon", {**WEEK, "pause": "2 hours"})
    send_all(match)
    assert run_if_due(match, SOON).adjudicated == (SETUP,)


def taken(path: Path, at: str) -> None:
    """A sheet of venice's is taken from a mail then."""
    with changing(path) as match:
        sheet = match.file_sent(f"{SETUP}/sheets/venice.yaml").digest
        entry = Taken(at=utc(at), phase=SETUP, player="venice", file="sheets/venice.yaml", sheet=sheet)
        add_entries(match, entry)
        match.commit()
