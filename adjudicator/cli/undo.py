"""`adjudicator undo`: takes the last phase back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.clock import At
from adjudicator.cli.output import echo


def undo(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")],
    why: Annotated[
        str, typer.Option(help="Your reason; the next reports tell it; needed if the match has a ledger.")
    ] = "",
    at: At = "",
) -> None:
    """Take the last phase back: it goes to undone/, and the one before is open again.

    Its sheets are still there and may be changed; the next report says what was taken back, and why. A match that is
    over can't be reopened, since its seed is published; `amend` corrects its result.

    Example: adjudicator undo lagoon --why "genoa's sheet was overlooked"
    """
    from adjudicator.cli.acting import wrong_values_end_with_2
    from adjudicator.cli.clock import time_of
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.match.undo import undo as take_back
    from adjudicator.gm.acts import undo as take_back_as_entry
    from adjudicator.gm.playing import has_clock

    with wrong_values_end_with_2():
        if why or has_clock(open_match(folder)):
            done = take_back_as_entry(folder, time_of(at, folder), why=why)
        else:
            done = take_back(folder)
    what = ", ".join(done.folders) or "the beginning of the phase that waited for an answer"
    echo(f"Taken back: {what}; now in {folder / done.where}.")
    echo(f"Open again: {done.open}. Its sheets count again as they are when it is played.")
    for line in what_next(folder):
        echo(line)


def what_next(folder: Path) -> Iterator[str]:
    """When the phase that is open again is played, and what the GM does for that; a sentence on each line."""
    from adjudicator.cli.saying import how_to_close_by_hand
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.ledger import hold_in_force, is_open_again, ledger_of
    from adjudicator.engine.handout.times import due_text
    from adjudicator.git.by_hand import OPENED

    match = open_match(folder)
    entries = ledger_of(match)
    still, again = hold_in_force(entries), is_open_again(entries, match.phases[-1])
    if again and still is not None:
        yield f"The match is on hold ({still.why}): nothing is played until you resume it, even if all sheets are in."
        yield f"To resume it: adjudicator resume {folder} --why ..."
    elif again:
        until = due_text(match, match.last, None)
        when = f"at its deadline, {until}," if until else "when you say so"
        yield f"It is played again {when} and not before, even if all sheets are in."
        yield f"As soon as all sheets are in: adjudicator run {folder}. {how_to_close_by_hand(folder)}"
    if (folder / OPENED).is_file():
        yield f"To tell the players, and after each run here: adjudicator git close {folder}"
