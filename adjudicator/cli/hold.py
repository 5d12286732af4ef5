"""`adjudicator hold`: no deadline comes until the match is resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.clock import At, Why


def hold(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")],
    why: Why,
    at: At = "",
) -> None:
    """Put a match on hold: until `resume` no deadline comes and nothing is played.

    Example: adjudicator hold lagoon --why "the GM is ill"
    """
    from adjudicator.cli.acting import say_due, wrong_values_end_with_2
    from adjudicator.cli.clock import time_of_act
    from adjudicator.gm.acts import hold as hold_up

    with wrong_values_end_with_2():
        hold_up(folder, time_of_act(at, folder), why=why)
    say_due(folder)
