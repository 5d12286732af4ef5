"""The work of the commands of `adjudicator git`: news for a player, checking and sending a sheet, the referee's job."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudicator.cli.output import echo

if TYPE_CHECKING:
    from adjudicator.engine.folder.errors import Faulty
    from adjudicator.git.keys import RefereeKey
    from adjudicator.git.main import Look
    from adjudicator.git.read import News
    from adjudicator.git.repository import Repository
    from adjudicator.git.turn import JobResult

LONGEST_WAIT = 300
"""Seconds that a job waits for another one in the same clone."""


def sentences_of_news(news: News, *, everything: bool = False) -> Iterator[str]:
    """What is new and what is due, a sentence on each line; with `everything` also what was told before."""
    seat = news.seat
    for phase in sorted(news.fresh):
        yield f"New: {news.folder.parent / phase}"
    for name in news.kept:
        yield f"You have changed this file, so the newer one lies beside it: {name}"
    if not (news.fresh or news.kept or news.has_reply):
        yield "Nothing is new."
    if seat.put_back:
        yield f"Somebody else had written into main: the referee has put {seat.match} back."
    if news.reply.text and (news.has_reply or everything):
        yield ""
        yield from news.reply.text.rstrip().split("\n")
        yield ""
    if news.now.over:
        yield f"{seat.match} is over. Your last report: {news.folder / 'report.html'}"
        if news.whole:
            yield f"All of it is in {news.folder.parent / 'whole'}: adjudicator verify {news.folder.parent / 'whole'}"
        return
    if not news.folder.is_dir() and seat.player not in news.keys.players:
        yield "The referee hasn't taken your key yet; read again later."
        return
    yield from _open_now(news)
    yield from _why_unchecked(news.folder / "view.yaml")
    report = next(
        (file for name in ("report.html", "report.md") if (file := news.folder / name).is_file()), None
    )
    if report is not None:
        yield f"Your report: {report}"
    if news.form_to_fill_in is not None:
        yield f"Your form: {news.form_to_fill_in}"
        if (news.folder / "orders.html").is_file():
            yield f"Or tap your orders: {news.folder / 'orders.html'}"
        yield f"Then: adjudicator git send {news.form_to_fill_in}"
    else:
        yield "Nothing is asked of you now."
    yield from _last_look(news.looked)


def _last_look(look: Look) -> Iterator[str]:
    """When the referee looked last, and what it said; nothing if that isn't known."""
    from datetime import UTC, timedelta

    from adjudicator.git.main import EVERY

    if not look.at:
        return
    looked = datetime.fromtimestamp(look.at, UTC)
    until = looked + timedelta(seconds=EVERY)  # it says so at most once an hour
    yield f"The referee last looked on {looked:%Y-%m-%d}, between {looked:%H:%M} and {until:%H:%M} UTC."
    for failed in look.wrong:
        yield f"It couldn't do all of its work then: {failed}"
    if look.strays:
        yield f"It passed over branches that are nobody's: {', '.join(look.strays)}"


def _why_unchecked(view: Path) -> Iterator[str]:
    """Why this program can check no sheet for a position, such as one of a later release; nothing if it can."""
    from adjudicator.engine.play.position import PositionFile, read_position
    from adjudicator.engine.text.problem import as_text

    found = read_position(view.read_bytes(), str(view)) if view.is_file() else None
    if found is not None and not isinstance(found, PositionFile):
        yield as_text(found)
        yield "So your sheet can't be checked here. `adjudicator git send --anyway` sends it as it is."


def _open_now(news: News) -> Iterator[str]:
    """Which phase is open, until when, and what it waits for if not for sheets alone."""
    now, who = news.now, f"{news.seat.match}, {news.seat.player}"
    if now.closed:
        yield f"{who}: {now.phase} is closed. What is sent for it now doesn't count."
        yield from _awaited(news.folder)
    else:
        until = f", due {now.due:%A %Y-%m-%d %H:%M} UTC" if now.due else ", without a deadline"
        yield f"{who}: {now.phase} is open{'' if now.held else until}."
    if now.held:
        yield f"The match is on hold ({now.held}): nothing is played until the GM resumes it."
    elif now.again and not now.closed:
        when = "at its deadline" if now.due else "when the GM closes it"
        yield f"It was taken back. It is played again {when} and not before, even if all sheets are in."
        yield "What was sent for it still counts, until another sheet comes in its place."


def _awaited(folder: Path) -> Iterator[str]:
    """What a closed phase waits for before it is played, by its folder in a player's clone."""
    from adjudicator.engine.beacon import quicknet
    from adjudicator.engine.folder.adjudication import ClosedPhase
    from adjudicator.engine.folder.names import CLOSED
    from adjudicator.engine.folder.papers import read_paper

    closing = folder / CLOSED
    source = read_paper(closing.read_bytes(), str(closing), ClosedPhase).dice if closing.is_file() else None
    if source is not None and source.drand:
        out = quicknet.time_of(source.drand)
        yield f"It is played with round {source.drand} of drand, which comes out {out:%Y-%m-%d %H:%M:%S} UTC."
    elif source is not None and source.named:
        yield f"It is played when the GM says what came of {source.named}."


def clone_of(file: str, clone: Path | None) -> Path:
    """The clone that a player means: the named one, the one that the file is in, or else the one around this folder.

    Raises Faulty if there is none.
    """
    from adjudicator.cli.files import STANDING_INPUT
    from adjudicator.engine.folder.errors import Faulty, problem
    from adjudicator.git.seat import clone_around

    here = Path.cwd()
    home = here if file == STANDING_INPUT else Path(file).absolute().parent
    found = clone or clone_around(home, here)
    if found is None:
        where = "this folder isn't" if home == here else f"neither {home} nor this folder is"
        said = f"{where} in a player's clone: go into yours, or name it with --clone"
        raise Faulty([problem(file, said)])
    return found


def send_checked(file: str, clone: Path | None, now: datetime, *, anyway: bool) -> int:
    """Checks and sends a file; returns the command's status. Raises Faulty, GitFailed."""
    from adjudicator.cli.check import check_text, holds_answers, show_lines
    from adjudicator.cli.files import content
    from adjudicator.door.submission import with_player
    from adjudicator.engine.audit.received import sheet_in
    from adjudicator.engine.beacon.timelock import VERSION
    from adjudicator.engine.text.problem import as_text
    from adjudicator.engine.text.source import MOST_BYTES
    from adjudicator.git.join import send, send_without_lock
    from adjudicator.git.read import read
    from adjudicator.git.repository import Repository
    from adjudicator.git.seat import write_own

    repository = Repository(clone_of(file, clone))
    news = read(repository)
    for odd in news.odd:
        echo(f"WARNING: {odd}", err=True)
    text = content(file, MOST_BYTES)
    if not isinstance(text, bytes):
        echo(as_text([text]), err=True)
        return 1
    if text.startswith(VERSION):
        send_without_lock(repository, news, text, now)
        echo(f"Sent for {news.now.phase}, as it was sealed; it counts if it is what was locked before.")
        return 0
    if news.now.closed and not anyway:
        echo(f"Not sent: {news.now.phase} is closed, and the next phase isn't open yet.", err=True)
        return 1
    if not anyway and (late := _late(file, text, news)):
        echo(f"Not sent: {late}", err=True)
        return 1
    answers = holds_answers(file, text)
    sent, view = with_player(text, news.seat.player), news.folder / "view.yaml"
    if view.is_file():
        lines, problems = check_text(file, sent, view)
        show_lines(file, lines, problems, err=True)
        if any(each.severity == "error" for each in problems) and not anyway:
            echo("Not sent. Mend it and send it again; with --anyway what is good in it counts.", err=True)
            return 1
    if sheet_in(sent, file) is None and not anyway:
        echo("Not sent: nothing is filled in.", err=True)
        return 1
    receipt = send(repository, news, sent, now, answers=answers)
    if sent != text or Path(file).absolute().parent != news.folder.absolute():
        write_own(
            news.folder / ("sent-answer.yaml" if answers else "sent.yaml"), sent
        )  # `verify` compares it later
    echo(f"Sent for {news.now.phase}, sealed to the referee. Receipt: {receipt}")
    echo("When the referee has taken it, `adjudicator git read` says so.")
    return 0


def _late(file: str, text: bytes, news: News) -> str:
    """Why a file that names no phase is too late, by the folder of the clone that it lies in; empty if it isn't."""
    from adjudicator.engine.folder.names import head_of
    from adjudicator.engine.text.source import Source, read

    home = Path(file).absolute().parent
    source = read(text, file)
    plain = source.plain if isinstance(source, Source) else None
    if (
        home.parent != news.folder.absolute().parent
        or home.name == news.now.phase
        or head_of(home.name) is None
    ):
        return ""
    if isinstance(plain, dict) and plain.get("phase") is not None:
        return ""
    form = f"; its form is {news.form_to_fill_in}" if news.form_to_fill_in else ""
    return (
        f"{file} lies in the folder of {home.name}, which is over, and names no phase. {news.now.phase} is open{form}. "
        "With --anyway it is sent for that."
    )


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
    from adjudicator.engine.folder.errors import Faulty, collecting_faults, problem
    from adjudicator.engine.text.problem import as_text
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
        echo(as_text([each for faulty in wrong for each in faulty.problems]), err=True)
    return 1 if wrong else 0


class _as_faulty:
    """Turns a failure of git into a problem of a match."""

    def __init__(self, match: str) -> None:
        self.match = match

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        from adjudicator.engine.folder.errors import Faulty, problem
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
