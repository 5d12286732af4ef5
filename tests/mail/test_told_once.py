"""`mail turn` tells a fault once, not every turn; a new fault is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Held, of_kind
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from tests.cli.calling import adjudicator as call
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
AT = "2026-05-03T18:00:00Z"
SHEET = "orders:\n  - place: 4\n    to: venice-1\n"


def begun(path: Path, post: LocalPost, *, genoa: str = "two@example.org", **options: object) -> Path:
    addresses = {"venice": "one@example.org", "genoa": genoa}
    options = {"pages": "off", **options}
    begin(
        "mediterranee", path, ["venice", "genoa"], options=options, seed_text=path.name, addresses=addresses
    )
    post.account(path.parent)
    return path


def turn(*paths: Path, at: str = AT) -> str:
    told = call("mail", "turn", *map(str, paths), "--at", at)
    assert told.exit_code == 0, told.output
    return told.output.strip()


def over(path: Path, post: LocalPost) -> Path:
    begun(path, post, turns="1")
    while run(path, deadline=True).adjudicated:
        pass
    assert turn(path)
    return path


def held(path: Path) -> list[str]:
    return [entry.because for entry in of_kind(ledger_of(open_match(path)), Held)]


@pytest.mark.parametrize("where", ["new", "cur"])
def test_a_stray_file_in_the_box(tmp_path: Path, post: LocalPost, where: str) -> None:
    path = begun(tmp_path / "lagoon", post)
    turn(path)
    box = post.home / "gm@example.org" / where
    for number, data in enumerate((b"", b"notes", b"\0\1", b"From: x@example.net\n\nhello\n")):
        (box / f"stray{number}").write_bytes(data)
        assert turn(path).count("left (unknown)") == 1
        assert not turn(path)


@pytest.mark.parametrize("name", ["notes.txt", "venise.yaml"])
def test_a_stray_file_among_the_sheets(tmp_path: Path, post: LocalPost, name: str) -> None:
    path = begun(tmp_path / "lagoon", post)
    turn(path)
    (path / "0001-t1-setup" / "sheets" / name).write_text("x\n")
    assert not turn(path)
    assert f"sheets/{name}" in call("status", str(path)).output
    # Where it keeps the phase from being played, it is told: it may be somebody's sheet.
    for address, player in (("one@example.org", "venice"), ("two@example.org", "genoa")):
        mail = post.mails_to(address)[0]
        post.deliver(reply(mail, SHEET.replace("venice", player), sender=address))
    for new in (True, False):
        told = call("mail", "turn", str(path), "--at", AT)
        assert (told.exit_code, f"sheets/{name}" in told.output) == (1, new)


def test_what_is_wrong_is_told_once_until_it_is_something_else(tmp_path: Path, post: LocalPost) -> None:
    path, other = begun(tmp_path / "lagoon", post), begun(tmp_path / "alps", post)
    turn(path, other)
    good = (path / "match.yaml").read_bytes()

    def told(status: int, *paths: Path) -> str:
        found = call("mail", "turn", *map(str, paths), "--at", AT)
        assert found.exit_code == status, found.output
        return found.output

    (path / "match.yaml").write_text("match: [\n")
    assert "lagoon" in told(1, path, other)
    assert told(1, path, other) == ""
    assert "lagoon" in told(1, path)  # another command, which has told nothing yet
    assert told(1, path, other) == ""
    assert "lagoon" in call("mail", "send", str(path), str(other), "--at", AT).output
    (post.home / "gm@example.org").rename(tmp_path / "away")
    first = told(1, path, other)
    assert "lagoon" not in first and "gm@example.org" in first
    assert told(1, path, other) == ""
    (tmp_path / "away").rename(post.home / "gm@example.org")
    (path / "match.yaml").write_bytes(good)
    assert told(0, path, other) == ""
    (path / "match.yaml").write_text("match: [\n")
    assert "lagoon" in told(1, path, other)


def test_where_that_cant_be_kept_it_is_told_again(tmp_path: Path, post: LocalPost) -> None:
    path = begun(tmp_path / "lagoon", post)
    turn(path)
    (tmp_path / "mail.told").mkdir()
    (path / "match.yaml").write_text("match: [\n")
    for _ in range(2):
        assert "lagoon" in call("mail", "turn", str(path), "--at", AT).output


def test_a_sheet_that_cant_be_read(tmp_path: Path, post: LocalPost) -> None:
    path = begun(tmp_path / "lagoon", post)
    turn(path)
    (path / "0001-t1-setup" / "sheets" / "venice.yaml").write_text("orders: [\n")
    assert not turn(path)
    assert "sheets/venice.yaml:" in call("status", str(path)).output


def test_who_has_no_address(tmp_path: Path, post: LocalPost) -> None:
    path = begun(tmp_path / "lagoon", post, genoa="")
    assert "no address for genoa" in turn(path)
    assert not turn(path)
    assert "no address for genoa" in call("mail", "send", str(path), "--at", AT).output
    run(path, deadline=True)
    assert "no address for genoa" in turn(path)


# -- a match that is over ----------------------------------------------------------------------------------------------


def test_a_match_that_is_over_says_so_once_and_alarms_nobody(tmp_path: Path, post: LocalPost) -> None:
    path = over(tmp_path / "lagoon", post)
    mails = post.mails_to("one@example.org")
    for number, text in enumerate((SHEET, "thanks!", "answers: [{seat: 1}]\n", "orders: [\n")):
        post.deliver(reply(mails[-1], text, number=str(number)))
        told = turn(path)
        if text == "thanks!":  # a person's words are for a person, also then
            assert told.endswith("  | thanks!")
        else:
            assert told == ("" if number else f"{path}: answered venice")
    assert held(path) == ["over"] * 4
    *_, answer = post.mails_to("one@example.org")
    assert len(post.mails_to("one@example.org")) == len(mails) + 1
    text = answer.get_content()
    assert "The match is over" in text
    assert not any(word in text for word in ("Held", "No sheet of yours", "orders:", "still counts"))
    post.deliver(reply(post.mails_to("two@example.org")[-1], "bye", sender="two@example.org"))
    assert turn(path).endswith(f"  | bye\n{path}: answered genoa")
    assert "The match is over" in post.mails_to("two@example.org")[-1].get_content()
    assert verify(path).good


def test_what_is_handed_on_of_it_takes_no_mail_and_alarms_nobody(tmp_path: Path, post: LocalPost) -> None:
    path = over(tmp_path / "lagoon", post)
    out = tmp_path / "lagoon-played"
    assert call("export", str(path), str(out)).exit_code == 0
    files = {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}
    post.deliver(reply(post.mails_to("one@example.org")[-1], SHEET))
    assert turn(path, out) == f"{path}: answered venice"
    post.deliver(reply(post.mails_to("two@example.org")[-1], SHEET, sender="two@example.org"))
    assert turn(path) == f"{path}: answered genoa"
    assert {file: file.read_bytes() for file in files if file.name != ".lock"} == files


def test_a_finished_match_answers_a_mail_without_a_token_once(tmp_path: Path, post: LocalPost) -> None:
    path = over(tmp_path / "lagoon", post)
    last = post.mails_to("one@example.org")[-1]
    without = {"To": "gm@example.org", "Subject": "hello", "In_Reply_To": "<a@b>"}
    post.deliver(reply(last, SHEET, **without))
    assert turn(path) == f"{path}: answered venice"
    assert held(path) == ["over"]


def test_a_robot_isnt_answered_there_either(tmp_path: Path, post: LocalPost) -> None:
    path = over(tmp_path / "lagoon", post)
    mails = post.mails_to("one@example.org")
    post.deliver(reply(mails[-1], "I am away", Auto_Submitted="auto-replied"))
    turn(path)
    assert (held(path), len(post.mails_to("one@example.org"))) == (["robot"], len(mails))


def test_who_plays_on_in_another_match_is_held_there(tmp_path: Path, post: LocalPost) -> None:
    old, new = over(tmp_path / "alps", post), begun(tmp_path / "lagoon", post)
    turn(old, new)
    first = post.mails_to("one@example.org")[-1]
    without = {"To": "gm@example.org", "Subject": "hello", "In_Reply_To": "<a@b>"}
    post.deliver(reply(first, SHEET, **without))
    assert "lagoon: held of venice (address-alone)" in turn(old, new)
    assert (held(old), held(new)) == ([], ["address-alone"])
