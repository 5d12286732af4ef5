"""`adjudicator resume`: a match on hold goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.clock import At, Why


def resume(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")],
    why: Why,
    at: At = "",
) -> None:
    """Let a match on hold go on; the open phase gets at least the time that it had left.

    Example: adjudicator resume lagoon --why "well again"
    """
    from adjudicator.cli.acting import say_due, wrong_values_end_with_2
    from adjudicator.cli.clock import time_of_act
    from adjudicator.gm.acts import resume as go_on

    with wrong_values_end_with_2():
        go_on(folder, time_of_act(at, folder), why=why)
    say_due(folder)
