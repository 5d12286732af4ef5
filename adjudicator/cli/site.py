"""`adjudicator site`: a match's public pages, for a web folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.output import echo

if TYPE_CHECKING:
    from adjudicator.engine.folder.folder import Folder


def site(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")],
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
