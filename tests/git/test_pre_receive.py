"""The hook before a push is taken: a player moves one branch of a seat that exists, forwards, and nothing else."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from adjudicator.git.hosts import complete_hooks, install_hooks
from adjudicator.git.running import GitFailed
from tests.cli.calling import adjudicator
from tests.git.clubs import Club, git, joined

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a hook of a bare repository is a shell's script")
BOX = "refs/heads/box/lagoon/genoa"
REFUSED = {
    "main": ["+box:refs/heads/main"],
    "main, forwards": ["after:refs/heads/main"],
    "another head": ["HEAD:refs/heads/genoa"],
    "the look": ["+HEAD:refs/heads/looked"],
    "below a branch": [f"HEAD:{BOX}/x"],
    "below the look": ["HEAD:refs/heads/looked/x"],
    "in the place of a folder": ["HEAD:refs/heads/box/alps"],
    "main within main": ["HEAD:refs/heads/refs/heads/main"],
    "a seat that is none": ["HEAD:refs/heads/box/lagoon/spain"],
    "a file that is no seat": ["HEAD:refs/heads/box/lagoon/now"],
    "a match that is none": ["HEAD:refs/heads/box/pond/genoa"],
    "a pattern": ["HEAD:refs/heads/box/lagoon/g.noa"],
    "a name beside what is none": ["HEAD:refs/heads/box.lagoon.spain.2"],
    "a name too far beside": ["HEAD:refs/heads/box.lagoon.genoa.5"],
    "a tag": ["HEAD:refs/tags/x"],
    "a note": ["HEAD:refs/notes/commits"],
    "a replacement": ["HEAD:refs/replace/1111111111111111111111111111111111111111"],
    "two branches": ["after-box:refs/heads/box/lagoon/genoa", "+HEAD:refs/heads/box/lagoon/venice"],
    "a branch and a tag": ["after-box:refs/heads/box/lagoon/genoa", "HEAD:refs/tags/x"],
    "rewriting": [f"+HEAD:{BOX}"],
    "deleting": [f":{BOX}"],
    "too much": [f"large:{BOX}"],
}
TAKEN = {"a box": [f"after-box:{BOX}"], "a name beside it": ["HEAD:refs/heads/box.lagoon.genoa.2"]}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A club with the hook alone; `clone` is what somebody pushes from."""
    club = joined(tmp_path_factory.mktemp("club"), turns="1")
    assert install_hooks(club.referee)
    (club.bare / "hooks/post-receive").unlink()
    for name in ("receive.denyDeletes", "receive.denyNonFastForwards"):
        git(club.bare, "config", name, "false")  # the hook refuses these too
    clone = club.home / "clone"
    git(club.home, "clone", "--quiet", str(club.bare), str(clone))
    git(clone, "fetch", "--quiet", "origin", f"{BOX}:box")
    (clone / "large").write_bytes(os.urandom(5 * 2**20))
    blob = git(clone, "hash-object", "-w", "large").strip()
    empty = git(clone, "mktree").strip()
    large = git(clone, "mktree", given=f"100644 blob {blob}\tlarge\n".encode()).strip()
    for name, parent, tree in (
        ("after", "HEAD", empty),
        ("after-box", "box", empty),
        ("large", "box", large),
    ):
        git(clone, "branch", name, git(clone, "commit-tree", "-m", "x", "-p", parent, tree).strip())
    return club


def push(club: Club, *refs: str, option: str = "", **settings: str) -> str:
    """What git says to somebody who pushes; empty if all of it was taken. There is no Python to be found."""
    words = [
        "git",
        "push",
        "--quiet",
        "--atomic",
        *([f"--push-option={option}"] if option else []),
        "origin",
        *refs,
    ]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(club.home), **settings}
    done = subprocess.run(
        words, cwd=club.home / "clone", capture_output=True, text=True, env=environment, check=False
    )
    return done.stderr if done.returncode else ""


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_nobodys_to_push_is_refused_in_a_line(what: str, club: Club) -> None:
    before = club.git("for-each-ref")
    told = push(club, *REFUSED[what])
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
    assert push(club, "HEAD:refs/heads/notes-of-the-founder", **{told_by: "rita"}) == ""
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
