"""A mailbox for several matches: mail settled from it is for a match that was named, or for none at all."""

from __future__ import annotations

import os
import shutil
from itertools import permutations
from pathlib import Path

import pytest

from adjudicator.engine.folder.entries import Taken, of_kind
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.match.begin import begin
from tests.cli.calling import adjudicator as call
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
AT = "2026-05-03T18:00:00Z"
SHEET = "orders:\n  - place: 4\n    to: venice-1\n"
NAMES = ("alps", "lagoon", "punic")
ORDERS = [
    pytest.param(order, marks=() if order in (NAMES, NAMES[::-1]) else pytest.mark.ci)
    for order in permutations(NAMES)
]


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three matches of the same two, with one account."""
    home = tmp_path_factory.mktemp("three")
    for name in NAMES:
        addresses = {"venice": "one@example.org", "genoa": "two@example.org"}
        begin(
            "mediterranee",
            home / name,
            ["venice", "genoa"],
            options={"pages": "off"},
            seed_text=name,
            addresses=addresses,
        )
    return home


@pytest.fixture
def club(three: Path, tmp_path: Path, post: LocalPost) -> Path:
    home = Path(shutil.copytree(three, tmp_path / "club"))
    post.account(home)
    mail(home, "send", *NAMES)
    return home


def mail(club: Path, word: str, *names: str, given: bytes = b"") -> tuple[int, str]:
    told = call("mail", word, *(str(club / name) for name in names), "--at", AT, given=given)
    return told.exit_code, told.output


def sheet_of(post: LocalPost, match: str, number: str = "1", **headers: str) -> bytes:
    """Venice's sheet for a match."""
    phases = [one for one in post.mails_to("one@example.org") if one["Subject"].startswith(f"{match} ")]
    return reply(phases[0], SHEET, number=f"{match}-{number}", **headers).as_bytes()


def taken(club: Path, match: str) -> int:
    return len(of_kind(ledger_of(open_match(club / match)), Taken))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("own", [False, True], ids=["one mail.yaml", "one in each"])
def test_no_match_settles_anothers_sheet(
    club: Path, post: LocalPost, order: tuple[str, ...], own: bool
) -> None:
    if own:
        (club / "mail.yaml").unlink()
        for name in NAMES:
            post.account(club / name)
    for name in NAMES:
        post.deliver(sheet_of(post, name))
        post.deliver(sheet_of(post, name, "2", To="gm@example.org", Subject=f"[{name}]", In_Reply_To="<a@b>"))
    for number, name in enumerate(order, start=1):
        status, told = mail(club, "turn", name)
        assert status == 0, told
        assert f"{name}: taken of venice" in told
        assert f"{name}: held of venice (address-alone)" in told
        assert [taken(club, each) for each in order] == [1] * number + [0] * (len(order) - number)


@pytest.mark.parametrize("file", ["match.yaml", "referee.yaml", "ledger.jsonl"])
@pytest.mark.parametrize("named", [("alps", "lagoon"), ("alps",)])
def test_what_may_be_for_a_match_that_cant_be_read_stays(
    club: Path, post: LocalPost, file: str, named: tuple[str, ...]
) -> None:
    text = (club / "lagoon" / file).read_bytes()
    (club / "lagoon" / file).write_bytes(b"[\n")
    post.deliver(sheet_of(post, "lagoon"))
    post.deliver(sheet_of(post, "alps"))
    post.deliver(b"From: x@example.net\nSubject: hello\nMessage-ID: <a@b>\n\nhello\n")
    status, told = mail(club, "fetch", *named)
    assert status == 1
    assert "lagoon" in told
    assert "left" not in told
    assert taken(club, "alps") == 1
    (club / "lagoon" / file).write_bytes(text)
    status, told = mail(club, "turn", *NAMES)
    assert (status, told.count("left (unknown)")) == (0, 1), told
    assert taken(club, "lagoon") == 1


def test_a_mail_from_a_pipe_for_another_match_is_tried_again(club: Path, post: LocalPost) -> None:
    status, told = mail(club, "take", "alps", given=sheet_of(post, "lagoon"))
    assert status == 75
    assert "lagoon" in told
    assert "but the command doesn't name it" in told
    assert not any(taken(club, name) for name in NAMES)
    assert mail(club, "take", "alps", "lagoon", given=sheet_of(post, "lagoon"))[0] == 0
    assert taken(club, "lagoon") == 1
    (club / "punic" / "match.yaml").write_text("[\n")
    stranger = b"From: x@example.net\nMessage-ID: <a@b>\n\nhello\n"
    assert mail(club, "take", "alps", given=stranger)[0] == 75


# -- copies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["turn", "fetch", "send", "take"])
@pytest.mark.parametrize("first", [True, False])
def test_two_folders_of_one_match_are_refused_by_name(
    club: Path, post: LocalPost, word: str, first: bool
) -> None:
    shutil.copytree(club / "lagoon", club / "a-backup")
    mail_ = sheet_of(post, "lagoon")
    if word != "take":
        post.deliver(mail_)
        post.deliver(sheet_of(post, "alps"))
    names = ("a-backup", "lagoon") if first else ("lagoon", "a-backup")
    before = {
        path: path.read_bytes() for name in names for path in (club / name).rglob("*.*") if path.is_file()
    }
    status, told = mail(club, word, *names, "alps", given=mail_)
    assert status == (75 if word == "take" else 1)
    assert "same match" in told and "a-backup" in told and "lagoon" in told
    assert {path: path.read_bytes() for path in before} == before
    if word in ("turn", "fetch"):
        assert taken(club, "alps") == 1
    if word != "take":
        assert mail(club, "fetch", "lagoon")[0] == 0
        assert taken(club, "lagoon") == 1
        assert taken(club, "a-backup") == 0


def test_a_copy_beside_the_one_that_is_named_swallows_nothing_and_is_said(
    club: Path, post: LocalPost
) -> None:
    shutil.copytree(club / "lagoon", club / "a-backup")
    post.deliver(sheet_of(post, "lagoon"))
    status, told = mail(club, "turn", "lagoon")
    assert (status, taken(club, "lagoon"), taken(club, "a-backup")) == (0, 1, 0)
    assert "a-backup is a copy of this match" in told
    assert "copy" not in mail(club, "turn", "lagoon")[1]


def test_a_match_that_is_named_twice_is_one(club: Path, post: LocalPost) -> None:
    (club / "link").symlink_to(club / "lagoon")
    post.deliver(sheet_of(post, "lagoon"))
    assert mail(club, "turn", "lagoon", "lagoon/", "link")[0] == 0
    assert taken(club, "lagoon") == 1
