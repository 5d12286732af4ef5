"""A player's settings: light mails, and none of phases in which nothing is asked of the player."""

from __future__ import annotations

import os
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.begin import begin
from adjudicator.gm.acts import replace
from adjudicator.gm.by_players import change_settings
from adjudicator.gm.playing import entries_of_run, run_by_hand
from tests.gm.weeks import BEGUN, WEEK, utc, week
from tests.mail.clubs import VENICE, Club, body, sent, turn, words
from tests.mail.local_post import LocalPost

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
ROME, CARTHAGE = "rome@example.org", "carthage@example.org"


def last(club: Club, who: str = VENICE) -> EmailMessage:
    return [each for each in club.post.mails_to(who) if "Re:" not in each["Subject"]][-1]


def files(mail: EmailMessage) -> list[str | None]:
    return [part.get_filename() for part in mail.iter_attachments()]


def test_light_mails_have_text_and_form_alone(tmp_path: Path, post: LocalPost) -> None:
    club = Club(sent(week(tmp_path / "lagoon", pages="on"), post), post)
    assert "orders.html" in files(last(club))
    assert "light, with text, form and link" in words(club.answer("settings: light\n"))
    run_by_hand(club.match, utc("2026-11-23 13:00"), deadline=True, why="all agree")
    turn(club.match, "2026-11-23T14:00Z")
    mail = last(club)
    assert files(mail) == ["sheet.yaml", "due.ics", "receipts.json"]
    assert mail.get_body(("html",)) is None
    assert "orders:" in body(mail)
    assert len(mail.as_bytes()) < 60_000
    assert "full, with all files" in words(club.answer("settings: full\n", at="2026-11-23T14:10Z"))
    assert "full, with all files" in words(club.answer("settings\n", at="2026-11-23T14:10Z"))
    assert "I don't understand" in club.answer("settings: heavy\n", at="2026-11-23T14:10Z")
    assert verify(club.match).good


@pytest.mark.parametrize(
    ("version", "said", "light"),
    [("", "", True), ("", "full", False), ("0.2.0", "", False), ("0.2.0", "light", True)],
)
def test_where_there_is_a_page_mails_with_a_link_are_light(
    tmp_path: Path, post: LocalPost, version: str, said: str, *, light: bool
) -> None:
    """Unless the player says otherwise, or the match is older than this."""
    match = week(tmp_path / "lagoon", pages="on")
    if version:
        card = match / "match.yaml"
        card.write_text(re.sub("(?m)^version: .*", f"version: {version}", card.read_text()))
    if said:
        change_settings(open_match(match), "venice", [said])
    club = Club(match, post)
    post.account(match, page="https://club.example/play/")
    turn(match, "2026-11-22T13:00Z")
    mail = last(club)
    assert ("orders.html" not in files(mail)) is light
    assert "https://club.example/play/#v=" in body(mail)
    assert ("`settings: full`" in body(mail)) is light
    told = "light" if light else "full, with all files"
    assert f"lagoon: {told}" in words(club.answer("settings\n"))


def test_a_new_player_begins_with_the_usual_ones(tmp_path: Path, post: LocalPost) -> None:
    club = Club(sent(week(tmp_path / "lagoon"), post), post)
    club.write("settings: light, waiting mails\n")
    assert open_match(club.match).secrets().settings == {"venice": ("light", "waiting")}
    replace(club.match, "venice", "new@example.org", utc("2026-11-23 13:00"), why="gone")
    assert open_match(club.match).secrets().settings == {}


@pytest.mark.parametrize("wanted", [False, True])
@pytest.mark.ci
def test_waiting_mails_are_for_who_wants_them(tmp_path: Path, post: LocalPost, *, wanted: bool) -> None:
    """The next mail tells of the phases without one."""
    match = tmp_path / "lagoon"
    begin(
        "rome-carthage",
        match,
        ["rome", "carthage"],
        options={"pages": "off"},
        seed_text="settings",
        addresses={"rome": ROME, "carthage": CARTHAGE},
        schedule=WEEK,
        keep=entries_of_run(utc(BEGUN)),
    )
    club = Club(sent(match, post), post)
    for who in (ROME, CARTHAGE):
        club.write(f"settings: {'' if wanted else 'no '}waiting mails\n", who)
    for hour in range(13, 20):
        run_by_hand(match, utc(f"2026-11-23 {hour}:00"), deadline=True, why="all agree")
        turn(match, f"2026-11-23T{hour}:30Z")
    mails = [each for who in (ROME, CARTHAGE) for each in post.mails_to(who) if "Re:" not in each["Subject"]]
    waiting = [each for each in mails if "waiting for" in each["Subject"]]
    assert len(waiting) == (8 if wanted else 1)
    assert any("last report: " in body(each) for each in mails) is not wanted
    assert verify(match).good
