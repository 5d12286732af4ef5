"""A reminder of a draft brings that draft, and no other sheet instead."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import open_match
from tests.gm.weeks import week
from tests.mail.local_post import LocalPost
from tests.mail.test_reminders import BEGUN, CLOSED, GRACE, VENICE, reminders, turn

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
LATE = "2026-11-29T19:00Z"
"""When the second phase is due, by the schedule of these matches."""


def sent(path: Path, player: str, text: str) -> None:
    (path / open_match(path).phases[-1] / "sheets" / f"{player}.yaml").write_text(f"player: {player}\n{text}")


def reminder(post: LocalPost) -> tuple[str, dict[str | None, str]]:
    """The text of the last reminder to Venice, and what is attached to it."""
    mail = reminders(post, VENICE)[-1]
    body = mail.get_body(("plain",))
    assert body is not None
    return body.get_content(), {
        part.get_filename(): part.get_content().decode() for part in mail.iter_attachments()
    }


def test_beside_a_draft_sent_ahead_a_sheet_without_orders_isnt_taken_for_it(
    tmp_path: Path, post: LocalPost
) -> None:
    path = week(tmp_path / "lagoon")
    post.account(path)
    turn(path, BEGUN)
    turn(path, GRACE)
    ahead = "later:\n  auction:\n    orders:\n      - bid: 50\n"
    sent(path, "venice", f"ready: false\norders:\n  - place: 4\n    to: venice-1\n{ahead}")
    turn(path, CLOSED)
    sent(path, "venice", "standing:\n  passage:\n    genoa: grant\n")
    turn(path, LATE)
    text, attached = reminder(post)
    assert "is a draft" in text and "the draft is attached" not in text
    form = (path / "0002-t1-auction" / "for" / "venice" / "sheet.yaml").read_text()
    assert attached == {"sheet.yaml": form}


def test_who_is_asked_gets_the_form_of_an_answer_whatever_draft_lies_there(
    tmp_path: Path, post: LocalPost
) -> None:
    path = week(tmp_path / "lagoon", pacing="live")
    post.account(path)
    turn(path, BEGUN)
    turn(path, GRACE)
    turn(path, CLOSED)
    for player, bid in (("venice", 200), ("genoa", 100)):
        sent(path, player, f"orders:\n  - bid: {bid}\n")
    turn(path, "2026-11-26T08:00Z")
    sent(path, "venice", "ready: false\norders:\n  - bid: 300\n")  # too late: sheets are frozen
    turn(path, LATE)
    text, attached = reminder(post)
    assert "waits for your answer" in text and "the draft" not in text
    assert [*attached] == ["answer.yaml"]
