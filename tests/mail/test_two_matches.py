"""A player of several matches whose mail has the right address but no token is told so, like everybody."""

from __future__ import annotations

import os
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.engine.match.begin import begin
from tests.cli.calling import adjudicator as call
from tests.mail.local_post import LocalPost

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")


def test_an_address_of_several_seats_is_told_to_answer_a_mail(tmp_path: Path) -> None:
    post = LocalPost(tmp_path / "post")
    matches = [tmp_path / "alps", tmp_path / "lagoon"]
    for path in matches:
        begin(
            "mediterranee",
            path,
            ["venice", "genoa"],
            seed_text=path.name,
            addresses={"venice": "one@example.org", "genoa": "two@example.org"},
            gm="gm@example.org",
        )
    post.account(tmp_path)
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "one@example.org", "gm@example.org", "my orders"
    message["Message-ID"] = "<1@player.example>"
    message.set_content("orders: []\n")
    post.deliver(message)
    for _ in range(2):
        told = call("mail", "fetch", *map(str, matches), "--at", "2026-05-03T18:00:00Z")
        assert told.exit_code == 0
    (answer,) = post.mails_to("one@example.org")
    assert "which more than one seat has" in " ".join(answer.get_content().split())
    assert not any((path / "0001-t1-setup/sheets/venice.yaml").exists() for path in matches)
