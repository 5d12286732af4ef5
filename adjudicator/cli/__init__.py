"""The command `adjudicator`: its list of commands, each with the file that is loaded when it is called."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module
from keyword import iskeyword
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from adjudicator import __version__
from adjudicator.cli.output import echo, take_any_text, writable
from adjudicator.engine.folder.errors import Faulty, fault_in_words

COMMANDS = {
    "new": ("new", "Begin a match in a folder of its own."),
    "status": ("status", "Which phase is open, who is due, and whose sheet is in."),
    "form": ("written", "Write the form of your orders to a file of your own."),
    "check": ("check", "Check sheets against what their player knows."),
    "submit": ("check", "Hand in a sheet for its player, as by mail."),
    "try": ("resolve", "Try out what might happen: your orders, and those that you guess of others."),
    "close": ("acts", "Fix the sheets of the open phase, and name the source of its dice."),
    "run": ("run", "Adjudicate as far as the sheets allow, phase after phase."),
    "due": ("status", "When the open phase is due and why, who is late, who is away."),
    "absent": (
        "waiting",
        "Enter a player's absence: no phase that waits for the player has its deadline on these days.",
    ),
    "extend": ("waiting", "Put the deadline of the open phase off."),
    "schedule": ("acts", "Show the schedule of a match, or give it a new one."),
    "hold": ("waiting", "Put a match on hold: nothing is played until it is resumed."),
    "resume": ("waiting", "Resume a match that is on hold."),
    "replace": ("acts", "Give a player's seat to somebody else."),
    "upgrade": ("acts", "Go on by the newest version of the game's rules."),
    "amend": ("acts", "Record changes that you made by hand in the last position."),
    "mail": ("mail", "Play by mail: send phases, take sheets, answer them."),
    "git": ("git", "Play in a git repository: sealed sheets and reports, and a job that referees."),
    "play": ("run", "Play a match at this machine, in a browser."),
    "report": ("written", "Show a report again, or write those of the last phase again."),
    "map": ("written", "Draw the map of a position."),
    "site": ("written", "Write the public pages of a match, with a map that replays it."),
    "page": ("written", "Write the page that opens a position by a link, for any web server."),
    "export": ("written", "Write a copy of a finished match, for anybody to verify."),
    "league": ("league", "A table of players over finished matches."),
    "verify": ("verify", "Replay a match from its files and compare."),
    "undo": ("acts", "Take the last phase back."),
    "resolve": ("resolve", "Play a phase from files to files, outside any match."),
    "rules": ("rules", "Show the rules of a game, all or one."),
    "explain": ("rules", "Show a rule, the code that enforces it, and the orders it refused."),
    "games": ("rules", "List the rulebooks."),
    "demo": ("demo", "Play a whole match by bots, with all its files."),
    "simulate": ("simulate", "Play many matches by bots, and show a table of results."),
}
"""Every command in the order of the help: the file in which it is the function of its name, and what it does. A word of
Python's has `_` after it there.
"""


class Command(TyperCommand):
    """A command. The help of `new` ends with the players of each game."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """The end of the help. Finding all rulebooks takes a while, so it is done only when the help is shown."""
        if self.name == "new":
            from adjudicator.cli.rules import seats_in_all

            with formatter.section("Players, by their number"):
                formatter.write_dl(list(seats_in_all()))


@cache
def command_of(name: str) -> Any:
    """The command of that name, made by Typer from its function: once, for a process that calls many."""
    module = import_module(f"adjudicator.cli.{COMMANDS[name][0]}")
    if hasattr(module, "app"):  # commands of its own
        app = module.app
    else:
        app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        app.command(name, cls=Command)(getattr(module, f"{name}_" if iskeyword(name) else name))
    made = typer.main.get_command(app)
    for one in (made, *getattr(made, "commands", {}).values()):
        for option in one.params:
            if option.metavar is None and option.type.name in ("str", "int range"):
                option.metavar = option.name.upper()  # `--why WHY`, as usual, in place of its type
    return made


class Commands(TyperGroup):
    """A group that imports a command only when it is called, so that `--help` and `status` are quick."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]  # names alone: a mistyped one is guessed

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the commands, in order."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name; None if there is none."""
        return command_of(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The list of commands in the help, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, said) for name, (_, said) in COMMANDS.items()])

    def invoke(self, ctx: Any) -> Any:
        """Runs the command. Problems of files or of the machine are shown in a line each; the status is then 1."""
        try:
            return super().invoke(ctx)
        except Faulty as faulty:
            from adjudicator.engine.text.problem import as_text

            echo(as_text(faulty.problems), err=True)
        except BrokenPipeError:
            raise
        except OSError as error:
            what = f"{error.filename}: " if error.filename else ""
            echo(f"{what}{error.strerror or error}", err=True)
        except typer.BadParameter as wrong:
            from adjudicator.engine.text.problem import visible

            wrong.message = writable(visible(wrong.message), err=True)  # the message may quote a file
            raise
        except (typer.Exit, typer.Abort):
            raise
        except BaseException as error:
            from adjudicator.engine.library.registry import rulebook_at_fault

            if not rulebook_at_fault(error):
                raise  # a fault of the program is shown with its place
            echo(fault_in_words(error), err=True)
        raise typer.Exit(1)


COMPLETES = "_ADJUDICATOR_COMPLETE"
"""Set by the scripts for completion in shells."""
app = typer.Typer(
    name="adjudicator",
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


def _version(wanted: bool) -> None:
    if wanted:
        echo(__version__)
        raise typer.Exit


@app.callback()
def adjudicator(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Adjudicates board games played by file: order sheets in, positions and reports out.

    Example: adjudicator new mediterranee lagoon --player venice --player genoa
    """


def main() -> None:
    """Runs the command line."""
    take_any_text()
    if COMPLETES in os.environ:  # a shell asks for completions, by the scripts that `make release` writes
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()
    try:
        app()
    except OSError as error:  # the output can't be written, as on a full disk
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115  so that Python doesn't try again at its end
        sys.exit(f"adjudicator: {error.strerror or error}")
