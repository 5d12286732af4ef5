"""The schedule of a match, `schedule:` in `match.yaml`: when sheets are due, and what can be wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, time, timedelta
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from adjudicator.engine.folder.entries import FIRST_YEAR, LAST_YEAR, LONGEST_SPAN
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.text.problem import Problem, nearest
from adjudicator.engine.text.source import Path, Source

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo


DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
OTHER = "other"
"""The key of `every` for phases that it doesn't name."""
KEYS = (
    "zone",
    "at",
    "every",
    "days",
    "not",
    "grace",
    "early",
    "pause",
    "remind",
    "absence",
    "bank",
    "missed",
    "vote",
    "press",
    "shown",
    "regent",
)
MOST_EVERY, MOST_GRACE, MOST_PAUSE = timedelta(days=366), timedelta(days=31), timedelta(days=7)
MOST_BANK = timedelta(days=60)
MOST_SPANS = 50
USUAL = "3 days"
"""The least time of a phase if none is written."""

ALL, MAJORITY = "all", "majority"
"""Of whom a vote for an end of the match needs to have come."""
PRESS = (NO_PRESS, NAMED, ANONYMOUS) = ("none", "named", "anonymous")
"""Whether players may write to each other, and whether they learn who has written."""
_AT = re.compile(r"([01]?\d|2[0-3])[:.h]([0-5]\d)")
_LONG = re.compile(r"(\d{1,4}) *(minutes?|hours?|h|days?|d|weeks?|w)")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


class Span(Struct, frozen=True):
    """Days from the first to the last, both included."""

    first: date
    last: date

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last

    @property
    def days(self) -> int:
        """How many days there are from the first to the last, both included."""
        return (self.last - self.first).days + 1


class Least(Struct, frozen=True):
    """The least time of a phase. Days count by date, hours and minutes by the clock."""

    days: int = 0
    time: timedelta = timedelta()


class Allowed(Struct, frozen=True):
    """How often, and for how many days in all, a player may be absent."""

    times: int
    days: int


class Missed(Struct, frozen=True):
    """After how many missed sheets in a row the GM is told (`warn`), the others don't wait any more when all of theirs
    are in (`go_on`), and the seat is open (`replace`); 0: never.
    """

    warn: int = 0
    replace: int = 0
    go_on: int = 0


class Schedule(Struct, frozen=True):
    """When sheets are due. The values here count for what isn't written."""

    zone: str = "UTC"
    at: time = time(20)
    every: Mapping[str, Least] = field(default_factory=lambda: {OTHER: Least(days=3)})
    days: frozenset[int] = frozenset(range(7))
    never: tuple[Span, ...] = ()
    grace: timedelta = timedelta()
    early: bool = True
    pause: timedelta = timedelta()
    remind: timedelta = timedelta()
    absence: Allowed | None = None
    bank: timedelta = timedelta()
    missed: Missed = Missed()
    vote: str = ALL
    press: Mapping[str, str] = field(default_factory=dict)
    shown: bool = False
    regent: bool = False

    @property
    def zone_info(self) -> ZoneInfo:
        """The schedule's time zone."""
        from zoneinfo import ZoneInfo

        return ZoneInfo(self.zone)

    def press_in(self, phase: str) -> str:
        """What becomes of messages between players in a phase: `none`, `named` or `anonymous`."""
        return self.press.get(phase, self.press.get(OTHER, NO_PRESS))

    def least(self, phase: str) -> Least:
        """The least time of a phase by its name; for one that isn't named, that of `other`, else the longest."""
        found = self.every.get(phase, self.every.get(OTHER))
        return found or max(self.every.values(), key=duration_of)


def schedule_in(source: Source, phases: Iterable[str] = (), at: Path = ()) -> Schedule:
    """The schedule in a file, at the path `at`. Raises Faulty with all that is wrong with it.

    `phases` are the names that `every` may use, if they are known.
    """
    return _Reader(source, tuple(phases), at).schedule()


def schedule_of(plain: Mapping[str, Any], phases: Iterable[str] = ()) -> Schedule | None:
    """The schedule of a match's card; None if it has none. Raises Faulty."""
    return (
        schedule_in(Source("match.yaml", {"schedule": dict(plain)}), phases, ("schedule",)) if plain else None
    )


def zone_named(text: Any) -> str:
    """The name, if there is such a time zone. Else raises ValueError with the message."""
    known = _zones()
    if isinstance(text, str) and text in known:
        return text
    mean = nearest(str(text), known)
    guess = f", did you mean {mean}?" if mean else ""
    raise ValueError(f"there is no time zone {text}{guess} (names are as in Europe/Paris)")


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    """The names of all zones, kept because finding them reads hundreds of files."""
    from zoneinfo import available_timezones

    return frozenset(available_timezones())


def day_in(text: Any) -> date:
    """A day: `2026-12-24`. Raises ValueError with the message."""
    found = _DAY.fullmatch(str(text).strip())
    try:
        day = date(*map(int, found.groups())) if found else None
    except ValueError:
        day = None
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError(f"{text or repr(text)} isn't a day; write 2026-12-24")
    return day


def span_in(text: Any) -> Span:
    """Days: `2026-12-24..2027-01-02`, or a single day. Raises ValueError with the message."""
    first, dots, last = str(text).partition("..")
    span = Span(day_in(first), day_in(last if dots else first))
    if span.last < span.first:
        raise ValueError(f"{text} ends before it begins")
    if span.days > LONGEST_SPAN:
        raise ValueError(f"{text} is longer than {LONGEST_SPAN} days")
    return span


def least_in(text: Any) -> Least:
    """A length of time: `3 days`, `36 hours`, `90 minutes`, `1 week`. Raises ValueError with the message."""
    found = _LONG.fullmatch(str(text).strip())
    if found is None:
        raise ValueError(f"{text} isn't a length of time; write 3 days, or 36 hours")
    number, unit = int(found[1]), found[2][0]
    if unit in "dw":
        return Least(days=number * (7 if unit == "w" else 1))
    return Least(time=timedelta(**{"hours" if unit == "h" else "minutes": number}))


def problem_at(source: Source, path: Path, said: str, *, key: bool = False) -> Problem:
    """A problem with the value, or with the `key`, at a path of a schedule's file."""
    mark = source.mark(path, key=key)
    return Problem(source.name, mark.line, mark.column, "SCHEDULE", said)


class _Reader:
    """Reads one schedule, and goes on after a fault."""

    def __init__(self, source: Source, phases: tuple[str, ...], at: Path) -> None:
        self.source, self.phases, self.at = source, phases, at
        self.problems: list[Problem] = []

    def schedule(self) -> Schedule:
        plain: Any = self.source.plain
        for step in self.at:
            plain = plain.get(step) if isinstance(plain, dict) else None
        if not isinstance(plain, dict) or not plain:
            self.note_problem((), f"a schedule has some of the keys {', '.join(KEYS)}")
            raise Faulty(self.problems)
        readers: Mapping[str, Callable[[Any, Path], Any]] = {
            "zone": self.checked(zone_named),
            "at": self.checked(_at),
            "every": self.every,
            "days": self.days,
            "not": self.spans,
            "grace": self.checked(partial(_time, most=MOST_GRACE)),
            "early": self.checked(_flag),
            "pause": self.checked(partial(_time, most=MOST_PAUSE)),
            "remind": self.checked(partial(_time, most=MOST_GRACE)),
            "absence": self.absence,
            "bank": self.checked(partial(_time, most=MOST_BANK)),
            "missed": self.missed,
            "press": self.press,
            "shown": self.checked(_flag),
            "regent": self.checked(_flag),
            "vote": self.checked(partial(_one_of, known=(ALL, MAJORITY))),
        }
        found: dict[str, Any] = {}
        for key, value in plain.items():
            if key not in readers:
                self.note_problem((key,), no_such("key of a schedule", key, KEYS), key=True)
            elif (good := readers[key](value, (key,))) is not None:
                found["never" if key == "not" else key] = good
        if self.problems:
            raise Faulty(self.problems)
        return Schedule(**found)

    def note_problem(self, path: Path, said: str, *, key: bool = False) -> None:
        named = ".".join(str(step) for step in path if isinstance(step, str))
        text = f"{named}: {said}" if named and not key else said
        self.problems.append(problem_at(self.source, (*self.at, *path), text, key=key))

    def checked(self, reader: Callable[[Any], Any]) -> Callable[[Any, Path], Any]:
        def read_one(value: Any, path: Path) -> Any:
            try:
                return reader(value)
            except ValueError as error:
                self.note_problem(path, str(error))
                return None

        return read_one

    def by_phase(self, value: Any, path: Path) -> Iterator[tuple[str, Any, Path]]:
        by_phase = value if isinstance(value, dict) and value else {OTHER: value}
        known = (*self.phases, OTHER)
        for name, text in by_phase.items():
            where = (*path, name) if by_phase is value else path
            if self.phases and name not in known:
                self.note_problem(where, no_such("phase", name, known), key=True)
            else:
                yield name, text, where

    def every(self, value: Any, path: Path) -> Mapping[str, Least] | None:
        found = {}
        for name, text, where in self.by_phase(value, path):
            least = self.checked(least_in)(text, where)
            time_ = duration_of(least) if least else timedelta()
            if least and not timedelta(minutes=1) <= time_ <= MOST_EVERY:
                self.note_problem(where, f"{text}: a phase takes from a minute to {MOST_EVERY.days} days")
            elif least:
                found[name] = least
        return found or None

    def press(self, value: Any, path: Path) -> Mapping[str, str] | None:
        reader, found = self.checked(partial(_one_of, known=PRESS)), {}
        for name, text, where in self.by_phase(value, path):
            if good := reader(text, where):
                found[name] = good
        return found or None

    def days(self, value: Any, path: Path) -> frozenset[int] | None:
        if not isinstance(value, list) or not value:
            self.note_problem(path, f"a list of some of {', '.join(DAYS)}")
            return None
        for index, day in enumerate(value):
            if day not in DAYS:
                self.note_problem((*path, index), no_such("day", str(day), DAYS))
        return frozenset(DAYS.index(day) for day in value if day in DAYS)

    def spans(self, value: Any, path: Path) -> tuple[Span, ...]:
        items = value if isinstance(value, list) else [value]
        if len(items) > MOST_SPANS:
            self.note_problem(path, f"there are more than {MOST_SPANS}")
            return ()
        found = [self.checked(span_in)(item, (*path, index)) for index, item in enumerate(items)]
        return tuple(span for span in found if span is not None)

    def absence(self, value: Any, path: Path) -> Allowed | None:
        found = self.numbers(value, path, ("times", "days"))
        return Allowed(found.get("times", 366), found.get("days", 366)) if found is not None else None

    def missed(self, value: Any, path: Path) -> Missed | None:
        found = self.numbers(value, path, ("warn", "replace", "go-on"))
        return (
            Missed(*(found.get(key, 0) for key in ("warn", "replace", "go-on")))
            if found is not None
            else None
        )

    def numbers(self, value: Any, path: Path, keys: tuple[str, ...]) -> dict[str, int] | None:
        if not isinstance(value, dict):
            self.note_problem(path, f"a mapping such as {{{keys[0]}: 1, {keys[1]}: 3}}")
            return None
        for key, number in value.items():
            if key not in keys:
                self.note_problem((*path, key), no_such("key", key, keys), key=True)
            elif type(number) is not int or not 0 <= number <= 366:
                self.note_problem((*path, key), f"{number} isn't a number from 0 to 366")
        return {key: number for key, number in value.items() if key in keys and type(number) is int}


def duration_of(least: Least) -> timedelta:
    """A least time as one length of time; a day counts as 24 hours."""
    return timedelta(days=least.days) + least.time


def no_such(what: str, word: str, known: Iterable[str]) -> str:
    """The message for a word that is none of those known."""
    mean = nearest(word, known)
    guess = f", did you mean {mean}?" if mean else ""
    return f"there is no {what} {word}{guess}; there are {', '.join(known)}"


def _at(value: Any) -> time:
    found = _AT.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        raise ValueError(f'{value} isn\'t a time of day; write "20:00"')
    return time(int(found[1]), int(found[2]))


def _time(value: Any, most: timedelta) -> timedelta:
    if value == 0:
        return timedelta()
    found = duration_of(least_in(value))
    if found > most:
        raise ValueError(f"{value} is longer than {most.days} days")
    return found


def _one_of(value: Any, known: tuple[str, ...]) -> str:
    if value not in known:
        raise ValueError(f"{value} is none of {', '.join(known)}")
    return str(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{value} is neither true nor false")
    return value
