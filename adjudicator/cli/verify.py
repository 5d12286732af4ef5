"""`adjudicator verify`: replays a match from its files and compares; or checks what a player has received."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.output import echo

UNCHECKED = 3
"""The status when nothing is wrong, but something could not be checked."""


def verify(
    folder: Annotated[
        list[Path], typer.Argument(help="The match's folder; or folders that you were sent, for any phases.")
    ],
    sheet: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A sheet that you sent, if it isn't in one of the folders."),
    ] = None,
    receipt: Annotated[
        list[str] | None,
        typer.Option(metavar="PHASE=RECEIPT", help="A receipt that a mail told you."),
    ] = None,
) -> None:
    """Replay a match from its files and compare positions, events, the chain and the seed.

    Says which phase was edited by hand, played by another version, or tampered with. Ends with status 1 if a file
    doesn't follow from the others, and with status 3 if nothing is wrong but not everything could be checked: without
    the seed the throws are taken from the events.

    A player names the received folders instead (for/venice, copied anywhere, under any names). It then says whether
    they fit together, whether the player's sheets were used as sent, and, once the seed is published, whether every
    throw, mark and receipt is right, and every report and view as it was handed out. A sheet lies beside what was
    received with it, or is named with --sheet.

    Example: adjudicator verify lagoon
    """
    from adjudicator.engine.audit.received import is_received

    if sheet or receipt or len(folder) > 1 or is_received(folder[0]):
        received(folder, sheet or [], receipt or [])
    else:
        match(folder[0])


def match(folder: Path) -> None:
    """Replays a match. Ends with its status."""
    from adjudicator.cli.saying import counted
    from adjudicator.engine.audit.verify import verify as replay
    from adjudicator.engine.text.problem import as_text

    found = replay(folder)
    if found.problems:
        echo(as_text(found.problems), err=True)
    if not found.seed:
        echo("The seed isn't here: throws were taken from the events without a check.")
    if not found.good:
        echo(
            f"Replayed {found.replayed} of {counted(found.phases, 'phase')}; the first file that differs: {found.first}"
        )
        raise typer.Exit(1)
    of = f"{found.replayed} of " if found.other_rules else ""
    echo(f"Replayed {of}{counted(found.phases, 'phase')}: every position and event follows from the files.")
    if found.unsigned:
        echo(f"The signatures of drand weren't checked, for want of {found.unsigned}.")
    if not found.seed or found.other_rules or found.unsigned:
        raise typer.Exit(UNCHECKED)


def received(folders: list[Path], sheets: list[Path], told: list[str]) -> None:
    """Checks what a player has received. Ends with its status."""
    from adjudicator.cli.acting import used_rightly
    from adjudicator.cli.saying import counted
    from adjudicator.engine.audit.comparing import check_received
    from adjudicator.engine.text.problem import as_text

    with used_rightly():
        found = check_received(folders, sheets, told)
    if found.problems:
        echo(as_text(found.problems), err=True)
    for said in found.unchecked:
        echo(f"Not checked: {said}.")
    what = f"{counted(found.folders, 'folder')} of {found.match}"
    if found.problems:
        echo(f"{what}: {counted(len(found.problems), 'contradiction')}.")
        raise typer.Exit(1)
    echo(
        f"{what}: they fit together; used as sent: {found.sheets}; throws that follow from the seed: {found.throws};"
        f" reports and views as handed out: {found.reports}."
    )
    if found.unchecked:
        raise typer.Exit(UNCHECKED)
