"""`adjudicator absent`: enters a player's absence; no phase that waits for the player is due then."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.clock import At
from adjudicator.cli.output import echo


def absent(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")],
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Who is away.")],
    days: Annotated[str, typer.Argument(metavar="FROM..TO", help="The first and last day; or a single day.")],
    why: Annotated[str, typer.Option(help="A reason; the reports tell it to the players.")] = "",
    at: At = "",
) -> None:
    """Enter that a player is away on these days: no phase that waits for the player is due then.

    Example: adjudicator absent lagoon venice 2026-12-24..2026-12-28
    """
    from adjudicator.cli.acting import say_due, wrong_values_end_with_2
    from adjudicator.cli.clock import time_of_act
    from adjudicator.gm.acts import absent as be_absent

    with wrong_values_end_with_2():
        entry = be_absent(folder, player, days, time_of_act(at, folder), why=why)
    echo(f"{player} is away from {entry.first} to {entry.last}.")
    say_due(folder)
