"""When a phase is due: a pure function of the schedule, of when the phase was opened, and of who is away."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

from adjudicator.gm.schedule import Schedule, Span

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

SKIPPED, REPEATED = "skipped-hour", "repeated-hour"
DAY, HOLIDAY, ABSENCE = "day", "holiday", "absence"


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
