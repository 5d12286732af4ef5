"""A new schedule in a GM's file: how it is read, and which of its parts make no sense together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.papers import yaml_in
from adjudicator.engine.text.problem import counted
from adjudicator.engine.text.source import MOST_BYTES, Path
from adjudicator.gm.schedule import DAYS, USUAL, Schedule, duration_of, least_in, problem_at, schedule_in


def read_schedule(text: bytes, name: str, phases: Iterable[str] = ()) -> tuple[dict[str, Any], Schedule]:
    """The file of `new --schedule`, as written and as a value; `schedule:` may stand above it. Raises Faulty."""
    source = yaml_in(text, name, MOST_BYTES)
    plain: Any = source.plain
    at: Path = ("schedule",) if isinstance(plain, dict) and set(plain) == {"schedule"} else ()
    found = schedule_in(source, phases, at)
    written = dict(plain["schedule"] if at else plain)
    if wrong := [problem_at(source, (*at, *path), said) for path, said in contradictions(written)]:
        raise Faulty(wrong)
    return written, found


def contradictions(plain: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Values that are right alone but make no sense together, and where they are.

    Only a new schedule is checked, not one that a match has already: a match that was begun goes on.
    """
    missed, absence = plain.get("missed", {}), plain.get("absence", {})
    warn, gone = missed.get("warn", 0), missed.get("replace", 0)
    if 0 < gone < warn:
        said = (
            f"missed.warn: {warn} is more than replace: {gone}, when the seat is open; at most {gone}, or 0"
        )
        yield ("missed", "warn"), said
    times, days = absence.get("times"), absence.get("days")
    if times is not None and days is not None and times > days:
        said = f"absence.times: days allows {days}, too few for {counted(times, 'absence')} of a day each"
        yield ("absence", "times"), f"{said}; at most {days}"
    elif times == 0 and days:
        yield (
            ("absence", "days"),
            f"absence.days: {counted(days, 'day')} can't be used, since times is 0; write both as 0",
        )
    grace, every = plain.get("grace"), plain.get("every", USUAL)
    for name, text in (every if isinstance(every, dict) else {"": every}).items():
        if grace and duration_of(least_in(text)) < duration_of(least_in(grace)):
            of = f" {name}" if name else ""
            said = f"grace: {grace} is longer than a phase{of} takes, {text}; write a shorter one, or a longer `every`"
            yield ("grace",), said
    if plain.get("pause") and plain.get("early") is False:
        said = (
            "pause: without `early` a phase is played at its deadline, so `pause` has no effect; leave it out"
        )
        yield ("pause",), said
    for index, day in enumerate(plain.get("days", ())):
        if day in plain["days"][:index]:
            yield ("days", index), f"days: {day} is there twice; name each of {', '.join(DAYS)} at most once"
