"""`adjudicator extend`: another deadline for the open phase."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.clock import At, Why


def extend(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")],
    to: Annotated[str, typer.Option(metavar="TIME", help="The new deadline, in the match's zone.")],
    why: Why,
    at: At = "",
) -> None:
    """Put the deadline of the open phase off.

    Example: adjudicator extend lagoon --to 2026-11-28T20:00 --why "genoa's mail was down"
    """
    from adjudicator.cli.acting import say_due, wrong_values_end_with_2
    from adjudicator.cli.clock import time_of, time_of_act
    from adjudicator.gm.acts import extend as put_off

    with wrong_values_end_with_2():
        put_off(folder, time_of(to, folder, "--to"), time_of_act(at, folder), why=why)
    say_due(folder)
