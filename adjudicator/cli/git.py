"""`adjudicator git`: plays matches in a git repository; players' commands, and the referee's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.clock import At, time_of
from adjudicator.cli.output import echo
from adjudicator.cli.relaying import Relays

if TYPE_CHECKING:
    from adjudicator.git.turn import Turned

app = typer.Typer(
    name="git",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)
Clone = Annotated[Path, typer.Argument(metavar="CLONE", help="The clone; left out: this folder.")]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="The referee's key; left out: $ADJUDICATOR_KEY, or the one in the clone.",
    ),
]


class Host(StrEnum):
    """Where the repository is hosted: this decides what starts the referee's job."""

    GITHUB = "github"
    GITLAB = "gitlab"
    FORGEJO = "forgejo"
    HOOK = "hook"


@app.callback()
def git() -> None:
    """Play in a git repository: sealed sheets and reports, and a job that referees.

    Example: adjudicator git read
    """


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a match, made by `new`.")],
    url: Annotated[str, typer.Argument(help="The repository: empty, or with other matches in it.")],
    host: Annotated[
        Host, typer.Option(help="What runs the referee's job; hook: a bare repository's own.")
    ] = Host.HOOK,
    key: Annotated[
        list[str] | None,
        typer.Option(metavar="PLAYER=KEY", help="A player's public key, if you have it; others get a token."),
    ] = None,
    box: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER=URL", help="A player's fork, if the player may not push to the repository."
        ),
    ] = None,
    clone: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The referee's clone; left out: DIR with -referee.")
    ] = None,
    at: At = "",
) -> None:
    """Put a match into a repository, in which it is played from now on.

    Makes the referee's clone with its keys, pushes the match, sealed, with the host's job and a README, and says what
    to do on the host and what to tell each player.

    Example: adjudicator git init lagoon git@git.example.org:club/lagoon --host github
    """
    from adjudicator.cli.acting import used_rightly
    from adjudicator.git.init import begin_in

    with _failing(url), used_rightly():
        where = clone or folder.with_name(f"{folder.absolute().name}-referee")
        begun = begin_in(folder, url, where, host.value, key or [], time_of(at, folder), box or [])
    echo(
        f"{folder.absolute().name} is in {url} now, and is played there; this folder is only a copy from now on."
    )
    echo(f"The referee's clone: {begun.clone}")
    if not begun.several:
        echo(f"The referee's key: {begun.key}")
        echo(f"A spare of it, to be kept somewhere else: {begun.spare}")
    for line in _to_do(begun.host, begun.hooked, begun.several, begun.clone):
        echo(line)
    for player, token in begun.tokens.items():
        echo(f"Tell {player} alone: adjudicator git join {url} {player} --token {token}")


def _to_do(host: str, hooked: bool, several: bool, clone: Path) -> Iterator[str]:
    """The steps that are left to do on the host."""
    if several:
        return
    if host == "hook" and hooked:
        yield f"The hook is in place. For deadlines, cron: */10 * * * * adjudicator git turn {clone.absolute()}"
    elif host == "hook":
        yield f"For deadlines, cron: */10 * * * * adjudicator git turn {clone.absolute()}"
        yield "So that pushes are looked at at once, the bare repository needs a hook: docs/git.md has it."
    else:
        yield "The host's job needs the key as a secret ADJUDICATOR_KEY: docs/git.md says where, for each host."


@app.command()
def join(  # noqa: PLR0917  - as many options as there are ways to join
    url: Annotated[str, typer.Argument(help="The repository.")],
    player: Annotated[str, typer.Argument(help="Whom you play.")],
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
    from adjudicator.cli.acting import used_rightly
    from adjudicator.git.join import join as join_match

    where = folder or Path(f"{match}-{player}" if match else player)
    with _failing(url), used_rightly():
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
) -> None:
    """Fetch what is new, open what is sealed to you, and say what is asked and until when.

    Status 0, or 1 if something isn't as it should be, such as a rewritten history.

    Example: adjudicator git read
    """
    from adjudicator.cli.playing_in_git import told_of
    from adjudicator.git.read import read as read_match
    from adjudicator.git.repository import Repository

    with _failing(clone):
        news = read_match(Repository(clone), accept=accept)
    for line in told_of(news):
        echo(line)
    for odd in news.odd:
        echo(f"WARNING: {odd}", err=True)
    if news.odd:
        raise typer.Exit(1)


@app.command()
def send(
    file: Annotated[str, typer.Argument(help="Your sheet or your answers; - is standard input.")],
    clone: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Your clone; left out: the one the file is in, or this folder."),
    ] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Send it although it has faults.")] = False,
    at: At = "",
) -> None:
    """Check a sheet, seal it so that only the referee can read it, push it, and tell its receipt.

    Status 0, or 1 if it wasn't sent. With faults it is sent only with --anyway: then what is good in it counts.

    Example: adjudicator git send 0001-t1-auction/sheet.yaml
    """
    from adjudicator.cli.playing_in_git import send_checked

    with _failing(clone or file):
        raise typer.Exit(send_checked(file, clone, time_of(at), anyway=anyway))


@app.command()
def turn(
    where: Annotated[
        str, typer.Argument(metavar="CLONE", help="The referee's clone, or the repository's URL.")
    ] = ".",
    match: Annotated[list[str] | None, typer.Option(help="Only this match; may be given again.")] = None,
    key: KeyFile = None,
    mail: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="mail.yaml of the account, if some play by mail; for one match alone."
        ),
    ] = None,
    relay: Relays = None,
    at: At = "",
) -> None:
    """The referee's job: take what players pushed, play what is due, seal and push it. A host, a hook or cron calls it.

    Anybody may read what it prints. Status 0, or 1 if something went wrong with a match; the others go on.

    Example: adjudicator git turn lagoon-referee
    """
    from adjudicator.cli.playing_in_git import turn_all

    raise typer.Exit(turn_all(where, match or [], key, time_of(at), relay or [], mail))


@app.command(name="open")
def open_(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder for the opened match.")],
    clone: Annotated[Path, typer.Option(metavar="FOLDER", help="The referee's clone.")] = Path(),
    match: Annotated[str, typer.Option(help="Which match, if there are several.")] = "",
    key: KeyFile = None,
) -> None:
    """Open a match into a folder, for `undo`, `amend`, `hold`, `replace` and all other commands.

    Everything in it is readable there; `git close` puts it back. Meanwhile no job should run: `close` says if one has.

    Example: adjudicator git open opened --clone lagoon-referee
    """
    from adjudicator.git.by_hand import open_by_hand
    from adjudicator.git.join import chosen
    from adjudicator.git.keys import referee_key
    from adjudicator.git.main import fetched_main
    from adjudicator.git.opened import matches_in
    from adjudicator.git.repository import Repository
    from adjudicator.git.seat import REFEREE_KEY, home_of

    with _failing(clone):
        repository = Repository(clone)
        secret = referee_key(key, home_of(repository) / REFEREE_KEY)
        name = chosen(matches_in(repository, fetched_main(repository)), match, "")
        open_by_hand(repository, name, folder, secret)
    echo(f"{name} lies open in {folder}. When you are done: adjudicator git close {folder}")


@app.command()
def close(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of an opened match.")],
    why: Annotated[
        str, typer.Option(help="Your reason, for everybody; left out: those of the commands that you gave.")
    ] = "",
    key: KeyFile = None,
    at: At = "",
) -> None:
    """Put an opened match back into the repository, as a commit with its reason.

    Example: adjudicator git close opened
    """
    from adjudicator.cli.acting import used_rightly
    from adjudicator.git.by_hand import close_by_hand, opened_of
    from adjudicator.git.keys import referee_key
    from adjudicator.git.repository import Repository
    from adjudicator.git.seat import REFEREE_KEY, home_of

    with _failing(folder), used_rightly():
        repository = Repository(Path(opened_of(folder).clone))
        secret = referee_key(key, home_of(repository) / REFEREE_KEY)
        told = close_by_hand(repository, folder, secret, time_of(at, folder), why)
    echo(f"Pushed: {told}" if told else "Nothing was changed in it.")
    echo(f"{folder} can be removed; it is only a copy from now on.")


@app.command()
def renew(
    clone: Clone = Path(),
    key: KeyFile = None,
    at: At = "",
) -> None:
    """Make new keys for the referee, if one was lost or somebody else may have it, and seal everything anew to them.

    The spare key does it too: name its file with --key. What was pushed before stays readable with the old key.

    Example: adjudicator git renew lagoon-referee --key spare-key.txt
    """
    from adjudicator.git.keys import referee_key
    from adjudicator.git.renewing import renew as make_anew
    from adjudicator.git.repository import Repository
    from adjudicator.git.seat import REFEREE_KEY, SPARE_KEY, home_of

    with _failing(clone):
        repository = Repository(clone)
        home = home_of(repository)
        matches = make_anew(repository, referee_key(key, home / REFEREE_KEY), time_of(at))
    echo(
        f"Sealed anew: {', '.join(matches)}. The host's secret must be the new key now: {home / REFEREE_KEY}"
    )
    echo(f"A spare of it, to be kept somewhere else: {home / SPARE_KEY}")


@contextmanager
def _failing(what: object) -> Iterator[None]:
    """Ends with status 1 and a line if git, or the other machine, fails."""
    from adjudicator.engine.folder.errors import Faulty, problem
    from adjudicator.git.running import GitFailed

    try:
        yield
    except GitFailed as failed:
        raise Faulty([problem(str(what), str(failed))]) from None


__all__ = ["Turned", "app"]
