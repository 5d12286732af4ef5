"""A mail that reached nobody: the GM is told why at once, and for whom, until the address is corrected."""

from __future__ import annotations

import email
import os
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.cli.saying import sentences_of_undelivered
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.begin import begin
from tests.cli.calling import adjudicator as call
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
AT = "2026-05-03T18:00:00Z"
SHEET = "orders:\n  - place: 4\n    to: venice-1\n"


@pytest.fixture
def match(tmp_path: Path, post: LocalPost) -> Path:
    path = tmp_path / "lagoon"
    addresses = {"venice": "one@example.org", "genoa": "nobody@example.org"}
    begin("mediterranee", path, [*addresses], options={"pages": "off"}, seed_text="mail", addresses=addresses)
    post.account(path)
    return path


def said(match: Path, *words: str) -> str:
    return call(*words, str(match), "--at", AT).output


def test_it_is_said_with_the_words_of_the_server(match: Path) -> None:
    assert f"{match}: refused for genoa (no such user)" in said(match, "mail", "send")
    assert said(match, "mail", "send") == ""


def test_status_and_due_tell_it_until_it_is_mended(match: Path) -> None:
    assert "came back" not in said(match, "status")
    said(match, "mail", "send")
    told = (
        "The mail for genoa came back (no such user): correct the address in referee.yaml, then "
        f"adjudicator mail token {match} genoa --new"
    )
    for command in ("status", "due"):
        assert told in said(match, command).splitlines()
    referee = match / "referee.yaml"
    referee.write_text(referee.read_text().replace("nobody@", "two@"))
    call("mail", "token", str(match), "genoa", "--new")
    assert "sent to genoa" in said(match, "mail", "send")
    for command in ("status", "due"):
        assert "came back" not in said(match, command)


def test_a_mail_that_comes_back_later_is_told(match: Path, post: LocalPost) -> None:
    said(match, "mail", "send")
    message = EmailMessage()
    message["From"] = "MAILER-DAEMON@example.org"
    message["To"] = "gm@example.org"
    message["Subject"] = "Undelivered Mail Returned to Sender"
    message["Message-ID"] = "<bounce@example.org>"
    message["Auto-Submitted"] = "auto-replied"
    message.set_content("it is full\n" + str(post.mails_to("one@example.org")[0]["Message-ID"]) + "\n")
    post.deliver(message)
    assert "bounced of venice" in said(match, "mail", "fetch")
    assert [line.split(" came back")[0] for line in sentences_of_undelivered(open_match(match))] == [
        "The mail for venice",
        "The mail for genoa",
    ]


def test_answers_are_told_as_answers_and_each_reader_once(match: Path, post: LocalPost) -> None:
    said(match, "mail", "send")
    first = post.mails_to("one@example.org")[0]
    for number in range(2):
        post.deliver(reply(first, SHEET, number=str(number)))
    assert said(match, "mail", "turn").splitlines()[-1] == f"{match}: answered venice"


def test_an_answer_names_one_line_or_several_that_were_mended(match: Path, post: LocalPost) -> None:
    said(match, "mail", "send")
    first = post.mails_to("one@example.org")[0]
    post.deliver(reply(first, SHEET + "salt: “a”\n", number="1"))
    post.deliver(reply(first, SHEET.replace(" to", "\u00a0to") + "salt:\u00a0“b”\n", number="2"))
    said(match, "mail", "fetch")
    one, several = (mail.get_content() for mail in post.mails_to("one@example.org")[1:])
    assert "typographic quotation marks replaced by plain ones (line 4)" in one
    assert "unusual spaces replaced by plain ones (lines 3, 4)" in several


def test_the_holder_of_a_seat_hears_that_another_may_have_written_by_an_old_token(
    match: Path, post: LocalPost
) -> None:
    said(match, "mail", "send")
    first = post.mails_to("one@example.org")[0]
    call("replace", str(match), "venice=new@example.org", "--why", "ill", "--at", AT)
    said(match, "mail", "send")
    post.deliver(reply(first, SHEET))
    said(match, "mail", "fetch")
    assert len(post.mails_to("one@example.org")) == 2  # and the second told that somebody else plays
    text = post.mails_to("new@example.org")[-1].get_content()
    assert "If you didn't, you need do nothing." in text
    assert "place: 4" not in text


@pytest.mark.parametrize("answers", [True, False], ids=["an answer", "a new mail"])
def test_a_sheet_beside_a_mail_that_came_back_to_its_player_is_taken(
    match: Path, post: LocalPost, answers: bool
) -> None:
    said(match, "mail", "send")
    message = reply(post.mails_to("one@example.org")[0], SHEET)
    if not answers:
        del message["In-Reply-To"]
    message.make_mixed()
    report = "Reporting-MTA: dns; example.org\n\nAction: failed\nStatus: 5.1.1\n"
    message.attach(email.message_from_string(f"Content-Type: message/delivery-status\n\n{report}"))
    post.deliver(message)
    assert "taken of venice" in said(match, "mail", "fetch")


def test_of_a_report_by_a_strange_server_nothing_is_answered(match: Path, post: LocalPost) -> None:
    said(match, "mail", "send")
    message = reply(post.mails_to("one@example.org")[0], "It is full.", sender="server@example.net")
    del message["In-Reply-To"]
    message.make_mixed()
    message.attach(email.message_from_string("Content-Type: message/delivery-status\n\nAction: failed\n"))
    post.deliver(message)
    told = said(match, "mail", "fetch")
    assert "held of venice (robot)" in told
    assert "answered" not in told
