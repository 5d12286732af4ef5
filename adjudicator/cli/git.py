"""`adjudicator git`: plays matches in a git repository; the players' commands, and those of the referee."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli import git_referee
from adjudicator.cli.git_referee import Clone, git_faults
from adjudicator.cli.options import At, group, time_of, wrong_values_end_with_2
from adjudicator.cli.output import STANDING_INPUT, content, echo, echo_lines, echo_problems
from adjudicator.engine.folder.errors import Faulty, problem

if TYPE_CHECKING:
    from adjudicator.git.news import News

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
    from adjudicator.git.seat import told

    where = folder or Path(f"{match}-{player}" if match else player)
    with git_faults(url), wrong_values_end_with_2():
        seat, sent = join_match(
            url, player, where, time_of(at), match=match, token=token, key=key, box=box, signing=sign
        )
        card = card_of(Repository(where), HERE, seat.match)
    echo(told(where, "joined", clone=where, key=seat.key))
    echo(told(where, "dice", kind=card.options.get("dice", "")))
    echo(told(where, "key_sent" if sent else "key_known", clone=where))


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
    from adjudicator.git.news import mark_as_told, sentences_of_news
    from adjudicator.git.read import read as read_match
    from adjudicator.git.repository import Repository
    from adjudicator.git.seat import clone_around

    repository = Repository(clone_around(clone) or clone)
    with git_faults(clone):
        news = read_match(repository, accept=accept)
    echo_lines(sentences_of_news(news, time_of(at), everything=everything).splitlines())
    _warn(news)
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
    from adjudicator.git.seat import told, write_own

    repository = Repository(clone_of(file, clone))
    news = read(repository)
    phase = news.now.phase
    said = partial(told, repository.path)
    _warn(news)
    text = content(file, MOST_BYTES)
    if not isinstance(text, bytes):
        echo_problems([text])
        return 1
    if text.startswith(VERSION):
        send_without_lock(repository, news, text, now)
        echo(said("as_sealed", phase=phase))
        return 0
    if news.now.closed and not anyway:
        echo(said("closed", phase=phase), err=True)
        return 1
    if not anyway and (over := _phase_over(file, text, news)):
        echo(said("late", file=file, over=over, phase=phase, form=news.form_to_fill_in), err=True)
        return 1
    answers = holds_answers(file, text)
    sent, view = with_player(text, news.seat.player), news.folder / "view.yaml"
    if view.is_file():
        found = check_text(file, sent, view)
        show_lines(file, found, err=True)
        if any(each.severity == "error" for each in found.problems) and not anyway:
            echo(said("faulty"), err=True)
            return 1
    if sheet_in(sent, file) is None and not anyway:
        echo(said("empty"), err=True)
        return 1
    receipt = send(repository, news, sent, now, answers=answers)
    if sent != text or Path(file).absolute().parent != news.folder.absolute():
        write_own(
            news.folder / ("sent-answer.yaml" if answers else "sent.yaml"), sent
        )  # `verify` compares it later
    echo_lines(said("sent", phase=phase, receipt=receipt).splitlines())
    return 0


def _warn(news: News) -> None:
    """Says what isn't as it should be."""
    from adjudicator.git.seat import told

    for odd in news.odd:
        echo(told(news.folder.parent, "warning", said=odd), err=True)


def _phase_over(file: str, text: bytes, news: News) -> str:
    """The phase in whose folder of the clone a file lies that names none, if that is over; else empty."""
    from adjudicator.engine.folder.names import head_of
    from adjudicator.engine.text.source import Source, read

    home = Path(file).absolute().parent
    source = read(text, file)
    plain = source.plain if isinstance(source, Source) else None
    names_one = isinstance(plain, dict) and plain.get("phase") is not None
    elsewhere = home.parent != news.folder.absolute().parent or head_of(home.name) is None
    return "" if names_one or elsewhere or home.name == news.now.phase else home.name
