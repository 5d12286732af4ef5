"""The ledger on disk: `ledger.jsonl`, one entry a line. A match may do without one.

What the ledger says about a match's time: the deadline in force, whether it is on hold, earlier deadlines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator import __version__
from adjudicator.engine.folder.entries import (
    BY_HAND,
    FIRST_YEAR,
    LAST_YEAR,
    LONGEST_SPAN,
    Absent,
    Bounced,
    Closed,
    Entry,
    Extended,
    HeldUp,
    Kind,
    PhaseOpened,
    PutOff,
    Reminded,
    Rescheduled,
    Resumed,
    Sent,
    Undone,
    Upgraded,
    instant,
    of_kind,
    standing,
)
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import LEDGER, PUBLIC
from adjudicator.engine.table.event import Player
from adjudicator.engine.text.problem import Problem
from adjudicator.engine.text.typed import decode

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from adjudicator.engine.folder.folder import Folder


_ENCODER = msgspec.json.Encoder()


@lru_cache(maxsize=16)
def entries_in(text: bytes, name: str) -> tuple[Entry, ...]:
    """The entries of a file. Raises Faulty with a problem for each bad line."""
    decoder, found, wrong = _decoder(), list[Entry](), list[Problem]()
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            entry: Entry = decode(decoder, line)
        except ValueError as error:
            later = (
                f"; a later release than {__version__} may have written it" if "$.kind" in str(error) else ""
            )
            wrong.append(Problem(name, number, 1, "LEDGER", f"this isn't an entry: {error}{later}"))
            continue
        if said := _why_odd(entry, found[-1] if found else None):
            wrong.append(Problem(name, number, 1, "LEDGER", said))
        found.append(entry)
    if wrong:
        raise Faulty(wrong)
    return tuple(found)


@cache
def _decoder() -> msgspec.json.Decoder[Any]:
    """The decoder of entries, made only for a match with a ledger, since making it takes a millisecond."""
    return msgspec.json.Decoder(Kind)


def _why_odd(entry: Entry, before: Entry | None) -> str:
    """Why the program wouldn't write this entry; empty if it would."""
    times = [value for value in msgspec.structs.asdict(entry).values() if isinstance(value, datetime)]
    if any(not FIRST_YEAR <= value.year <= LAST_YEAR for value in times):
        return f"a time of this match lies between the years {FIRST_YEAR} and {LAST_YEAR}"
    if any(value != instant(value) or value.utcoffset() for value in times):
        return "times are in UTC and to the second, such as 2026-11-22T19:00:00Z"
    if isinstance(entry, Absent) and not _are_days(entry.first, entry.last):
        return f"from {entry.first} to {entry.last} aren't days on which somebody may be away"
    if before is not None and entry.at < before.at:
        return "this is earlier than the line before it"
    by_hand = isinstance(entry, BY_HAND) or (isinstance(entry, Upgraded) and not entry.same)
    if by_hand and not entry.why.strip():
        return "what a GM does by hand needs a reason (why)"
    return ""


def _are_days(first: str, last: str) -> bool:
    """Are the two dates written right, in order, and not too far apart?"""
    try:
        begin, end = date.fromisoformat(first), date.fromisoformat(last)
    except ValueError:
        return False
    written = (str(begin), str(end)) == (first, last)
    return written and FIRST_YEAR <= begin.year <= LAST_YEAR and 0 <= (end - begin).days < LONGEST_SPAN


def line_of(entry: Entry) -> bytes:
    """An entry as a line, with its line end."""
    return _ENCODER.encode(entry) + b"\n"


def ledger_of(match: Folder) -> tuple[Entry, ...]:
    """All entries of a match, including those about to be written; none if it has no ledger.

    Raises Faulty, also if there are fewer entries than when the open phase was opened: without them deadlines would be
    forgotten and mails sent twice.
    """
    found, told = entries_on_disk(match), match.opening(match.last).entries
    for line, entry in enumerate(found, start=1):
        if said := problem_of_player(match.card.players, entry):
            raise Faulty([Problem(str(match.path / LEDGER), line, 1, "LEDGER", said)])
    if len(found) < told:
        said = (
            f"lines here when {match.phases[-1]} was opened: {told}, now: {len(found)}; put it back as it was"
        )
        raise Faulty([Problem(str(match.path / LEDGER), 0, 0, "LEDGER", said)])
    return found


def problem_of_player(players: Sequence[str], entry: Entry) -> str:
    """What is wrong with an entry about somebody who doesn't play; empty for others. Observers (`public`) get mail."""
    named: str = getattr(entry, "player", "") or getattr(entry, "to", "")
    known = not named or named in players or (named == PUBLIC and isinstance(entry, Sent | Bounced))
    return "" if known else f"{named} doesn't play in this match"


def entries_on_disk(match: Folder) -> tuple[Entry, ...]:
    """The entries in the file, even if some are missing. Raises Faulty for lines that can't be read."""
    return entries_in(match.read(LEDGER), str(match.path / LEDGER)) if match.has(LEDGER) else ()


def add_entries(match: Folder, *entries: Entry) -> None:
    """Adds entries to what the next `match.commit()` writes, together with everything else. Raises Faulty.

    The match must be locked. If the clock was set back, entries get the last entry's time, not an earlier one.
    """
    if not entries:
        return
    known = ledger_of(match)
    last = known[-1].at if known else None
    lines = [line_of(entry) for entry in in_order_of_time(last, entries)]
    text = match.read(LEDGER) if match.has(LEDGER) else b""
    match.add(LEDGER, text + (b"\n" if text and not text.endswith(b"\n") else b"") + b"".join(lines))


def now_in(match: Folder, at: datetime) -> datetime:
    """The time of a command, in UTC and to the second, but never before the last entry, whose time would be written
    then.

    So what depends on it (a deadline, what is past) agrees with the ledger. Raises Faulty.
    """
    known = ledger_of(match)
    return max(instant(at), known[-1].at) if known else instant(at)


def in_order_of_time(last: datetime | None, entries: Iterable[Entry]) -> Sequence[Entry]:
    """The entries in UTC and to the second, none earlier than the one before it."""
    found: list[Entry] = []
    for entry in entries:
        at = instant(entry.at)
        last = at if last is None else max(at, last)
        found.append(replace(entry, at=last))
    return found


def append(match: Folder, *entries: Entry) -> None:
    """Writes entries, and nothing else, into a locked match; all of them or none. Raises Faulty."""
    add_entries(match, *entries)
    match.commit()


MOVERS = (PhaseOpened, Absent, Extended, Rescheduled, Resumed, PutOff)
"""Entries that may say when a phase is due; the last of them counts."""


class DeadlineInForce(Struct, frozen=True):
    """The deadline of a phase, when the phase closes after the `grace`, or a reminder's, what has moved the deadline,
    and when it was announced.
    """

    due: datetime
    closes: datetime
    moved: tuple[str, ...]
    said: datetime
    by: type[Entry]
    grace: timedelta


def deadline_in_force(entries: Iterable[Entry], phase: str) -> DeadlineInForce | None:
    """The deadline of a phase as it was last announced; None if it has none. Reminders may keep it open for longer."""
    found = None
    for entry in standing(entries):
        if (
            isinstance(entry, Reminded)
            and entry.phase == phase
            and found is not None
            and entry.closes is not None
        ):
            found = replace(found, closes=max(found.closes, entry.closes))
        if not isinstance(entry, MOVERS) or entry.phase != phase or entry.due is None:
            continue
        moved = () if isinstance(entry, Extended) else entry.moved
        closes = entry.closes or entry.due
        found = DeadlineInForce(entry.due, closes, moved, entry.at, type(entry), closes - entry.due)
    return found


def announced_in(entries: Sequence[Entry], phase: str) -> int:
    """How many entries there are up to the last that opened a phase or said when it is due; 0 if there is none."""
    found = [
        number
        for number, entry in enumerate(entries, start=1)
        if isinstance(entry, MOVERS)
        and entry.phase == phase
        and (isinstance(entry, PhaseOpened) or entry.due is not None)
    ]
    return found[-1] if found else 0


def written_schedule(match: Folder) -> Mapping[str, Any]:
    """The schedule of a match as it was written: the last that the GM gave, else that of `match.yaml`; may be empty."""
    changed = of_kind(ledger_of(match), Rescheduled)
    return changed[-1].schedule if changed else match.card.schedule


def opened_at(entries: Iterable[Entry], phase: str) -> datetime | None:
    """When a phase was last opened; None if the ledger doesn't say."""
    found = [
        entry.at for entry in standing(entries) if isinstance(entry, PhaseOpened) and entry.phase == phase
    ]
    return found[-1] if found else None


def hold_in_force(entries: Iterable[Entry]) -> HeldUp | None:
    """What holds the match up; None if it isn't held up."""
    last = None
    for entry in entries:
        if isinstance(entry, HeldUp):
            last = entry
        elif isinstance(entry, Resumed):
            last = None
    return last


def is_open_again(entries: Iterable[Entry], phase: str) -> bool:
    """Was a phase taken back since it was last closed? Then its old sheets don't play it again at once.

    A phase that went to `undone/` itself has no old sheets: when it is reached again it is open for the first time.
    """
    last = [
        each
        for each in entries
        if (isinstance(each, Closed | Undone) and each.phase == phase)
        or (isinstance(each, Undone) and phase in each.gone)
    ]
    return bool(last) and isinstance(last[-1], Undone) and last[-1].phase == phase


def announcements(entries: Iterable[Entry]) -> int:
    """How many announcements of a deadline, or of none, there were: the number only rises, whatever is taken back."""
    return sum(
        isinstance(entry, HeldUp) or (isinstance(entry, MOVERS) and entry.due is not None)
        for entry in entries
    )


def prefix_of(match: Folder, entries: int | None = None) -> tuple[int, str]:
    """The number of the ledger's lines (at most `entries`) and their SHA-256; 0 and empty if there are none."""
    lines = match.read(LEDGER).splitlines(keepends=True) if match.has(LEDGER) else []
    kept = lines if entries is None else lines[:entries]
    return len(kept), digest_of(b"".join(kept)) if kept else ""


def zone_of(match: Folder, who: Player | None) -> tuple[str, ZoneInfo]:
    """The zone in which a reader is told deadlines, with its clock: the reader's own, else the schedule's."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    secrets = match.secrets() if who is not None else None
    own = (secrets.zones if secrets else {}).get(who or "", "")
    for name in (own, str(written_schedule(match).get("zone", ""))):
        try:
            if name:
                return name, ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError):  # edited by hand: commands that need the zone report it
            continue
    return "UTC", ZoneInfo("UTC")
