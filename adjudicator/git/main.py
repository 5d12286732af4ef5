"""The branch `main` as it was last seen: fetched, and compared with what was seen before,
so that no history is rewritten unseen.

The time when the referee last looked, and what was odd then: in a branch of its own with hardly anything in it.

There is at most one commit an hour, unless there is something else to say. Anybody who may push may write this branch,
so it is fetched with limits, and what it says is only shown.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct

from adjudicator.git.layout import box_of
from adjudicator.git.repository import HERE, MAIN, Changes, Incomplete, Repository
from adjudicator.git.running import GitFailed
from adjudicator.git.seat import told

LEFT = "adjudicator-"
"""The beginning of the names of folders that are gone when a command ends."""
SEEN = "refs/adjudicator/seen"
"""The last `main` that this clone has seen."""

PUT_BACK = "put back as the referee wrote it; somebody else had written here"
"""What the referee's commit says of a match, if somebody else has written into its folder or rewritten `main`."""


class Rewritten(GitFailed):
    """`main` doesn't follow from what was seen before: somebody has rewritten its history."""


def fetch_main(repository: Repository, *, mend: bool = True) -> str:
    """The last commit of `main`, fetched now. Raises Rewritten, GitFailed.

    With `mend`, as the referee fetches it, it is pushed again if it is gone or if somebody has only taken commits away;
    `remembered` puts back what else isn't as it should be.
    """
    seen = repository.commit_of(SEEN)
    try:
        repository.fetch(f"{MAIN}:{HERE}")
    except GitFailed:
        if not (mend and seen) or MAIN in repository.branches(MAIN):
            raise
        repository.push(seen, MAIN, "")
        repository.keep(seen, HERE)
    commit = repository.commit_of(HERE)
    if not commit:
        raise GitFailed(f"{repository.url} has no branch main: `adjudicator git init` makes it")
    rewritten = bool(seen) and not repository.follows(commit, seen)
    if rewritten and not mend:
        raise Rewritten(told(repository.path, "rewritten", before=seen[:12], now=commit[:12], seen=SEEN))
    if rewritten and repository.follows(seen, commit):
        with suppress(Incomplete):
            repository.push(seen, MAIN, commit)
            repository.keep(seen, HERE)
            return seen
    if not rewritten and commit != seen:
        repository.keep(commit, SEEN)
    return commit


def push_main(
    repository: Repository,
    parent: str,
    changes: Changes,
    message: str,
    now: datetime,
    also: Sequence[str] = (),
) -> str:
    """Pushes a commit after the last one of `main`, and after one of `also`, and returns its number. Raises Moved if
    another was faster, GitFailed.
    """
    commit = repository.push_after(parent, MAIN, changes, message, int(now.timestamp()), also=also)
    repository.keep(commit, HERE, SEEN)
    return commit


def tidy(repository: Repository) -> None:
    """Removes what a killed job left in the repository."""
    for each in repository.home.glob(f"{LEFT}*"):
        shutil.rmtree(each, ignore_errors=True)


@contextmanager
def work_folder(repository: Repository) -> Iterator[Path]:
    """A folder that nobody else may read, removed afterwards."""
    with tempfile.TemporaryDirectory(prefix=LEFT, dir=repository.home, ignore_cleanup_errors=True) as name:
        yield Path(name)


LOOKED = "refs/heads/looked"
EVERY = 3600
"""Seconds until it is said again."""
LONGEST_SILENCE = timedelta(days=1)
"""A referee that hasn't looked for longer is called silent."""
MOST_LINES, LONGEST_LINE = 20, 300
NEVER = 10**11
"""A time later than this, in seconds since 1970, is none: anybody may write what the referee says."""
_STRAY, _WRONG = "passed over: ", "failed: "
_SINCE = re.compile(r"failing since: ([0-9]{1,11})")


class Look(Struct, frozen=True):
    """When the referee looked last, in seconds since 1970 (0: that isn't known); the branches that it passed over since
    they are nobody's, and what failed, by match, `since` when.
    """

    at: int = 0
    strays: Sequence[str] = ()
    wrong: Sequence[str] = ()
    since: int = 0


def note_look(
    repository: Repository,
    now: datetime,
    seats: Iterable[tuple[str, str]] | None = None,
    wrong: Sequence[str] = (),
    *,
    sure: bool = True,
) -> Sequence[str]:
    """Says that the referee has looked, and what failed. If that can't be said, no harm is done.

    If it is `sure` that `main` is as the referee wrote it last, what it says also follows the last commit of `main`: so
    the host keeps that, and a job without a clone finds it.
    Returns the branches that are nobody's, if any of them is new; `seats` are all matches with each of their players,
    if they are known.
    """
    with suppress(GitFailed), work_folder(repository) as work:
        there, branch, number, before = _fetched(repository, work)
        strays = before.strays
        if seats is not None:
            ours = [LOOKED, *(box_of(match, player) for match, player in seats)]
            with suppress(GitFailed):  # there may be more than can be listed
                strays = tuple(name.removeprefix("refs/heads/") for name in there.strays(ours))
        at, told = int(now.timestamp()), tuple(map(_line, wrong))[:MOST_LINES]
        look = Look(at, strays, told, (before.since or at) if told else 0)
        seen = repository.commit_of(SEEN) if sure else ""
        repeated = not number or not seen or there.parents_of(HERE)[-1:] == [seen]
        same = repeated and (look.strays, look.wrong) == (before.strays, before.wrong)
        if same and 0 <= look.at - before.at < EVERY:
            return ()
        there.use_objects_of(repository)
        there.push_after(number, branch, {"": None}, _text(look), look.at, also=[seen])
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
    there.fetch_few(f"{branch}:{HERE}", files=0)
    return there, branch, number, _look_in(there.message_of(HERE), there.time_of(HERE))


def _text(look: Look) -> str:
    lines = [*(f"{_STRAY}{each}" for each in look.strays), *(f"{_WRONG}{each}" for each in look.wrong)]
    lines += [f"failing since: {look.since}"] if look.since else []
    return "\n".join(["The referee has looked", *([""] if lines else []), *(_line(each) for each in lines)])


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST_LINE]


def _look_in(text: str, at: int) -> Look:
    lines = [_line(each) for each in text.splitlines()[: 2 * MOST_LINES + 3]]
    strays = [each.removeprefix(_STRAY) for each in lines if each.startswith(_STRAY)]
    wrong = [each.removeprefix(_WRONG) for each in lines if each.startswith(_WRONG)]
    since = next((int(found[1]) for each in lines if (found := _SINCE.fullmatch(each))), 0)
    return Look(at if at < NEVER else 0, tuple(strays), tuple(wrong), since)
