"""`check` and `submit`: what a player or the GM does with a sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from adjudicator.cli.options import At, MatchFolder, time_of
from adjudicator.cli.output import (
    STANDING_INPUT,
    content,
    content_of,
    echo,
    known_beside,
    show_commands,
    show_document,
    unreadable,
)

if TYPE_CHECKING:
    from adjudicator.door.submission import Kind, Line
    from adjudicator.engine.play.position import PositionFile
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
        Path | None, typer.Option(metavar="FILE", help="Your view.yaml, if it isn't beside the sheet.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="How problems are shown.")] = Format.TEXT,
) -> None:
    """Check sheets by what their player knows: show the orders as they were understood, and all that is wrong.

    Status 0: no problem; 1: some.

    Example: adjudicator check for/venice/sheet.yaml
    """
    from adjudicator.engine.text.problem import as_github, as_json
    from adjudicator.engine.text.source import MOST_BYTES

    problems: list[Problem] = []
    for name in dict.fromkeys(sheets):
        text = content(name, MOST_BYTES)
        found = check_text(name, text, view) if isinstance(text, bytes) else CheckedFile((), [text])
        problems += found.problems
        if form is Format.TEXT:
            show_lines(name, found)
    if form is Format.GITHUB and problems:
        show_commands(as_github(problems))
    elif form is Format.JSON:
        echo(as_json(problems))
    raise typer.Exit(1 if problems else 0)


def show_lines(name: str, found: CheckedFile, *, err: bool = False) -> None:
    """Shows the lines on a file of that name, each with what is wrong with it; without lines, the problems alone. With
    `err` what is wrong goes to the standard error.
    """
    from adjudicator.engine.text.problem import as_text

    for line in found.lines:
        if line.text:
            echo(f"{name}:{line}" if line.place else f"{name}: {line}")
        if line.problems:
            echo(as_text(line.problems, found.severities), err=err)
    if found.problems and not found.lines:
        echo(as_text(found.problems, found.severities), err=err)


class CheckedFile(NamedTuple):
    """The lines on a file, what is wrong with it or with its player's view, and the reader's words for how grave that
    is.
    """

    lines: Sequence[Line]
    problems: Sequence[Problem]
    severities: Mapping[str, str] = {}


def check_text(name: str, text: bytes, view: Path | None) -> CheckedFile:
    """What is found in a text, which is named as its file, by its player's view, in the language that this names."""
    from adjudicator.door.submission import look_at
    from adjudicator.door.values import no_orders_to_give
    from adjudicator.engine.library.texts import texts_of, words
    from adjudicator.engine.play.position import PositionFile, read_position

    beside = view or view_of(name)
    if beside is None:
        return CheckedFile((), [unreadable(name, _without_view(name))])
    seen = content(str(beside), MOST_OF_VIEW)
    if isinstance(seen, bytes) and len(seen) > MOST_OF_VIEW:
        said = f"a view of more than {MOST_OF_VIEW} bytes isn't read"
        return CheckedFile((), [unreadable(str(beside), said)])
    opened = read_position(seen, str(beside)) if isinstance(seen, bytes) else [seen]
    if not isinstance(opened, PositionFile):
        return CheckedFile((), opened)
    if (nothing := no_orders_to_give(opened)) is not None:
        return CheckedFile((), [nothing])
    state, texts = opened.state, texts_of(opened.rulebook)
    readers = [player for player, one in state.players.items() if one.standing.known]
    player = "" if len(readers) == 1 else player_named(name, state.players)
    kind: Kind = "answers" if holds_answers(name, text) else "sheets"
    whose = player or (readers[0] if len(readers) == 1 else "")
    found = look_at(
        opened.rulebook,
        state,
        text,
        player,
        kind=kind,
        name=name,
        view=opened.source.name,
        seen=_known(opened, whose, beside),
    )
    return CheckedFile(found.lines, found.problems, words(texts)["problem"])


def _known(opened: PositionFile, player: str, view: Path) -> Any:
    """The view with all that is certain by the `known.yaml` beside it; None without one."""
    from adjudicator.engine.play.known import filled_in
    from adjudicator.engine.play.known_file import read_known
    from adjudicator.engine.play.view import position_for

    text = known_beside(view) if player else b""
    if not text:
        return None
    seen = position_for(opened.rulebook, opened.state, player)
    known = read_known(opened.rulebook, text, seen, player)
    return None if known is None else filled_in(known)


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


def player_named(name: str, players: Iterable[str]) -> str:
    """Whose a file is by its own name, if it lies where a match has the files of players; empty elsewhere."""
    path = Path(name).absolute()
    return path.stem if path.parent.name in KINDS and path.stem in players else ""


def holds_answers(name: str, text: bytes) -> bool:
    """Is the file one of answers, not a sheet?"""
    path = Path(name).absolute()
    if path.parent.name == "answers" or path.stem.startswith("answer"):
        return True
    return any(
        line.partition(b":")[0].strip(b" \t{\"'") == b"answers" for line in text.splitlines() if b":" in line
    )


def submit(
    folder: MatchFolder,
    sheet: Annotated[str, typer.Argument(metavar="SHEET", help="A sheet, or answers; - is standard input.")],
    player: Annotated[
        str, typer.Option(metavar="PLAYER", help="Whose it is, if neither it nor its name says so.")
    ] = "",
    at: At = "",
) -> None:
    """Hand in a sheet for its player: taken, with a receipt, or held, with the reason, as when it comes by mail.

    Give the answer to the player. Who sent the sheet is for you to know. Status 0: taken; 1: held.

    Example: adjudicator submit lagoon venice.yaml
    """
    from adjudicator.door.match import Match
    from adjudicator.door.submission import plain_in
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.library.texts import texts_of
    from adjudicator.engine.report.template import rendered
    from adjudicator.engine.text.source import MOST_BYTES

    data = content_of(sheet, MOST_BYTES)
    match = Match(folder)
    stem = Path(sheet).stem
    whose = player or str(plain_in(data).get("player") or (stem if stem in match.players else ""))
    if not whose:
        raise typer.BadParameter(
            f"whose is {sheet}? Write `player:` in it, name the file after its player, or add --player; there are"
            f" {', '.join(match.players)}",
            param_hint="--player",
        )
    sent = match.submit(whose, data, came=time_of(at, folder), by="submit")
    show_document(
        rendered(texts_of(open_match(folder).rulebook_for(whose)), "submitted.txt.j2", sent=sent).rstrip()
    )
    if not sent.taken:
        raise typer.Exit(1)
