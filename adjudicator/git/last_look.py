"""The time when the referee last looked, and what was odd then: in a branch of its own with hardly anything in it.

There is at most one commit an hour, unless there is something else to say. Anybody who may push may write this branch,
so it is fetched with limits, and what it says is only shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from adjudicator.git.layout import box_of
from adjudicator.git.main import work_folder
from adjudicator.git.repository import HERE, Repository
from adjudicator.git.running import GitFailed

LOOKED = "refs/heads/looked"
EVERY = 3600
"""Seconds until it is said again."""
MOST_LINES, LONGEST_LINE = 20, 300
_STRAY, _WRONG = "passed over: ", "failed: "


class Look(Struct, frozen=True):
    """When the referee looked last, in seconds since 1970 (0: that isn't known); the branches that it passed over since
    they are nobody's, and what failed, by match.
    """

    at: int = 0
    strays: Sequence[str] = ()
    wrong: Sequence[str] = ()


def note_look(
    repository: Repository,
    now: datetime,
    seats: Iterable[tuple[str, str]] | None = None,
    wrong: Sequence[str] = (),
) -> Sequence[str]:
    """Says that the referee has looked, and what failed. If that can't be said, no harm is done.

    Returns the branches that are nobody's, if any of them is new; `seats` are all matches with each of their players,
    if they are known.
    """
    with suppress(GitFailed), work_folder(repository) as work:
        there, branch, number, before = _fetched(repository, work)
        strays = before.strays
        if seats is not None:
            ours = [LOOKED, *(box_of(match, player) for match, player in seats)]
            strays = tuple(name.removeprefix("refs/heads/") for name in there.strays(ours))
        look = Look(int(now.timestamp()), strays, tuple(wrong)[:MOST_LINES])
        same = (look.strays, look.wrong) == (before.strays, before.wrong)
        if same and 0 <= look.at - before.at < EVERY:
            return ()
        commit = there.commit(number, {"": None}, _text(look), look.at)
        there.push_beside(commit, branch, number)
        return strays if {*strays} - {*before.strays} else ()
    return ()


def last_look(repository: Repository) -> Look:
    """What the referee said when it last looked."""
    with suppress(GitFailed), work_folder(repository) as work:
        return _fetched(repository, work)[3]
    return Look()


def _fetched(repository: Repository, work: Path) -> tuple[Repository, str, str, Look]:
    """The branch in a repository of its own, its name and last commit, and what that says."""
    there = Repository.create(work / "looked", repository.url)
    there.before, there.word = repository.before, repository.word
    branch, number = there.branch_of(LOOKED).get(LOOKED, (LOOKED, ""))
    if not number:
        return there, branch, "", Look()
    there.fetch_few(f"{branch}:{HERE}", files=False)
    return there, branch, number, _look_in(there.message_of(HERE), there.time_of(HERE))


def _text(look: Look) -> str:
    lines = [*(f"{_STRAY}{each}" for each in look.strays), *(f"{_WRONG}{each}" for each in look.wrong)]
    return "\n".join(["The referee has looked", *([""] if lines else []), *(_line(each) for each in lines)])


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST_LINE]


def _look_in(text: str, at: int) -> Look:
    lines = [_line(each) for each in text.splitlines()[: 2 * MOST_LINES]]
    strays = [each.removeprefix(_STRAY) for each in lines if each.startswith(_STRAY)]
    return Look(
        at, tuple(strays), tuple(each.removeprefix(_WRONG) for each in lines if each.startswith(_WRONG))
    )
