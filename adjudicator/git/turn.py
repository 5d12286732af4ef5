"""The referee's job: fetch, take what players pushed, play what is due, seal, push; if another was faster, again.

Nothing is kept between two jobs except what is in `main`, so a job may be killed anywhere: either its push has arrived,
or nothing has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.beacon.relays import Draw, drawing
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import open_match as match_in
from adjudicator.engine.match.run import RunResult
from adjudicator.engine.text.problem import Problem
from adjudicator.git import by_mail
from adjudicator.git.box import files_in_boxes
from adjudicator.git.by_mail import MailResult
from adjudicator.git.keys import RefereeKey, keys_of
from adjudicator.git.main import PUT_BACK, fetch_main, push_main, work_folder
from adjudicator.git.memory import (
    FORGOTTEN,
    Marked,
    last_marked,
    learn_from_boxes,
    lost_by,
    put_back,
    remember,
)
from adjudicator.git.reply import FileResult, WithoutLocks, without_locks
from adjudicator.git.repository import Moved, Repository
from adjudicator.git.running import MOST_ATTEMPTS
from adjudicator.git.sealing import InMain, open_match, sealed_match
from adjudicator.git.taking import take
from adjudicator.gm.closing import Dice
from adjudicator.gm.playing import run_if_due

Play = Callable[[Path, datetime], RunResult]
BOXES = ".boxes"
LEAD = timedelta(seconds=300)
"""From a closing to the round of drand that it names: more than a job's fetch and push may take (`limits.PATIENCE`)."""


def playing(relays: Sequence[str] = ()) -> Play:
    """How a job plays: each phase is closed and pushed before it is played, even if its dice need no waiting."""
    return partial(run_if_due, dice=Dice(first=True, draw=drawing(relays), lead=LEAD))


def waiting(path: Path, now: datetime) -> RunResult:
    """How a job plays that can't know how far the match was: not at all."""
    return RunResult((), match_in(path).phases[-1], because=FORGOTTEN, undrawn=True)


class JobResult(Struct, frozen=True):
    """What a job did for a match: what became of the files that were new, the phases it played, and what was odd.

    `players` are all of the match. `put_back`: somebody else had written into the match's folder, which is now as the
    referee wrote it. `posted` is what came and went by mail, and `wrong` why what some
    player pushed couldn't be looked at.
    """

    match: str
    came: Sequence[FileResult] = ()
    posted: Sequence[MailResult] = ()
    ran: Sequence[RunResult] = ()
    put_back: bool = False
    players: Sequence[str] = ()
    wrong: Sequence[Problem] = ()

    @property
    def phases_played(self) -> tuple[str, ...]:
        """The folders of all phases that were played."""
        return tuple(phase for ran in self.ran for phase in ran.adjudicated)


def turn(
    repository: Repository,
    match: str,
    key: RefereeKey,
    now: datetime,
    *,
    play: Play | None = None,
    draw: Draw | None = None,
    account: Path | None = None,
) -> JobResult:
    """One job for one match. `play`, and `draw`, which asks for rounds of drand, are the usual ones if none are given.
    `account` is the file of the account for players who play by mail. Raises Faulty, GitFailed.
    """
    done, play, draw = JobResult(match), play or playing(), draw or drawing()
    for _ in range(MOST_ATTEMPTS):
        try:
            commit = fetch_main(repository)
            good = last_marked(repository, commit, match, key)
            if not good.in_main:
                lost = lost_by(repository, good)
                changes = put_back(repository, good)
                commit = push_main(repository, commit, changes, f"{match}: {PUT_BACK}", now, also=lost)
                remember(repository, match, commit)
                done = replace(done, put_back=True)
                continue
            return _do_job(repository, good, done, key, now, play, draw, account)
        except Moved:
            continue
    said = f"others were faster {MOST_ATTEMPTS} times; nothing was changed, and the next job tries again"
    raise Faulty([problem(match, said)])


def _do_job(
    repository: Repository,
    good: Marked,
    done: JobResult,
    key: RefereeKey,
    now: datetime,
    play: Play,
    draw: Draw,
    account: Path | None,
) -> JobResult:
    with work_folder(repository) as work:
        path = work / done.match
        before = open_match(repository, good, key, path)
        match = match_in(path)
        done = replace(done, players=match.card.players)
        pushed = WithoutLocks([])
        if not match.head(match.last).over:
            seats, forks = match.card.players, keys_of(match).boxes
            came_in = files_in_boxes(repository, done.match, match.phases, seats, forks, work / BOXES)
            pushed = without_locks(match, came_in, now, draw)
        if learn_from_boxes(repository, work / BOXES, good, key):
            raise Moved("players know a later main")
        wrong = list[Problem]()
        came = take(path, pushed.pushed, key, now, wrong)
        done = replace(done, came=(*done.came, *came), wrong=wrong)
        if account is not None:
            by_mail.lay_account(path, account)
            done = replace(done, posted=(*done.posted, by_mail.fetch_mail(path, now)))
        while True:
            stuck = RunResult((), match.phases[-1], because=pushed.stuck, undrawn=True)
            ran = stuck if pushed.stuck else play(path, now)
            before = put_into_main(repository, path, before, key, now, commit_message(done.match, ran, came))
            done, came = replace(done, ran=(*done.ran, ran)), []
            if not ran.adjudicated and not ran.closed:
                break
        if account is not None:  # what is mailed has been pushed; now push the note that it was mailed
            done = replace(done, posted=(*done.posted, by_mail.send_mail(path, now)))
            put_into_main(repository, path, before, key, now, f"{done.match}: mails")
        return done


def commit_message(name: str, ran: RunResult, came: Sequence[FileResult]) -> str:
    """A commit's message: what anybody may know about it."""
    if ran.closed:
        return f"{name}: {ran.closed} closed"
    if ran.adjudicated:
        return f"{name}: {', '.join(ran.adjudicated)} played; {ran.open} is open"
    if came:
        return f"{name}: looked at what {', '.join(sorted({each.player for each in came}))} pushed"
    return f"{name}: looked"


def put_into_main(
    repository: Repository, path: Path, before: InMain, key: RefereeKey, now: datetime, message: str
) -> InMain:
    """Puts a match folder back into `main`, if anything has changed. Raises Moved if another was faster, GitFailed."""
    sealed = sealed_match(match_in(path), before, key)
    if not sealed.changes:
        return before
    commit = push_main(repository, before.commit, sealed.changes, message, now)
    remember(repository, before.match, commit)
    return replace(sealed.after, commit=commit)
