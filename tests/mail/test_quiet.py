"""`mail turn --quiet` says only what may need the GM."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import open_match
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import week
from tests.mail.clubs import GENOA, GOOD, VENICE, Club
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")


def quietly(club: Club, at: str) -> str:
    told = call("mail", "turn", "--quiet", club.match, "--at", at)
    return told.output.strip()


def write(club: Club, text: str, who: str = VENICE, **headers: str) -> None:
    club.count += 1
    first = club.post.mails_to(who)[0]
    club.post.deliver(reply(first, text, sender=who, number=str(club.count), **headers))


def test_a_match_that_goes_on_by_itself_says_nothing(tmp_path: Path, post: LocalPost) -> None:
    club = Club(week(tmp_path / "lagoon"), post)
    post.account(club.match)
    assert quietly(club, "2026-11-22T13:00Z") == ""
    write(club, f"status\n\n{GOOD}")
    write(club, GOOD.replace("venice", "genoa"), GENOA)
    assert quietly(club, "2026-11-22T14:00Z") == ""
    assert open_match(club.match).last == 2
    assert quietly(club, "2026-11-25T19:01Z") == ""


def test_what_may_need_the_gm_is_said(club: Club) -> None:
    elsewhere = {"To": "gm@example.org", "In_Reply_To": "<x@example.org>", "Subject": "x"}
    for text, headers, said in (
        ("May I join another match?\n", {}, "| May I join another match?"),
        (GOOD, elsewhere, "held of venice (address-alone)"),
        ("away 24.11.-26.11.\n", {}, "venice is away from 2026-11-24 to 2026-11-26"),
    ):
        write(club, text, **headers)
        told = quietly(club, "2026-11-23T12:00Z")
        assert said in told
        assert "answered" not in told


def test_faults_that_a_deadline_ends_are_the_players_own(club: Club) -> None:
    for who in (VENICE, GENOA):
        write(club, "orders:\n  - place: 4\n    to: nowhere\n", who)
    assert quietly(club, "2026-11-23T12:00Z") == ""
    assert "isn't played" in call("mail", "turn", club.match, "--at", "2026-11-23T13:00Z").output
    assert quietly(club, "2026-11-25T19:01Z") == ""
    assert "0002" in open_match(club.match).phases[-1]


def test_faults_of_files_that_the_gm_put_in_are_said(club: Club) -> None:
    write(club, GOOD)
    (club.match / "0001-t1-setup/sheets/genoa.yaml").write_text("player: genoa\nordres: []\n")
    told = [quietly(club, at) for at in ("2026-11-23T12:00Z", "2026-11-25T19:01Z", "2026-11-26T08:00Z")]
    assert "genoa.yaml:2:1" in told[-1]


def test_an_address_that_is_refused_is_said_once_a_day(tmp_path: Path, post: LocalPost) -> None:
    club = Club(week(tmp_path / "lagoon"), post)
    referee = club.match / "referee.yaml"
    referee.write_text(referee.read_text().replace(GENOA, "nobody@example.org"))
    post.account(club.match)
    times = [f"2026-11-{day}T{hour}:00Z" for day in (22, 23, 24) for hour in (13, 16, 19)]
    told = [quietly(club, at) for at in times]
    assert [each.count("The mail for genoa came back (no such user)") for each in told] == [1, 0, 0] * 3
    assert not any("refused for" in each for each in told)


def test_mails_that_are_no_players_are_left_in_silence(club: Club) -> None:
    club.post.deliver(
        b"From: shop@elsewhere.example\nTo: gm@example.org\nMessage-ID: <x@elsewhere.example>\n\nBuy!\n"
    )
    assert quietly(club, "2026-11-23T12:00Z") == ""
