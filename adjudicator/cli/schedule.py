"""`adjudicator schedule`: shows the schedule of a running match, or gives it another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.clock import At
from adjudicator.cli.output import echo, show_document


def schedule(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")],
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A new schedule; left out: show the present one.")
    ] = None,
    why: Annotated[str, typer.Option(help="Your reason for a new one; the next reports tell it.")] = "",
    at: At = "",
) -> None:
    """Show the schedule of a match, or give the match another one from a file.

    It holds for all phases to come. The announced deadline of the open phase stands; `extend` moves that.

    Example: adjudicator schedule lagoon weekly.yaml --why "all have asked for more time"
    """
    from adjudicator.cli.acting import say_due, wrong_values_end_with_2
    from adjudicator.cli.clock import time_of
    from adjudicator.cli.files import content
    from adjudicator.engine.folder.errors import Faulty
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.ledger import written_schedule
    from adjudicator.engine.text.writing import write
    from adjudicator.gm.changing import reschedule
    from adjudicator.gm.playing import phases_of
    from adjudicator.gm.schedule import read_schedule

    match = open_match(folder)
    if file is None:
        if why:
            raise typer.BadParameter("name the file with the new schedule", param_hint="FILE")
        written = written_schedule(match)
        if not written:
            echo("This match has no schedule: you close its phases yourself.")
            return
        show_document(write(dict(written), brackets_from=1), nl=False)
        return
    text = content(str(file))
    if not isinstance(text, bytes):
        raise Faulty([text])
    found = read_schedule(text, str(file), phases_of(match.rulebook))[0]
    with wrong_values_end_with_2():
        reschedule(folder, found, time_of(at, folder), why=why)
    echo("The phases to come are due by this schedule.")
    say_due(folder)
