"""What the GM's commands have in common: wrong values for their options are wrong use, with status 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from adjudicator.cli.output import echo
from adjudicator.engine.folder.errors import Faulty

if TYPE_CHECKING:
    from pathlib import Path

    from adjudicator.gm.addresses import Person


@contextmanager
def wrong_values_end_with_2(option: str = "") -> Iterator[None]:
    """Lets a command end with status 2 if it got an impossible value; other faults go on, and end it with status 1.

    `option` is the option with that value, if the problem itself doesn't name it.
    """
    try:
        yield
    except Faulty as wrong:
        if not wrong.misused:
            raise
        first = wrong.problems[0]
        raise typer.BadParameter(first.text, param_hint=option or first.file) from None


def person(text: str, option: str) -> Person:
    """Who plays a seat, from `venice=Anna <one@example.org>`. Ends with status 2 for a wrong mail address."""
    from adjudicator.gm.addresses import person_in

    try:
        return person_in(text.partition("=")[2])
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


def say_due(folder: Path) -> None:
    """Says the deadline of the open phase as it is now, and where the reports with it are."""
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.handout.times import due_text

    match = open_match(folder)
    until = due_text(match, match.last, None)
    echo(f"{match.phases[-1]} is due: {until}" if until else f"{match.phases[-1]} has no deadline.")
    echo(f"The reports in {folder / match.phases[-1] / 'for'} say so.")
