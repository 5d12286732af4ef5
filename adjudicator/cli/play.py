"""`adjudicator play`: a match whose players sit at this machine, in a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from adjudicator.cli.options import MatchFolder, time_of
from adjudicator.cli.output import echo, unreadable
from adjudicator.engine.folder.errors import Faulty


def play(
    folder: MatchFolder,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port on this machine; 0: any that is free.")
    ] = 0,
    browse: Annotated[bool, typer.Option(help="Open it in the browser.")] = True,
) -> None:
    """Play a match at this machine: every seat's page in a browser, one after the other.

    Nobody else can reach it. Ctrl-C ends it; the match stays as it is, and can be continued in any other way too.

    Example: adjudicator play lagoon
    """
    import webbrowser
    from functools import partial
    from secrets import token_urlsafe

    from adjudicator.engine.folder.folder import open_match
    from adjudicator.page.serving import Table

    open_match(folder)
    try:
        table = Table(folder, port, token_urlsafe(12), partial(time_of, ""))
    except OSError as error:
        raise Faulty([unreadable(f"port {port}", str(error))]) from error
    with table:
        echo(f"Open {table.address}\nCtrl-C ends it.")
        if browse:
            webbrowser.open(table.address)
        try:
            table.serve_forever()
        except KeyboardInterrupt:
            echo("Closed. The match stays as it is.")
