"""Each fault of a schedule is told with its line and column."""

from __future__ import annotations

from datetime import date, time, timedelta

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.papers import Card
from adjudicator.gm.new_schedule import read_schedule
from adjudicator.gm.schedule import Allowed, Least, Missed, Schedule, Span, schedule_of

WHOLE = b"""\
schedule:
  zone: Europe/Paris
  at: "20:30"
  every: {auction: 36 hours, other: 1 week}
  days: [mon, sun]
  not: [2026-12-24..2027-01-02, 2027-05-01]
  grace: 90 minutes
  early: false
  absence: {times: 2, days: 14}
  missed: {warn: 1, replace: 3}
"""


def test_a_whole_schedule_is_read_as_it_is_written() -> None:
    plain, found = read_schedule(WHOLE, "schedule.yaml", ("auction", "movement"))
    assert found == Schedule(
        zone="Europe/Paris",
        at=time(20, 30),
        every={"auction": Least(time=timedelta(hours=36)), "other": Least(days=7)},
        days=frozenset({0, 6}),
        never=(Span(date(2026, 12, 24), date(2027, 1, 2)), Span(date(2027, 5, 1), date(2027, 5, 1))),
        grace=timedelta(minutes=90),
        early=False,
        absence=Allowed(2, 14),
        missed=Missed(1, 3),
    )
    assert schedule_of(plain) == found
    assert read_schedule(WHOLE.replace(b"schedule:\n", b"").replace(b"  ", b""), "x")[1] == found


def test_all_of_it_is_optional_and_a_match_may_have_none() -> None:
    assert read_schedule(b"zone: Asia/Kathmandu", "x")[1] == Schedule(zone="Asia/Kathmandu")
    assert schedule_of(Card("lagoon", "mediterranee", (), {}, "").schedule) is None


def test_a_phase_that_is_not_named_takes_the_longest_time() -> None:
    found = read_schedule(b"every: {auction: 1 day, movement: 50 hours, market: 2 days}", "x")[1]
    assert found.least("auction") == Least(days=1)
    assert found.least("setup") == Least(time=timedelta(hours=50))


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        (b"", 1, "a schedule has some of the keys"),
        (b"[]", 1, "a schedule has some of the keys"),
        (b"{", 1, ""),
        (b"\xff", 1, ""),
        (b"at: 20:00\nzone: Europe/Pariss", 2, "did you mean Europe/Paris?"),
        (b"zone: ../../etc/passwd", 1, "there is no time zone"),
        (b"zone: [x]", 1, "there is no time zone"),
        (b"at: 24:00", 1, "isn't a time of day"),
        (b"at: 20", 1, "isn't a time of day"),
        (b"every: 3", 1, "isn't a length of time"),
        (b"every: 0 days", 1, "from a minute to 366 days"),
        (b"every: 9999 weeks", 1, "from a minute to 366 days"),
        (b"every:\n  auctoin: 3 days", 2, "did you mean auction?"),
        (b"days: mon", 1, "a list of some of"),
        (b"days: []", 1, "a list of some of"),
        (b"days: [mon, wen]", 1, "did you mean wed?"),
        (b"not: [2026-13-01]", 1, "isn't a day"),
        (b"not: [2026-12-24..2026-12-01]", 1, "ends before it begins"),
        (b"not: [2026-01-01..2199-01-01]", 1, "longer than 366 days"),
        (b"not: [" + b"2026-01-01, " * 51 + b"]", 1, "more than 50"),
        (b"grace: 40 days", 1, "longer than 31 days"),
        (b"early: yes", 1, "neither true nor false"),
        (b"absence: 3", 1, "a mapping such as"),
        (b"absence: {times: -1}", 1, "isn't a number from 0 to 366"),
        (b"missed: {worn: 1}", 1, "did you mean warn?"),
        (
            b"missed:\n  warn: 3\n  replace: 1",
            2,
            "3 is more than replace: 1, when the seat is open; at most 1, or 0",
        ),
        (
            b"absence:\n  times: 3\n  days: 2",
            2,
            "days allows 2, too few for 3 absences of a day each; at most 2",
        ),
        (b"absence:\n  times: 0\n  days: 14", 3, "14 days can't be used, since times is 0"),
        (b"every: 90 minutes\ngrace: 2 hours", 2, "2 hours is longer than a phase takes, 90 minutes"),
        (
            b"every: {auction: 1 day, other: 3 days}\ngrace: 36 hours",
            2,
            "longer than a phase auction takes, 1 day",
        ),
        (b"grace: 4 days", 1, "4 days is longer than a phase takes, 3 days"),
        (b"days: [mon, tue, mon]", 1, "mon is there twice"),
        (b"schedule:\n  missed: {warn: 2, replace: 1}", 2, "at most 1"),
        (b"at: '20:00'\nevry: 3 days", 2, "did you mean every?"),
    ],
)
def test_what_is_wrong_is_said_at_its_place(text: bytes, where: int, said: str) -> None:
    with pytest.raises(Faulty) as faulty:
        read_schedule(text, "schedule.yaml", ("auction", "movement"))
    assert [problem.line for problem in faulty.value.problems] == [where]
    assert said in faulty.value.problems[0].text


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(Faulty) as faulty:
        read_schedule(
            b"zone: x\nat: x\nevery: x\ndays: x\ngrace: x\nearly: x\nabsence: x\nmissed: x\nnot: x", "x"
        )
    assert [problem.line for problem in faulty.value.problems] == list(range(1, 10))


@pytest.mark.parametrize(
    "text",
    [
        b"missed: {warn: 2, replace: 2}",
        b"missed: {warn: 3, replace: 0}",
        b"missed: {warn: 0, replace: 2}",
        b"missed: {warn: 5}",
        b"absence: {times: 2, days: 2}",
        b"absence: {times: 0, days: 0}",
        b"absence: {times: 5}",
        b"every: 1 day\ngrace: 24 hours",
        b"grace: 0",
    ],
)
def test_what_can_be_meant_together_is_taken(text: bytes) -> None:
    read_schedule(text, "x")


def test_a_match_that_was_begun_with_a_schedule_goes_on_with_it() -> None:
    found = schedule_of({"missed": {"warn": 3, "replace": 1}})
    assert found is not None and found.missed == Missed(3, 1)
