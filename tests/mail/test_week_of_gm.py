"""All matches at a glance as one mail to the GM, which the program leaves alone in its own mailbox."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.engine.match.begin import begin
from tests.cli.calling import adjudicator as call
from tests.mail.local_post import GM, LocalPost

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
AT = ("--at", "2026-05-04T08:00:00Z")


@pytest.fixture
def club(tmp_path: Path) -> list[Path]:
    """Two matches and one that can't be read."""
    matches = [tmp_path / name for name in ("alps", "lagoon", "torn")]
    for path in matches:
        begin("mediterranee", path, ["venice", "genoa"], options={"pages": "off"}, seed_text=path.name)
    (matches[2] / "0001-t1-setup/state.yaml").write_text("no position\n")
    LocalPost(tmp_path / "post").account(tmp_path)
    return matches


def test_a_line_a_match_and_the_page(club: list[Path], tmp_path: Path) -> None:
    post = LocalPost(tmp_path / "post")
    told = call("mail", "week", *club, *AT)
    assert told.exit_code == 1 and f"went to {GM}" in told.output
    (mail,) = post.mails_to(GM)
    assert mail["Subject"] == "The week of 2026-05-04: 2 matches, 2 to see to"
    assert (mail["To"], mail["Auto-Submitted"]) == (GM, "auto-generated")
    (text, page) = (part.get_content() for part in mail.walk() if not part.is_multipart())
    lines = text.splitlines()
    assert [line.split(":")[0] for line in lines[:2]] == [str(path) for path in club[:2]]
    assert "missing venice and genoa" in lines[0] and str(club[2]) in lines[2]
    assert "<bdi>alps</bdi>" in page
    fetched = call("mail", "fetch", *club[:2], *AT)
    assert fetched.exit_code == 0 and len(post.mails_to(GM)) == 1 and not fetched.output
    assert [path.suffix for path in (tmp_path / "post" / GM / "cur").iterdir()] == [".eml:2,FS"]  # flagged
    assert not [path for match in club for path in match.glob("*/mail/*")]


def test_it_is_in_the_language_of_the_account(club: list[Path], tmp_path: Path) -> None:
    post = LocalPost(tmp_path / "post")
    post.account(tmp_path, language="de")
    assert call("mail", "week", *club[:2], *AT).exit_code == 0
    (mail,) = post.mails_to(GM)
    assert mail["Subject"] == "Die Woche vom 2026-05-04: 2 Partien, 2 mit etwas zu tun"
    (text, page) = (part.get_content() for part in mail.walk() if not part.is_multipart())
    assert "es fehlt: venice und genoa" in text and '<html lang="de">' in page


def test_it_goes_again_the_next_week_and_says_if_it_cant(club: list[Path], tmp_path: Path) -> None:
    post = LocalPost(tmp_path / "post")
    assert call("mail", "week", *club[:2], *AT).exit_code == 0
    assert call("mail", "week", *club[:2], "--at", "2026-05-11T08:00:00Z").exit_code == 0
    assert len({mail["Message-ID"] for mail in post.mails_to(GM)}) == 2
    (post.home / "full").touch()
    told = call("mail", "week", *club[:2], *AT)
    assert told.exit_code == 1 and "not now" in told.output
