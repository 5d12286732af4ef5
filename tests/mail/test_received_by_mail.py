"""The files that a player saves from the mails of a match are enough to check it: pages, receipts, seed and proof.

This holds also for mails that another mail of the same phase has followed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import PROOF
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import write_again
from tests.cli.calling import adjudicator as call
from tests.mail.local_post import LocalPost

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
SAVED = ("report.html", "orders.html", "sheet.yaml", "due.ics", "receipts.json", "seed.yaml", "proof.jsonl")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The folders into which a player has saved what was attached to each mail of a match."""
    home = tmp_path_factory.mktemp("saved")
    post, path = LocalPost(home / "post"), home / "lagoon"
    addresses = {"venice": "one@example.org", "genoa": "two@example.org"}
    begin(
        "mediterranee", path, ["venice", "genoa"], options={"turns": "1"}, seed_text="x", addresses=addresses
    )
    post.account(path)
    while True:
        send(path)
        for word in ("A word of the GM.", "Another one."):  # reports are handed out anew, and mailed again
            (path / Folder(path).phases[-1] / "note.md").write_text(word)
            write_again(path)
            send(path)
        if not run(path, deadline=True).adjudicated:
            break
    folders: list[Path] = []
    for number, mail in enumerate(post.mails_to("one@example.org")):
        folders.append(home / f"mail-{number}")
        folders[-1].mkdir()
        for part in mail.iter_attachments():
            data = part.get_payload(decode=True)
            if part.get_filename() in SAVED and isinstance(data, bytes):
                (folders[-1] / str(part.get_filename())).write_bytes(data)
    return folders


def send(match: Path) -> None:
    assert call("mail", "send", str(match), "--at", "2026-05-03T18:00:00Z").exit_code == 0


def test_all_of_it_can_be_checked(saved: list[Path]) -> None:
    told = call("verify", *saved)
    assert told.exit_code == 0, told.output
    files = [file for folder in saved for file in folder.iterdir() if file.name != PROOF]
    assert f"files as handed out: {len(files)}." in told.output


def test_a_word_that_was_changed_is_seen(saved: list[Path]) -> None:
    page = saved[1] / "report.html"
    text = page.read_bytes()
    page.write_bytes(text.replace(b"Venice", b"Genoa", 1))
    told = call("verify", *saved)
    page.write_bytes(text)
    assert told.exit_code == 1
    assert "report.html: MATCH this isn't what was handed out to venice" in told.output
