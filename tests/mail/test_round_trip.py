"""`mail test` sends one mail to an address such as players get, and says whether it comes back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import week
from tests.mail.local_post import GM, LocalPost

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")


def test_a_mail_that_comes_back_is_settled_and_nothing_else_is_touched(
    tmp_path: Path, post: LocalPost
) -> None:
    match = week(tmp_path / "lagoon")
    post.account(match, plus="false")
    post.deliver(b"From: friend@example.org\nSubject: hello\n\nhello\n")
    told = call("mail", "test", match)
    assert told.exit_code == 0, told.output
    assert "a mail to gm@example.org has come back" in told.output
    assert len(post.mails_to(GM)) == 2
    assert not ledger_of(open_match(match))[1:]
    told = call("mail", "turn", match, "--at", "2026-11-22T13:00Z")
    assert told.output.count("left (unknown)") == 1


def test_a_server_without_plus_is_told_of(tmp_path: Path, post: LocalPost) -> None:
    match = week(tmp_path / "lagoon")
    post.account(match, timeout=1)
    told = call("mail", "test", match)
    assert told.exit_code == 1
    said = " ".join(told.output.split())
    assert (
        "was sent, and didn't come back within 1 second; if your server knows no addresses with a plus"
        in said
    )
