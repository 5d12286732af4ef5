"""What fails stops one player or one match, and is told to all: where, since when, and nothing that is sealed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from adjudicator.door import submitting
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.git import taking
from adjudicator.git.main import LOOKED
from tests.cli.calling import adjudicator
from tests.git.clubs import Club, joined

AT = ("--at", "2026-11-22T12:30Z")
SECRET = "what Venice has in hand"


@pytest.fixture
def club(tmp_path: Path) -> Club:
    found = joined(tmp_path, turns="1")
    for player in ("venice", "genoa"):
        found.send(player)
    return found


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            lambda path: KeyError(SECRET),
            "a fault of the program, please report it: KeyError in test_failing.py",
        ),
        (lambda path: Faulty([problem(path / "keys.yaml", "this is odd")]), "lagoon/keys.yaml: this is odd"),
    ],
    ids=["program", "file"],
)
def test_one_players_fault_stops_no_other_and_is_told_once(
    club: Club, monkeypatch: pytest.MonkeyPatch, error: Any, said: str
) -> None:
    submit = submitting.submit

    def failing(match: Any, player: str, *rest: Any, **more: Any) -> Any:
        if player == "venice":
            raise error(match.path)
        return submit(match, player, *rest, **more)

    monkeypatch.setattr(taking, "submit", failing)
    for at in (AT, ("--at", "2026-11-22T12:40Z")):
        done = adjudicator("git", "turn", club.home / "referee", *at)
        assert done.exit_code == 1
        assert "Not all was done of lagoon." in done.output
    assert (club.opened() / "0001-t1-setup/sheets/genoa.yaml").is_file()
    looked = club.git("log", "--format=%B", LOOKED)
    assert looked.count("failed: ") == 1  # the same each time
    assert said in looked
    assert SECRET not in looked + done.output
    club.now += timedelta(days=3)
    told = club.told("genoa")
    assert "The referee hasn't looked since Sunday 2026-11-22, between 12:30" in told
    assert "Since Sunday 2026-11-22 12:30 (UTC) it couldn't do all of its work; this is what it said:" in told
    assert said in told


def test_a_job_without_its_key_says_so_to_all(club: Club) -> None:
    club.begun.key.unlink()
    done = adjudicator("git", "turn", club.home / "referee", *AT)
    assert done.exit_code == 1
    assert "Not all was done of main." in done.output
    assert "the referee's key isn't here" in club.told("genoa")


def test_a_third_job_leaves_when_one_waits_already(club: Club) -> None:
    with (
        FileLock(club.referee.home / "adjudicator.lock"),
        FileLock(club.referee.home / "adjudicator.waiting"),
    ):
        done = adjudicator("git", "turn", club.home / "referee", *AT)
    assert done.exit_code == 0
    assert "Another job waits already" in done.output
