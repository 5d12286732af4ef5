"""What the commands have in common that act upon a match: what is wrong with their own words is wrong use."""

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
def used_rightly(option: str = "") -> Iterator[None]:
    """Ends with status 2 where a command was given what can't be, and with 1 where the match is at fault.

    `option` is what was given so, where the problem itself doesn't name it.
    """
    try:
        yield
    except Faulty as wrong:
        if not wrong.misused:
            raise
        first = wrong.problems[0]
        raise typer.BadParameter(first.text, param_hint=option or first.file) from None


def person(text: str, option: str) -> Person:
    """Who plays a seat, from `venice=Anna <one@example.org>`. Ends with status 2 for what is no mail address."""
    from adjudicator.gm.addresses import person_in

    try:
        return person_in(text.partition("=")[2])
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


def say_due(folder: Path) -> None:
    """The deadline of the open phase as it is now, and where the reports are that say it."""
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.handout.times import due_text

    match = open_match(folder)
    until = due_text(match, match.last, None)
    echo(f"{match.phases[-1]} is due: {until}" if until else f"{match.phases[-1]} has no deadline.")
    echo(f"The reports in {folder / match.phases[-1] / 'for'} say so.")
