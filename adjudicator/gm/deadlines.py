"""When a phase is due: by the schedule, by when the phase was opened, and by who is away; and the bank, time that each
player may take over a deadline, in all phases together.

The bank is used by itself, before the grace. How much is left in it follows from the ledger: from a deadline that was
put off to the player's next sheet, or to the close.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

from adjudicator.engine.folder.entries import Banked, Closed, Entry, Taken, of_kind, standing
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.gm.by_mail import was_read
from adjudicator.gm.missed import entries_since_replaced, missed_in_a_row
from adjudicator.gm.schedule import Schedule, Span
from adjudicator.gm.situation import Now, Situation, away_at

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

SKIPPED, REPEATED = "skipped-hour", "repeated-hour"
DAY, HOLIDAY, ABSENCE = "day", "holiday", "absence"
LEAST = timedelta(minutes=1)
"""Less than this isn't worth a new deadline."""


class Deadline(Struct, frozen=True):
    """When sheets are due and when, after the grace, the phase closes, both in UTC; and what has moved the deadline.

    `moved`: `day` (no deadlines on that day of the week), `holiday` (none on that date), `absence` (of somebody who is
    due), `skipped-hour` and `repeated-hour` (a clock change: that hour doesn't exist that day, or comes twice).
    """

    due: datetime
    closes: datetime
    moved: tuple[str, ...] = ()


def deadline(
    schedule: Schedule,
    phase: str,
    opened: datetime,
    *,
    away: Iterable[Span] = (),
    least: timedelta | None = None,
) -> Deadline:
    """The deadline of a phase that was opened at that instant: the first that the schedule allows.

    It is at least the phase's least time, or `least`, after `opened`, and at the schedule's hour. It isn't on a day
    that the schedule rules out, nor on one on which somebody who is due is `away`.
    """
    zone, spans = schedule.zone_info, tuple(away)
    asked = schedule.least(phase)
    hours = asked.time if least is None else least
    day = opened.astimezone(zone).date()
    if least is None:
        day += timedelta(days=asked.days)
    moved: list[str] = []
    while True:
        due, odd = instant_at(zone, day, schedule.at)
        there = due.astimezone(zone).date()
        why = ""
        if due <= opened or due < opened + hours:
            pass  # earlier on that day than the least time allows; this doesn't count as moved
        elif there.weekday() not in schedule.days:
            why = DAY
        elif any(there in span for span in schedule.never):
            why = HOLIDAY
        elif any(there in span for span in spans):
            why = ABSENCE
        else:
            reasons = [*dict.fromkeys(moved), *([odd] if odd else [])]
            return Deadline(due, due + schedule.grace, tuple(reasons))
        moved += [why] if why else []
        day += timedelta(days=1)


def instant_at(zone: ZoneInfo, day: date, hour: time) -> tuple[datetime, str]:
    """The instant of a zone's day and hour, in UTC, and whether a clock change skips or repeats that hour.

    A skipped hour counts from midnight: half past two becomes half past three. Of a repeated hour the second counts, so
    that nobody who means the other one is late.
    """
    there = datetime.combine(day, hour)
    first = there.replace(tzinfo=zone, fold=0).astimezone(UTC)
    second = there.replace(tzinfo=zone, fold=1).astimezone(UTC)
    if first == second:
        return first, ""
    return max(first, second), SKIPPED if second < first else REPEATED


def left_in_bank(entries: Sequence[Entry], player: str, schedule: Schedule | None) -> timedelta:
    """How much time a player still has in the bank; a new player of a seat begins with all."""
    mine = standing(entries_since_replaced(entries, player))
    used = sum((_used(each, mine) for each in of_kind(mine, Banked) if each.player == player), timedelta())
    return max((schedule.bank if schedule is not None else timedelta()) - used, timedelta())


def _used(entry: Banked, entries: Sequence[Entry]) -> timedelta:
    """How much of what was taken from the bank was used."""
    sent = [
        one.came or one.at
        for one in of_kind(entries, Taken, entry.phase)
        if one.player == entry.player and one.at >= entry.at
    ]
    closed = [one.at for one in of_kind(entries, Closed, entry.phase) if one.at >= entry.at]
    return max(min([entry.due, *sent, *closed]) - entry.since, timedelta())


def taken_from_bank(
    match: Folder, found: Situation, schedule: Schedule | None, now: datetime
) -> list[Banked]:
    """The entries that put a deadline off which is past: one for each player whose sheet is missing and who still has
    time in the bank, the longest last. Nobody who is away, or for whom the others don't wait, takes any. Raises Faulty.
    """
    entries, phase, known = ledger_of(match), match.phases[-1], found.deadline_in_force
    if schedule is None or known is None or found.now not in (Now.LATE, Now.OVERDUE, Now.UNSENT):
        return []
    if now < known.due or not was_read(match, entries, known.due):
        return []
    before = {one.player for one in of_kind(standing(entries), Banked, phase)}
    gone = {one.player for one in missed_in_a_row(match, entries, schedule) if one.go_on or one.open}
    taken = [
        Banked(at=now, phase=phase, due=due, closes=due + known.grace, player=player, since=known.due)
        for player in {*found.missing, found.waiting} - before - gone - away_at(match, entries, now) - {""}
        if (left := left_in_bank(entries, player, schedule)) >= LEAST and (due := known.due + left) > now
    ]
    return sorted(taken, key=lambda each: (each.due, each.player))
