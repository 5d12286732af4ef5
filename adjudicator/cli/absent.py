"""`adjudicator absent`: a player is away, and no deadline that waits for that player comes in the meantime."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.clock import At
from adjudicator.cli.output import echo


def absent(
    folder: Annotated[Path, typer.Argument(help="The match's folder.")],
    player: Annotated[str, typer.Argument(help="Who is away.")],
    days: Annotated[str, typer.Argument(metavar="FROM..TO", help="The first and last day; or one alone.")],
    why: Annotated[str, typer.Option(help="A reason, if it is to be told.")] = "",
    at: At = "",
) -> None:
    """A player is away on these days: no phase that the player is due in is due then.

    Example: adjudicator absent lagoon venice 2026-12-24..2026-12-28
    """
    from adjudicator.cli.acting import say_due, used_rightly
    from adjudicator.cli.clock import time_of
    from adjudicator.gm.acts import absent as be_absent

    with used_rightly():
        entry = be_absent(folder, player, days, time_of(at, folder), why=why)
    echo(f"{player} is away from {entry.first} to {entry.last}.")
    say_due(folder)
