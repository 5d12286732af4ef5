"""Anybody can write a mail: work and memory for one mail are bounded, and the work grows no faster than its size.

Work is counted in calls of functions. A pattern that looks at a text again and again makes no calls: there a mail of
the full size would keep the test itself busy for hours, so it can't go unseen.
"""

from __future__ import annotations

import tracemalloc
from datetime import UTC, datetime
from functools import partial

import pytest

from adjudicator.door.seats import Seat, Seated
from adjudicator.mail.account import Account
from adjudicator.mail.club import Club
from adjudicator.mail.fetching import take
from adjudicator.mail.finding import Found, found_in
from adjudicator.mail.letter import letter_in
from adjudicator.mail.limits import LARGEST, is_beyond
from tests.cli.test_work import counted
from tests.mail.hostile import MAILS

NOW = datetime(2026, 5, 3, tzinfo=UTC)
GM = Account("gm@example.org", maildir="post", sendmail="send")
SEATS = tuple(
    Seated(
        Seat(f"match-{number}", "venice", 0, f"match-{number}"), bytes([number % 256] * 32), f"{number}@x.org"
    )
    for number in range(4000)
)
MOST_OF_A_STRANGER = 1_500_000
"""Calls for a mail that is nobody's, in a club of 4,000 seats: most of them try whose each Message-ID is."""
MOST_OF_A_PLAYER = 6_000_000
MOST_MEMORY = 96 * 2**20
"""Bytes."""


def read(data: bytes) -> Found:
    """What is read of a mail once its sender is known."""
    return Found(why="beyond") if is_beyond(data) else found_in(letter_in(data))


def from_a_stranger(data: bytes) -> str:
    return take(data, NOW, NOW, GM, Club(SEATS, frozenset())).what


@pytest.mark.parametrize("size", [2**16, pytest.param(2**19, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", MAILS)
def test_what_a_stranger_writes_is_left_with_little_work(kind: str, size: int) -> None:
    from_a_stranger(b"From: a@b.org\n\n")  # the tokens of a club are made once
    calls, what = counted(partial(from_a_stranger, MAILS[kind](size)))
    assert what == "left", calls
    assert calls <= MOST_OF_A_STRANGER, calls


@pytest.mark.parametrize("most", [2**16, pytest.param(2**19, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", MAILS)
def test_what_a_player_writes_is_read_in_proportion(kind: str, most: int) -> None:
    counts = [counted(partial(read, MAILS[kind](size)))[0] for size in (most // 8, most)]
    assert counts[1] <= 8.8 * counts[0] + 5000
    assert counts[1] <= MOST_OF_A_PLAYER


@pytest.mark.parametrize("size", [2**17, pytest.param(LARGEST, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", MAILS)
def test_memory_has_a_bound_whatever_the_size(kind: str, size: int) -> None:
    mail = MAILS[kind](size)
    tracemalloc.start()
    try:
        read(mail)
        assert tracemalloc.get_traced_memory()[1] <= MOST_MEMORY
    finally:
        tracemalloc.stop()
