"""A GM's act is told in a short mail, whose subject names it; the old and the new player are told of a replacement."""

from __future__ import annotations

import io
import os
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.door.seats import token
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import open_match
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import week
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
SETUP, LATER = "0001-t1-setup", "2026-11-23T12:00Z"
VENICE, GENOA, NEW, FRIEND = (f"{who}@example.org" for who in ("venice", "genoa", "new", "friend"))
SMALL = 12_000
"""Bytes of a mail that tells what was done; the whole phase, with pages, takes some hundred thousand."""
ACTS = {
    "extend": (("extend", "--to", "2026-11-27T20:00"), "a new deadline", "2026-11-27 20:00"),
    "hold": (("hold",), "the match is on hold", "is on hold"),
    "absent": (("absent", "genoa", "2026-11-25..2026-11-26"), "somebody is away", "2026-11-27 20:00"),
    "replace": (("replace", f"genoa={NEW}"), "somebody else plays", "Genoa"),
    "schedule": (("schedule", "weekly.yaml"), "a new schedule", "7 days"),
}


@pytest.fixture
def lagoon(tmp_path: Path, post: LocalPost) -> Path:
    """A match with pages whose first phase was mailed."""
    match = week(tmp_path / "lagoon", pages="on")
    post.account(match, observers=f"[{FRIEND}]")
    (tmp_path / "weekly.yaml").write_text("zone: Europe/Paris\nevery: 7 days\n")
    turn(match, "2026-11-22T13:00Z")
    return match


def turn(match: Path, at: str = LATER) -> str:
    told = call("mail", "turn", match, "--at", at)
    assert told.exit_code == 0, told.output
    return told.output


def act(match: Path, words: tuple[str, ...], at: str = LATER) -> None:
    words = tuple(str(match.parent / word) if word.endswith(".yaml") else word for word in words)
    told = call(words[0], match, *words[1:], "--why", "snow", "--at", at)
    assert told.exit_code == 0, told.output


def names(message: EmailMessage) -> list[str | None]:
    return [part.get_filename() for part in message.iter_attachments()]


def body(message: EmailMessage) -> str:
    found = message.get_body(("plain",))
    assert found is not None
    return " ".join(found.get_content().split())


@pytest.mark.parametrize(("words", "subject", "said"), ACTS.values(), ids=ACTS)
def test_an_act_is_told_in_a_short_mail(
    lagoon: Path, post: LocalPost, words: tuple[str, ...], subject: str, said: str
) -> None:
    act(lagoon, words)
    turn(lagoon)
    for address in (VENICE, FRIEND):
        first, told = post.mails_to(address)
        assert subject in str(told["Subject"]) and subject not in str(first["Subject"])
        assert said in body(told)
        assert "snow" in body(told)
        assert len(told.as_bytes()) < SMALL
        assert {*names(told)} <= {"due.ics"}
        assert told["In-Reply-To"] == first["Message-ID"]
    assert (token(lagoon, "venice") in post.mails_to(VENICE)[1]["Reply-To"]) is True
    assert token(lagoon, "venice") not in post.mails_to(FRIEND)[1].as_string()
    assert not turn(lagoon)
    assert verify(lagoon).good


def test_the_gms_words_on_the_phase_stand_in_the_short_mail(lagoon: Path, post: LocalPost) -> None:
    (lagoon / SETUP / "note.md").write_text("Mind the gap.\n")
    act(lagoon, ACTS["extend"][0])
    turn(lagoon)
    for address in (VENICE, FRIEND):
        assert "Mind the gap." in body(post.mails_to(address)[-1])


def test_several_are_told_in_one_mail_and_the_next_in_another(lagoon: Path, post: LocalPost) -> None:
    for words in (("hold",), ("resume",), ACTS["extend"][0]):
        act(lagoon, words)
    turn(lagoon)
    told = post.mails_to(VENICE)[-1]
    assert "the match is on hold, the match goes on, a new deadline" in str(told["Subject"])
    act(lagoon, ACTS["absent"][0], "2026-11-23T13:00Z")
    turn(lagoon, "2026-11-23T13:00Z")
    *before, told = post.mails_to(VENICE)
    assert len(before) == 2
    assert "is away" in body(told) and "goes on" not in body(told)
    post.deliver(reply(told, "orders:\n  - place: 4\n    to: venice-1\n", sender=VENICE))
    turn(lagoon, "2026-11-23T14:00Z")
    assert (lagoon / SETUP / "sheets/venice.yaml").exists()


def test_another_position_is_mailed_whole_and_the_subject_says_it(lagoon: Path, post: LocalPost) -> None:
    call("run", lagoon, "--deadline", "--why", "all agree", "--at", LATER)
    turn(lagoon)
    act(lagoon, ("undo",), "2026-11-23T13:00Z")
    turn(lagoon, "2026-11-23T13:00Z")
    told = post.mails_to(VENICE)[-1]
    assert str(told["Subject"]).strip().startswith("lagoon 1: your set-up by Thu 20:00: taken back (")
    assert {"report.html", "orders.html", "sheet.yaml"} < {*names(told)}
    assert verify(lagoon).good


def test_who_was_silent_before_isnt_asked_for_a_sheet_when_the_phase_is_open_again(
    tmp_path: Path, post: LocalPost
) -> None:
    """The mail and the report in it say the same: the match doesn't wait for that player."""
    match = week(tmp_path / "lagoon", stops="auction,movement")
    post.account(match)
    call("run", match, "--deadline", "--why", "all agree", "--at", "2026-11-22T12:30Z")
    act(match, ("undo",), "2026-11-22T12:40Z")
    turn(match, "2026-11-22T13:00Z")
    told = post.mails_to(VENICE)[-1]
    page = told.get_body(("html",))
    assert page is not None
    for text in (body(told), " ".join(page.get_content().split())):
        assert "You were asked for this phase before, and the match doesn't wait for you" in text
        assert "Your sheet is due" not in text
    act(match, ACTS["hold"][0], "2026-11-22T14:00Z")
    turn(match, "2026-11-22T14:00Z")
    assert "the match doesn't wait for you" in body(post.mails_to(VENICE)[-1])


def test_a_question_that_has_come_up_meanwhile_is_mailed_whole(tmp_path: Path, post: LocalPost) -> None:
    match = week(tmp_path / "lagoon", pacing="live", stops="all")
    post.account(match)
    call("run", match, "--deadline", "--at", "2026-11-22T12:30Z")
    turn(match, "2026-11-22T13:00Z")
    for player, bid in (("venice", 200), ("genoa", 100)):
        sheet = match / "0002-t1-auction" / "sheets" / f"{player}.yaml"
        sheet.write_text(f"player: {player}\norders:\n  - bid: {bid}\n")
    call("run", match, "--at", "2026-11-22T14:00Z")
    assert open_match(match).opening(open_match(match).last).waits == "venice"
    act(match, ACTS["extend"][0])
    turn(match)
    assert "answer.yaml" in names(post.mails_to(VENICE)[-1])
    assert "answer.yaml" not in names(post.mails_to(GENOA)[-1])


def test_who_comes_gets_all_that_the_seat_may_know_and_who_goes_is_told(
    lagoon: Path, post: LocalPost
) -> None:
    call("run", lagoon, "--deadline", "--why", "all agree", "--at", LATER)
    turn(lagoon)
    act(lagoon, ("replace", f"genoa=Anna <{NEW}>"), "2026-11-23T13:00Z")
    turn(lagoon, "2026-11-23T13:00Z")
    welcome, phase = post.mails_to(NEW)
    assert "welcome" in str(welcome["Subject"])
    assert {"rules.md", "so-far.zip"} == {*names(welcome)}
    assert "sheet.yaml" in names(phase)
    assert token(lagoon, "genoa") in welcome["Reply-To"]
    assert "snow" in body(welcome)
    assert str(welcome["To"]) == f"Anna <{NEW}>"
    packed = next(part for part in welcome.iter_attachments() if part.get_filename() == "so-far.zip")
    with zipfile.ZipFile(io.BytesIO(packed.get_content())) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    for name in (f"{SETUP}/report.md", f"{open_match(lagoon).phases[-1]}/view.yaml"):
        top, _, file = name.partition("/")
        assert files[name] == (lagoon / top / "for/genoa" / file).read_bytes()
    gone = post.mails_to(GENOA)[-1]
    assert "somebody else plays" in str(gone["Subject"])
    assert "You need do nothing more" in body(gone)
    assert token(lagoon, "genoa") not in gone.as_string()
    assert "Reply-To" not in gone
    before = len(post.mails_to(NEW)), len(post.mails_to(GENOA))
    assert not turn(lagoon, "2026-11-23T14:00Z")
    assert (len(post.mails_to(NEW)), len(post.mails_to(GENOA))) == before
    assert verify(lagoon).good


def test_who_comes_can_verify_all_that_the_seat_has_got_and_sent(tmp_path: Path, post: LocalPost) -> None:
    match = week(tmp_path / "lagoon", pacing="live", stops="all")
    post.account(match)
    call("run", match, "--deadline", "--at", "2026-11-22T12:30Z")
    for player, bid in (("venice", 200), ("genoa", 100)):
        sheet = match / "0002-t1-auction" / "sheets" / f"{player}.yaml"
        sheet.write_text(f"player: {player}\norders:\n  - bid: {bid}\n")
    call("run", match, "--at", "2026-11-22T14:00Z")
    answer = "player: venice\nanswers:\n  - {seat: 1}\n"
    (match / "0002-t1-auction" / "answers").mkdir(exist_ok=True)
    (match / "0002-t1-auction" / "answers" / "venice.yaml").write_text(answer)
    call("run", match, "--at", "2026-11-22T14:10Z")
    act(match, ("replace", f"venice={NEW}"))
    turn(match)
    welcome = post.mails_to(NEW)[0]
    packed = next(part for part in welcome.iter_attachments() if part.get_filename() == "so-far.zip")
    with zipfile.ZipFile(io.BytesIO(packed.get_content())) as pack:
        pack.extractall(tmp_path / "received")
    folders = sorted(each for each in (tmp_path / "received").iterdir() if (each / "receipts.json").is_file())
    told = call("verify", *folders).output
    assert "venice sent isn't here" not in told
    assert "used as sent: 2;" in told


def test_each_player_replaced_in_turn_is_told(lagoon: Path, post: LocalPost) -> None:
    for hour, who in ((13, NEW), (14, "third@example.org")):
        act(lagoon, ("replace", f"genoa={who}"), f"2026-11-23T{hour}:00Z")
    turn(lagoon, "2026-11-23T15:00Z")
    assert [len(post.mails_to(who)) for who in (GENOA, NEW, "third@example.org")] == [2, 1, 2]
    assert "somebody else plays" in str(post.mails_to(NEW)[0]["Subject"])


def test_who_was_replaced_before_addresses_were_kept_keeps_nobody_from_being_welcomed(
    lagoon: Path, post: LocalPost
) -> None:
    act(lagoon, ("replace", f"genoa={NEW}"))
    turn(lagoon)
    referee = lagoon / "referee.yaml"
    referee.write_text(referee.read_text().partition("before:")[0])
    act(lagoon, ("replace", "genoa=third@example.org"), "2026-11-23T13:00Z")
    turn(lagoon, "2026-11-23T13:00Z")
    assert "welcome" in str(post.mails_to("third@example.org")[0]["Subject"])
    assert "somebody else plays" in str(post.mails_to(NEW)[-1]["Subject"])


def test_who_plays_a_seat_again_from_the_same_address_isnt_sent_away(lagoon: Path, post: LocalPost) -> None:
    act(lagoon, ("replace", f"genoa=Anna <{GENOA}>"))
    turn(lagoon)
    assert not [
        mail for mail in post.mails_to(GENOA) if "your mails for this match no longer count" in body(mail)
    ]


def test_who_has_missed_a_sheet_reads_it_first(lagoon: Path, post: LocalPost) -> None:
    for at, said in (
        ("2026-11-26T07:00Z", "Your last sheet was missing when the phase was closed."),
        (
            "2026-11-30T07:00Z",
            "Your last 2 sheets were missing when the phase was closed. The GM may give your seat",
        ),
    ):
        turn(lagoon, at.replace("26T07", "25T19").replace("30T07", "29T19"))
        assert "Missed: venice" in turn(lagoon, at)
        told = post.mails_to(VENICE)[-1]
        assert body(told).startswith(said)
        page = told.get_body(("html",))
        assert page is not None
        assert said[:40] in page.get_content()
        assert "Your last" not in body(post.mails_to(FRIEND)[-1])
