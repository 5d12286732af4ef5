"""`adjudicator export`: writes a copy of a match that is over, for anybody to verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.output import echo


def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder; the match is over.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A new folder.")],
) -> None:
    """Write a match that is over without its private parts: mails, addresses, what each player got.

    Whoever gets the copy can verify it. It warns of ledger lines with a mail address: they can't be left out.

    Example: adjudicator export lagoon lagoon-played
    """
    from adjudicator.cli.verify import replay_match as verified
    from adjudicator.engine.folder.entries import Bounced
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.ledger import entries_on_disk
    from adjudicator.engine.match.proof import export as write
    from adjudicator.engine.text.problem import counted

    match = open_match(folder)
    names = write(match, out)
    for number, entry in enumerate(entries_on_disk(match), start=1):
        if "@" in entry.why or (isinstance(entry, Bounced) and "@" in entry.because):
            echo(f"Line {number} of ledger.jsonl names a mail address.", err=True)
    echo(f"Written: {counted(len(names), 'file')} in {out}.")
    verified(out)
