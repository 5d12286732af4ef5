"""`adjudicator close`: fixes the sheets of the open phase, and names where its dice will come from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.clock import At
from adjudicator.cli.output import echo

if TYPE_CHECKING:
    from adjudicator.engine.folder.adjudication import ClosedPhase


def close(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")],
    deadline: Annotated[
        bool, typer.Option("--deadline", help="Close the phase without the missing sheets.")
    ] = False,
    source: Annotated[
        str, typer.Option(help="A public text that nobody knows yet, such as 6 aus 49, 28.11.2026.")
    ] = "",
    again: Annotated[
        bool, typer.Option("--again", help="The phase is closed already: name another source, with --why.")
    ] = False,
    why: Annotated[str, typer.Option(help="Your reason; the next reports tell it to the players.")] = "",
    lead: Annotated[
        int, typer.Option(min=0, max=86400, help="Seconds from now to the round of drand that is named.")
    ] = 600,
    at: At = "",
) -> None:
    """Close the open phase: its sheets are fixed, and the source of its dice is named. Then `run` plays it.

    Give everybody `closed.yaml` of the phase before the dice can be known; `mail turn` mails it by itself.

    Status 0, or 3 if sheets are missing.

    Example: adjudicator close lagoon --source "6 aus 49, 28.11.2026"
    """
    from datetime import timedelta

    from adjudicator.cli.acting import wrong_values_end_with_2
    from adjudicator.cli.clock import time_of
    from adjudicator.cli.run import WAITED
    from adjudicator.cli.saying import names
    from adjudicator.gm.changing import rename
    from adjudicator.gm.closing import Dice
    from adjudicator.gm.playing import close_by_hand

    now, span = time_of(at, folder), timedelta(seconds=lead)
    with wrong_values_end_with_2():
        if again:
            _tell(folder, rename(folder, now, why=why, named=source, lead=span))
            return
        dice = Dice(first=True, named=source, lead=span)
        found = close_by_hand(folder, now, dice, deadline=deadline, why=" ".join(why.split()))
    if isinstance(found, tuple):
        echo(f"Not closed: no sheet yet from {names(found)}. With --deadline it is closed without.")
        raise typer.Exit(WAITED)
    _tell(folder, found)


def _tell(folder: Path, closed: ClosedPhase) -> None:
    """Tells what was closed, and what to do next."""
    from adjudicator.cli.saying import sentence_of_source
    from adjudicator.engine.folder.names import CLOSED

    echo(f"Closed: {closed.phase}. {sentence_of_source(closed.dice)}")
    echo(f"Give everybody {folder / closed.phase / CLOSED} before that; then adjudicator run {folder}")
