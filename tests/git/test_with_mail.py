"""A match with players of both kinds: one sends sheets by mail, one pushes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Sent, Taken, of_kind
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from tests.cli.calling import adjudicator
from tests.git.clubs import joined
from tests.mail.local_post import LocalPost, in_this_process, reply


def test_one_by_mail_and_one_by_git_play_the_same_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_this_process(monkeypatch)
    week = {"zone": "Europe/Paris", "at": "20:00", "every": "3 days"}
    club = joined(tmp_path, schedule=week, turns="1")
    adjudicator("git", "open", tmp_path / "opened", "--clone", club.begun.clone)
    address = "genoa=genoa@example.org"
    words = (
        "replace",
        tmp_path / "opened",
        address,
        "--why",
        "by mail from now on",
        "--at",
        "2026-11-22T12:05Z",
    )
    assert adjudicator(*words).exit_code == 0
    assert adjudicator("git", "close", tmp_path / "opened", "--at", "2026-11-22T12:05Z").exit_code == 0
    post = LocalPost(tmp_path / "post")
    account = tmp_path / "account"
    account.mkdir()
    post.account(account)
    text = (account / "mail.yaml").read_text().replace(f"for: {account}\n", "")
    (account / "mail.yaml").write_text(text)

    def turn(minute: int) -> str:
        at = ("--at", f"2026-11-22T12:{minute}Z")
        done = adjudicator("git", "turn", club.begun.clone, "--mail", account / "mail.yaml", *at)
        assert done.exit_code == 0, done.output
        return done.output

    assert "lagoon: mailed to genoa" in turn(10)
    assert "mailed" not in turn(11)  # each once
    first = [mail for mail in post.mails_to("genoa@example.org") if mail["Reply-To"]][-1]
    club.send("venice", b"orders: []\n")
    post.deliver(reply(first, "orders: []\n"))
    said = turn(20)
    assert "lagoon: venice: sheet: taken" in said
    assert "lagoon: genoa: mail: taken" in said
    assert "played 0001-t1-setup" in said
    assert club.read("venice").now.phase == "0002-t1-auction"
    opened = club.opened("last")
    entries = ledger_of(open_match(opened))
    assert [each.player for each in of_kind(entries, Taken)] == ["venice", "genoa"]
    assert {each.to for each in of_kind(entries, Sent)} == {"genoa"}
    assert verify(opened).good


def test_a_mailbox_is_for_one_match(tmp_path: Path) -> None:
    club = joined(tmp_path, turns="1")
    (tmp_path / "mail.yaml").write_text("from: gm@example.org\n")
    words = ("--match", "lagoon", "--match", "alps", "--mail", tmp_path / "mail.yaml")
    assert "name the match with --match" in adjudicator("git", "turn", club.begun.clone, *words).output
