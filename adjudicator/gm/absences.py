"""Absences: whether a player may be away on some days, and what that changes in the open phase; and days as people
write them.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.entries import Absent
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import deadline_in_force, hold_in_force, ledger_of
from adjudicator.gm.bots import has_regent
from adjudicator.gm.playing import absences, deadline_of, schedule_in_force
from adjudicator.gm.schedule import Span, span_in
from adjudicator.gm.situation import absences_left

_BETWEEN = re.compile(r"\s*(?:\.{2,}|(?<=[\d.])\s*-\s*(?=\d{1,2}\.\s*\d|\d{4})|\s-\s)\s*")
_DAY = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.?(?:\s*(\d{4}|\d{2}))?")


class NotAbsent(Struct, frozen=True):
    """Why a player can't be absent on some days: `no-schedule`, `past`, `too-often`, or `no-regent`; and how often, and
    for how many days in all, the player still may.
    """

    why: str
    times: int = 0
    days: int = 0


def why_not_absent(
    match: Folder, player: str, span: Span, now: datetime, *, regent: bool = False
) -> NotAbsent | None:
    """Why the player can't be away on these days; None if that is possible. With a `regent` nobody waits, so there may
    be any number of days. Raises Faulty.
    """
    schedule, entries = schedule_in_force(match), ledger_of(match)
    if schedule is None:
        return NotAbsent("no-schedule")
    if span.last < now.astimezone(schedule.zone_info).date():
        return NotAbsent("past")
    if regent:
        return None if can_have_regent(match) else NotAbsent("no-regent")
    left = absences_left(match, entries, schedule).get(player)
    if left is not None and (left[0] < 1 or left[1] < span.days):
        return NotAbsent("too-often", *(max(each, 0) for each in left))
    return None


def can_have_regent(match: Folder) -> bool:
    """Can a program play a seat of the match with caution? Not if players are asked in the middle of a phase."""
    return has_regent(match.rulebook) and match.state(match.last).options.pacing != "live"


def absence(
    match: Folder, player: str, span: Span, now: datetime, why: str = "", *, regent: bool = False
) -> Absent:
    """The entry of an absence, with a new deadline if the open phase waits for that player and was due on one of these
    days, and no `regent` plays. Raises Faulty.
    """
    entry = Absent(at=now, player=player, first=str(span.first), last=str(span.last), regent=regent, why=why)
    schedule, entries, phase = schedule_in_force(match), ledger_of(match), match.phases[-1]
    known = deadline_in_force(entries, phase)
    spans = absences([entry], match.state(match.last).phase.due)
    if schedule is None or known is None or hold_in_force(entries) is not None or now >= known.closes:
        return entry
    if not any(known.due.astimezone(schedule.zone_info).date() in each for each in spans):
        return entry
    moved = deadline_of(match, now, [entry], least=max(known.due - now, timedelta(0)))
    assert moved is not None
    why_moved = tuple(dict.fromkeys((*known.moved, *moved.moved)))
    return replace(entry, phase=phase, due=moved.due, closes=moved.closes, moved=why_moved)


def days_in(text: str, today: date) -> Span:
    """Days as people write them: `24.12.-28.12.`, `24.12.2026`, `2026-12-24..2026-12-28`. A day without a year is the
    next one; of days that have begun, the first is past. Raises ValueError for anything else.
    """
    first, *more = _BETWEEN.split(" ".join(text.split()))
    if len(more) > 1:
        raise ValueError(text)
    begin = _day_in(first, today)
    end = _day_in(more[0], today) if more else begin
    if end < begin:
        begin = _day_in(first, today - timedelta(days=365))
    return span_in(f"{begin}..{end}")


def _day_in(text: str, since: date) -> date:
    """A day, the next one since a date if it has no year. Raises ValueError."""
    found = _DAY.fullmatch(text.strip())
    if found is None:
        return date.fromisoformat(text.strip())
    day, month, year = int(found[1]), int(found[2]), found[3]
    if year:
        return date(int(year) + (2000 if len(year) == 2 else 0), month, day)
    for later in range(5):  # the 29th of February comes again within that many years
        try:
            there = date(since.year + later, month, day)
        except ValueError:
            continue
        if there >= since:
            return there
    raise ValueError(text)
