"""Open seats: those who wait are asked in turn, and who accepts first plays."""

from __future__ import annotations

import os
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.door.seats import MOST_HELD_ALONE, MOST_READ
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Held, Invited, Replaced
from adjudicator.engine.folder.folder import open_match
from tests.gm.weeks import WEEK, week
from tests.mail.clubs import GENOA, GOOD, VENICE, Club, body, sent, turn
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
ANNA, BEN = "anna@example.org", "ben@example.org"


@pytest.fixture
def club(tmp_path: Path, post: LocalPost) -> Club:
    """Genoa has resigned, and two wait for a seat."""
    match = week(tmp_path / "lagoon", WEEK)
    found = Club(sent(match, post), post)
    post.account(match, standby=f"['Anna <{ANNA}>', {VENICE}, {BEN}]")
    code = re.findall(r"`resign ([a-z2-7]{12})`", found.answer("resign\n", GENOA))[0]
    found.write(f"resign {code}\n", GENOA)
    return found


def accept(club: Club, mail: EmailMessage, sender: str, at: str = "2026-11-23T13:00Z", text: str = "") -> str:
    code = re.findall(r"`take ([a-z2-7]{12})`", body(mail))[0]
    club.count += 1
    mail["Reply-To"] = mail["From"]
    club.post.deliver(reply(mail, text or f"take {code}\n", sender=sender, number=f"t{club.count}"))
    del mail["Reply-To"]
    return turn(club.match, at)


def test_they_are_asked_in_turn_and_who_accepts_plays(club: Club) -> None:
    (mail,) = club.post.mails_to(ANNA)
    assert "`take " in body(mail)
    assert "+" not in str(mail["From"])
    assert not mail["Reply-To"]
    turn(club.match, "2026-11-24T12:00Z")
    assert not club.post.mails_to(BEN)
    turn(club.match, "2026-11-25T12:01Z")
    (second,) = club.post.mails_to(BEN)
    told = accept(club, second, BEN, "2026-11-25T13:00Z")
    assert "ben@example.org plays genoa from now on" in told
    assert open_match(club.match).secrets().addresses["genoa"] == BEN
    subjects = [each["Subject"] for each in club.post.mails_to(BEN)]
    assert any("welcome" in subject for subject in subjects)
    assert any("your set-up" in subject for subject in subjects)
    assert any("somebody else plays" in each["Subject"] for each in club.post.mails_to(GENOA))
    assert ANNA not in (club.match / "ledger.jsonl").read_text()
    assert [one.player for one in club.entries(Invited)] == ["genoa", "genoa"]
    assert verify(club.match).good


def test_of_two_who_take_one_seat_the_second_is_told(club: Club) -> None:
    (first,) = club.post.mails_to(ANNA)
    turn(club.match, "2026-11-25T12:01Z")
    (second,) = club.post.mails_to(BEN)
    accept(club, second, BEN, "2026-11-25T13:00Z")
    accept(club, first, ANNA, "2026-11-25T14:00Z")
    assert "isn't open any more" in body(club.post.mails_to(ANNA)[-1])
    assert [one.player for one in club.entries(Replaced)] == ["genoa"]
    assert open_match(club.match).secrets().addresses["genoa"] == BEN
    assert open_match(club.match).secrets().names.get("genoa", "") == ""


def test_only_the_code_from_the_address_that_was_asked_counts(club: Club) -> None:
    (mail,) = club.post.mails_to(ANNA)
    accept(club, mail, "thief@example.net")
    accept(club, mail, ANNA, text="take aaaaaaaaaaaa\n")
    assert not club.entries(Replaced)
    assert {one.because for one in club.entries(Held)} == {"reference-alone"}
    assert "anna@example.org plays genoa from now on" in accept(club, mail, ANNA)
    assert open_match(club.match).secrets().names["genoa"] == "Anna"


def test_a_refused_address_isnt_waited_for(tmp_path: Path, post: LocalPost) -> None:
    match = week(tmp_path / "lagoon", {**WEEK, "missed": {"replace": 1}})
    club = Club(sent(match, post), post)
    post.account(match, standby=f"[nobody@example.org, {BEN}]")
    club.write(GOOD)
    turn(match, "2026-11-25T19:01Z")  # the reminder
    turn(match, "2026-11-26T07:02Z")  # Genoa has missed a sheet: the seat is open
    told = turn(match, "2026-11-26T07:10Z")
    assert "asked somebody who waits to play genoa" in told
    assert len(post.mails_to(BEN)) == 1


@pytest.mark.ci
def test_mails_of_who_comes_too_late_arent_the_new_players(club: Club) -> None:
    (first,) = club.post.mails_to(ANNA)
    turn(club.match, "2026-11-25T12:01Z")
    (second,) = club.post.mails_to(BEN)
    accept(club, second, BEN, "2026-11-25T13:00Z")
    for _ in range(MOST_READ):
        accept(club, first, ANNA, "2026-11-25T14:00Z")
    assert len(club.entries(Held)) == MOST_HELD_ALONE
    assert sum("isn't open any more" in body(mail) for mail in club.post.mails_to(ANNA)) == 1
    set_up = next(each for each in club.post.mails_to(BEN) if "your set-up" in each["Subject"])
    club.post.deliver(reply(set_up, GOOD.replace("venice", "genoa"), sender=BEN))
    assert "taken of genoa" in turn(club.match, "2026-11-25T15:00Z")
