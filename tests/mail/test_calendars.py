"""A calendar to subscribe to: a file a seat, with the deadlines of all matches of its player."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.cli.calling import adjudicator as call
from tests.gm.weeks import WEEK, week
from tests.mail.clubs import GENOA, GOOD, VENICE, body
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
PAGE = "https://club.example/calendars/"


class Calendars:
    """Two matches of the same two players; their calendars lie in the folder `calendars`."""

    def __init__(self, home: Path, post: LocalPost) -> None:
        self.home, self.post = home, post
        self.matches = [week(home / name, {**WEEK, "remind": 0}, name=name) for name in ("alps", "lagoon")]
        post.account(home, calendars=f"{{folder: calendars, page: {PAGE}}}")

    def turn(self, at: str, *matches: Path) -> str:
        told = call("mail", "turn", *(matches or self.matches), "--at", at)
        return told.output

    def link(self, who: str, match: str) -> str:
        """The name of the file of which the answer to `calendar` tells."""
        mine = next(each for each in self.post.mails_to(who) if match in each["Subject"])
        self.post.deliver(reply(mine, "calendar\n", sender=who, number=f"{who}{match}"))
        self.turn("2026-11-22T14:00Z")
        return re.findall(rf"{PAGE}([a-z2-7]{{12}}\.ics)", body(self.post.mails_to(who)[-1]))[0]


@pytest.fixture
def club(tmp_path: Path, post: LocalPost) -> Calendars:
    (tmp_path / "club/calendars").mkdir(parents=True)
    found = Calendars(tmp_path / "club", post)
    found.turn("2026-11-22T13:00Z")
    return found


def test_each_seat_has_a_file_of_its_own_with_all_deadlines(club: Calendars) -> None:
    names = [club.link(who, match) for who in (VENICE, GENOA) for match in ("alps", "lagoon")]
    files = {path.name: path.read_text() for path in (club.home / "calendars").iterdir()}
    assert {*files} == {*names}
    assert [files[each].count("BEGIN:VEVENT") for each in names] == [2] * 4
    assert not any("@example.org" in text for text in files.values())


def test_it_follows_what_happens_and_is_left_alone_else(club: Calendars) -> None:
    file = club.home / "calendars" / club.link(VENICE, "alps")
    before = file.stat().st_mtime_ns
    club.turn("2026-11-22T15:00Z")
    assert file.stat().st_mtime_ns == before
    assert (
        call(
            "extend",
            club.matches[0],
            "--to",
            "2026-11-28T20:00",
            "--why",
            "snow",
            "--at",
            "2026-11-22T16:00Z",
        ).exit_code
        == 0
    )
    club.turn("2026-11-22T16:00Z", club.matches[1])
    assert "DTSTART:20261128T190000Z" in file.read_text()


def test_without_deadlines_it_is_empty(club: Calendars) -> None:
    file = club.home / "calendars" / club.link(VENICE, "alps")
    for match in club.matches:
        while (
            "The match is over"
            not in call("run", match, "--deadline", "--why", "x", "--at", "2026-11-22T17:00Z").output
        ):
            pass
    club.turn("2026-11-22T18:00Z")
    assert "VEVENT" not in file.read_text() and file.read_text().startswith("BEGIN:VCALENDAR")


def test_a_folder_that_cant_be_there_stops_nothing(club: Calendars) -> None:
    for path in (club.home / "calendars").iterdir():
        path.unlink()
    (club.home / "calendars").rmdir()
    (club.home / "calendars").write_text("a file")
    mine = club.post.mails_to(VENICE)[0]
    club.post.deliver(reply(mine, GOOD, sender=VENICE))
    told = club.turn("2026-11-22T15:00Z")
    assert "calendars: " in told and "taken of venice" in told


def test_a_match_from_a_stranger_writes_no_calendars(tmp_path: Path, post: LocalPost) -> None:
    match = week(tmp_path / "lagoon")
    (match / "mail.yaml").write_text(
        f"from: a@b.org\nimap: {{host: b.org}}\nsmtp: {{host: b.org}}\ncalendars: {{folder: /tmp, page: {PAGE}}}\n"
    )
    (match / "mail.yaml").chmod(0o600)
    assert (
        "calendars: a match's own mail.yaml writes files only if it names its folder"
        in call("mail", "send", match).output
    )
