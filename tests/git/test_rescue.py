"""A `main` that somebody has spoilt, beyond what a job puts back, is put back by the founder."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.git import repository as limited
from adjudicator.git.hosts import install_hooks
from adjudicator.git.main import SEEN
from adjudicator.git.memory import RESCUED
from tests.cli.calling import adjudicator
from tests.git.clubs import Club, git, joined

AT = ("--at", "2026-11-22T12:30Z")


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return joined(tmp_path, turns="1")


def spoil(club: Club, kilobytes: int, *, orphan: bool = False) -> str:
    """Somebody who may write `main` pushes a large file to it, or puts another history in its place."""
    where = club.home / f"somebody-{kilobytes}"
    git(club.home, "clone", "--quiet", str(club.bare), str(where))
    if orphan:
        git(where, "checkout", "--quiet", "--orphan", "other")
    text = "".join(f"{number * 7919 % 1000003:x}" for number in range(200 * kilobytes))
    (where / "large").write_bytes(text.encode())
    git(where, "add", "--all")
    git(where, "commit", "--quiet", "--message", "large")
    git(where, "push", "--quiet", "--force", "origin", "HEAD:main")
    return git(where, "rev-parse", "HEAD").strip()


@pytest.mark.parametrize(("orphan", "hooks"), [(False, True), (True, False)])
def test_a_main_too_large_to_be_fetched(
    club: Club, orphan: bool, hooks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No job and no player can fetch it, so no commit can follow it: it is rewritten, and nobody sees a rewriting."""
    club.send("venice")
    club.turn()
    before = club.git("rev-parse", "main")
    spoil(club, 1000, orphan=orphan)
    if hooks:
        assert install_hooks(club.referee)
        club.referee.__dict__.pop("word", None)
    git(club.bare, "config", "uploadpack.allowFilter", "false")
    for most in ("LARGEST_AT_ONCE", "LARGEST_MAIN"):
        monkeypatch.setattr(limited, most, 2**18)
    failed = adjudicator("git", "turn", club.referee.path, *AT)
    assert failed.exit_code == 1
    said = (
        "more lies there than is fetched; if it is `main`, ask the GM: `adjudicator git rescue` puts it back"
    )
    assert said in failed.stderr
    assert "git rescue" in adjudicator("git", "read", club.clones["genoa"].path).stderr
    done = adjudicator("git", "rescue", club.referee.path, *AT)
    assert done.exit_code == 0, done.output
    assert club.git("rev-parse", "main") == before
    club.send("genoa")
    club.turn()  # if the hook hasn't done it
    news = club.read("venice")
    assert not news.odd
    assert news.now.phase == "0002-t1-auction"


def test_what_nobody_wants_in_main_is_taken_out_and_the_match_stays(club: Club) -> None:
    """A large file that all have fetched already: from the commit before, and no phase is lost."""
    before = club.git("rev-parse", "main").strip()
    spoil(club, 100)
    for player in club.clones:
        club.send(player)
    club.turn()
    played = club.git("rev-parse", "main:lagoon")
    done = adjudicator("git", "rescue", club.referee.path, "--to", before, *AT)
    assert done.exit_code == 0, done.output
    assert club.git("rev-parse", "main:lagoon") == played
    assert club.git("log", "-1", "--format=%s", "main").strip() == RESCUED
    assert "large" not in club.git("ls-tree", "--name-only", "main")
    assert club.referee.commit_of(SEEN) == club.git("rev-parse", "main").strip()
    told = adjudicator("git", "read", club.clones["venice"].path)
    assert "main was rewritten" in told.stderr
    accepted = adjudicator("git", "read", club.clones["venice"].path, "--accept")
    assert accepted.exit_code == 0, accepted.output
    for player in club.clones:
        club.send(player, b"orders: [{bid: 0}]\n")
    assert club.turn().phases_played == ("0002-t1-auction",)


def test_a_commit_that_is_nowhere_changes_nothing(club: Club) -> None:
    before = club.git("rev-parse", "main")
    assert adjudicator("git", "rescue", club.referee.path, "--to", "nowhere", *AT).exit_code == 1
    assert club.git("rev-parse", "main") == before
