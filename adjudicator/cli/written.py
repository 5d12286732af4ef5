"""What is written for readers: reports, maps, forms, pages, and a copy of a match that is over."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator import __version__
from adjudicator.cli.options import MatchFolder
from adjudicator.cli.output import content, content_of, echo, replace_own, show_document, unreadable
from adjudicator.engine.folder import disk
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.gate import Gate, Kind, kind_of
from adjudicator.engine.text.problem import counted, suggestion

if TYPE_CHECKING:
    from adjudicator.engine.folder.folder import Folder
    from adjudicator.engine.play.position import PositionFile
    from adjudicator.engine.report.map import Picture


def report(
    folder: MatchFolder,
    player: Annotated[str, typer.Option(help="Show this player's report; `public` is everybody's.")] = "",
    phase: Annotated[
        str, typer.Option(help="Show the reports of this phase: its folder's name or number.")
    ] = "",
    html: Annotated[
        bool, typer.Option("--html", help="As pages for a browser, even if the match has `pages: false`.")
    ] = False,
) -> None:
    """Write the reports and forms of the last phase again, or show one.

    They are written with what has changed since: the words in note.md, or a position corrected by hand.

    Example: adjudicator report lagoon --player venice --phase 3

    Example: adjudicator report lagoon --html
    """
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.match.showing import report_of, shown_page, write_again

    match = open_match(folder)
    if player or phase:
        show = shown_page if html else report_of
        show_document(show(match, player or "public", phase), nl=False)
        return
    names = write_again(folder, pages=True if html else None)
    echo(f"Written again: {len(names)} files in {folder / match.phases[-1] / 'for'}.")


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
    from adjudicator.engine.play.view import position_for
    from adjudicator.engine.report.map import picture

    opened = opened_position(file)
    if player != "public" and player not in opened.state.players:
        raise typer.BadParameter(f"there is no player {player} in {file}", param_hint="--player")
    seen = position_for(opened.rulebook, opened.state, None if player == "public" else player)
    return file.stem, picture(opened.rulebook, seen)


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
    from adjudicator.engine.folder.commit import unfinished_run_in
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


def opened_position(file: Path) -> PositionFile:
    """The position in a file. Raises Faulty."""
    from adjudicator.engine.play.position import PositionFile, read_position

    opened = read_position(content_of(str(file)), str(file))
    if not isinstance(opened, PositionFile):
        raise Faulty(opened)
    return opened


def opened_view(view: Path, player: str) -> PositionFile:
    """The view, if it is the player's and the player has orders to give. Raises Faulty or BadParameter."""
    opened = opened_position(view)
    state = opened.state
    if player not in state.players:
        raise typer.BadParameter(
            f"{player or repr(player)} doesn't play here{suggestion(player, state.players)}"
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


def site(
    folder: MatchFolder,
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The site's folder: new, empty, or with an earlier site.")
    ],
) -> None:
    """Write the public pages of a match: all its reports, and a map that plays through the phases.

    Nothing secret is in them. They need no server: open them from the disk, or put the folder on the web.

    Example: adjudicator site lagoon lagoon-site
    """
    from adjudicator.engine.folder.folder import open_match

    echo(f"Open {write_with_progress(open_match(folder), out)}")


def write_with_progress(match: Folder, out: Path) -> str:
    """Writes a match's site, with a progress bar on a terminal; returns its address."""
    from rich.console import Console
    from rich.progress import Progress

    from adjudicator.engine.match.site import INDEX, file_names, write_site

    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(out.name, total=len(file_names(match)))
        for name in write_site(match, out):
            bar.update(task, advance=1, description=name)
    return (out / INDEX).resolve().as_uri()


def page(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write.")],
    pack: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The pack made by `make page`, or taken from a release."),
    ] = None,
) -> None:
    """Write the page on which players order by a link, with the whole program in it, for any web server.

    Put the folder on a host for static pages and name its address in mail.yaml: `page: https://club.example/play/`.

    Example: adjudicator page club-page
    """
    from adjudicator.page.site import BadPack, write_page

    found = pack or Path(f"dist/adjudicator-page-{__version__}.zip")
    try:
        names = list(write_page(found, out, __version__))
    except (BadPack, OSError) as error:
        raise Faulty([unreadable(str(found), str(error))]) from error
    echo(f"{len(names)} files in {out}. Put the folder on the web; a link to it opens a position.")


def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder; the match is over.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A new folder.")],
) -> None:
    """Write a match that is over without its private parts: mails, addresses, what each player got.

    Whoever gets the copy can verify it. It warns of ledger lines with a mail address: they can't be left out.

    Example: adjudicator export lagoon lagoon-played
    """
    from adjudicator.cli.verify import replay_match as verified
    from adjudicator.engine.folder.entries import Bounced
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.ledger import entries_on_disk
    from adjudicator.engine.match.proof import export as write

    match = open_match(folder)
    names = write(match, out)
    for number, entry in enumerate(entries_on_disk(match), start=1):
        if "@" in entry.why or (isinstance(entry, Bounced) and "@" in entry.because):
            echo(f"Line {number} of ledger.jsonl names a mail address.", err=True)
    echo(f"Written: {counted(len(names), 'file')} in {out}.")
    verified(out)
