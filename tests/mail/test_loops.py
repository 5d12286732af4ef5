"""Machines that answer each other with the same words: they get no more answers, and carry no more messages."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Held
from tests.mail.clubs import GENOA, GOOD, VENICE, club_with, turn
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
AWAY = "I am out of the office until Monday.\nIn urgent cases write to my colleague.\n"


def answers_to(post: LocalPost, who: str) -> int:
    return sum("Re:" in mail["Subject"] for mail in post.mails_to(who))


def test_the_second_mail_with_the_same_words_is_held_and_not_answered(
    tmp_path: Path, post: LocalPost
) -> None:
    club = club_with(tmp_path, post)
    assert "held of venice (words)" in club.write(AWAY)
    told = club.write(AWAY)
    assert "held of venice (again)" in told
    assert AWAY.split("\n", maxsplit=1)[0] not in told
    assert answers_to(post, VENICE) == 1
    assert "held of venice (words)" in club.write("When is the deadline, in your zone?\n")
    assert answers_to(post, VENICE) == 2
    assert "held of venice (words)" in club.write(AWAY, at="2026-11-24T13:00Z")
    assert verify(club.match).good


def test_sheets_and_commands_are_answered_as_often_as_they_come(tmp_path: Path, post: LocalPost) -> None:
    club = club_with(tmp_path, post)
    for text in ("status\n", "status\n", GOOD, GOOD):
        club.answer(text)


def test_machines_that_answer_each_other_s_messages_come_to_rest(tmp_path: Path, post: LocalPost) -> None:
    """Each message is answered by its reader's machine, and so is each answer of ours."""
    club = club_with(tmp_path, post, press="named")
    club.write("message to genoa:\nPeace?\n")
    machines = {VENICE: AWAY, GENOA: "Ich bin im Urlaub und lese keine Mails.\n"}
    seen = Counter({who: len(post.mails_to(who)) - 1 for who in machines})
    rounds = 0
    while any(len(post.mails_to(who)) > seen[who] for who in machines):
        for who, text in machines.items():
            for mail in post.mails_to(who)[seen[who] :]:
                rounds += 1
                post.deliver(reply(mail, text, sender=who, number=f"loop{rounds}"))
            seen[who] = len(post.mails_to(who))
        turn(club.match)
        assert rounds < 15
    assert "again" in {one.because for one in club.entries(Held)}
    assert verify(club.match).good
