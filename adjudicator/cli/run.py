"""`adjudicator run`: adjudicates a match as far as its sheets allow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from adjudicator.cli.output import echo

WAITED = 3
"""The exit status of a run that could only wait."""


def run(
    folder: Annotated[Path, typer.Argument(help="The match's folder.")],
    deadline: Annotated[
        bool, typer.Option("--deadline", help="Close the phase now open without missing sheets.")
    ] = False,
    due: Annotated[
        str, typer.Option(help="The next deadline in your words, to stand in forms and reports.")
    ] = "",
    dice: Annotated[str | None, typer.Option(help="Throws made by hand, in order: 4,6,2.")] = None,
) -> None:
    """Adjudicate as far as the sheets allow, phase after phase.

    Ends with status 0 if something was adjudicated, 3 if it could only wait, 1 if the match itself is faulty, 2 if the
    throws of --dice are too few, too many, or can't be.

    Example: adjudicator run lagoon --deadline --due "Sunday evening"
    """
    from adjudicator.cli.saying import said_of
    from adjudicator.engine.folder.errors import Faulty
    from adjudicator.engine.match.run import run as run_match
    from adjudicator.engine.text.problem import as_text

    throws = None if dice is None else throws_in(dice)
    try:
        ran = run_match(folder, deadline=deadline, due_text=due, throws=throws)
    except Faulty as wrong:
        if not wrong.misused:
            raise
        raise typer.BadParameter(wrong.problems[0].text, param_hint="--dice") from None
    if ran.problems:
        echo(as_text(ran.problems), err=True)
    for line in said_of(folder, ran):
        echo(line)
    if not ran.adjudicated:
        raise typer.Exit(WAITED)


def throws_in(text: str) -> list[Any]:
    """Throws as they are given on the command line: `4,6,[salt,wine]`, a shuffle as a list. Ends with status 2."""
    from adjudicator.engine.text.source import Source, read

    source = read(f"[{text}]".encode(), "--dice")
    if isinstance(source, Source) and isinstance(source.plain, list):
        throws: list[Any] = source.plain
        if all(isinstance(throw, int | str | list) for throw in throws):
            return throws
    raise typer.BadParameter("write throws as 4,6,2; a shuffle as [salt,wine]", param_hint="--dice")
