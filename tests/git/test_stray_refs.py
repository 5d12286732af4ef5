"""A ref of any name may be pushed by whoever may push: it stops neither the referee nor a player."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.match.begin import begin
from adjudicator.git import repository
from adjudicator.git.init import put_into_repository
from adjudicator.git.join import join
from adjudicator.git.main import LOOKED, last_look, note_look
from adjudicator.gm.playing import entries_of_run
from tests.cli.calling import adjudicator
from tests.git.clubs import NOON, Club, begun, git, joined
from tests.git.pushing import NOBODYS, push_as_somebody, somebody

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
    git(club.bare, "update-ref", "-d", LOOKED)  # or no ref could be below it
    orphan = put(club, *STRAYS)
    for number in (git(club.bare, "rev-parse", "refs/heads/main").strip(), orphan):
        put(club, f"refs/replace/{number}")  # the last stands for itself: there git gives up
    play_the_first_phase(club)
    note_look(club.referee, club.now)
    assert club.read("genoa").looked.at == int(club.now.timestamp())


@pytest.mark.parametrize("ref", IN_THE_WAY)
def test_a_ref_in_the_place_of_a_players_branch_stops_nobody(ref: str, tmp_path: Path) -> None:
    """The player's program takes a name beside it, and the referee reads that."""
    new = begun(tmp_path, turns="1")
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


MATCHES = ("lagoon", "alps", "pond")
AT = ("--at", "2026-11-22T12:30Z")


def test_more_refs_than_can_be_listed_hide_no_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = joined(tmp_path, turns="1")
    put(club, *(f"refs/heads/junk/{number:03d}" for number in range(200)))
    monkeypatch.setattr(repository, "LARGEST_FETCHED", 2**12)
    note_look(club.referee, NOON, [("lagoon", "venice"), ("lagoon", "genoa")])
    assert last_look(club.referee).at == NOON.timestamp()


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A club with three matches, and a host that refuses nothing; only the first has got all of its players."""
    club = joined(tmp_path_factory.mktemp("club"), turns="1")
    for name in MATCHES[1:]:
        begin(
            "mediterranee",
            club.home / name,
            ("venice", "genoa"),
            options={"pages": "off"},
            seed_text=name,
            keep=entries_of_run(NOON),
        )
        made = put_into_repository(club.home / name, str(club.bare), club.referee.path, "gitlab", [], NOON)
        join(
            str(club.bare),
            "venice",
            club.home / f"{name}-venice",
            NOON,
            match=name,
            token=made.tokens["venice"],
        )
    assert adjudicator("git", "turn", club.referee.path, *AT).exit_code == 0
    git(club.bare, "config", "receive.denyDeleteCurrent", "ignore")
    somebody(club)
    return club


def trees(club: Club) -> list[str]:
    """As `main` has them, whatever somebody lets stand for its commit."""
    words = ("--no-replace-objects", "rev-parse")
    return [club.git(*words, f"refs/heads/main:{name}").strip() for name in MATCHES]


@pytest.mark.parametrize("first", range(0, len(NOBODYS), 4))
def test_whatever_is_pushed_three_matches_stay_as_they_are(first: int, three: Club) -> None:
    """By somebody who may write everything: what was pushed before is still there, if no job has put it back."""
    before, taken = trees(three), 0
    for refs in [*NOBODYS.values()][first : first + 4]:
        taken += push_as_somebody(three, *refs, words=("--force",)).returncode == 0
    assert taken
    done = adjudicator("git", "turn", three.referee.path, *AT)
    assert done.exit_code == 0, done.output
    assert "played" not in done.output
    assert trees(three) == before
    assert "0001-t1-setup is open" in three.told("venice")


def test_after_all_of_that_each_match_is_known_and_played(three: Club) -> None:
    """By a job without memory too."""
    before = trees(three)
    done = adjudicator("git", "turn", f"file://{three.bare}", "--key", three.begun.key, *AT)
    assert done.exit_code == 0, done.output
    assert trees(three) == before
    told = adjudicator("git", "read", three.home / "pond-venice", *AT)
    assert "pond, venice: 0001-t1-setup is open" in told.output
    play_the_first_phase(three)
    assert verify(three.opened()).good
    assert trees(three)[1:] == before[1:]


def test_a_look_of_a_time_that_cant_be_stops_no_player(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    tree, who = git(club.bare, "mktree").strip(), "x <x@example.org> 99999999999999 +0000"
    text = f"tree {tree}\nauthor {who}\ncommitter {who}\n\nThe referee has looked\n".encode()
    git(
        club.bare,
        "update-ref",
        LOOKED,
        git(club.bare, "hash-object", "-t", "commit", "-w", "--stdin", given=text).strip(),
    )
    assert "0001-t1-setup is open" in club.told("genoa")
