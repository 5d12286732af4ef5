"""`adjudicator due`: the deadline and the reason for it, who is late and who is away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.clock import At
from adjudicator.cli.output import echo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from adjudicator.engine.folder.folder import Folder
    from adjudicator.gm.situation import Situation

MOVED = {
    "day": "the schedule has no deadlines on some days of the week",
    "holiday": "the schedule has no deadlines on those dates",
    "absence": "somebody who is due is away",
    "skipped-hour": "the clocks go forward that night, and skip the hour of the schedule",
    "repeated-hour": "the clocks go back that night, and the second of the two hours counts",
}


def due(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")], at: At = ""
) -> None:
    """Show when the open phase is due and why, who is late, who is away, and who has missed sheets.

    Changes nothing. With --at it answers for another time.

    Example: adjudicator due lagoon --at 2026-11-26T20:30
    """
    from adjudicator.cli.clock import time_of
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.gm.situation import situation

    match = open_match(folder)
    now = time_of(at, folder)
    echo(f"{match.card.match}: {match.phases[-1]}")
    for line in _lines(match, situation(match, now), now):
        echo(line)


def _lines(match: Folder, found: Situation, now: datetime) -> Iterator[str]:
    from adjudicator.cli.saying import (
        names,
        sentence_of_missing_sheets,
        sentences_of_hold,
        sentences_of_missed,
        sentences_of_reminders,
        sentences_of_rules,
        sentences_of_undelivered,
    )
    from adjudicator.engine.handout.times import instant_text
    from adjudicator.engine.text.problem import as_text, counted

    yield f"At {instant_text(match, now, None)}: {found.now.value}."
    if found.held is not None:
        yield f"Held up since {instant_text(match, found.held.at, None)}: {found.held.why}"
    elif found.deadline_in_force is not None:
        force = found.deadline_in_force
        yield f"Due: {instant_text(match, force.due, None)}."
        if force.closes != force.due:
            yield f"Closes, after the grace: {instant_text(match, force.closes, None)}."
        yield from (f"  moved: {MOVED.get(key, key)}" for key in force.moved)
        yield f"  said at {instant_text(match, force.said, None)} ({BY.get(force.by.__name__, '')})"
    if found.late:
        yield f"Late: {names(found.late)}."
        yield from sentences_of_reminders(match, now, found)
    elif found.missing:
        yield sentence_of_missing_sheets(match.path / match.phases[-1], found.missing)
    if found.problems:
        yield as_text(found.problems)
    yield from sentences_of_rules(match)
    yield from sentences_of_hold(match, found)
    yield from sentences_of_undelivered(match)
    for away in found.away:
        yield f"Away: {away.player}, {away.first} to {away.last}."
    yield from sentences_of_missed(seat for seat in found.missed_in_a_row if seat.warned or seat.open)
    for player, (times, days) in found.left.items():
        yield f"  {player} may be absent {counted(max(times, 0), 'time')} more, {counted(max(days, 0), 'day')} in all"


BY = {
    "PhaseOpened": "when the phase was opened",
    "Extended": "by the GM, who put it off",
    "Absent": "when an absence was said",
    "PutOff": "when the mail that gives it could be sent",
    "Rescheduled": "by the GM, with a new schedule",
    "Resumed": "when the match was resumed",
}
