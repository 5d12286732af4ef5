"""A door that lets nobody past git: `git-shell` behind SSH, which names the account, as Gitolite does."""

from __future__ import annotations

import shutil
from pathlib import Path
from time import sleep

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.git import running
from adjudicator.git.hosts import install_hooks
from adjudicator.git.running import GitFailed
from tests.git.clubs import Club, git, joined

pytestmark = pytest.mark.skipif(shutil.which("git-shell") is None, reason="there is no git-shell")
DOOR = """#!/bin/sh
while [ $# -gt 1 ]; do case "$1" in *@club) GL_USER=${1%@club} ;; esac; shift; done
export GL_USER
exec git-shell -c "$1"
"""
"""What stands in the place of `ssh`: the account is the name before the host."""
SLOW = "#!/bin/sh\nexec >/dev/null 2>&1\nsleep 2\ntouch %s\n"


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    """A club with the hook before a push; each player comes by the own account, and the founder by another."""
    found = joined(tmp_path, turns="1")
    assert install_hooks(found.referee)
    (found.bare / "hooks/post-receive").unlink()
    (tmp_path / "door").write_text(DOOR)
    (tmp_path / "door").chmod(0o755)
    monkeypatch.setenv("GIT_SSH", str(tmp_path / "door"))
    monkeypatch.setenv("GIT_SSH_VARIANT", "simple")
    git(found.bare, "config", "adjudicator.referee", "rita")
    git(found.referee.path, "config", "--unset", "adjudicator.word")
    accounts = {"anna": found.clones["venice"], "bert": found.clones["genoa"], "rita": found.referee}
    for account, clone in accounts.items():
        clone.url = f"ssh://{account}@club{found.bare}"
        git(clone.path, "config", "remote.origin.url", clone.url)
    for player, account in (("venice", "anna"), ("genoa", "bert")):
        git(found.bare, "config", f"adjudicator.lagoon/{player}.account", account)
    return found


def test_a_phase_is_played_by_accounts_and_nobody_sends_for_another(club: Club) -> None:
    club.send("venice")
    club.clones["genoa"].url = club.clones["venice"].url
    git(club.clones["genoa"].path, "config", "remote.origin.url", club.clones["venice"].url)
    with pytest.raises(GitFailed, match="this account may not push to lagoon/genoa"):
        club.send("genoa")
    git(club.clones["genoa"].path, "config", "remote.origin.url", f"ssh://bert@club{club.bare}")
    del club.clones["genoa"].url
    club.send("genoa")
    assert club.turn().phases_played == ("0001-t1-setup",)
    assert club.read("genoa").now.phase == "0002-t1-auction"
    assert verify(club.opened()).good


def test_send_tells_its_receipt_though_the_hook_works_longer(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it does then goes on without whoever pushed."""
    hook = club.bare / "hooks/post-receive"
    hook.write_text(SLOW % (tmp_path / "done"))
    hook.chmod(0o755)
    monkeypatch.setattr(running, "PATIENCE", 1.0)
    receipt = club.send("venice")
    assert not (tmp_path / "done").exists()
    monkeypatch.setattr(running, "PATIENCE", 20.0)
    assert [each.sent.receipt for each in club.turn().came if each.sent] == [receipt]
    for _ in range(100):
        if not (tmp_path / "done").exists():
            sleep(0.1)
    assert (tmp_path / "done").exists()
