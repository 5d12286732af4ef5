"""A host's job that keeps no clone: what it finds of the last `main`, and that it plays nothing where it can't know."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.engine.audit.verify import verify
from adjudicator.git.main import note_look
from tests.cli.calling import adjudicator
from tests.git.clubs import Club, joined
from tests.git.test_remembered import AT, MAIN, at, commit, tree

LOOKED = "refs/heads/looked"
JUNK = 120


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A match whose first phase was played, as the referee's last look says; nobody has sent anything since."""
    club = joined(tmp_path_factory.mktemp("club"), turns="1")
    for player in ("venice", "genoa"):
        club.send(player)
    note_look(club.referee, club.now)
    assert club.turn().phases_played == ("0001-t1-setup",)
    note_look(club.referee, club.now)
    return club


def job(club: Club) -> Result:
    """A job that knows only what the repository holds."""
    return adjudicator("git", "turn", f"file://{club.bare}", "--key", club.begun.key, *AT)


def junk(club: Club) -> None:
    """More boxes than there are players, each of which follows something else."""
    for number in range(JUNK):
        other = club.git("commit-tree", "-m", str(number), tree(club, "")).strip()
        box = club.git("commit-tree", "-m", "x", "-p", at(club, MAIN), "-p", other, tree(club, "")).strip()
        club.git("update-ref", f"refs/heads/box/lagoon/a{number:03d}", box)


def force_back(club: Club) -> None:
    """To before the phase was closed."""
    club.git("update-ref", MAIN, f"{MAIN}~2")


def _look_gone(club: Club) -> None:
    club.git("update-ref", "-d", LOOKED)


def _look_that_begins_anew(club: Club) -> None:
    club.git("update-ref", LOOKED, club.git("commit-tree", "-m", "x", tree(club, "")).strip())


@pytest.mark.parametrize("lose", [_look_gone, _look_that_begins_anew])
def test_nothing_is_played_where_nobody_knows_how_far_the_match_was(
    lose: Callable[[Club], None], played: Club, tmp_path: Path
) -> None:
    """Not by the next job either; until the referee's clone tells it."""
    club = played.copied(tmp_path)
    there = at(club, f"{MAIN}:lagoon")
    lose(club)
    junk(club)
    force_back(club)
    for _ in range(2):
        done = job(club)
        assert done.exit_code == 1
        assert ": played" not in done.output
        assert ": closed" not in done.output
        assert "this job can't know whether main is the last that the referee wrote" in done.output
    assert "this job can't know whether main is the last" in " ".join(club.told("venice").split())
    assert adjudicator("git", "turn", club.referee.path, *AT).exit_code == 0
    assert at(club, f"{MAIN}:lagoon") == there
    done = job(club)
    assert done.exit_code == 0, done.output
    assert at(club, f"{MAIN}:lagoon") == there
    assert verify(club.opened()).good


@pytest.mark.parametrize("look", [True, False])
def test_junk_hides_no_players_branch_where_main_is_an_orphan(
    look: bool, played: Club, tmp_path: Path
) -> None:
    club = played.copied(tmp_path)
    club.read("venice")
    club.send("venice")
    there = at(club, f"{MAIN}:lagoon")
    junk(club)
    if not look:
        _look_gone(club)
    commit(club, tree(club, ""))
    done = job(club)
    assert "it is as the referee wrote it again" in done.output
    assert done.exit_code == (not look)
    assert ": played" not in done.output
    assert at(club, f"{MAIN}~1:lagoon") == there


def test_looks_of_somebody_else_hide_none_of_the_referees(played: Club, tmp_path: Path) -> None:
    """Where the host lets nobody take looks away, such as by a rule for this branch, more may still be added."""
    club = played.copied(tmp_path)
    there = at(club, f"{MAIN}:lagoon")
    force_back(club)
    for parents in [[]] * 30 + [["-p", at(club, MAIN)]]:
        made = club.git("commit-tree", "-m", "x", "-p", at(club, LOOKED), *parents, tree(club, "")).strip()
        club.git("update-ref", LOOKED, made)
    done = job(club)
    assert done.exit_code == 0, done.output
    assert ": played" not in done.output
    assert at(club, f"{MAIN}:lagoon") == there


def test_a_phase_that_was_played_twice_is_told_and_not_played_on(played: Club, tmp_path: Path) -> None:
    """Somebody has made it look as if the referee had looked; a player's branch still follows the first of the two."""
    club = played.copied(tmp_path)
    club.read("venice")
    first, there = at(club, MAIN), at(club, f"{MAIN}:lagoon")
    force_back(club)
    club.git("update-ref", LOOKED, f"{LOOKED}~1")
    assert ": played" in job(club).output
    second = at(club, MAIN)
    club.send("genoa")  # by what its clone saw
    box = "refs/heads/box/lagoon/venice"
    words = ("-p", at(club, box), "-p", first, f"{box}^{{tree}}")
    club.git("update-ref", box, club.git("commit-tree", "-m", "x", *words).strip())
    for _ in range(2):
        done = job(club)
        assert done.exit_code == 1
        assert (
            "lagoon/closed/0001-t1-setup.yaml: MATCH it was closed twice: venice's branch follows"
            in done.output
        )
        assert at(club, MAIN) == second
    assert adjudicator("git", "turn", club.referee.path, *AT).exit_code == 0
    assert at(club, f"{MAIN}~1:lagoon") == there
    done = job(club)
    assert done.exit_code == 0, done.output
    assert verify(club.opened()).good
