"""What lies in `main` beside the matches, or in too long a history, fills nobody's disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.git import repository as limited
from adjudicator.git.join import join
from adjudicator.git.repository import Repository
from adjudicator.git.running import MOST_SAID
from tests.git.clubs import Club, git, joined
from tests.git.pushing import push

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")

MAIN = "refs/heads/main"
SHAPES = {"one large file": (1, 5 * 2**20), "many files": (64, 2**16)}
"""What somebody pushes beside a match: how many files, and their bytes."""


def weight(clone: Path) -> int:
    """The bytes of what git keeps in a clone."""
    return sum(each.stat().st_size for each in (clone / ".git/objects").rglob("*") if each.is_file())


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    monkeypatch.setattr(limited, "LARGEST_AT_ONCE", 2**20)
    return joined(tmp_path, turns="1")


def add_beside(club: Club, shape: str) -> None:
    count, size = SHAPES[shape]
    files = {f"large/{number}": os.urandom(size) for number in range(count)}
    push(club, MAIN, files, onto=club.git("rev-parse", MAIN).strip())


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_large_beside_a_match_is_in_no_clone_and_the_match_goes_on(shape: str, club: Club) -> None:
    clones = [club.referee.path, *(each.path for each in club.clones.values())]
    before = [weight(each) for each in clones]
    add_beside(club, shape)
    for player in club.clones:
        club.send(player)
    assert club.turn().phases_played == ("0001-t1-setup",)
    assert club.read("venice").now.phase == "0002-t1-auction"
    assert all(weight(each) < was + 2**19 for each, was in zip(clones, before, strict=True))
    for player in club.clones:
        club.send(player, b"orders: [{bid: 0}]\n")
    assert club.turn().phases_played == ("0002-t1-auction",)


@pytest.mark.parametrize("shape", SHAPES)
def test_who_joins_or_begins_without_memory_fetches_the_match_alone(shape: str, club: Club) -> None:
    club.send("venice")
    club.turn()
    add_beside(club, shape)
    again = club.home / "again"
    key = club.home / "genoa/.git/adjudicator/key.txt"
    join(str(club.bare), "genoa", again, club.now, token=club.begun.tokens["genoa"], key=key)
    assert weight(again) < 2**20
    club.referee = Repository.create(club.home / "fresh", str(club.bare))
    assert not club.turn().put_back
    assert weight(club.referee.path) < 2**20
    push(club, MAIN, {"lagoon/open": b"x"}, onto=club.git("rev-parse", MAIN).strip())
    assert club.turn().put_back


@pytest.mark.parametrize("shape", SHAPES)
def test_if_main_is_rewritten_after_that_players_send_all_the_same(shape: str, club: Club) -> None:
    good = club.git("rev-parse", f"{MAIN}^{{tree}}").strip()
    add_beside(club, shape)
    club.read("venice")
    club.turn()
    club.git("update-ref", MAIN, club.git("commit-tree", "-m", "x", good).strip())
    assert any("main was rewritten" in each for each in club.read("venice").odd)
    club.send("venice")
    came = club.turn()
    assert came.put_back
    assert [each.player for each in came.came] == ["venice"]


def test_a_fetch_that_is_given_up_leaves_nothing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited, "LARGEST_MAIN", 2**20)
    git(club.bare, "config", "uploadpack.allowFilter", "false")
    before = weight(club.referee.path)
    add_beside(club, "many files")
    with pytest.raises(limited.GitFailed, match="more lies there than is fetched"):
        club.turn()
    assert weight(club.referee.path) == before


def test_if_it_is_taken_away_again_the_match_goes_on(club: Club) -> None:
    """The referee has seen commits that it can't push again, since a file of theirs is nowhere here."""
    before = club.git("rev-parse", MAIN).strip()
    add_beside(club, "one large file")
    club.turn()
    club.git("update-ref", MAIN, before)
    for player in club.clones:
        club.send(player)
    club.turn()
    assert club.read("venice").now.phase == "0002-t1-auction"


def test_a_commit_with_a_long_message_keeps_nobody_from_reading(club: Club) -> None:
    text = b"x" * (MOST_SAID + 1)
    told = f"commit {MAIN}\ncommitter x <x@example.org> 1795348800 +0000\ndata {len(text)}\n".encode()
    onto = f"\nfrom {club.git('rev-parse', MAIN).strip()}\n".encode()
    git(club.bare, "fast-import", "--quiet", given=told + text + onto)
    assert not club.read("venice").odd
