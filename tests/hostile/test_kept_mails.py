"""The mails kept in a match are those that came and went: changed, added and missing ones are found."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from tests.cli.calling import adjudicator
from tests.gm.weeks import week
from tests.mail.local_post import LocalPost, in_this_process, reply


@pytest.fixture(scope="module")
def mailed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match with a sheet taken, a mail held, their answers, and a reminder."""
    home = tmp_path_factory.mktemp("club")
    match, post = week(home / "lagoon"), LocalPost(home / "post")
    post.account(match)
    with pytest.MonkeyPatch.context() as patch:
        in_this_process(patch)
        assert adjudicator("mail", "send", match, "--at", "2026-11-22T12:05:00Z").exit_code == 0
        first = post.mails_to("venice@example.org")[0]
        for number, text in enumerate(("orders: []\n", "no sheet at all", "orders: [{x: 1}]\n")):
            post.deliver(reply(first, text, "venice@example.org", str(number)))
        for at in ("22T12:10", "25T20:00"):
            adjudicator("mail", "turn", match, "--at", f"2026-11-{at}:00Z")
    return match


def mails(match: Path) -> list[Path]:
    return sorted(match.glob("*/mail/*.eml"))


def test_as_they_were_nothing_is_said(mailed: Path) -> None:
    assert len(mails(mailed)) >= 5
    assert verify(mailed).problems == ()


def test_each_change_of_each_is_said(mailed: Path, tmp_path: Path) -> None:
    for number, file in enumerate(mails(mailed)):
        for how in ("changed", "cut", "another's name"):
            match = Path(shutil.copytree(mailed, tmp_path / f"{number} {how}" / "lagoon"))
            copy = match / file.relative_to(mailed)
            if how == "changed":
                copy.write_bytes(copy.read_bytes().replace(b"e", b"a", 1))
            elif how == "cut":
                copy.write_bytes(copy.read_bytes()[:-1])
            else:
                copy.rename(copy.with_name("0123456789abcdef-answer.eml"))
                copy.write_bytes(b"Subject: another\n\n")
            assert copy.name in verify(match).first or how == "another's name", how
            assert not verify(match).good


def test_one_that_is_added_is_said_and_one_that_is_gone_is_told(mailed: Path, tmp_path: Path) -> None:
    match = Path(shutil.copytree(mailed, tmp_path / "lagoon"))
    (mails(match)[0].parent / "fedcba9876543210.eml").write_bytes(b"Subject: forged\n\n")
    assert "fedcba9876543210.eml" in verify(match).first
    shutil.rmtree(mails(match)[0].parent)
    found = verify(match)
    assert found.good
    assert any("of the mails that were kept" in said for said in found.left_out)


def test_hidden_files_beside_them_are_nobodys_mail(mailed: Path, tmp_path: Path) -> None:
    match = Path(shutil.copytree(mailed, tmp_path / "lagoon"))
    (mails(match)[0].parent / ".DS_Store").write_bytes(b"x")
    assert verify(match).problems == ()


def test_a_mail_of_before_they_had_digests_is_known_by_its_name(mailed: Path, tmp_path: Path) -> None:
    match = Path(shutil.copytree(mailed, tmp_path / "lagoon"))
    ledger = match / "ledger.jsonl"
    lines = ledger.read_text().splitlines(keepends=True)
    first = next(index for index, line in enumerate(lines) if '"kind":"taken"' in line)
    lines[first] = re.sub(r',"mail":"[0-9a-f]+"', "", lines[first])
    ledger.write_text("".join(lines))
    assert verify(match).problems == ()
