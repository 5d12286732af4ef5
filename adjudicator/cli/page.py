"""`adjudicator page`: the folder for a web server in which a link opens a position, with the program in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.output import echo


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
    from adjudicator import __version__
    from adjudicator.cli.files import unreadable
    from adjudicator.engine.folder.errors import Faulty
    from adjudicator.page.site import BadPack, write_page

    found = pack or Path(f"dist/adjudicator-page-{__version__}.zip")
    try:
        names = list(write_page(found, out, __version__))
    except (BadPack, OSError) as error:
        raise Faulty([unreadable(str(found), str(error))]) from error
    echo(f"{len(names)} files in {out}. Put the folder on the web; a link to it opens a position.")
