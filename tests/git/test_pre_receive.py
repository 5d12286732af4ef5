"""The hook before a push is taken: a player moves one branch of a seat that exists, forwards, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.git.hosts import complete_hooks, install_hooks
from adjudicator.git.running import GitFailed
from tests.cli.calling import adjudicator
from tests.git.clubs import Club, git, joined
from tests.git.pushing import BOX, NOBODYS, push_as_somebody, somebody

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a hook of a bare repository is a shell's script")
TAKEN = {"a box": [f"after-box:{BOX}"], "a name beside it": ["main:refs/heads/box.lagoon.genoa.2"]}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A club with the hook alone; `clone` is what somebody pushes from."""
    club = joined(tmp_path_factory.mktemp("club"), turns="1")
    assert install_hooks(club.referee)
    (club.bare / "hooks/post-receive").unlink()
    for name in ("receive.denyDeletes", "receive.denyNonFastForwards"):
        git(club.bare, "config", name, "false")  # the hook refuses these too
    somebody(club)
    return club


def push(club: Club, *refs: str, option: str = "", **settings: str) -> str:
    """What git says to somebody who pushes; empty if all of it was taken."""
    words = ("--atomic", *([f"--push-option={option}"] if option else []))
    done = push_as_somebody(club, *refs, words=words, **settings)
    return done.stderr if done.returncode else ""


@pytest.mark.parametrize("what", NOBODYS)
def test_what_is_nobodys_to_push_is_refused_in_a_line(what: str, club: Club) -> None:
    before = club.git("for-each-ref")
    told = push(club, *NOBODYS[what])
    assert "Refused: " in told
    assert club.git("for-each-ref") == before


def test_a_players_own_branch_is_taken_and_the_referee_writes_all(club: Club) -> None:
    for refs in TAKEN.values():
        assert push(club, *refs) == ""
    club.git("update-ref", "-d", "refs/heads/box.lagoon.genoa.2")
    receipt = club.send("genoa")
    assert receipt in "".join(each.sent.receipt for each in club.turn().came if each.sent)
    done = adjudicator(
        "git", "turn", f"file://{club.bare}", "--key", club.begun.key, "--at", "2026-11-22T12:30Z"
    )
    assert done.exit_code == 0, done.output
    assert club.git("rev-parse", "refs/heads/looked")  # which it pushed


def test_a_wrong_word_is_no_referees(club: Club) -> None:
    for word in ("x", ""):
        assert "Refused" in push(club, "+after:refs/heads/main", option=word)
    club.referee.word = "x"
    club.send("venice")
    with pytest.raises(GitFailed, match="Refused"):
        club.turn()
    del club.referee.word
    assert [each.because for each in club.turn().came] == [""]


@pytest.mark.parametrize("told_by", ["GL_USER", "REMOTE_USER", "ADJUDICATOR_WHO"])
def test_who_pushes_is_told_by_what_the_host_knows(told_by: str, club: Club) -> None:
    git(club.bare, "config", "adjudicator.lagoon/genoa.account", "anna")
    git(club.bare, "config", "adjudicator.referee", "rita")
    git(club.home / "clone", "fetch", "--quiet", "origin", f"+{BOX}:box")
    for who, taken in (("bert", False), ("", False), ("ann.", False), ("anna", True)):
        told = push(club, f"{after(club)}:{BOX}", **{told_by: who})
        assert (told == "") == taken, told
        assert taken or "this account may not push to lagoon/genoa" in told
    assert push(club, "main:refs/heads/notes-of-the-founder", **{told_by: "rita"}) == ""
    club.git("update-ref", "-d", "refs/heads/notes-of-the-founder")
    git(club.bare, "config", "--unset", "adjudicator.lagoon/genoa.account")


def after(club: Club) -> str:
    """A commit after the last of Genoa's branch."""
    clone = club.home / "clone"
    return git(clone, "commit-tree", "-m", "x", "-p", "box", git(clone, "mktree").strip()).strip()


def test_clubs_of_an_earlier_release_get_the_hook_by_the_next_job(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    hooks = club.bare / "hooks"
    hooks.mkdir(exist_ok=True)
    complete_hooks(club.referee)
    assert not (hooks / "pre-receive").exists()  # it has none of our hooks: somebody else guards it
    (hooks / "post-receive").write_text("#!/bin/sh\nexec adjudicator git turn x\n")
    assert adjudicator("git", "turn", club.referee.path, "--at", "2026-11-22T12:30Z").exit_code == 0
    assert os.access(hooks / "pre-receive", os.X_OK)
    assert (hooks / "post-receive").read_text() == "#!/bin/sh\nexec adjudicator git turn x\n"
    club.send("genoa")
    assert [each.because for each in club.turn().came] == [""]
