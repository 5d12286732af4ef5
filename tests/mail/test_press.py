"""Press: messages are carried without addresses, under the sender's seat or under none, and kept from all others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.door.seats import seats_of
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Asked, Taken
from adjudicator.engine.folder.folder import open_match
from adjudicator.gm import acts
from adjudicator.gm.playing import run_by_hand
from adjudicator.mail.press import press_of
from tests.gm.weeks import WEEK, utc, week
from tests.mail.clubs import GENOA, GOOD, VENICE, Club, body, club_with, sent, turn, words
from tests.mail.local_post import LocalPost, reply
from tests.mail.test_commands import asked

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
WORDS = "message to genoa:\nLet us share Corfu.\n\norders:\n  - place: 9\n    to: venice-1\nvote end\n"


def with_press(tmp_path: Path, post: LocalPost, press: object) -> Club:
    return club_with(tmp_path, post, press=press)


@pytest.fixture
def named(tmp_path: Path, post: LocalPost) -> Club:
    return with_press(tmp_path, post, "named")


def test_a_message_is_carried_as_it_is_under_the_seat_and_without_addresses(named: Club) -> None:
    told = named.write(f"status\n\n{GOOD}\n{WORDS}end\nThis is a remark.\n")
    assert "taken of venice (status, message)" in told
    assert "Corfu" not in told
    mail = named.post.mails_to(GENOA)[-1]
    assert mail["Subject"].startswith("lagoon: a message from Venice (")
    said = body(mail)
    assert "Venice writes to you" in said
    assert "  | Let us share Corfu." in said
    assert "  | vote end" in said
    assert VENICE not in mail.as_string()
    assert asked(f"Fine.\n\n{said}") == []
    answer = body(named.post.mails_to(VENICE)[-1])
    assert "Your message was sent to Genoa." in answer
    assert "Corfu" not in answer
    assert (named.match / "0001-t1-setup/sheets/venice.yaml").read_text() == f"{GOOD}player: venice\n"
    assert "Corfu" not in (named.match / "ledger.jsonl").read_text()
    assert [one.commands for one in named.entries(Asked)] == [("status", "message")]
    assert verify(named.match).good


def test_a_message_with_its_sender_s_token_is_not_carried(named: Club) -> None:
    """A quotation that wasn't known as one holds the token, with which its reader could order for the sender."""
    (seated,) = [each for each in seats_of(open_match(named.match)) if each.seat.player == "venice"]
    before = len(named.post.mails_to(GENOA))
    named.write(f"message to genoa:\nGladly.\n\nSujet: lagoon 1: ({seated.token.upper()})\n")
    assert len(named.post.mails_to(GENOA)) == before
    assert "your token stands in it" in body(named.post.mails_to(VENICE)[-1])
    assert [*press_of(open_match(named.match))] == []


def test_an_answer_to_a_message_goes_back_and_only_by_who_got_it(named: Club, post: LocalPost) -> None:
    named.write(WORDS)
    mail = named.post.mails_to(GENOA)[-1]
    post.deliver(reply(mail, "Gladly!\n", number="back"))
    told = named.write("status\n")
    assert "asked of genoa (message)" in told
    back = named.post.mails_to(VENICE)[-2:]
    assert any("  | Gladly!" in body(each) and "Genoa writes to you" in body(each) for each in back)
    assert "Your answer was sent" in body(named.post.mails_to(GENOA)[-1])
    before = len(named.post.mails_to(GENOA))
    post.deliver(
        reply(
            mail,
            "I am Venice too\n",
            sender="thief@example.net",
            number="thief",
            To="gm@example.org",
            Subject="x",
        )
    )
    assert "held of genoa (reference-alone)" in named.write("help\n")
    assert len(named.post.mails_to(GENOA)) == before + 1  # the answer that says that it is held
    # with a sheet, the mail is for the referee
    post.deliver(
        reply(mail, f"{GOOD.replace('venice', 'genoa')}\nSee you there, dear friend.\n", number="sheet")
    )
    assert "taken of genoa: " in named.write("map\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("message to genova:\nhi\n", "nobody here is called genova; did you mean genoa?"),
        ("message to genoa and spain:\nhi\n", "nobody here is called spain."),
        ("message à Genoa :\nhi\n", "Your message was sent to Genoa."),
        ("message à Genoa et gm:\nhi\n", "Your message was sent to Genoa."),
        ("message to genoa, spain:\nhi\n", "nobody here is called spain."),
        ("message to genoa:\n", "nothing stands below that line"),
        ("message to venice:\nhi\n", "nobody here is called venice"),
        (f"message to all:\n{'x' * 70}\n" + f"{'word ' * 14}\n" * 300, "at most 10000 are carried"),
        ("message to gm:\nMay I have a day more?\n", "Your message was passed on to the GM."),
        ("message to Genoa:\nhi\n", "Your message was sent to Genoa."),
        ("message to everybody:\nhi\n", "Your message was sent to Genoa."),
        ("message to gm and genoa:\nhi\n", "Your message was sent to Genoa."),
    ],
)
def test_what_becomes_of_a_message_is_said(named: Club, text: str, said: str) -> None:
    before = len(named.post.mails_to(GENOA))
    told = named.write(text)
    assert said in words(body(named.post.mails_to(VENICE)[-1]))
    assert len(named.post.mails_to(GENOA)) == before + ("was sent to" in said)
    assert ("  | " in told) == ("gm" in text)


@pytest.mark.parametrize("line", ["blah blah\n", f"{'word ' * 14}\n"], ids=["short lines", "long lines"])
def test_a_message_of_a_megabyte_stops_nothing(named: Club, line: str) -> None:
    said = words(named.answer("message to genoa:\n" + line * (2**20 // len(line))))
    assert "at most 10000 are carried" in said or "too many lines" in said
    assert "Your message was sent to Genoa." in named.answer("message to genoa:\nhi\n")


def test_there_are_quotas_for_a_mail_and_a_day(named: Club) -> None:
    said = named.answer("".join(f"message to genoa:\nnumber {number}\n" for number in range(7)))
    assert said.count("Your message was sent") == 5
    assert said.count("a mail carries at most 5 messages") == 2
    for number in range(4):
        said = named.answer("".join(f"message to genoa:\n{number} {each}\n" for each in range(4)))
    assert "you have sent 20 messages within a day" in words(said)
    assert len(named.post.mails_to(GENOA)) == 21
    assert "Your message was sent" in named.answer("message to genoa:\nhi\n", at="2026-11-24T18:00Z")
    shown = [each.text for each in press_of(open_match(named.match))]
    assert shown[:6] == [*(f"number {number}" for number in range(5)), "0 0"]
    assert len(shown) == 21


def test_nobody_learns_who_has_written_an_anonymous_message(tmp_path: Path, post: LocalPost) -> None:
    club = with_press(tmp_path, post, "anonymous")
    assert "Nobody is told who has written." in club.answer(WORDS)
    mail = club.post.mails_to(GENOA)[-1]
    assert mail["Subject"].startswith("lagoon: a message (")
    assert "venice" not in mail.as_string().lower().replace("venice-1", "")
    post.deliver(reply(mail, "Who are you?\n", number="back"))
    club.write("status\n")
    answer = body(club.post.mails_to(GENOA)[-1])
    assert "Your answer was sent to the player whose message it answers" in answer
    assert "Venice" not in answer.partition("The deadline")[0]
    assert any("  | Who are you?" in body(each) for each in club.post.mails_to(VENICE))


def test_press_may_differ_by_phase_and_is_none_by_itself(tmp_path: Path, post: LocalPost, club: Club) -> None:
    said = words(club.answer(WORDS))
    assert "Not sent to genoa: the players of this match can't write to each other. With" in said
    assert not club.entries(Taken)
    assert len(club.post.mails_to(GENOA)) == 1
    alps = Club(
        sent(
            week(tmp_path / "alps", {**WEEK, "press": {"setup": "none", "other": "named"}}, name="alps"), post
        ),
        post,
    )
    alps.count = 50
    first = next(each for each in post.mails_to(VENICE) if each["Subject"].startswith("alps"))
    post.deliver(reply(first, WORDS, number="alps"))
    alps.write("message to gm:\nhello\n")
    assert any(
        "can't write to each other in this phase" in words(body(each)) for each in post.mails_to(VENICE)
    )


def test_a_seat_that_a_program_plays_gets_none_and_that_is_said(named: Club) -> None:
    acts.replace(named.match, "genoa", "", utc("2026-11-23 09:00"), why="gone", bot="")
    assert "no person with an address plays Genoa" in words(named.answer(WORDS))


def test_all_that_was_written_can_be_read_again(named: Club) -> None:
    named.write("message to genoa:\nfirst\nend\nmessage to gm:\nsecret\nend\nmessage to nobody:\nlost\n")
    named.write("message to venice:\nsecond\n", GENOA)
    assert [(each.player, each.to, each.text) for each in press_of(open_match(named.match))] == [
        ("venice", ("genoa",), "first"),
        ("genoa", ("venice",), "second"),
    ]


def test_all_read_it_at_the_end_if_the_match_says_so(tmp_path: Path, post: LocalPost) -> None:
    for shown in (True, False):
        club = Club(
            sent(
                week(
                    tmp_path / f"lagoon-{shown}",
                    {**WEEK, "press": "anonymous", "shown": shown},
                    turns="1",
                    name=f"lagoon-{shown}",
                ),
                post,
            ),
            post,
        )
        first = next(each for each in post.mails_to(VENICE) if f"lagoon-{shown}" in each["Subject"])
        post.deliver(reply(first, WORDS, number=str(shown)))
        turn(club.match)
        while not open_match(club.match).head(open_match(club.match).last).over:
            run_by_hand(club.match, utc("2026-11-24 09:00"), deadline=True, why="all agree")
        assert not turn(club.match, "2026-11-24T10:00Z").count("Corfu")
        mails = [
            each
            for each in post.mails_to(GENOA)
            if each["Subject"].startswith(f"lagoon-{shown}: all messages")
        ]
        assert len(mails) == shown
        if mails:
            (file,) = mails[0].iter_attachments()
            assert file.get_content().startswith(
                "0001-t1-setup, Venice to Genoa:\n\nLet us share Corfu.\n\norders:\n"
            )
        assert verify(club.match).good
