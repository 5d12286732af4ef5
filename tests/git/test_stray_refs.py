"""A ref of any name may be pushed by whoever may push: it stops neither the referee nor a player."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.git.main import LOOKED, note_look
from tests.git.clubs import Club, club, git, joined

STRAYS = (
    "refs/heads/refs/heads/main",
    "refs/heads/refs/heads/looked",
    "refs/heads/refs/heads/box/lagoon/genoa",
    "refs/heads/looked/x",
    "refs/heads/box/alps",
    "refs/heads/box/lagoon/spain",
    "refs/heads/HEAD",
    "refs/tags/main",
    "refs/tags/refs/heads/main",
    "refs/notes/commits",
    "refs/main",
    "refs/remotes/origin/main",
    "refs/adjudicator/next",
)
IN_THE_WAY = ("refs/heads/box/lagoon/genoa/x", "refs/heads/box/lagoon", "refs/heads/box")
"""Each stands where Genoa's branch would, as long as there is none."""


def put(club: Club, *refs: str) -> str:
    """Lets these refs point to an orphan in the bare repository; its number."""
    orphan = git(club.bare, "commit-tree", "-m", "x", git(club.bare, "mktree").strip()).strip()
    for ref in refs:
        git(club.bare, "update-ref", ref, orphan)
    return orphan


def play_the_first_phase(club: Club) -> None:
    """Both send, and the referee plays; each is told of it."""
    for player in ("venice", "genoa"):
        receipt = club.send(player)
        assert receipt in "".join(each.sent.receipt for each in club.turn().came if each.sent)
    assert "0002-t1-auction is open" in club.told("genoa")


def test_refs_of_any_name_stop_nobody(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    orphan = put(club, *STRAYS)
    for number in (git(club.bare, "rev-parse", "refs/heads/main").strip(), orphan):
        put(club, f"refs/replace/{number}")  # the last stands for itself: there git gives up
    play_the_first_phase(club)
    note_look(club.referee, club.now)
    assert club.read("genoa").looked.at == int(club.now.timestamp())


@pytest.mark.parametrize("ref", IN_THE_WAY)
def test_a_ref_in_the_place_of_a_players_branch_stops_nobody(ref: str, tmp_path: Path) -> None:
    """The player's program takes a name beside it, and the referee reads that."""
    new = club(tmp_path, turns="1")
    put(new, ref)
    new.join("venice", "genoa")
    play_the_first_phase(new)


def test_a_ref_in_the_way_is_named_once_to_all(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    seats = [("lagoon", "venice"), ("lagoon", "genoa")]
    assert note_look(club.referee, club.now, seats) == ()
    put(club, "refs/heads/box/alps", "refs/heads/box/lagoon/spain", "refs/heads/refs/heads/main")
    named = ("box/alps", "box/lagoon/spain", "refs/heads/main")
    assert note_look(club.referee, club.now, seats) == named
    assert note_look(club.referee, club.now, seats) == ()
    for player in club.clones:
        assert all(name in club.told(player) for name in named)
    assert git(club.bare, "log", "--format=%B", LOOKED).count("box/alps") == 1
