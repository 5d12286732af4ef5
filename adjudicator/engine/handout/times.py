"""What readers are told of a match's time: the deadline in their own zone, its calendar file, and the GM's acts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from adjudicator.engine.folder import ledger
from adjudicator.engine.folder.entries import (
    Absent,
    Agreed,
    Amended,
    Closed,
    Edited,
    Entry,
    Extended,
    HeldUp,
    Ordered,
    PutOff,
    Replaced,
    Rescheduled,
    Resigned,
    Resumed,
    SourceChanged,
    Undone,
    Upgraded,
)
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.patches import changes_seen, is_seen_whole
from adjudicator.engine.report.template import clock_text
from adjudicator.engine.table.event import Player
from adjudicator.engine.text.writing import in_a_line

TOLD = (
    Absent,
    Extended,
    PutOff,
    Rescheduled,
    HeldUp,
    Agreed,
    Resumed,
    Replaced,
    Resigned,
    Amended,
    Edited,
    Upgraded,
    SourceChanged,
    Undone,
)
"""Entries that the next reports tell, each by the macro of its name; of `Closed`, only those by the GM."""
A_WEEK = timedelta(days=6)
"""From then on a day of the week could be taken for another one."""
ALARM = "-PT12H"
"""When a calendar reminds its reader: twelve hours before a deadline."""
LONGEST_LINE = 74
"""The longest line of a calendar file in bytes, without its line end: the format allows 75."""


def instant_text(match: Folder, moment: datetime, who: Player | None, moved: Iterable[str] = ()) -> str:
    """An instant as a reader is told it: `Thursday 2026-11-26 20:00 (Europe/Paris, UTC+01:00)`."""
    zone, there = ledger.zone_of(match, who)
    return clock_text(match.rulebook_for(who), "until", moment.astimezone(there), zone, tuple(moved))


def due_text(match: Folder, number: int, who: Player | None) -> str:
    """The deadline of a phase, from the ledger and, if there are any, in the GM's words; empty if it has none."""
    entries, words = ledger.ledger_of(match), match.opening(number).until
    still = ledger.hold_in_force(entries)
    if still is not None:
        return clock_text(match.rulebook_for(who), "held", why_told(match, still, who))
    found = ledger.deadline_in_force(entries, match.phases[number])
    if found is None:
        return words
    by_clock = instant_text(match, found.due, who, found.moved)
    return f"{by_clock}; {words}" if words else by_clock


def due_soon(match: Folder, number: int, who: Player | None) -> str:
    """The deadline of a phase in few words, `Tue 20:00`, with the day if it was announced more than six days before;
    empty if it has none, or the match is on hold.
    """
    entries = ledger.ledger_of(match)
    found = ledger.deadline_in_force(entries, match.phases[number])
    if found is None or ledger.hold_in_force(entries) is not None:
        return ""
    _, there = ledger.zone_of(match, who)
    far = found.due - found.said > A_WEEK
    return clock_text(match.rulebook_for(who), "soon", found.due.astimezone(there), far)


def why_told(match: Folder, entry: Entry, who: Player | None) -> str:
    """The reason of an entry as a reader is told it: the program's own in the reader's language, a GM's as written."""
    public, own = match.rulebook_for(None), match.rulebook_for(who)
    if isinstance(entry, Agreed):
        return clock_text(own, "agreed", entry.on)
    if isinstance(entry, Replaced) and entry.why == clock_text(public, "seat_was_open"):
        return clock_text(own, "seat_was_open")
    return entry.why


def sentences_for_report(match: Folder, first: int, number: int, who: Player | None) -> list[str]:
    """What the report of a phase tells from the ledger, one sentence each, as Markdown.

    This is everything since the opening of the phase `first`, of the last reports; for an earlier phase, only until its
    own opening. For a phase that was taken back it ends with what happens next.
    """
    entries, phase = ledger.ledger_of(match), match.phases[number]
    end = len(entries) if number == match.last else match.opening(number).entries
    since = entries[match.opening(first).entries : end]
    told = sentences(match, (each for each in since if is_told(each) or _is_told_later(each, phase)), who)
    if number == match.last and ledger.is_open_again(entries, phase):
        until, held = ledger.deadline_in_force(entries, phase), ledger.hold_in_force(entries)
        told.append(clock_text(match.rulebook_for(who), "again", until is not None, held is not None))
    return told


def sentences(match: Folder, entries: Iterable[Entry], who: Player | None) -> list[str]:
    """The sentences with which a reader is told of some entries, one for each."""
    rulebook, found = match.rulebook_for(who), []
    for entry in entries:
        more: tuple[Any, ...] = ()
        if isinstance(entry, Amended):
            more = (_lines_of_changes(match, entry, who), not is_seen_whole(match, entry, who))
        kind = type(entry).__name__
        told = replace(entry, why=why_told(match, entry, who)) if isinstance(entry, Replaced) else entry
        found.append(clock_text(rulebook, kind, told, lambda moment: instant_text(match, moment, who), *more))
    return found


def _lines_of_changes(match: Folder, entry: Amended, who: Player | None) -> list[tuple[str, str, str]]:
    """What a reader may know of a change by hand: each place, its old and its new value; empty for none."""

    def line(value: Any) -> str:
        return "" if value is UNSET else in_a_line(value)

    return [(".".join(each.path), line(each.was), line(each.now)) for each in changes_seen(match, entry, who)]


def is_told(entry: Entry) -> bool:
    """Do reports tell this entry?"""
    return isinstance(entry, TOLD) or (isinstance(entry, Closed) and entry.by == "gm")


def _is_told_later(entry: Entry, phase: str) -> bool:
    """Is it an entry of which reports tell, when its phase is over? The mails of an open phase aren't sent again."""
    return isinstance(entry, Ordered) and entry.phase != phase


def calendar(match: Folder, number: int, who: Player) -> str:
    """The phase's deadline as a file for a player's calendar; empty if it has none.

    There is one calendar event a match, which moves with the deadline: its sequence number rises with each
    announcement.
    """
    return _calendar(_event(match, number, who))


def calendar_of(seats: Iterable[tuple[Folder, Player]], *, empty: bool = False) -> str:
    """The deadlines of all phases in which these players are due, or asked something, as one file for a calendar, each
    in its reader's language. Without any it is no text, or, if it may be `empty`, a calendar without events. Raises
    Faulty.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for match, who in seats:
        if who in match.opening(match.last).due or match.opening(match.last).waits == who:
            found.setdefault((match.card.seed, match.card.match), _event(match, match.last, who))
    return _calendar([line for event in found.values() for line in event], empty=empty)


def _calendar(events: list[str], *, empty: bool = False) -> str:
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//adjudicator//deadlines//EN", "METHOD:PUBLISH"]
    lines = [*head, *events, "END:VCALENDAR"] if events or empty else []
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _event(match: Folder, number: int, who: Player) -> list[str]:
    """The lines of a phase's deadline in a calendar, with an alarm unless the match is on hold; none without one."""
    entries = ledger.ledger_of(match)
    found, still = ledger.deadline_in_force(entries, match.phases[number]), ledger.hold_in_force(entries)
    if found is None:
        return []
    head, card = match.head(number), match.card
    title = _escaped(clock_text(match.rulebook_for(who), "due", card.match, head.name, head.turn))
    alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{title}", f"TRIGGER:{ALARM}", "END:VALARM"]
    return [
        "BEGIN:VEVENT",
        f"UID:{card.seed[:32]}@adjudicator",
        f"SEQUENCE:{ledger.announcements(entries) - 1}",
        f"DTSTAMP:{_utc(max(found.said, still.at if still else found.said))}",
        f"DTSTART:{_utc(found.due)}",
        f"SUMMARY:{title}",
        f"STATUS:{'CANCELLED' if still else 'CONFIRMED'}",
        "TRANSP:TRANSPARENT",
        *([] if still else alarm),
        "END:VEVENT",
    ]


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> Iterable[str]:
    """The line in pieces of at most LONGEST_LINE bytes; no piece ends inside a character."""
    piece = ""
    for sign in line:
        if len((piece + sign).encode()) > LONGEST_LINE:
            yield piece
            piece = " "
        piece += sign
    yield piece
