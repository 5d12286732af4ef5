"""The branch `main` as it was last seen: fetched, and compared with what was seen before,
so that no history is rewritten unseen."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from adjudicator.git.repository import HERE, MAIN, Repository
from adjudicator.git.running import GitFailed

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
        repository.keep(HERE, seen)
    commit = repository.commit_of(HERE)
    if not commit:
        raise GitFailed(f"{repository.url} has no branch main: `adjudicator git init` makes it")
    rewritten = bool(seen) and not repository.follows(commit, seen)
    if rewritten and not mend:
        raise Rewritten(warning_of_rewriting(seen, commit))
    if rewritten and repository.follows(seen, commit):
        repository.push(seen, MAIN, commit)
        repository.keep(HERE, seen)
        return seen
    if not rewritten:
        repository.keep(SEEN, commit)
    return commit


def push_main(
    repository: Repository,
    parent: str,
    changes: Mapping[str, bytes | str | None],
    message: str,
    now: datetime,
    also: str = "",
) -> str:
    """Pushes a commit after the last one of `main`, and after `also`, and returns its number. Raises Moved if another
    was faster, GitFailed.
    """
    commit = repository.commit(parent, changes, message, int(now.timestamp()), also=also)
    repository.push(commit, MAIN, parent)
    repository.keep(HERE, commit)
    repository.keep(SEEN, commit)
    return commit


def warning_of_rewriting(seen: str, commit: str) -> str:
    """The message about a rewritten `main`."""
    return (
        f"main was rewritten: its last commit was {seen[:12]}, and is {commit[:12]}, which doesn't follow from it. "
        f"Ask the others what they have. What this clone saw is kept: git log {SEEN}"
    )


def tidy(repository: Repository) -> None:
    """Removes what a killed job left in the repository."""
    for each in repository.home.glob(f"{LEFT}*"):
        shutil.rmtree(each, ignore_errors=True)


@contextmanager
def work_folder(repository: Repository) -> Iterator[Path]:
    """A folder that nobody else may read, removed afterwards."""
    with tempfile.TemporaryDirectory(prefix=LEFT, dir=repository.home, ignore_cleanup_errors=True) as name:
        yield Path(name)
