"""A job that is killed anywhere, two at once, a push in the middle: nothing lost, nothing twice, one clean history.

The kills are real: a child process ends, without any clearing up, before or after the Nth git command.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Closed, Taken, of_kind
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.git import objects
from adjudicator.git.main import tidy
from adjudicator.git.repository import Repository
from adjudicator.git.running import GitFailed, TookTooLong
from adjudicator.git.turn import turn
from adjudicator.gm.playing import run_if_due
from tests.git.clubs import Club, joined

KILLED, WHOLE = 9, 0


def killed(work: Callable[[], Any], number: int, *, after: bool) -> bool:
    """Does work in a child process, which dies at the git command of that number. Returns whether it died."""
    child = os.fork()
    if child == 0:  # pragma: no cover - the child's coverage is lost with it
        calls, run = count(), objects.run

        def dying(*words: Any, **more: Any) -> bytes:
            here = next(calls) == number
            if here and not after:
                os._exit(KILLED)
            found = run(*words, **more)
            if here:
                os._exit(KILLED)
            return found

        objects.run = dying  # type: ignore[assignment]
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(WHOLE)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (KILLED, WHOLE)
    return status == KILLED


def as_it_is(club: Club) -> dict[str, bytes]:
    """The match as it lies in `main`, opened; but for the times of its entries, all of it must be the same."""
    into = club.opened(f"opened-{len(list(club.home.glob('opened-*')))}")
    return {
        path.relative_to(into).as_posix(): path.read_bytes()
        for path in sorted(into.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_job_killed_at_any_git_command_has_either_done_all_or_nothing(tmp_path: Path) -> None:
    """Before it or after it, in turn; and the next one does the rest, with the same result as one that wasn't killed.

    The players' commands are killed as well: a sheet that is sent again is taken once.
    """
    club = joined(tmp_path, turns="1")
    before = as_it_is(club)
    kills = 0
    for player in ("venice", "genoa"):
        sheet = f"player: {player}\norders: []\n".encode()
        kills += killed_everywhere(lambda player=player, sheet=sheet: club.send(player, sheet))  # type: ignore[misc]
    good = club.git("rev-parse", "main").strip()
    kills += killed_everywhere(club.turn)
    assert kills >= 50
    tidy(club.referee)
    assert not list(club.referee.home.glob("adjudicator-*"))
    club.turn()
    played = as_it_is(club)
    assert club.git("log", "--format=%s", f"{good}..main").splitlines() == [
        "lagoon: 0001-t1-setup played; 0002-t1-auction is open",
        "lagoon: 0001-t1-setup closed",
    ]
    assert before.keys() < played.keys()
    entries = ledger_of(open_match(club.opened("last")))
    assert len(of_kind(entries, Taken)) == 2
    assert len(of_kind(entries, Closed)) == 1
    assert verify(club.home / "last").good


def killed_everywhere(work: Callable[[], Any]) -> int:
    """Does work that is killed at each of its git commands, before it or after it in turn, until it comes to its end;
    how often it was killed.
    """
    for number in count():
        if not killed(work, number, after=number % 2 == 1):
            return number
    raise AssertionError


def test_another_job_is_faster_and_this_one_begins_again(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    club.send("venice", b"player: venice\norders: []\n")
    club.send("genoa", b"player: genoa\norders: []\n")
    other = Repository.create(tmp_path / "other", str(club.bare))
    meanwhile = [lambda: turn(other, "lagoon", club.key, club.now)]

    def before(what: str) -> None:
        if what == "push" and meanwhile:
            meanwhile.pop()()

    club.referee.before = before
    turned = club.turn()
    assert [ran.adjudicated for ran in turned.ran] == [()]
    entries = ledger_of(open_match(club.opened()))
    assert len(of_kind(entries, Taken)) == 2
    assert len(of_kind(entries, Closed)) == 1
    assert club.git("rev-list", "--count", "--min-parents=2", "main").strip() == "0"


def test_others_that_are_always_faster_end_a_job_in_a_clear_line(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    club.send("venice", b"player: venice\norders: []\n")

    def before(what: str) -> None:
        if what == "push":
            tree = club.git("rev-parse", "main^{tree}").strip()
            parent = club.git("rev-parse", "main").strip()
            club.git(
                "update-ref",
                "refs/heads/main",
                club.git("commit-tree", "-m", "x", "-p", parent, tree).strip(),
            )

    club.referee.before = before
    with pytest.raises(Faulty) as faulty:
        club.turn()
    assert "others were faster" in faulty.value.problems[0].text


def test_a_sheet_pushed_in_the_middle_of_a_job_is_taken_by_the_next(tmp_path: Path) -> None:
    """The phase it was for has been played by then: it is refused, in a clear line, and nothing is lost or mixed up."""
    club = joined(tmp_path, turns="1")
    for player in ("venice", "genoa"):
        club.send(player, b"orders: []\n")
    sent = []

    def play(path: Path, now: Any) -> Any:
        if not sent:
            sent.append(club.send("genoa", b"player: genoa\norders: []\n# later\n"))
        return run_if_due(path, now)

    turned = turn(club.referee, "lagoon", club.key, club.now, play=play)
    assert turned.phases_played == ("0001-t1-setup",)
    assert [(each.player, each.because) for each in club.turn().came] == [("genoa", "phase-over")]
    assert "0001-t1-setup is open" not in club.told("genoa")
    assert verify(club.opened()).good


def test_a_push_that_the_host_refuses_changes_nothing(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    club.send("venice", b"player: venice\norders: []\n")
    hook = club.bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'protected branch' >&2\nexit 1\n")
    hook.chmod(0o755)
    before = club.git("rev-parse", "main")
    with pytest.raises(GitFailed, match="protected branch"):
        club.turn()
    assert club.git("rev-parse", "main") == before
    hook.unlink()
    assert [each.because for each in club.turn().came] == [""]


@pytest.mark.parametrize("arrived", [True, False])
def test_a_sheet_that_arrived_is_sent_even_if_the_hook_takes_too_long(
    arrived: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club, run = joined(tmp_path, turns="1"), objects.run

    def slow(at: Path, words: tuple[str, ...], *rest: Any, **more: Any) -> bytes:
        if words[0] != "push":
            return run(at, words, *rest, **more)
        if arrived:
            run(at, words, *rest, **more)
        raise TookTooLong("git push took longer than 120 s")

    with monkeypatch.context() as patch:
        patch.setattr(objects, "run", slow)
        with nullcontext() if arrived else pytest.raises(TookTooLong):
            club.send("venice")
    assert [each.because for each in club.turn().came] == [""] * arrived


@pytest.mark.soak
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_hundred_kills_in_a_whole_match(tmp_path: Path) -> None:
    """Every job is killed again and again, at another git command each time, before one may end."""
    club = joined(tmp_path, turns="2")
    kills, numbers, turn_once = [0], count(1), club.turn

    def dying(match: str = "lagoon") -> Any:
        for _ in range(20):
            number = 1 + next(numbers) * 7 % 45
            kills[0] += killed(turn_once, number, after=number % 2 == 0)
        return turn_once(match)

    club.turn = dying  # type: ignore[method-assign]
    club.play()
    opened = club.opened()
    assert verify(opened).good
    assert open_match(opened).head(open_match(opened).last).over
    assert kills[0] >= 100
    seen = club.git("log", "--format=%s", "main").splitlines()
    played = [line for line in seen if "played" in line]
    assert len(played) == len({*played})
