"""`adjudicator submit`: hands in what a player sent by any way, such as a messenger."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.clock import At
from adjudicator.cli.files import content
from adjudicator.cli.output import show_document


def submit(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")],
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
    from adjudicator.cli.clock import time_of
    from adjudicator.door.match import Match
    from adjudicator.door.submission import plain_in
    from adjudicator.engine.folder.errors import Faulty
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.library.texts import texts_of
    from adjudicator.engine.report.template import rendered
    from adjudicator.engine.text.source import MOST_BYTES

    data = content(sheet, MOST_BYTES)
    if not isinstance(data, bytes):
        raise Faulty([data])
    match = Match(folder)
    stem = Path(sheet).stem
    whose = player or str(plain_in(data).get("player") or (stem if stem in match.players else ""))
    if not whose:
        raise typer.BadParameter(
            f"whose is {sheet}? There are {', '.join(match.players)}", param_hint="--player"
        )
    sent = match.submit(whose, data, came=time_of(at, folder), by="submit")
    show_document(
        rendered(texts_of(open_match(folder).rulebook_for(whose)), "submitted.txt.j2", sent=sent).rstrip()
    )
    if not sent.taken:
        raise typer.Exit(1)
