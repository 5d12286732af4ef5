"""No match waits for one person: who has missed sheets, or has resigned, doesn't hold the others up."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Closed, Warned
from adjudicator.engine.folder.folder import open_match
from adjudicator.gm.playing import run_by_hand
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import WEEK, utc, week
from tests.mail.clubs import GENOA, GOOD, VENICE, Club, body, club_with, sent, turn, words
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
GOES_ON = {**WEEK, "missed": {"warn": 1, "go-on": 1, "replace": 3}}


@pytest.fixture
def silent(tmp_path: Path, post: LocalPost) -> Club:
    """Genoa has missed the first sheet."""
    club = Club(sent(week(tmp_path / "lagoon", GOES_ON), post), post)
    club.write(GOOD)
    run_by_hand(club.match, utc("2026-11-23 13:00"), deadline=True, why="all agree")
    turn(club.match, "2026-11-23T14:00Z")
    return club


def orders(club: Club, who: str = VENICE, at: str = "2026-11-23T15:00Z") -> str:
    """Sends a sheet for the phase that is open."""
    last = [each for each in club.post.mails_to(who) if "Re:" not in each["Subject"]][-1]
    club.count += 1
    club.post.deliver(reply(last, "orders: [{bid: 100}]\n", sender=who, number=f"o{club.count}"))
    return turn(club.match, at)


def open_phase(club: Club) -> str:
    return open_match(club.match).phases[-1]


def test_when_all_others_are_in_half_an_hours_warning_closes_the_phase(silent: Club) -> None:
    phase = open_phase(silent)
    assert "reminded genoa" in orders(silent)
    mail = silent.post.mails_to(GENOA)[-1]
    assert "all others are in" in mail["Subject"]
    assert "2026-11-23 10:30 (America/New_York" in body(mail)
    assert [one.player for one in silent.entries(Warned)] == ["genoa"]
    assert "reminded" not in turn(silent.match, "2026-11-23T15:20Z")
    assert open_phase(silent) == phase
    turn(silent.match, "2026-11-23T15:31Z")
    assert open_phase(silent) != phase
    last = silent.entries(Closed)[-1]
    assert (last.by, last.missing) == ("others", ("genoa",))
    assert last.early
    assert verify(silent.match).good


def test_a_sheet_within_the_half_hour_counts(silent: Club) -> None:
    orders(silent)
    orders(silent, GENOA, "2026-11-23T15:20Z")
    assert silent.entries(Closed)[-1].by == "sheets"
    assert silent.entries(Closed)[-1].missing == ()


def test_who_is_away_or_has_missed_nothing_is_waited_for(
    silent: Club, tmp_path: Path, post: LocalPost
) -> None:
    phase = open_phase(silent)
    call("absent", silent.match, "genoa", "2026-11-23..2026-11-24", "--at", "2026-11-23T14:30Z")
    orders(silent)
    assert not silent.entries(Warned)
    turn(silent.match, "2026-11-23T16:00Z")
    assert open_phase(silent) == phase
    club = Club(sent(week(tmp_path / "alps", GOES_ON, name="alps"), post), post)
    post.deliver(
        reply([each for each in post.mails_to(VENICE) if "alps" in each["Subject"]][-1], GOOD, sender=VENICE)
    )
    turn(club.match)
    assert not club.entries(Warned)


def test_a_sheet_with_faults_of_the_others_keeps_the_phase_open(silent: Club) -> None:
    last = [each for each in silent.post.mails_to(VENICE) if "Re:" not in each["Subject"]][-1]
    silent.post.deliver(reply(last, "orders: [{bid: -5}]\n", sender=VENICE))
    turn(silent.match, "2026-11-23T15:00Z")
    assert not silent.entries(Warned)


def test_nobody_waits_for_who_has_resigned(tmp_path: Path, post: LocalPost) -> None:
    club = club_with(tmp_path, post)
    code = re.findall(r"`resign ([a-z2-7]{12})`", club.answer("resign\n", GENOA))[0]
    club.write(f"resign {code}\n", GENOA)
    told = words(call("due", club.match, "--at", "2026-11-23T13:00Z").output)
    assert "Given up: genoa; somebody else may take the seat (see replace)." in told
    club.write(GOOD, at="2026-11-23T13:00Z")
    turn(club.match, "2026-11-23T13:10Z")
    assert club.entries(Closed)[-1].by == "others"
    assert not club.entries(Warned)
    assert verify(club.match).good
