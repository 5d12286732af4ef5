"""`adjudicator verify`: replays a match from its files and compares."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.output import echo

UNCHECKED = 3
"""The status when nothing is wrong, but something could not be checked."""


def verify(folder: Annotated[Path, typer.Argument(help="The match's folder.")]) -> None:
    """Replay a match from its files and compare positions, events, the chain and the seed.

    Says which phase was edited by hand, played by another version, or tampered with. Ends with status 1 if a file is
    not what the others make it, and with status 3 if nothing is wrong but not everything could be checked: without the
    seed the throws are taken from the events.

    Example: adjudicator verify lagoon
    """
    from adjudicator.cli.saying import counted
    from adjudicator.engine.match.verify import verify as replay
    from adjudicator.engine.text.problem import as_text

    found = replay(folder)
    if found.problems:
        echo(as_text(found.problems), err=True)
    if not found.seed:
        echo("The seed isn't here: the throws were taken from the events, and not checked.")
    if not found.good:
        echo(
            f"Replayed {found.replayed} of {counted(found.phases, 'phase')}; the first file that differs: {found.first}"
        )
        raise typer.Exit(1)
    of = f"{found.replayed} of " if found.other_rules else ""
    echo(
        f"Replayed {of}{counted(found.phases, 'phase')}: every position and event is what the files make it."
    )
    if not found.seed or found.other_rules:
        raise typer.Exit(UNCHECKED)
