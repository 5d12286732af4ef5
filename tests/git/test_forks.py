"""A player who may not push to the repository pushes to a fork, which the founder names in `keys.yaml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.git.by_hand import open_by_hand
from adjudicator.git.join import join
from adjudicator.git.repository import Repository
from adjudicator.git.running import TOKEN, environment
from tests.cli.calling import adjudicator
from tests.git.clubs import NOON, Club, begun, git

AT = ("--at", "2026-11-22T12:30Z")


@pytest.fixture
def forked(tmp_path: Path) -> Club:
    """Venice has a fork; the founder has put it into keys.yaml."""
    made = begun(tmp_path, turns="1")
    fork = tmp_path / "fork.git"
    fork.mkdir()
    git(fork, "init", "--quiet", "--bare", "--initial-branch=main", ".")
    token = made.begun.tokens["venice"]
    join(str(made.bare), "venice", tmp_path / "venice", NOON, token=token, box=str(fork))
    made.clones["venice"] = Repository(tmp_path / "venice")
    made.join("genoa")
    open_by_hand(made.referee, "lagoon", tmp_path / "opened", made.key)
    keys = tmp_path / "opened/keys.yaml"
    keys.write_text(keys.read_text().rstrip() + f"\nboxes: {{venice: {fork}}}\n")
    assert adjudicator("git", "close", tmp_path / "opened", "--why", "a fork", *AT).exit_code == 0
    made.turn()
    return made


def test_sheets_come_from_the_fork(forked: Club) -> None:
    assert "box/lagoon/venice" not in forked.git("branch", "--list", "--format=%(refname:short)")
    forked.send("venice")
    forked.send("genoa")
    turned = forked.turn()
    assert [(each.player, each.because) for each in turned.came] == [("venice", ""), ("genoa", "")]
    assert turned.phases_played == ("0001-t1-setup",)


def test_a_fork_that_is_gone_stops_no_other(forked: Club, tmp_path: Path) -> None:
    (tmp_path / "fork.git").rename(tmp_path / "gone.git")
    forked.send("genoa")
    came = {each.player: each.because for each in forked.turn().came}
    assert came == {"venice": "unfetched", "genoa": ""}
    assert str(tmp_path) not in "".join(forked.git("log", "-3", "main"))
    assert forked.turn().came == ()


def test_the_hosts_token_goes_to_the_own_repository_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN, "s3cret")
    own = environment("https://git.example.org/club/lagoon")
    assert own["GIT_CONFIG_KEY_0"] == "http.https://git.example.org/.extraHeader"
    assert "GIT_CONFIG_KEY_0" not in environment("a stranger's")
    assert "GIT_CONFIG_KEY_0" not in environment("")
    assert environment("")["GIT_ALLOW_PROTOCOL"] == "none"
