"""`adjudicator git`: plays matches in a git repository; the players' commands, and those of the referee."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli import git_referee
from adjudicator.cli.clock import At, time_of
from adjudicator.cli.in_clone import Clone, git_faults
from adjudicator.cli.output import echo

app = typer.Typer(
    name="git",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)
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
    from adjudicator.cli.acting import wrong_values_end_with_2
    from adjudicator.git.join import join as join_match

    where = folder or Path(f"{match}-{player}" if match else player)
    with git_faults(url), wrong_values_end_with_2():
        seat, told = join_match(
            url, player, where, time_of(at), match=match, token=token, key=key, box=box, signing=sign
        )
    echo(
        f"Your clone: {where}. Your key: {seat.key}. Keep a copy of it: it alone opens what is sealed to you."
    )
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
) -> None:
    """Fetch what is new since you last read, open what is sealed to you, and say what is asked and until when.

    Status 0, or 1 if something isn't as it should be, such as a rewritten history.

    Example: adjudicator git read
    """
    from adjudicator.cli.playing_in_git import sentences_of_news
    from adjudicator.git.read import mark_as_told
    from adjudicator.git.read import read as read_match
    from adjudicator.git.repository import Repository
    from adjudicator.git.seat import clone_around

    repository = Repository(clone_around(clone) or clone)
    with git_faults(clone):
        news = read_match(repository, accept=accept)
    for line in sentences_of_news(news, everything=everything):
        echo(line)
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
    from adjudicator.cli.playing_in_git import send_checked

    with git_faults(clone or file):
        raise typer.Exit(send_checked(file, clone, time_of(at), anyway=anyway))
