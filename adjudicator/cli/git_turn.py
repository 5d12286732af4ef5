"""The referee's job for all matches of a repository: done match by match, and told in words that anybody may read."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudicator.cli.output import echo, echo_problems
from adjudicator.engine.folder.errors import Faulty, collecting_faults, problem

if TYPE_CHECKING:
    from adjudicator.git.keys import RefereeKey
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
    """Does the referee's job for all matches of a repository; returns the command's status. Raises Faulty."""
    from adjudicator.engine.beacon.quicknet import drawing
    from adjudicator.git.hosts import complete_hooks
    from adjudicator.git.keys import referee_key
    from adjudicator.git.main import fetch_main, note_look
    from adjudicator.git.match_in_main import learn_all, matches_marked
    from adjudicator.git.repository import Repository
    from adjudicator.git.running import GitFailed, without_user
    from adjudicator.git.seat import REFEREE_KEY, home_of
    from adjudicator.git.turn import playing, turn

    wrong: list[Faulty] = []
    local = Path(where)
    bare = (local / "HEAD").is_file() and not (local / ".git").exists()
    passing: Any = (
        nullcontext() if local.is_dir() and not bare else tempfile.TemporaryDirectory(prefix="adjudicator-")
    )
    with passing as folder:
        try:
            repository = (
                Repository(Path(where))
                if folder is None
                else Repository.create(Path(folder) / "clone", where)
            )
            with _lock_clone(repository):
                if folder is None:
                    complete_hooks(repository)
                elif (there := Path(repository.url.removeprefix("file://"))).is_dir():
                    repository.word = Repository(there).word  # its hooks ask for it
                commit = fetch_main(repository)
                secret: RefereeKey = referee_key(key, home_of(repository) / REFEREE_KEY)
                learn_all(repository, secret)
                matches = only or matches_marked(repository, commit, secret)
                if mail is not None and len(matches) > 1:
                    said = "a mailbox is for one match of a repository; name the match with --match"
                    raise Faulty([problem("--mail", said)])
                seats: list[tuple[str, str]] = []
                for match in matches:
                    with collecting_faults(Path(match), wrong), _as_faulty(match):
                        turned = turn(
                            repository,
                            match,
                            secret,
                            now,
                            play=playing(relays),
                            draw=drawing(relays),
                            account=mail,
                        )
                        wrong += [faulty for posted in turned.posted for faulty in posted.wrong]
                        seats += [(match, player) for player in turned.players]
                        _tell(turned)
                failures = [f"{each.file}: {each.text}" for faulty in wrong for each in faulty.problems]
                whole = None if only or wrong else seats
                if strays := note_look(repository, now, whole, failures):
                    echo(f"Passed over, since no match has these branches: {', '.join(strays)}")
        except GitFailed as failed:
            raise Faulty([problem(without_user(where), str(failed))]) from None
    if wrong:
        echo_problems([each for faulty in wrong for each in faulty.problems])
    return 1 if wrong else 0


class _as_faulty:
    """Turns a failure of git into a problem of a match."""

    def __init__(self, match: str) -> None:
        self.match = match

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        from adjudicator.git.running import GitFailed

        if isinstance(error, GitFailed):
            raise Faulty([problem(self.match, str(error))]) from None


def _lock_clone(repository: Repository) -> Any:
    """Waits until no other job works in the clone, and locks it; removes what a killed job left. Returns the lock."""
    from filelock import FileLock

    from adjudicator.git.main import tidy

    lock = FileLock(repository.home / "adjudicator.lock", timeout=LONGEST_WAIT)
    lock.acquire()
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
