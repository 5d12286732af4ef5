"""Who hasn't sent a sheet is reminded before the deadline, once, if the schedule says so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Reminded
from tests.cli.calling import adjudicator as call
from tests.mail.clubs import GENOA, GOOD, VENICE, Club, body, club_with, turn
from tests.mail.local_post import LocalPost

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")


@pytest.fixture
def club(tmp_path: Path, post: LocalPost) -> Club:
    """Venice has sent a sheet; the phase is due on the 25th at 19:00 UTC."""
    found = club_with(tmp_path, post, remind="1 day")
    found.write(GOOD)
    return found


def test_once_a_deadline_to_who_is_missing(club: Club) -> None:
    assert turn(club.match, "2026-11-24T18:59Z") == ""
    assert "reminded genoa" in turn(club.match, "2026-11-24T19:01Z")
    assert "Your sheet of Genoa: turn 1, Set-up, match lagoon, isn't in yet." in body(
        club.post.mails_to(GENOA)[-1]
    )
    assert len(club.post.mails_to(VENICE)) == 2
    assert turn(club.match, "2026-11-25T12:00Z") == ""
    assert not club.entries(Reminded)
    call("extend", club.match, "--to", "2026-11-28T20:00", "--why", "snow", "--at", "2026-11-25T13:00Z")
    assert "reminded" not in turn(club.match, "2026-11-25T13:01Z")
    assert "reminded genoa" in turn(club.match, "2026-11-28T10:00Z")
    assert "reminded genoa" in turn(
        club.match, "2026-11-28T19:30Z"
    )  # the deadline is past: the grace has its own
    assert verify(club.match).good


def test_nobody_who_is_away_or_in_a_match_on_hold(club: Club) -> None:
    call("hold", club.match, "--why", "snow", "--at", "2026-11-23T13:00Z")
    assert "reminded" not in turn(club.match, "2026-11-24T19:01Z")
