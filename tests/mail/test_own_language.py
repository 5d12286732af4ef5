"""What the program says by itself is in each reader's language, and nobody is told twice what they did."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from adjudicator.engine.match.begin import begin
from adjudicator.gm.playing import entries_of_run
from tests.gm.weeks import BEGUN, WEEK, utc
from tests.mail.clubs import GENOA, VENICE, Club, body, sent, words
from tests.mail.local_post import LocalPost

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")


@pytest.fixture
def french(tmp_path: Path, post: LocalPost) -> Club:
    """Genoa reads French, all others English."""
    path = tmp_path / "lagoon"
    begin(
        "mediterranee",
        path,
        ["venice", "genoa"],
        options={"pages": "off", "turns": "2"},
        seed_text="test",
        addresses={"venice": VENICE, "genoa": GENOA},
        languages={"genoa": "fr"},
        schedule={**WEEK, "regent": True},
        keep=entries_of_run(utc(BEGUN)),
    )
    return Club(sent(path, post), post)


def test_the_reason_of_an_agreement_and_the_colon_of_a_subject(french: Club) -> None:
    french.write("vote end\n", VENICE)
    french.write("vote fin\n", GENOA)
    last = french.post.mails_to(GENOA)[-1]
    assert " : les joueurs sont d’accord" in last["Subject"]
    assert "(les joueurs ont voté" in words(body(last))
    assert "the players" not in body(last)


def test_the_reason_of_a_seat_that_changes_hands(french: Club) -> None:
    code = re.findall(r"`resign ([a-z2-7]{12})`", french.answer("resign\n"))[0]
    french.write(f"resign {code}\n")
    last = french.post.mails_to(GENOA)[-1]
    assert "la place était libre" in body(last)
    assert "the seat was open" in body(french.post.mails_to(VENICE)[-1])


def test_who_is_away_is_told_so_once(french: Club) -> None:
    before = len(french.post.mails_to(GENOA))
    assert "28/11/2026" in french.answer("absent 28.11.-30.11.\n", GENOA)
    assert len(french.post.mails_to(GENOA)) == before + 1
    assert "is away" in body(french.post.mails_to(VENICE)[-1])


def test_who_is_away_at_the_deadline_gets_the_other_one(french: Club) -> None:
    before = len(french.post.mails_to(GENOA))
    french.write("absent 24.11.-26.11.\n", GENOA)
    assert len(french.post.mails_to(GENOA)) == before + 2
