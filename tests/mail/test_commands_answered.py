"""Each command of a mail is answered in one mail; what can't be undone is asked back, and nothing is obeyed by a
forger.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Absent, Agreed, Asked, Held, Resigned, Taken
from adjudicator.engine.folder.folder import open_match
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import week
from tests.mail.clubs import (
    GENOA,
    GOOD,
    NEW,
    NOON,
    VENICE,
    Club,
    body,
    club_with,
    sent,
    turn,
    words,
)
from tests.mail.local_post import LocalPost, reply
from tests.mail.test_commands import asked

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")


def test_status_tells_all_matches_of_the_person_and_no_secret(
    tmp_path: Path, post: LocalPost, club: Club
) -> None:
    sent(week(tmp_path / "alps", name="alps"), post)
    said = club.answer("status\n")
    assert said.startswith(
        "lagoon 1: your set-up by Wed 20:00\n  Until: Wednesday 2026-11-25 20:00 (Europe/Paris"
    )
    assert "alps 1: your set-up by Wed 20:00\n" in said
    assert [one.commands for one in club.entries(Asked)] == [("status",)]
    assert not club.entries(Held)
    assert verify(club.match).good


def test_one_calendar_has_all_matches_of_the_person(tmp_path: Path, post: LocalPost, club: Club) -> None:
    sent(week(tmp_path / "alps", name="alps"), post)
    club.write("calendar\n")
    answer = club.post.mails_to(VENICE)[-1]
    assert "The deadlines of your matches are attached" in body(answer)
    (file,) = answer.iter_attachments()
    assert (file.get_filename(), file.get_content_type()) == ("deadlines.ics", "text/calendar")
    lines = file.get_payload(decode=True).decode().splitlines()
    assert lines.count("BEGIN:VCALENDAR") == 1 and lines.count("BEGIN:VEVENT") == 2
    assert [line for line in lines if line.startswith("SUMMARY")] == [
        f"SUMMARY:{name}: sheets are due\\, Set-up\\, turn 1" for name in ("lagoon", "alps")
    ]
    assert lines.count("TRIGGER:-PT12H") == 2
    assert verify(club.match).good


def test_a_sheet_and_commands_are_answered_together(club: Club) -> None:
    told = club.write(f"status\nform\n\n{GOOD}\nhistory 1\n")
    assert "taken of venice (status, form, history)" in told
    (answer,) = club.post.mails_to(VENICE)[1:]
    said = body(answer)
    assert said.startswith("Taken: your sheet for Venice")
    assert "lagoon 1: your set-up is in" in said
    assert "Your reports of turn 1:" in said
    assert "orders:" in said.split("The form that is open is below")[1]
    assert [one.file for one in club.entries(Taken)] == ["sheets/venice.yaml"]
    assert verify(club.match).good


def test_map_rules_form_and_help(club: Club) -> None:
    club.write("map\n")
    (answer,) = club.post.mails_to(VENICE)[1:]
    (picture,) = answer.iter_attachments()
    assert (picture.get_filename(), picture.get_content_type()) == ("map.svg", "image/svg+xml")
    assert picture.get_content().startswith(b"<svg")
    assert "MED-3.1" in club.answer("rules MED-3\n")
    assert "There is no rule or chapter MED-99" in club.answer("rules MED-99\n")
    assert "orders:" in club.answer("form\n")
    assert "away 12.12.-28.12." in club.answer("help\n")
    assert "You got no report in turn 9. There are reports of turn 1." in club.answer("history 9\n")


def test_the_texts_of_answers_ask_for_nothing_when_a_client_quotes_them_without_marks(club: Club) -> None:
    for text in ("help\n", "resign\n", f"address {NEW}\n", "rules\n", "vote yes\n", "history\n", "resing\n"):
        said = club.answer(text)
        assert asked(f"Thanks!\n\n{said}") == [], said


def test_away_is_entered_as_a_gm_would_and_told_to_the_others(club: Club) -> None:
    said = words(club.answer("away 24.11.-26.11.\n"))
    assert "You are away from 2026-11-24 to 2026-11-26" in said
    assert "The deadline: Friday 2026-11-27 20:00" in said
    assert [(one.player, one.first, one.last) for one in club.entries(Absent)] == [
        ("venice", "2026-11-24", "2026-11-26")
    ]
    assert "is away" in body(club.post.mails_to(GENOA)[-1])
    assert "you may be absent 1 time more, for 11 days in all" in words(club.answer("away 1.12.-30.12.\n"))
    assert "is past" in club.answer("away 1.11.2026\n")
    assert "I don't understand" in club.answer("away next week\n")
    assert len(club.entries(Absent)) == 1
    assert "a program orders for you then" in words(club.answer("away 1.12.-30.12., with a regent\n"))
    assert verify(club.match).good


def test_who_resigns_is_asked_back_and_only_the_code_counts(club: Club) -> None:
    said = club.answer("resign\n")
    assert not club.entries(Resigned)
    code = re.findall(r"`resign ([a-z2-7]{12})`", said)[0]
    assert "doesn't count any more" in club.answer("resign aaaaaaaaaaaa\n")
    assert not club.entries(Resigned)
    told = club.write(f"resign {code}\n")
    assert [one.player for one in club.entries(Resigned)] == ["venice"]
    assert "venice has given up the seat: adjudicator replace" in told
    assert "Venice has given up the seat" in body(club.post.mails_to(GENOA)[-1])
    assert "before; the seat is open" in club.answer("resign\n")
    assert verify(club.match).good


@pytest.mark.ci
def test_so_many_new_addresses_are_written_to_within_a_day(club: Club) -> None:
    """Anybody's may be named."""
    for number in range(5):
        new = f"new{number}@example.org"
        code = re.findall(rf"`address {new} ([a-z2-7]{{12}})`", club.answer(f"address {new}\n", GENOA))[0]
        said = words(club.answer(f"address {new} {code}\n", GENOA))
        assert ("As soon as the answer" in said) == (number < 3)
        assert len(club.post.mails_to(new)) == (number < 3)


def test_a_vote_is_secret_until_all_agree_and_can_be_withdrawn(club: Club) -> None:
    assert "nobody learns of it before all players have voted so" in words(club.answer("vote end\n"))
    mails = len(club.post.mails_to(GENOA))
    assert "it goes on" in club.answer("vote no\n")
    told = club.write("vote end\n", GENOA)
    assert "end" not in told.replace("genoa", "")
    assert not club.entries(Agreed)
    club.write("vote draw\n")
    assert not club.entries(Agreed)
    assert [one["Subject"].startswith("Re:") for one in club.post.mails_to(GENOA)[mails:]] == [True]
    ledger = (club.match / "ledger.jsonl").read_text()
    assert '"draw"' not in ledger
    assert '"end"' not in ledger
    told = club.write("vote end\n")
    assert [one.on for one in club.entries(Agreed)] == ["end"]
    assert "the players have voted to end it as it stands" in told
    assert "The players have voted to end the match as it stands" in body(club.post.mails_to(GENOA)[-1])
    assert "have agreed" in club.answer("vote no\n")
    assert "it is on hold" in call("due", club.match, "--at", "2026-12-24T12:00Z").output
    assert verify(club.match).good


def test_who_gives_up_a_seat_keeps_nobody_waiting(club: Club) -> None:
    club.write("vote end\n")
    code = re.findall(r"`resign ([a-z2-7]{12})`", club.answer("resign\n", GENOA))[0]
    assert "the players have voted to end it as it stands" in club.write(f"resign {code}\n", GENOA)
    assert [one.on for one in club.entries(Agreed)] == ["end"]
    assert verify(club.match).good


def test_who_has_given_up_the_seat_is_told_that_no_vote_of_theirs_counts(club: Club) -> None:
    code = re.findall(r"`resign ([a-z2-7]{12})`", club.answer("resign\n"))[0]
    club.write(f"resign {code}\n")
    said = words(club.answer("vote end\n"))
    assert "Your vote doesn't count in the match lagoon" in said and "It counts" not in said
    assert not club.entries(Agreed)


def test_more_than_half_may_agree_if_the_schedule_says_so(tmp_path: Path, post: LocalPost) -> None:
    club = club_with(tmp_path, post, vote="majority")
    assert "before more than half of the players have voted so" in words(club.answer("vote draw\n"))
    club.write("vote draw\n", GENOA)
    assert [one.on for one in club.entries(Agreed)] == ["draw"]


def test_an_address_is_changed_when_both_addresses_have_confirmed_it(club: Club) -> None:
    said = club.answer(f"address {NEW}\n")
    assert not club.post.mails_to(NEW)
    code = re.findall(r"`address new@example\.org ([a-z2-7]{12})`", said)[0]
    assert "I have written to new@example.org" in words(club.answer(f"address {NEW} {code}\n"))
    (mail,) = club.post.mails_to(NEW)
    second = re.findall(r"`address new@example\.org ([a-z2-7]{12})`", body(mail))[0]
    assert second != code
    assert "+" not in str(mail["Reply-To"] or mail["From"])
    mail["Reply-To"] = mail["From"]
    # from elsewhere, with the wrong code, and with a sheet: nothing of it counts
    for text, sender in (
        (f"address {NEW} {second}\n", "x@example.net"),
        (f"address {NEW} {code}\n{GOOD}", NEW),
    ):
        club.post.deliver(reply(mail, text, sender=sender, number=f"n{len(text)}"))
    turn(club.match)
    assert open_match(club.match).secrets().addresses["venice"] == VENICE
    club.post.deliver(reply(mail, f"address {NEW} {second}\n\n{GOOD}", sender=NEW, number="new"))
    told = turn(club.match)
    assert open_match(club.match).secrets().addresses["venice"] == NEW
    assert "venice has another address: new@example.org" in told
    assert not club.entries(Taken)
    subjects = [one["Subject"] for one in club.post.mails_to(NEW)]
    assert any(subject.startswith("lagoon 1: your set-up") for subject in subjects)
    assert verify(club.match).good


def test_a_forger_is_never_obeyed(club: Club) -> None:
    without = {"To": "gm@example.org", "Subject": "status", "In_Reply_To": "<a@b>"}
    club.write("vote end\n\nresign\n", **without)
    assert [one.because for one in club.entries(Held)] == ["address-alone"]
    assert not club.entries(Asked)
    # who has the token may ask, and the answer goes to the address on file
    club.write("resign\n", "thief@example.net", to=VENICE)
    assert not club.post.mails_to("thief@example.net")
    assert "`resign " in body(club.post.mails_to(VENICE)[-1])


def test_a_robot_is_never_obeyed_nor_answered(club: Club) -> None:
    before = len(club.post.mails_to(VENICE))
    club.write("status\n", Auto_Submitted="auto-replied")
    assert len(club.post.mails_to(VENICE)) == before
    assert [one.because for one in club.entries(Held)] == ["robot"]


@pytest.mark.ci
def test_a_mail_that_comes_twice_is_obeyed_once_and_a_flood_is_left(club: Club) -> None:
    club.write("status\n")
    club.count = 0
    club.write("status\n")
    assert len(club.entries(Asked)) == 1
    for number in range(2, 60):
        club.post.deliver(
            reply(club.post.mails_to(VENICE)[0], "status\n", sender=VENICE, number=f"f{number}")
        )
    turn(club.match)
    assert len(club.entries(Asked)) == 40
    assert sum("Re:" in each["Subject"] for each in club.post.mails_to(VENICE)) == 10


def test_a_question_beside_a_command_still_goes_to_the_gm(club: Club) -> None:
    told = club.write("status\n\nCould we have one more day, please? Everybody here is ill.\n")
    assert "| Could we have one more day" in told
    assert "I have passed the rest of your text on to the GM." in body(club.post.mails_to(VENICE)[-1])


def test_a_vote_that_was_stopped_before_its_agreement_was_written_counts_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.write("vote end\n", GENOA)
    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.mail.obeying.add_entries", lambda *given: 1 // 0)
        with pytest.raises(AssertionError, match="can't be taken in"):
            club.write("vote end\n")
    assert not club.entries(Agreed)
    turn(club.match)
    assert [one.on for one in club.entries(Agreed)] == ["end"]
    assert call("resume", club.match, "--why", "on", "--at", NOON).exit_code == 0
    assert open_match(club.match).secrets().votes == {}
