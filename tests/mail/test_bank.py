"""The bank: each player has some time to take over deadlines, which is used by itself, before the grace."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Banked, Closed, Reminded
from adjudicator.engine.folder.folder import open_match
from tests.cli.calling import adjudicator as call
from tests.mail.clubs import GENOA, GOOD, VENICE, Club, body, club_with, turn, words
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")


@pytest.fixture
def club(tmp_path: Path, post: LocalPost) -> Club:
    """Venice has sent a sheet; the first phase is due on the 25th at 19:00 UTC."""
    found = club_with(tmp_path, post, bank="2 days")
    found.write(GOOD)
    return found


def bank(club: Club, at: str) -> str:
    said = words(call("due", club.match, "--at", at).output)
    return said.partition("genoa has ")[2].partition(" in the bank")[0]


def test_it_puts_the_deadline_off_by_itself_and_all_are_told(club: Club) -> None:
    assert bank(club, "2026-11-25T18:59Z") == "2 days, 0:00:00"
    turn(club.match, "2026-11-25T19:01Z")
    assert [(one.player, f"{one.due:%d %H:%M}") for one in club.entries(Banked)] == [("genoa", "27 19:00")]
    for address in (VENICE, GENOA):
        assert "was put off to Friday 2026-11-27" in words(body(club.post.mails_to(address)[-1]))
        assert "from the bank of Genoa" in words(body(club.post.mails_to(address)[-1]))
    assert not club.entries(Reminded)
    assert verify(club.match).good


def test_two_may_take_the_same_time_at_once(tmp_path: Path, post: LocalPost) -> None:
    club = club_with(tmp_path, post, bank="2 days")
    turn(club.match, "2026-11-25T19:01Z")
    assert [(one.player, f"{one.due:%d}") for one in club.entries(Banked)] == [
        ("genoa", "27"),
        ("venice", "27"),
    ]
    assert verify(club.match).good


def test_only_what_was_used_is_gone(club: Club) -> None:
    turn(club.match, "2026-11-25T19:01Z")
    first = club.post.mails_to(GENOA)[0]
    club.post.deliver(reply(first, "orders:\n  - place: 4\n    to: genoa-1\n", sender=GENOA, number="late"))
    came = datetime(2026, 11, 26, 1, 30, tzinfo=UTC).timestamp()
    os.utime(club.post.home / "gm@example.org/new" / f"x{club.post.count:05d}", (came, came))
    turn(club.match, "2026-11-26T02:30Z")
    assert open_match(club.match).last == 2
    assert bank(club, "2026-11-26T03:00Z") == "1 day, 17:30:00"


def test_then_comes_the_grace_and_the_next_phase_has_none_left(club: Club) -> None:
    turn(club.match, "2026-11-25T19:01Z")
    turn(club.match, "2026-11-27T19:01Z")
    assert [one.player for one in club.entries(Reminded)] == ["genoa"]
    assert len(club.entries(Banked)) == 1
    turn(club.match, "2026-11-28T07:02Z")
    assert [one.missing for one in club.entries(Closed)] == [("genoa",)]
    assert bank(club, "2026-11-28T08:00Z") == "0:00:00"
    assert verify(club.match).good


def test_nothing_is_taken_before_the_mailbox_was_read(club: Club) -> None:
    told = call("run", "--if-due", club.match, "--at", "2026-11-25T19:01Z")
    assert told.exit_code == 3
    assert not club.entries(Banked)
