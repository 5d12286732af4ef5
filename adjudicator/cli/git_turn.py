"""The referee's job for all matches of a repository: done match by match, and told in words that anybody may read."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudicator.cli.output import echo, echo_problems
from adjudicator.engine.folder.errors import Faulty, problem

if TYPE_CHECKING:
    from filelock import FileLock

    from adjudicator.engine.text.problem import Problem
    from adjudicator.git.repository import Repository
    from adjudicator.git.turn import JobResult

LONGEST_WAIT = 300
"""Seconds that a job waits for another one in the same clone."""


def turn_all(
    where: str,
    only: list[str],
    key: Path | None,
    now: datetime,
    relays: Sequence[str] = (),
    mail: Path | None = None,
) -> int:
    """Does the referee's job for all matches of a repository; returns the command's status. Raises Faulty, or GitFailed
    if there is no such clone.
    """
    from adjudicator.engine.beacon.relays import drawing
    from adjudicator.git.failing import collecting, in_public
    from adjudicator.git.hosts import complete_hooks
    from adjudicator.git.main import fetch_main, note_look
    from adjudicator.git.memory import FORGOTTEN, learn_all, matches_marked
    from adjudicator.git.repository import Repository
    from adjudicator.git.running import without_user
    from adjudicator.git.seat import key_of
    from adjudicator.git.turn import playing, turn, waiting

    wrong, sure = list["Problem"](), True
    matches, seats = list[str](), list[tuple[str, str]]()
    with _folder_for(where) as folder:
        repository = (
            Repository(Path(where)) if folder is None else Repository.create(Path(folder) / "clone", where)
        )
        lock = _lock_clone(repository, for_all=not only and mail is None)
        if lock is None:
            echo("Another job waits already, and will look at all that was pushed.")
            return 0
        with lock:
            with collecting("main" if folder is None else without_user(where), wrong):
                if folder is None:
                    complete_hooks(repository)
                elif (there := Path(repository.url.removeprefix("file://"))).is_dir():
                    repository.word = Repository(there).word  # its hooks ask for it
                commit = fetch_main(repository)
                secret = key_of(repository, key)
                if not (sure := learn_all(repository, secret)):
                    wrong.append(problem("main", FORGOTTEN))
                matches = only or matches_marked(repository, commit, secret)
            if mail is not None and len(matches) > 1:
                said = "a mailbox is for one match of a repository; name the match with --match"
                raise Faulty([problem("--mail", said)])
            failed = ["main"] if wrong else []
            for match in matches:
                before = len(wrong)
                with collecting(match, wrong):
                    turned = turn(
                        repository,
                        match,
                        secret,
                        now,
                        play=playing(relays) if sure else waiting,
                        draw=drawing(relays),
                        account=mail if sure else None,
                    )
                    posted = (faulty for each in turned.posted for faulty in each.wrong)
                    wrong += turned.wrong
                    wrong += [in_public(each) for faulty in posted for each in faulty.problems]
                    seats += [(match, player) for player in turned.players]
                    _tell(turned)
                failed += [match] if len(wrong) > before else []
            whole = None if only or wrong else seats
            told = [f"{each.file}: {each.text}" for each in wrong]
            if strays := note_look(repository, now, whole, told, sure=sure):
                echo(f"Passed over, since no match has these branches: {', '.join(strays)}")
    if wrong:
        echo_problems(wrong)
        echo(f"Not all was done of {', '.join(failed)}.", err=True)
    return 1 if wrong else 0


def _folder_for(where: str) -> Any:
    """A folder for a clone that is made for this job alone; none if a clone lies there already."""
    local = Path(where)
    bare = (local / "HEAD").is_file() and not (local / ".git").exists()
    there = local.is_dir() and not bare
    return nullcontext() if there else tempfile.TemporaryDirectory(prefix="adjudicator-")


def _lock_clone(repository: Repository, *, for_all: bool) -> FileLock | None:
    """Waits until no other job works in the clone, and locks it; removes what a killed job left. Returns the lock; None
    if this job is for all matches, and such a one waits already. Raises Faulty.
    """
    from filelock import FileLock, Timeout

    from adjudicator.git.main import tidy

    lock = FileLock(repository.home / "adjudicator.lock", timeout=LONGEST_WAIT)
    waiting: Any = FileLock(repository.home / "adjudicator.waiting", timeout=0) if for_all else nullcontext()
    try:
        with waiting:
            lock.acquire()
    except Timeout as late:
        if late.lock_file.endswith("waiting"):
            return None
        said = f"another job has worked in this clone for more than {LONGEST_WAIT} s"
        raise Faulty([problem(repository.path, said)]) from None
    tidy(repository)
    return lock


def _tell(turned: JobResult) -> None:
    """Tells what the job did, in words that anybody may read: they are in the host's log."""
    from adjudicator.gm.situation import Now

    if turned.put_back:
        echo(f"{turned.match}: somebody else had written into main; it is as the referee wrote it again.")
    for came in turned.came:
        what = came.kind or came.name or "the branch"
        echo(
            f"{turned.match}: {came.player}: {what}: {f'not taken ({came.because})' if came.because else 'taken'}"
        )
    for posted in turned.posted:
        for mail in posted.came:
            if mail.what not in ("ours", "double"):
                because = f" ({mail.because})" if mail.because else ""
                echo(f"{turned.match}: {mail.player or 'somebody'}: mail: {mail.what}{because}")
        if posted.went.sent:
            echo(f"{turned.match}: mailed to {', '.join(posted.went.sent)}")
    for ran in turned.ran:
        if ran.closed:
            echo(f"{turned.match}: closed {ran.closed}")
        if ran.undrawn or ran.because in (Now.AGAIN.value, Now.EARLY.value):
            echo(f"{turned.match}: {ran.open} isn't played yet: {ran.because}")
        if ran.still:
            echo(f"{turned.match}: on hold until the GM resumes it: {ran.still}")
        if ran.adjudicated:
            echo(f"{turned.match}: played {', '.join(ran.adjudicated)}; open now: {ran.open}")
