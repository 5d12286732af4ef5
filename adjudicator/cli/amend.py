"""`adjudicator amend`: records what the GM has changed by hand in the open position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.clock import At, Why
from adjudicator.cli.output import echo


def amend(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")],
    why: Why,
    at: At = "",
) -> None:
    """Record what you have changed by hand in the last phase's state.yaml, and write its reports again.

    This also corrects the result of a match that is over.

    `verify` then makes the same change, instead of saying that the position was edited.

    Example: adjudicator amend lagoon --why "the GM had booked a sale twice"
    """
    from adjudicator.cli.acting import wrong_values_end_with_2
    from adjudicator.cli.clock import time_of
    from adjudicator.engine.text.problem import counted
    from adjudicator.gm.changing import amend as record

    with wrong_values_end_with_2():
        entry = record(folder, time_of(at, folder), why=why)
    echo(f"Recorded for {entry.phase}: {counted(len(entry.changes), 'place')} changed.")
    for change in entry.changes:
        echo(f"  {'.'.join(change.path)}")
    echo(f"The reports in {folder / entry.phase / 'for'} are written again.")
