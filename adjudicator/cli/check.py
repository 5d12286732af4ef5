"""`check`: a player's own check of sheets and answers, before they are sent."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.files import STANDING_INPUT, content, unreadable
from adjudicator.cli.output import echo, show_commands

if TYPE_CHECKING:
    from adjudicator.engine.match.sheet_checks import CheckedText
    from adjudicator.engine.play.position import PositionFile
    from adjudicator.engine.sheets.reading import Expected
    from adjudicator.engine.text.problem import Problem

VIEW = "view.yaml"
MOST_OF_VIEW = 2**20
"""Bytes: far more than any game's position has."""
KINDS = ("sheets", "answers")


class Format(StrEnum):
    """How problems are shown: to be read, as a JSON list, or as commands of a GitHub workflow."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


def check(
    sheets: Annotated[
        list[str], typer.Argument(metavar="SHEET...", help="Sheets or answers; - is standard input.")
    ],
    view: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Your view.yaml, if it isn't beside the sheet."),
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="How problems are shown.")] = Format.TEXT,
) -> None:
    """Check sheets by what their player knows: show the orders as they were understood, and all that is wrong.

    Status 0: no problem; 1: some.

    Example: adjudicator check for/venice/sheet.yaml
    """
    from adjudicator.engine.match.sheet_checks import CheckedText, below_orders
    from adjudicator.engine.text.problem import as_github, as_json, as_text
    from adjudicator.engine.text.source import MOST_BYTES

    problems: list[Problem] = []
    for name in dict.fromkeys(sheets):
        text = content(name, MOST_BYTES)
        checked = check_text(name, text, view) if isinstance(text, bytes) else CheckedText(problems=[text])
        problems += checked.problems
        if form is Format.TEXT:
            plain = text if isinstance(text, bytes) else b""
            for line, below in below_orders(name, plain, checked.lines, checked.problems):
                echo("\n".join([*([line] if line else []), *as_text(below).splitlines()]))
    if form is Format.GITHUB and problems:
        show_commands(as_github(problems))
    elif form is Format.JSON:
        echo(as_json(problems))
    raise typer.Exit(1 if problems else 0)


def check_text(name: str, text: bytes, view: Path | None) -> CheckedText:
    """A text as it was checked; the name is that of its file."""
    from adjudicator.engine.match.sheet_checks import CheckedText, look_at_answers, look_at_sheet
    from adjudicator.engine.play.position import PositionFile, read_position

    beside = view or view_of(name)
    if beside is None:
        return CheckedText(problems=[unreadable(name, _without_view(name))])
    seen = content(str(beside), MOST_OF_VIEW)
    if isinstance(seen, bytes) and len(seen) > MOST_OF_VIEW:
        said = f"a view of more than {MOST_OF_VIEW} bytes isn't read"
        return CheckedText(problems=[unreadable(str(beside), said)])
    opened = read_position(seen, str(beside)) if isinstance(seen, bytes) else [seen]
    if not isinstance(opened, PositionFile):
        return CheckedText(problems=opened)
    state = opened.state
    if not any(phase.name == state.phase.name and phase.verbs for phase in opened.rulebook.phases):
        said = f"in the phase {state.phase.name} there are no orders to give"
        return CheckedText(problems=[unreadable(opened.source.name, said)])

    if holds_answers(name, text):
        return look_at_answers(text, expected_of(name, opened))
    return look_at_sheet(text, expected_of(name, opened), opened.state, opened.source.name)


def view_of(name: str) -> Path | None:
    """The view for a player's file: beside it, or in the phase's `for/` folder; None if there is none."""
    from adjudicator.engine.folder.gate import Kind, kind_of

    if name == STANDING_INPUT:
        found = [Path(VIEW)]
    else:
        path = Path(name).absolute()
        found = [path.with_name(VIEW)]
        if path.parent.name in KINDS:
            found.append(path.parent.parent / "for" / path.stem / VIEW)
    return next((path for path in found if kind_of(path) is not Kind.NOTHING), None)


def _without_view(name: str) -> str:
    """Why a file can't be checked if no view was found for it, and what is possible."""
    path = Path(name).absolute()
    known = [f"{view.parent.name}.yaml" for view in sorted(path.parent.parent.glob(f"for/*/{VIEW}"))]
    if name != STANDING_INPUT and path.parent.name in KINDS and known:
        return f"nobody's {path.parent.name} have this name; possible: {', '.join(known)}"
    where = "this folder" if name == STANDING_INPUT else str(Path(name).parent)
    return (
        f"a sheet is checked by its player's {VIEW}, and none is in {where}: "
        "put the sheet beside yours, or name that with --view FILE"
    )


def expected_of(name: str, opened: PositionFile) -> Expected:
    """What the file is expected to be: a sheet for the position, of the player whose view it is.

    A position that shows everybody's secrets has no such player. Then the file's name says whose sheet it is, or else
    the sheet itself.
    """
    from adjudicator.engine.sheets.offering import names_on_board
    from adjudicator.engine.sheets.reading import Expected

    state = opened.state
    players = tuple(state.players)
    readers = [player for player in players if state.players[player].standing.known]
    path = Path(name).absolute()
    named = path.stem if path.parent.name in KINDS and path.stem in players else ""
    player = readers[0] if len(readers) == 1 else named
    names = partial(names_on_board, state)
    return Expected(opened.rulebook, state.match, state.phase, players, player, names, file=name)


def holds_answers(name: str, text: bytes) -> bool:
    """Is the file one of answers, not a sheet?"""
    path = Path(name).absolute()
    if path.parent.name == "answers" or path.stem.startswith("answer"):
        return True
    return any(
        line.partition(b":")[0].strip(b" \t{\"'") == b"answers" for line in text.splitlines() if b":" in line
    )
