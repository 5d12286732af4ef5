"""`adjudicator undo`: takes the last phase back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.output import echo


def undo(folder: Annotated[Path, typer.Argument(help="The match's folder.")]) -> None:
    """Take the last phase back: it goes to undone/, and the one before is open again.

    Its sheets are still there and may be changed; the next report says what was taken back.

    Example: adjudicator undo lagoon
    """
    from adjudicator.engine.match.undo import undo as take_back

    done = take_back(folder)
    what = ", ".join(done.folders) or "the beginning of the phase that waited for an answer"
    echo(f"Taken back: {what}; now in {folder / done.where}.")
    echo(f"Open again: {done.open}. Its sheets count again as they are at the next run.")
