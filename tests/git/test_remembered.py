"""Whoever may write `main` ends no match: the referee knows where it was, and puts that back by a fast-forward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.git.main import fetch_main
from adjudicator.git.memory import matches_marked
from adjudicator.git.news import mark_as_told
from adjudicator.git.repository import Repository
from tests.cli.calling import adjudicator
from tests.git.clubs import Club, git, joined
from tests.git.pushing import FILE, push

MAIN = "refs/heads/main"
AT = ("--at", "2026-11-22T12:30Z")


def commit(club: Club, tree: str, *parents: str) -> str:
    """A commit that somebody makes, with that tree; `main` is at it now."""
    words = [word for parent in parents for word in ("-p", parent)]
    made = club.git("commit-tree", "-m", "x", *words, tree).strip()
    club.git("update-ref", MAIN, made)
    return made


def tree(club: Club, lines: str) -> str:
    return git(club.bare, "mktree", given=lines.encode()).strip()


def at(club: Club, name: str) -> str:
    return club.git("rev-parse", name).strip()


def _match_removed(club: Club) -> None:
    commit(club, tree(club, ""), at(club, MAIN))


def _card_removed(club: Club) -> None:
    push(club, MAIN, {"lagoon/match.yaml/x": b""}, onto=at(club, MAIN))


def _file_in_its_place(club: Club) -> None:
    push(club, MAIN, {"lagoon": b"x"}, onto=at(club, MAIN))


def _main_gone(club: Club) -> None:
    club.git("update-ref", "-d", MAIN)


def _forced_back(club: Club) -> None:
    club.git("update-ref", MAIN, f"{MAIN}~2")


def _forced_back_and_on(club: Club) -> None:
    commit(club, at(club, f"{MAIN}~2^{{tree}}"), at(club, f"{MAIN}~2"))


def _rewritten(club: Club) -> None:
    commit(club, at(club, f"{MAIN}~1^{{tree}}"))


def _merged_with_an_orphan(club: Club) -> None:
    good = at(club, MAIN)
    commit(club, tree(club, ""), commit(club, tree(club, "")), good)


def _merged_with_an_older_main(club: Club) -> None:
    commit(club, at(club, f"{MAIN}~2^{{tree}}"), at(club, f"{MAIN}~2"), at(club, MAIN))


def _merged_with_an_older_main_whole(club: Club) -> None:
    commit(
        club,
        at(club, f"{MAIN}^{{tree}}"),
        club.git("rev-list", "--grep=: begins$", MAIN).strip(),
        at(club, MAIN),
    )


def _a_thousand_commits(club: Club) -> None:
    push(
        club,
        MAIN,
        {"lagoon/open": b"x", "lagoon/mark": b"0" * 64 + b"\n\n\n"},
        onto=at(club, MAIN),
        times=1005,
    )


def _marks_that_seem_to_follow(club: Club) -> None:
    before = club.git("show", "main:lagoon/mark").split()[0].encode()
    for number in range(20):
        mark = b"%064d\n%s\n\n" % (number, before)
        push(club, MAIN, {"lagoon/mark": mark}, onto=at(club, MAIN))


def _shared_trees(club: Club) -> None:
    """A name for each of 10^9 files, of which there is one; and as many folders in which there is none."""
    file = git(club.bare, "hash-object", "-w", "--stdin").strip()
    for last in (f"100644 blob {file}", f"040000 tree {tree(club, '')}"):
        name = tree(club, "".join(f"{last}\t{number:03d}\n" for number in range(1000)))
        for _ in range(2):
            name = tree(club, "".join(f"040000 tree {name}\t{number:03d}\n" for number in range(1000)))
        rest = club.git("ls-tree", MAIN).replace(at(club, f"{MAIN}:lagoon"), name)
        commit(
            club,
            tree(club, f"{rest}040000 tree {name}\tpond\n" if "pond" not in rest else rest),
            at(club, MAIN),
        )


def _odd_names(club: Club) -> None:
    push(club, MAIN, {"lagoon/mark/a\n:b c": b"x", "lagoon/\x1b[31m": b""}, onto=at(club, MAIN))


ATTACKS: dict[str, Callable[[Club], None]] = {
    name.strip("_"): each
    for name, each in list(globals().items())
    if name.startswith("_") and callable(each) and each.__module__ == __name__
}

PUSHED_AGAIN = ("main_gone", "forced_back", "merged_with_an_older_main_whole")
"""After these nothing has to be put back: what was taken away is pushed again, or nothing was."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A match whose first phase has been played."""
    club = joined(tmp_path_factory.mktemp("club"), turns="1")
    for player in ("venice", "genoa"):
        club.send(player)
    assert club.turn().phases_played == ("0001-t1-setup",)
    assert club.read("venice").now.phase == "0002-t1-auction"
    return club


@pytest.fixture(scope="module")
def attacked(played: Club, tmp_path_factory: pytest.TempPathFactory) -> Club:
    """The same, which goes on through all attacks."""
    return played.copied(tmp_path_factory.mktemp("attacked"))


@pytest.mark.parametrize("what", ATTACKS)
def test_what_somebody_makes_of_main_is_put_back_as_it_was(what: str, attacked: Club) -> None:
    """One after another, in one match."""
    club = attacked
    good, there = at(club, MAIN), at(club, f"{MAIN}:lagoon")
    ATTACKS[what](club)
    made = at(club, MAIN) if club.git("for-each-ref", MAIN) else good
    assert matches_marked(club.referee, fetch_main(club.referee), club.key) == ["lagoon"]
    turned = club.turn()
    assert turned.put_back == (what not in PUSHED_AGAIN)
    assert turned.phases_played == ()
    assert at(club, f"{MAIN}:lagoon") == there
    for before in (good, made):  # nothing that anybody has seen of it is gone
        assert club.git("merge-base", "--is-ancestor", before, MAIN) == ""


def test_after_all_of_that_the_match_is_as_it_was(attacked: Club) -> None:
    club, after = attacked, at(attacked, MAIN)
    assert not club.turn().put_back
    assert at(club, MAIN) == after
    assert verify(club.opened()).good
    assert club.read("venice").odd == []


def soak_unless(*names: str) -> list[object]:
    """Attacks after which the history still has the match; but for these, only `make soak` tries them."""
    there = [each for each in ATTACKS if not each.startswith(("forced", "main_gone", "rewritten"))]
    return [each if each in names else pytest.param(each, marks=pytest.mark.soak) for each in there]


@pytest.mark.parametrize(
    "what", soak_unless("match_removed", "merged_with_an_older_main", "marks_that_seem_to_follow")
)
def test_a_job_without_memory_finds_it_in_the_history(what: str, played: Club, tmp_path: Path) -> None:
    club = played.copied(tmp_path)
    there = at(club, f"{MAIN}:lagoon")
    ATTACKS[what](club)
    done = adjudicator("git", "turn", f"file://{club.bare}", "--key", club.begun.key, *AT)
    assert done.exit_code == 0, done.output
    assert at(club, f"{MAIN}:lagoon") == there
    assert "played" not in done.output


@pytest.mark.parametrize("made", [("forced_back_and_on",), ("shared_trees", "rewritten")])
def test_a_job_without_memory_finds_it_in_a_players_branch(
    made: Sequence[str], played: Club, tmp_path: Path
) -> None:
    """Who sends repeats the last main that was seen: so no phase is played twice."""
    club = played.copied(tmp_path)
    for what in made[:-1]:
        ATTACKS[what](club)
        assert club.turn().put_back
    club.send("venice")
    there = at(club, f"{MAIN}:lagoon")
    ATTACKS[made[-1]](club)
    done = adjudicator("git", "turn", f"file://{club.bare}", "--key", club.begun.key, *AT)
    assert done.exit_code == 0, done.output
    assert "it is as the referee wrote it again" in done.output
    assert "played" not in done.output
    assert "venice: sheet: taken" in done.output
    assert at(club, f"{MAIN}~1:lagoon") == there
    assert verify(club.opened("after")).good


@pytest.mark.parametrize("what", ["forced_back", "forced_back_and_on", "rewritten"])
def test_a_job_without_memory_finds_it_in_its_last_look(what: str, played: Club, tmp_path: Path) -> None:
    """Even if nobody has pushed since: so the host needs to keep no clone between jobs."""
    club = played.copied(tmp_path)
    words = ("git", "turn", f"file://{club.bare}", "--key", club.begun.key, *AT)
    for _ in range(2):  # the first tells it, the second has nothing to add
        assert adjudicator(*words).exit_code == 0
        assert len(club.git("rev-list", "looked", "^main").split()) == 2  # one is of the beginning
    there = at(club, f"{MAIN}:lagoon")
    ATTACKS[what](club)
    done = adjudicator(*words)
    assert done.exit_code == 0, done.output
    assert "played" not in done.output
    assert at(club, f"{MAIN}:lagoon") == there
    assert verify(club.opened("after")).good


def test_what_a_players_branch_repeats_is_believed_by_its_mark_alone(played: Club, tmp_path: Path) -> None:
    club = played.copied(tmp_path)
    club.send("venice")
    box = "refs/heads/box/lagoon/venice"
    forged = club.git("commit-tree", "-m", "x", tree(club, "")).strip()
    for repeated in (forged, at(club, f"{MAIN}~1"), at(club, f"{box}^{{}}")):
        club.git(
            "update-ref", box, club.git("commit-tree", "-m", "x", "-p", repeated, f"{box}^{{tree}}").strip()
        )
        turned = club.turn()
        assert not turned.put_back
    assert verify(club.opened("after")).good


def test_folders_that_bear_no_mark_are_no_matches(played: Club, tmp_path: Path) -> None:
    """However many there are; players still join, by the name of theirs."""
    club = played.copied(tmp_path)
    card = club.git("show", "main:lagoon/match.yaml").encode()
    strays = {f"a{number}/match.yaml": (FILE, card) for number in range(500)}
    mark = club.git("show", "main:lagoon/mark").encode()
    push(club, MAIN, strays | {f"a{number}/mark": (FILE, mark) for number in range(9)}, onto=at(club, MAIN))
    assert matches_marked(club.referee, fetch_main(club.referee), club.key) == ["lagoon"]
    fresh = Repository.create(tmp_path / "fresh", str(club.bare))
    assert matches_marked(fresh, fetch_main(fresh), club.key) == ["lagoon"]


def test_a_repository_without_any_match_is_an_error(played: Club, tmp_path: Path) -> None:
    club = played.copied(tmp_path)
    commit(club, tree(club, ""))
    for knows in ("looked", *(f"box/lagoon/{player}" for player in club.clones)):
        club.git("update-ref", "-d", f"refs/heads/{knows}")
    done = adjudicator("git", "turn", f"file://{club.bare}", "--key", club.begun.key, *AT)
    assert done.exit_code == 1
    assert "there is no match in it that bears the referee's mark" in done.output


@pytest.mark.parametrize("what", ["match_removed", "rewritten"])
def test_no_program_is_pinned_on_top_of_what_somebody_else_has_written(
    what: str, played: Club, tmp_path: Path
) -> None:
    club = played.copied(tmp_path)
    ATTACKS[what](club)
    before = at(club, MAIN)
    done = adjudicator("git", "pin", club.referee.path, *AT)
    assert done.exit_code == 1
    assert "somebody else has written here since" in done.output
    assert at(club, MAIN) == before
    club.turn()
    assert adjudicator("git", "pin", club.referee.path, *AT).exit_code == 0


def test_what_is_put_back_is_said_once_to_all(played: Club, tmp_path: Path) -> None:
    club = played.copied(tmp_path)
    _match_removed(club)
    club.turn()
    for player in club.clones:
        assert "Somebody else had written into main: the referee has put lagoon back." in club.told(player)
        mark_as_told(club.clones[player], club.read(player))
        assert "put lagoon back" not in club.told(player)
