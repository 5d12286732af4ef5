"""`adjudicator map`: draws a position, and what led to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.files import content, replace_own
from adjudicator.cli.output import echo, show_document

if TYPE_CHECKING:
    from adjudicator.engine.report.map import Picture

STANDARD_OUTPUT = "-"
BEGINS = '<svg xmlns="http://www.w3.org/2000/svg" class="map" '
"""The beginning of every map; a file that doesn't begin so isn't replaced."""


def map(  # noqa: A001  the command is called so
    where: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER|VIEW", help="The match's folder, or a position: view.yaml, state.yaml."
        ),
    ],
    player: Annotated[
        str, typer.Option(help="As this player may see it; `public`: as everybody may see it.")
    ] = "public",
    phase: Annotated[str, typer.Option(help="The position of this phase: its folder's name or number.")] = "",
    out: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="The file to write; `-`: show it; left out: a name after the phase."
        ),
    ] = "",
) -> None:
    """Draw the map of a match: the position, and the moves and fights since the last reports.

    Example: adjudicator map lagoon --phase 3 --out market.svg
    """
    if where.is_file() and phase:
        raise typer.BadParameter(
            f"{where} is a single position; only a match's folder has phases", param_hint="--phase"
        )
    name, picture = map_of_file(where, player) if where.is_file() else map_of_match(where, player, phase)
    if not picture.svg:
        raise typer.BadParameter(
            "this game has no map: it is played on no board with places", param_hint="MATCH"
        )
    if out == STANDARD_OUTPUT:
        show_document(picture.svg, nl=False)
        return
    file = Path(out or f"{name}.svg")
    replace_own(file, picture.svg, BEGINS)
    echo(f"The map is in {file}.")


def map_of_match(folder: Path, player: str, phase: str) -> tuple[str, Picture]:
    """The file's name, and the map of a match's phase; if none is named, of the last."""
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.match.showing import map_of, number_of_phase, reader

    match = open_match(folder)
    number = number_of_phase(match, phase)
    return f"{folder.resolve().name}-{match.phases[number]}", map_of(match, number, reader(match, player))


def map_of_file(file: Path, player: str) -> tuple[str, Picture]:
    """The file's name, and the map of a position."""
    from adjudicator.engine.folder.errors import Faulty
    from adjudicator.engine.play.position import PositionFile, read_position
    from adjudicator.engine.play.view import position_for
    from adjudicator.engine.report.map import picture

    text = content(str(file))
    opened = read_position(text, str(file)) if isinstance(text, bytes) else [text]
    if not isinstance(opened, PositionFile):
        raise Faulty(opened)
    if player != "public" and player not in opened.state.players:
        raise typer.BadParameter(f"there is no player {player} in {file}", param_hint="--player")
    seen = position_for(opened.rulebook, opened.state, None if player == "public" else player)
    return file.stem, picture(opened.rulebook, seen)
