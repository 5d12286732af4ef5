"""`check`: a player's own check of sheets and answers, before they are sent."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.files import STANDING_INPUT, content, unreadable
from adjudicator.cli.output import command, echo

if TYPE_CHECKING:
    from adjudicator.engine.play.checking import Understood
    from adjudicator.engine.play.position import PositionFile
    from adjudicator.engine.sheets.reading import Expected
    from adjudicator.engine.sheets.sheet import Sheet
    from adjudicator.engine.text.problem import Problem

VIEW = "view.yaml"
MOST_OF_VIEW = 2**20
"""Bytes: no game's position comes near it."""
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
        typer.Option(metavar="FILE", help="Your view.yaml, where it is not beside the sheet."),
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="How problems are shown.")] = Format.TEXT,
) -> None:
    """Check sheets by what their player knows: the orders as understood, and all that is wrong.

    Status 0: no problem; 1: some.

    Example: adjudicator check for/venice/sheet.yaml
    """
    from adjudicator.engine.text.problem import as_github, as_json, as_text

    problems: list[Problem] = []
    for name in dict.fromkeys(sheets):
        lines, found = checked(name, view)
        problems += found
        if form is Format.TEXT:
            for line in lines:
                echo(line)
    if form is Format.GITHUB:
        if problems:
            command(as_github(problems))
    elif problems or form is Format.JSON:
        echo(as_json(problems) if form is Format.JSON else as_text(problems))
    raise typer.Exit(1 if problems else 0)


def checked(name: str, view: Path | None) -> tuple[list[str], list[Problem]]:
    """Lines that say how a file was understood, and what is wrong with it, on its player's view."""
    from adjudicator.engine.play.position import PositionFile, read_position
    from adjudicator.engine.text.source import MOST_BYTES

    text = content(name, MOST_BYTES)
    if not isinstance(text, bytes):
        return [], [text]
    beside = view or view_of(name)
    if beside is None:
        where = "." if name == STANDING_INPUT else str(Path(name).parent)
        return [], [unreadable(name, f"there is no {VIEW} for it in {where}; name yours with --view")]
    seen = content(str(beside), MOST_OF_VIEW)
    if isinstance(seen, bytes) and len(seen) > MOST_OF_VIEW:
        return [], [unreadable(str(beside), f"a view of more than {MOST_OF_VIEW} bytes isn't read")]
    opened = read_position(seen, str(beside)) if isinstance(seen, bytes) else [seen]
    if not isinstance(opened, PositionFile):
        return [], opened
    state = opened.state
    if not any(phase.name == state.phase.name and phase.verbs for phase in opened.rulebook.phases):
        said = f"in the phase {state.phase.name} there are no orders to give"
        return [], [unreadable(opened.source.name, said)]
    if holds_answers(name, text):
        return check_answers(text, asked_of(name, opened))
    return check_sheet(text, asked_of(name, opened), opened)


def view_of(name: str) -> Path | None:
    """The view of the player whose file this is: beside it, or in the folder of the phase; None if there is none."""
    from adjudicator.engine.folder.gate import Kind, kind_of

    if name == STANDING_INPUT:
        found = [Path(VIEW)]
    else:
        path = Path(name).absolute()
        found = [path.with_name(VIEW)]
        if path.parent.name in KINDS:
            found.append(path.parent.parent / "for" / path.stem / VIEW)
    return next((path for path in found if kind_of(path) is not Kind.NOTHING), None)


def asked_of(name: str, opened: PositionFile) -> Expected:
    """What file is expected: that of the player whose view it is, else whose name it bears, else it says so itself."""
    from adjudicator.engine.sheets.offering import names_on_board
    from adjudicator.engine.sheets.reading import Expected

    state = opened.state
    players = tuple(state.players)
    seeing = [player for player in players if state.players[player].standing.known]
    path = Path(name).absolute()
    named = path.stem if path.parent.name in KINDS and path.stem in players else ""
    player = seeing[0] if len(seeing) == 1 else named
    names = partial(names_on_board, state)
    return Expected(opened.rulebook, state.match, state.phase, players, player, names, file=name)


def holds_answers(name: str, text: bytes) -> bool:
    """Is it a file of answers, not a sheet?"""
    path = Path(name).absolute()
    if path.parent.name == "answers" or path.stem.startswith("answer"):
        return True
    return any(
        line.partition(b":")[0].strip(b" \t{\"'") == b"answers" for line in text.splitlines() if b":" in line
    )


def check_answers(text: bytes, asked: Expected) -> tuple[list[str], list[Problem]]:
    """A file of answers, as far as it can be checked: whether a question is open, its view doesn't say."""
    from adjudicator.engine.sheets.answers import read_answers
    from adjudicator.engine.sheets.sheet import place_in
    from adjudicator.engine.sheets.words import problem_at, problems_at
    from adjudicator.engine.table.event import NotSent
    from adjudicator.engine.text.writing import in_a_line

    game, found = asked.rulebook.key, read_answers(text, asked)
    if isinstance(found, NotSent):
        return [], [problem_at(found.place, found.reason, game)]
    answers, flaws, source = found
    problems = problems_at(
        ((place_in(source, flaw.path, key=flaw.key), flaw.reason, "error") for flaw in flaws), game
    )
    lines = [f"{answer.place}: understood: {in_a_line(dict(answer.fields))}" for answer in answers]
    return lines, problems


def check_sheet(text: bytes, asked: Expected, opened: PositionFile) -> tuple[list[str], list[Problem]]:
    """A sheet, by the code that will adjudicate it."""
    from adjudicator.engine.play.checking import check_sheet as check_orders
    from adjudicator.engine.play.view import position_for
    from adjudicator.engine.sheets.reading import read_sheet
    from adjudicator.engine.sheets.words import problem_at
    from adjudicator.engine.table.event import NotSent

    sheet = read_sheet(text, asked)
    if isinstance(sheet, NotSent):
        return [], [problem_at(sheet.place, sheet.reason, asked.rulebook.key)]
    if not opened.state.players[sheet.player].standing.known:
        said = f"this is not {sheet.player}'s view, and a sheet is checked by what its player knows"
        return [], [unreadable(opened.source.name, said)]
    # A GM's position holds more than the player may know: the answer is the same with it.
    found = check_orders(opened.rulebook, position_for(opened.rulebook, opened.state, sheet.player), sheet)
    due = sheet.player in opened.state.phase.due
    return list(as_understood(sheet, found.understood, due)), list(found.problems)


def as_understood(sheet: Sheet, understood: tuple[Understood, ...], due: bool) -> Iterator[str]:
    """The orders as understood, a line each, and whether the sheet counts as sent."""
    from adjudicator.engine.text.writing import in_a_line

    for order in understood:
        wait = "when its phase comes" if order.phase else "when what it waits for is over"
        said = "good" if order.good else "not good"
        said = f"{said}, as far as can be known now" if order.good and order.phase else said
        said = f"looked at {wait}" if order.held and order.good else said
        said = said if order.tried else "not tried: the one before it was carried out"
        when = f"{order.phase}, " if order.phase else ""
        yield f"{order.place}: {when}{said}: {in_a_line(dict(order.order))}"
    unread = any(flaw.path == ("orders",) for flaw in sheet.flaws)
    if sheet.orders is None and not unread and not due:
        yield f"{sheet.source.name}: standing instructions alone; no orders are asked of {sheet.player} now"
    elif sheet.orders is None and not unread:
        yield f"{sheet.source.name}: no `orders` yet, so this isn't a sheet; `orders: []` passes"
    elif not sheet.ready:
        yield f"{sheet.source.name}: a draft; take out `ready: false` when it is done"
    elif not sheet.orders:
        yield f"{sheet.source.name}: no orders: this passes"
