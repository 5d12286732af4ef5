"""`adjudicator report`: shows a report again, or writes those of the last phase again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.output import echo, show_document


def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")],
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
