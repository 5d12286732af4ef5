"""`form`: writes a player's form to a file of the player's own, from which an editor still finds its schema."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.output import echo, show_document

if TYPE_CHECKING:
    from adjudicator.engine.play.position import PositionFile

VIEW = "view.yaml"
SCHEMA = "schema.json"


def form(
    where: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER|VIEW", help="A match, a folder that you were sent, or your view.yaml."
        ),
    ],
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Whose form.")],
    into: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file to write; left out: it is shown.")
    ] = None,
) -> None:
    """Write the form of your orders to a file of your own, with the path to its schema.

    Example: adjudicator form lagoon venice --into ~/orders/market.yaml
    """
    from adjudicator.engine.folder import disk
    from adjudicator.engine.play.view import position_for
    from adjudicator.engine.report.form import sheet_form
    from adjudicator.engine.report.reader_facts import Extras

    view = view_in(where, player)
    opened = opened_view(view, player)
    if into is not None and (into.exists() or into.is_symlink()):
        raise typer.BadParameter(
            f"{into} is there already, and its orders would be lost", param_hint="--into"
        )
    seen = position_for(opened.rulebook, opened.state, player)
    home = (into.parent if into is not None else Path()).absolute()
    schema = schema_for(view, home)
    text = sheet_form(opened.rulebook, seen, player, schema=schema, extras=Extras(due_text(view)))
    if into is None:
        show_document(text, nl=False)
        return
    home.mkdir(parents=True, exist_ok=True)
    disk.write(into, text.encode())
    echo(f"The form is in {into}.")


def view_in(where: Path, player: str) -> Path:
    """The view: the file itself, or the newest in a match, a phase's folder, `for/`, or the player's folder."""
    from adjudicator.cli.files import unreadable
    from adjudicator.engine.folder.commit import unfinished_run_in
    from adjudicator.engine.folder.errors import Faulty
    from adjudicator.engine.folder.gate import Gate, Kind, kind_of
    from adjudicator.engine.folder.names import head_of

    if not where.is_dir():
        if kind_of(where) is not Kind.NOTHING:
            return where
        raise Faulty([unreadable(str(where), "there is no such folder or file")])
    gate = Gate(where)
    if unfinished_run_in(gate) is not None:
        raise Faulty(
            [unreadable(str(where), "a run was cut short here, and the next one finishes it; run first")]
        )
    phases = sorted((head.number, name) for name in gate.names() if (head := head_of(name)))
    nearer = [VIEW, f"{player}/{VIEW}", f"for/{player}/{VIEW}"]
    for name in (*nearer, *(f"{phase}/for/{player}/{VIEW}" for _, phase in reversed(phases))):
        if gate.has(name):
            return where / name
    raise Faulty([unreadable(str(where), f"there is no {VIEW} of {player} here")])


def opened_view(view: Path, player: str) -> PositionFile:
    """The view, if it is the player's and the player has orders to give. Raises Faulty or BadParameter."""
    from adjudicator.cli.files import content, unreadable
    from adjudicator.cli.find import suggestion
    from adjudicator.engine.folder.errors import Faulty
    from adjudicator.engine.play.position import PositionFile, read_position

    text = content(str(view))
    opened = read_position(text, str(view)) if isinstance(text, bytes) else [text]
    if not isinstance(opened, PositionFile):
        raise Faulty(opened)
    state = opened.state
    if player not in state.players:
        raise typer.BadParameter(
            f"{player or repr(player)} doesn't play here{suggestion(player, list(state.players))}"
        )
    if not state.players[player].standing.known:
        raise Faulty([unreadable(str(view), f"this is not {player}'s view")])
    if player not in state.phase.due:
        said = f"{player} has no orders to give in the phase {state.phase.name}"
        raise Faulty([unreadable(str(view), said)])
    return opened


def schema_for(view: Path, home: Path) -> str:
    """The path from the form's folder to the schema beside the view, as in a URL."""
    schema = (view.parent / SCHEMA).absolute()
    try:
        return Path(os.path.relpath(schema, home)).as_posix()
    except ValueError:  # on another drive there is no relative path
        return schema.as_uri()


def due_text(view: Path) -> str:
    """The deadline, by the ledger or in the GM's words; empty if the match can't be read."""
    from adjudicator.cli.files import content
    from adjudicator.engine.folder.errors import Faulty
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.names import LEDGER
    from adjudicator.engine.folder.papers import Opening, read_paper
    from adjudicator.engine.handout.times import due_text as by_ledger

    path = view.absolute().parent.parent.parent / "open.yaml"
    try:
        if (path.parent.parent / LEDGER).is_file():
            match = open_match(path.parent.parent)
            if path.parent.name in match.phases:
                return by_ledger(match, match.phases.index(path.parent.name), view.absolute().parent.name)
        text = content(str(path))
        return read_paper(text, str(path), Opening).until if isinstance(text, bytes) else ""
    except Faulty:
        return ""
