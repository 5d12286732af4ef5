"""Deadlines of random schedules in all zones are as the schedules say, also when the clocks change."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import assume, given, settings, strategies as st

from adjudicator.gm.deadlines import ABSENCE, DAY, HOLIDAY, REPEATED, SKIPPED, deadline, instant_at
from adjudicator.gm.schedule import OTHER, Least, Schedule, Span

ZONES = sorted(available_timezones())
MINUTE, DAY_LONG = timedelta(minutes=1), timedelta(days=1)
FIRST, LAST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2037, 12, 31, tzinfo=UTC)

instants = st.integers(0, int((LAST - FIRST).total_seconds())).map(
    lambda each: FIRST + timedelta(seconds=each)
)
"""Years in which zones have changed their clocks in all ways that there are; Samoa left a day out."""


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, datetime]:
    """A zone, and an instant at which its clocks change, if they do in that year; else any."""
    zone, year = draw(st.sampled_from(ZONES)), draw(st.integers(2000, 2037))
    clock, begin = ZoneInfo(zone), datetime(year, 1, 1, tzinfo=UTC)
    days = [begin + index * DAY_LONG for index in range(366)]
    found = [
        day
        for day in days
        if day.astimezone(clock).utcoffset() != (day + DAY_LONG).astimezone(clock).utcoffset()
    ]
    return zone, draw(st.sampled_from(found or days))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Schedule, datetime, list[Span]]:
    zone, near = draw(changes()) if draw(st.booleans()) else (draw(st.sampled_from(ZONES)), draw(instants))
    opened = near + timedelta(seconds=draw(st.integers(-10 * 86400, 2 * 86400)))
    if draw(st.booleans()):
        least = Least(days=draw(st.integers(1, 9)))
    else:
        least = Least(time=timedelta(minutes=draw(st.integers(1, 9 * 1440))))
    spans = st.tuples(st.integers(-2, 20), st.integers(0, 9)).map(
        lambda pair: Span(
            (opened + pair[0] * DAY_LONG).date(), (opened + (pair[0] + pair[1]) * DAY_LONG).date()
        )
    )
    schedule = Schedule(
        zone=zone,
        at=time(draw(st.integers(0, 23)), draw(st.sampled_from([0, 15, 30, 59]))),
        every={OTHER: least},
        days=frozenset(draw(st.sets(st.integers(0, 6), min_size=1))),
        never=tuple(draw(st.lists(spans, max_size=2))),
        grace=timedelta(hours=draw(st.integers(0, 72))),
    )
    return schedule, opened, draw(st.lists(spans, max_size=2))


def allowed(schedule: Schedule, opened: datetime, away: list[Span], moment: datetime) -> bool:
    """Does the schedule allow this minute as a deadline? Said again from its words, without the program's search."""
    zone, least = schedule.zone_info, schedule.every[OTHER]
    there = moment.astimezone(zone)
    first = opened.astimezone(zone).date() + timedelta(days=least.days)
    return (
        there.time().replace(second=0, microsecond=0) == schedule.at
        and moment > opened
        and moment >= opened + least.time
        and there.date() >= first
        and there.weekday() in schedule.days
        and not any(span.first <= there.date() <= span.last for span in (*schedule.never, *away))
    )


def check(case: tuple[Schedule, datetime, list[Span]]) -> None:
    schedule, opened, away = case
    found = deadline(schedule, "movement", opened, away=away)
    there = found.due.astimezone(schedule.zone_info)
    assert found.closes == found.due + schedule.grace
    assert found.due.tzinfo is UTC
    assert found.due > opened
    assert there.weekday() in schedule.days
    assert not any(there.date() in span for span in (*schedule.never, *away))
    if SKIPPED in found.moved:
        assert not is_there(schedule, there.date())
    else:
        assert allowed(schedule, opened, away, found.due)
    assert set(found.moved) <= {DAY, HOLIDAY, ABSENCE, SKIPPED, REPEATED}
    assert (HOLIDAY not in found.moved) or schedule.never
    assert (ABSENCE not in found.moved) or away
    assert deadline(schedule, "movement", opened, away=away) == found


def is_there(schedule: Schedule, day: date) -> bool:
    """Has the day such an hour?"""
    moment = datetime.combine(day, time(), UTC) - DAY_LONG
    there = (moment + index * MINUTE for index in range(3 * 1440))
    return any(
        each.date() == day and each.time() == schedule.at
        for each in (moment.astimezone(schedule.zone_info) for moment in there)
    )


@settings(max_examples=100, deadline=None)
@given(cases())
def test_a_deadline_is_as_the_schedule_says(case: tuple[Schedule, datetime, list[Span]]) -> None:
    check(case)


@pytest.mark.soak
@settings(max_examples=20_000, deadline=None)
@given(cases())
def test_20_000_deadlines_are_as_their_schedules_say(case: tuple[Schedule, datetime, list[Span]]) -> None:
    check(case)


def no_earlier(case: tuple[Schedule, datetime, list[Span]]) -> None:
    """The first of two hours of the same name is passed over on purpose: the second is meant."""
    schedule, opened, away = case
    found = deadline(schedule, "movement", opened, away=away)
    moment = opened.replace(second=0, microsecond=0) + MINUTE
    assume(found.due - moment < 12 * DAY_LONG)
    while moment < found.due:
        local = moment.astimezone(schedule.zone_info)
        first_of_two = local.fold == 0 and local.replace(fold=1).utcoffset() != local.utcoffset()
        assert first_of_two or not allowed(schedule, opened, away, moment)
        moment += MINUTE


@settings(max_examples=10, deadline=None)
@given(cases())
def test_no_earlier_minute_would_have_done(case: tuple[Schedule, datetime, list[Span]]) -> None:
    no_earlier(case)


@pytest.mark.soak
@settings(max_examples=100, deadline=None)
@given(cases())
def test_no_earlier_minute_would_have_done_100_times(case: tuple[Schedule, datetime, list[Span]]) -> None:
    no_earlier(case)


@settings(max_examples=100, deadline=None)
@given(cases(), st.timedeltas(timedelta(0), timedelta(days=9)))
def test_a_later_opening_gives_no_earlier_deadline(
    case: tuple[Schedule, datetime, list[Span]], later: timedelta
) -> None:
    schedule, opened, away = case
    one = deadline(schedule, "movement", opened, away=away)
    assert deadline(schedule, "movement", opened + later, away=away).due >= one.due


PARIS = Schedule(zone="Europe/Paris", every={OTHER: Least(days=3)})


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_three_days_are_three_dates_however_late_the_phase_was_opened() -> None:
    for opened in ("2026-11-23 19:00:07", "2026-11-23 08:00", "2026-11-23 22:59"):
        assert deadline(PARIS, "movement", utc(opened)).due == utc("2026-11-26 19:00")


def test_hours_count_by_the_clock() -> None:
    hours = Schedule(zone="Europe/Paris", every={OTHER: Least(time=timedelta(hours=24))})
    assert deadline(hours, "movement", utc("2026-11-23 19:00")).due == utc("2026-11-24 19:00")
    assert deadline(hours, "movement", utc("2026-11-23 19:00:01")).due == utc("2026-11-25 19:00")


def test_what_moved_it_is_said_in_order() -> None:
    schedule = Schedule(
        zone="Europe/Paris",
        days=frozenset({0, 1, 2, 3, 6}),
        never=(Span(date(2026, 12, 24), date(2027, 1, 2)),),
    )
    found = deadline(schedule, "x", utc("2026-12-22 19:05"), away=[Span(date(2027, 1, 3), date(2027, 1, 4))])
    assert found.due == utc("2027-01-05 19:00")
    assert found.moved == (DAY, HOLIDAY, ABSENCE)


def test_an_hour_that_is_skipped_or_repeated_is_said() -> None:
    paris = ZoneInfo("Europe/Paris")
    assert instant_at(paris, date(2027, 3, 28), time(2, 30)) == (utc("2027-03-28 01:30"), SKIPPED)
    assert instant_at(paris, date(2026, 10, 25), time(2, 30)) == (utc("2026-10-25 01:30"), REPEATED)
    assert instant_at(paris, date(2026, 10, 25), time(3, 30)) == (utc("2026-10-25 02:30"), "")
    night = Schedule(zone="Europe/Paris", at=time(2, 30), every={OTHER: Least(days=1)})
    assert deadline(night, "x", utc("2026-10-24 12:00")).moved == (REPEATED,)
    assert deadline(night, "x", utc("2026-10-23 12:00")).moved == ()


def test_a_day_that_a_zone_left_out_is_no_deadline() -> None:
    samoa = Schedule(zone="Pacific/Apia", every={OTHER: Least(days=1)}, days=frozenset({4}))
    found = deadline(samoa, "x", utc("2011-12-29 12:00"))
    assert found.due.astimezone(samoa.zone_info).date() == date(2012, 1, 6)
