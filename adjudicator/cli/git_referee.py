"""The referee's commands of `adjudicator git`: to begin, to look, and to change something by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator import __version__
from adjudicator.cli.options import At, Relays, time_of, wrong_values_end_with_2
from adjudicator.cli.output import echo, echo_lines
from adjudicator.engine.folder.errors import Faulty, problem

if TYPE_CHECKING:
    from adjudicator.git.init import NewRepository

app = typer.Typer()
Clone = Annotated[Path, typer.Argument(metavar="CLONE", help="The clone; left out: this folder.")]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="The referee's key; left out: $ADJUDICATOR_KEY, or the one in the clone.",
    ),
]


@contextmanager
def git_faults(what: object) -> Iterator[None]:
    """Turns a failure of git into a fault of `what`: a command tells it in a line, and ends with status 1. Raises
    Faulty.
    """
    from adjudicator.git.running import GitFailed, without_user

    try:
        yield
    except GitFailed as failed:
        raise Faulty([problem(without_user(str(what)), str(failed))]) from None


class Host(StrEnum):
    """Where the repository is hosted: this decides what starts the referee's job."""

    GITHUB = "github"
    GITLAB = "gitlab"
    FORGEJO = "forgejo"
    HOOK = "hook"


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of a match, made by `new`.")],
    url: Annotated[
        str, typer.Argument(metavar="URL", help="The repository: empty, or with other matches in it.")
    ],
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
        Path | None,
        typer.Option(metavar="FOLDER", help="The referee's clone; left out: FOLDER with -referee."),
    ] = None,
    at: At = "",
) -> None:
    """Put a match into a repository, in which it is played from now on.

    Makes the referee's clone with its keys, pushes the match, sealed, with the host's job and a README, and says what
    to do on the host and what to tell each player.

    Example: adjudicator git init lagoon git@git.example.org:club/lagoon --host github
    """
    from adjudicator.git.init import put_into_repository
    from adjudicator.git.seat import told

    with git_faults(url), wrong_values_end_with_2():
        beside = folder.parent if folder.name else folder.absolute().parent  # `.` has no name
        where = clone or beside / f"{folder.absolute().name}-referee"
        begun = put_into_repository(folder, url, where, host.value, key or [], time_of(at, folder), box or [])
    echo(
        f"{folder.absolute().name} is in {url} now, and is played there; this folder is only a copy from now on."
    )
    echo(f"The referee's clone: {begun.clone}")
    if not begun.several:
        echo(f"The referee's key: {begun.key}")
        echo(f"A spare of it, to be kept somewhere else: {begun.spare}")
    echo_lines(_to_do(begun))
    echo(told(begun.clone, "dice", kind=begun.dice))
    for player, token in begun.tokens.items():
        which = f" --match {folder.absolute().name}" if begun.several else ""
        echo(f"Tell {player} alone: adjudicator git join {url} {player} --token {token}{which}")


def _to_do(begun: NewRepository) -> Iterator[str]:
    """The steps that are left to do on the host."""
    from adjudicator.git.hosts import this_program
    from adjudicator.git.seat import DEPLOY_KEY

    if begun.several:
        return
    clone = quote(str(begun.clone.absolute()))
    if begun.host == "hook":
        hook = "The hooks are in place. " if begun.hooked else ""
        yield f"{hook}For deadlines, cron: */10 * * * * {this_program()} git turn {clone}"
        if not begun.hooked:
            yield "So that pushes are looked at at once, the bare repository needs a hook: docs/git.md has it."
        return
    yield "On the host, as docs/git.md says for each:"
    yield f"- a secret ADJUDICATOR_KEY, the long word in {begun.key}"
    yield f"- a deploy key that may write: {begun.deploy_key}"
    yield f"- a secret ADJUDICATOR_DEPLOY_KEY, its other half: all of {begun.key.with_name(DEPLOY_KEY)}"
    yield "- a rule that only this deploy key pushes to main"
    yield f"Then `adjudicator git doctor {clone}` says what is still open."


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
    from adjudicator.cli.git_turn import turn_all

    with git_faults(where):
        raise typer.Exit(turn_all(where, match or [], key, time_of(at), relay or [], mail))


@app.command(name="open")
def open_(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder for the opened match.")],
    clone: Annotated[Path, typer.Option(metavar="FOLDER", help="The referee's clone.")] = Path(),
    match: Annotated[str, typer.Option(help="Which match, if there are several.")] = "",
    key: KeyFile = None,
) -> None:
    """Open a match into a folder, for `undo`, `amend`, `hold`, `replace` and all other commands.

    Everything in it is readable there; `git close` puts it back. Meanwhile no job should run: `close` says if one has.

    Example: adjudicator git open opened --clone lagoon-referee
    """
    from adjudicator.git.by_hand import open_by_hand
    from adjudicator.git.join import match_meant
    from adjudicator.git.main import fetch_main
    from adjudicator.git.memory import matches_marked
    from adjudicator.git.repository import Repository
    from adjudicator.git.seat import key_of

    with git_faults(clone):
        repository = Repository(clone)
        secret = key_of(repository, key)
        name = match_meant(matches_marked(repository, fetch_main(repository), secret), match, "")
        open_by_hand(repository, name, folder, secret)
    echo(f"{name} lies open in {folder}. When you are done: adjudicator git close {folder}")


@app.command()
def close(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of an opened match.")],
    why: Annotated[
        str, typer.Option(help="Your reason, for everybody; left out: those of the commands that you gave.")
    ] = "",
    key: KeyFile = None,
    at: At = "",
) -> None:
    """Put an opened match back into the repository, as a commit with its reason.

    Example: adjudicator git close opened
    """
    from adjudicator.git.by_hand import close_by_hand, opened_match_of
    from adjudicator.git.repository import Repository
    from adjudicator.git.seat import key_of

    with git_faults(folder), wrong_values_end_with_2():
        repository = Repository(Path(opened_match_of(folder).clone))
        secret = key_of(repository, key)
        told = close_by_hand(repository, folder, secret, time_of(at, folder), why)
    echo(f"Pushed: {told}" if told else "Nothing was changed in it.")
    echo(f"{folder} can be removed; it is only a copy from now on.")


@app.command()
def pin(clone: Clone = Path(), key: KeyFile = None, at: At = "") -> None:
    """Put this version of the program into the repository, for the host's job to install from now on.

    Example: adjudicator git pin lagoon-referee
    """
    from adjudicator.git.hosts import pin as pin_jobs
    from adjudicator.git.repository import Repository
    from adjudicator.git.seat import key_of

    with git_faults(clone):
        repository = Repository(clone)
        secret = key_of(repository, key)
        changed = pin_jobs(repository, secret, time_of(at))
    told = (
        f"Pushed: the job runs adjudicator {__version__} now ({', '.join(changed)})."
        if changed
        else "Nothing to change."
    )
    echo(told)


@app.command()
def renew(clone: Clone = Path(), key: KeyFile = None, at: At = "") -> None:
    """Make new keys for the referee, if one was lost or somebody else may have it, and seal everything again to them.

    The spare key does it too: name its file with --key. What was pushed before stays readable with the old key.

    Example: adjudicator git renew lagoon-referee --key spare-key.txt
    """
    from adjudicator.git.by_hand import renew as make_anew
    from adjudicator.git.repository import Repository
    from adjudicator.git.seat import REFEREE_KEY, SPARE_KEY, home_of, key_of

    with git_faults(clone):
        repository = Repository(clone)
        home = home_of(repository)
        matches = make_anew(repository, key_of(repository, key), time_of(at))
    echo(
        f"Sealed again: {', '.join(matches)}. The host's secret must be the new key now: {home / REFEREE_KEY}"
    )
    echo(f"A spare of it, to be kept somewhere else: {home / SPARE_KEY}")


@app.command()
def rescue(
    clone: Clone = Path(),
    to: Annotated[
        str, typer.Option(metavar="COMMIT", help="A commit of main; left out: the last that this clone saw.")
    ] = "",
    key: KeyFile = None,
    at: At = "",
) -> None:
    """Put a spoilt main back, such as one that is too large to be fetched: what came after the commit is gone from it.

    The matches stay as the referee last wrote them. The host must let main be rewritten, if only for a moment.

    Example: adjudicator git rescue lagoon-referee
    """
    from adjudicator.git.memory import rescue as put_main_back
    from adjudicator.git.repository import Repository
    from adjudicator.git.seat import key_of

    with git_faults(clone):
        repository = Repository(clone)
        secret = key_of(repository, key)
        matches = put_main_back(repository, secret, time_of(at), to)
    echo(f"Pushed: main is put back, with {', '.join(matches)} as the referee last wrote it.")
    echo("Who has seen what came after: adjudicator git read --accept")


@app.command()
def doctor(clone: Clone = Path(), at: At = "") -> None:
    """Look at the referee's clone, at main, at the hooks, and at what the host shows of its settings: what is open?

    Status 0, or 1 if something is open. A host shows more to a token in $ADJUDICATOR_TOKEN.

    Example: adjudicator git doctor lagoon-referee
    """
    from adjudicator.git.doctor import examine
    from adjudicator.git.repository import Repository

    with git_faults(clone):
        found = examine(Repository(clone), time_of(at))
    for each in found:
        echo(f"{'Look yourself' if each.unseen else 'Open'}: {each.text}")
    wrong = [each for each in found if not each.unseen]
    if wrong:
        raise typer.Exit(1)
    echo("Nothing is open, as far as can be seen from here.")
