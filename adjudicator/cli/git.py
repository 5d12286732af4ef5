"""`adjudicator git`: plays matches in a git repository; the players' commands, and those of the referee."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli import git_referee
from adjudicator.cli.git_referee import Clone, about_dice, git_faults
from adjudicator.cli.options import At, group, time_of, wrong_values_end_with_2
from adjudicator.cli.output import STANDING_INPUT, content, echo, echo_lines, echo_problems
from adjudicator.engine.folder.errors import Faulty, problem

if TYPE_CHECKING:
    from adjudicator.git.main import Look
    from adjudicator.git.read import News

app = group("git")
app.add_typer(git_referee.app)


@app.callback()
def git() -> None:
    """Play in a git repository: sealed sheets and reports, and a job that referees.

    Example: adjudicator git read
    """


@app.command()
def join(  # noqa: PLR0917  - as many options as there are ways to join
    url: Annotated[str, typer.Argument(metavar="URL", help="The repository.")],
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Whom you play.")],
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="A new folder; left out: MATCH-PLAYER or PLAYER.")
    ] = None,
    token: Annotated[str, typer.Option(help="The token that the GM has told you.")] = "",
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="An SSH key (ed25519 or RSA, without passphrase) or age key of yours."
        ),
    ] = None,
    match: Annotated[str, typer.Option(help="Which match, if there are several.")] = "",
    sign: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="An SSH key (ed25519 or RSA) of yours: all that you send is signed with it, and counts only so.",
        ),
    ] = None,
    box: Annotated[
        str, typer.Option(metavar="URL", help="Your fork, if you may not push to the repository.")
    ] = "",
    at: At = "",
) -> None:
    """Make your clone, with a key of yours to which everything for you is sealed.

    Example: adjudicator git join git@git.example.org:club/lagoon venice --token k7q2m9x4ptzc
    """
    from adjudicator.git.join import card_of, join as join_match
    from adjudicator.git.repository import HERE, Repository

    where = folder or Path(f"{match}-{player}" if match else player)
    with git_faults(url), wrong_values_end_with_2():
        seat, told = join_match(
            url, player, where, time_of(at), match=match, token=token, key=key, box=box, signing=sign
        )
        card = card_of(Repository(where), HERE, seat.match)
    echo(
        f"Your clone: {where}. Your key: {seat.key}. Keep a copy of it: it alone opens what is sealed to you."
    )
    echo(about_dice(str(card.options.get("dice", ""))))
    if told:
        echo(
            "Your key went to the referee. When the referee has looked, `adjudicator git read` shows your first report."
        )
    else:
        echo(f"The referee knows your key. Next: adjudicator git read {where}")


@app.command()
def read(
    clone: Clone = Path(),
    accept: Annotated[
        bool, typer.Option("--accept", help="A rewritten history of main is as it should be, from now on.")
    ] = False,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Also say the referee's last reply again, if you have read it before."),
    ] = False,
    at: At = "",
) -> None:
    """Fetch what is new since you last read, open what is sealed to you, and say what is asked and until when.

    Status 0, or 1 if something isn't as it should be, such as a rewritten history.

    Example: adjudicator git read
    """
    from adjudicator.git.read import mark_as_told, read as read_match
    from adjudicator.git.repository import Repository
    from adjudicator.git.seat import clone_around

    repository = Repository(clone_around(clone) or clone)
    with git_faults(clone):
        news = read_match(repository, accept=accept)
    echo_lines(sentences_of_news(news, time_of(at), everything=everything))
    for odd in news.odd:
        echo(f"WARNING: {odd}", err=True)
    mark_as_told(repository, news)
    if news.odd:
        raise typer.Exit(1)


@app.command()
def send(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Your sheet or your answers; - is standard input.")
    ],
    clone: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Your clone; left out: the one that the file is in, or you are in."
        ),
    ] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Send it although it has faults.")] = False,
    at: At = "",
) -> None:
    """Check a sheet, seal it so that only the referee can read it, push it, and tell its receipt.

    Status 0, or 1 if it wasn't sent. With faults it is sent only with --anyway: then what is good in it counts.

    Example: adjudicator git send 0001-t1-auction/sheet.yaml
    """
    with git_faults(clone or file):
        raise typer.Exit(send_checked(file, clone, time_of(at), anyway=anyway))


def sentences_of_news(news: News, at: datetime, *, everything: bool = False) -> Iterator[str]:
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
    yield from _last_look(news.looked, at)


def _last_look(look: Look, at: datetime) -> Iterator[str]:
    """When the referee looked last, and what it said; nothing if that isn't known."""

    from adjudicator.git.main import EVERY, LONGEST_SILENCE

    if not look.at:
        return
    looked = datetime.fromtimestamp(look.at, UTC)
    until = looked + timedelta(seconds=EVERY)  # it says so at most once an hour
    silent = at - looked > LONGEST_SILENCE
    said = "hasn't looked since" if silent else "last looked on"
    yield f"The referee {said} {looked:%A %Y-%m-%d}, between {looked:%H:%M} and {until:%H:%M} UTC."
    if look.wrong:
        since = datetime.fromtimestamp(look.since or look.at, UTC)
        yield f"Since {since:%A %Y-%m-%d %H:%M} UTC it couldn't do all of its work; this is what it said:"
    yield from look.wrong
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
    from adjudicator.door.submission import with_player
    from adjudicator.engine.audit.received import sheet_in
    from adjudicator.engine.beacon.timelock import VERSION
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
        echo_problems([text])
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
        found = check_text(file, sent, view)
        show_lines(file, found, err=True)
        if any(each.severity == "error" for each in found.problems) and not anyway:
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
