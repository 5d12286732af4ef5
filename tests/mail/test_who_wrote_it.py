"""Who wrote a mail, and to whom: tokens in threads and in mails within mails, mails without a token,
and plain words."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Taken, of_kind
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.mail import quota
from adjudicator.mail.limits import LARGEST
from adjudicator.mail.quota import MOST_ALONE, MOST_HELD_ALONE, MOST_KEPT_ALONE
from tests.mail.local_post import LocalPost, reply
from tests.mail.test_told_once import AT, SHEET, begun, held, turn

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
ONE, TWO = "one@example.org", "two@example.org"
NO_TOKEN = {"To": "gm@example.org", "Subject": "orders", "In_Reply_To": "<a@b>"}


@pytest.fixture
def match(tmp_path: Path, post: LocalPost) -> Path:
    path = begun(tmp_path / "lagoon", post)
    turn(path)
    return path


def taken(path: Path) -> list[str]:
    return [entry.player for entry in of_kind(ledger_of(open_match(path)), Taken)]


def last(post: LocalPost, address: str = ONE) -> str:
    """The words of the last mail to an address, on one line."""
    body = post.mails_to(address)[-1].get_body(("plain",))
    assert body is not None
    return " ".join(body.get_content().split())


def unread(post: LocalPost) -> list[str]:
    """The subjects of those mails of the GM's box that are flagged."""
    return [path.read_text() for path in (post.home / "gm@example.org" / "cur").glob("*F*")]


# -- what goes beyond the limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize("token", [True, False])
def test_a_mail_beyond_the_limits_is_held_once_and_kept_small(
    match: Path, post: LocalPost, token: bool
) -> None:
    mail = reply(post.mails_to(ONE)[0], SHEET, **({} if token else NO_TOKEN))
    post.deliver(mail.as_bytes() + b"x\n" * (LARGEST // 2))
    because = "beyond" if token else "address-alone"
    assert f"held of venice ({because})" in turn(match)
    assert not turn(match)
    assert held(match) == [because]
    assert sum(path.stat().st_size for path in (match / "0001-t1-setup/mail").iterdir()) < 2**15
    assert ("larger than the mails that I read" in last(post)) == token
    assert len(unread(post)) == 1


# -- tokens ----------------------------------------------------------------------------------------------------------


def test_who_answers_in_a_thread_doesnt_take_anothers_seat(match: Path, post: LocalPost) -> None:
    first = post.mails_to(ONE)[0]
    post.deliver(reply(first, SHEET, sender=TWO))
    assert "held of genoa (anothers-token)" in turn(match)
    assert "has the token of another player" in last(post, TWO)
    post.deliver(reply(first, SHEET + "player: venice\n", sender=TWO, number="2"))
    assert "taken of venice" in turn(match)
    assert f"It came from {TWO}, which isn't your address on file" in last(post)


def test_each_mail_with_a_token_says_that_it_is_to_be_kept(match: Path, post: LocalPost) -> None:
    (first,) = post.mails_to(ONE)
    for kind in ("plain", "html"):
        body = first.get_body((kind,))
        assert body is not None
        assert "Keep this mail to yourself: it has your token" in body.get_content()


def test_an_answer_counts_for_the_one_to_whom_the_mail_went(match: Path, post: LocalPost) -> None:
    first = post.mails_to(ONE)[0]
    without = {"To": "gm@example.org", "Subject": "orders"}
    post.deliver(reply(first, SHEET, sender="other@example.net", **without))
    assert "held of venice (reference-alone)" in turn(match)
    assert "another address than that mail went to" in last(post)
    post.deliver(reply(first, SHEET, number="2", **without))
    assert "taken of venice" in turn(match)
    assert "isn't your address on file" not in last(post)


def test_a_sheet_from_another_address_is_taken_and_told_to_the_address_on_file(
    match: Path, post: LocalPost
) -> None:
    post.deliver(reply(post.mails_to(ONE)[0], SHEET, sender="work@example.net"))
    assert "taken of venice" in turn(match)
    assert "It came from work@example.net" in last(post)
    assert not post.mails_to("work@example.net")


@pytest.mark.parametrize(
    "headers",
    [
        {"List_Id": "<club.example.org>"},
        {"Precedence": "list"},
        {"From": "no-reply@forms.example.net"},
        {"From": ""},
    ],
)
def test_with_a_token_a_listed_or_noreply_mail_is_its_players(
    match: Path, post: LocalPost, headers: dict[str, str]
) -> None:
    post.deliver(reply(post.mails_to(ONE)[0], SHEET, **headers))
    assert "taken of venice" in turn(match)
    assert last(post).startswith("Taken")


def test_a_mail_that_is_forwarded_as_a_file_brings_its_token(match: Path, post: LocalPost) -> None:
    inner = reply(post.mails_to(ONE)[0], SHEET)
    outer = EmailMessage()
    outer["From"], outer["To"], outer["Message-ID"] = "me@example.net", "gm@example.org", "<outer@x>"
    outer.set_content("This came back.\n")
    outer.add_attachment(inner)
    post.deliver(outer)
    assert "taken of venice" in turn(match)


# -- what anybody may write ------------------------------------------------------------------------------------------


def test_mails_without_a_token_are_few_small_and_counted_apart(match: Path, post: LocalPost) -> None:
    first = post.mails_to(ONE)[0]
    for number in range(MOST_HELD_ALONE + 5):
        post.deliver(reply(first, SHEET + "x" * 10**5, number=str(number), **NO_TOKEN))
    assert turn(match).count("left of venice (address-alone)") == 5
    assert len(held(match)) == MOST_HELD_ALONE
    assert len(post.mails_to(ONE)) == 1 + MOST_ALONE
    kept = [
        path for path in (match / "0001-t1-setup/mail").iterdir() if not path.name.endswith("-answer.eml")
    ]
    assert len(kept) == MOST_KEPT_ALONE
    assert sum(path.stat().st_size for path in kept) <= MOST_KEPT_ALONE * 2**14
    assert len(unread(post)) == MOST_HELD_ALONE + 5
    for number in range(3):
        post.deliver(reply(first, SHEET, number=f"own-{number}"))
    turn(match)
    assert len(post.mails_to(ONE)) == 4 + MOST_ALONE
    assert verify(match).good


# -- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Could you put it off?\n", "Sorry.\n\n> quoted\n> orders:\n"])
def test_words_without_a_sheet_reach_the_gm(match: Path, post: LocalPost, text: str) -> None:
    post.deliver(reply(post.mails_to(ONE)[0], text))
    told = turn(match)
    assert "held of venice (words)" in told
    assert f"  | {text.splitlines()[0]}" in told
    assert "passed it on to the GM" in last(post)
    assert len(unread(post)) == 1
    assert not turn(match)


def test_words_beside_a_sheet_reach_the_gm_and_greetings_dont(match: Path, post: LocalPost) -> None:
    first = post.mails_to(ONE)[0]
    post.deliver(reply(first, f"Hi all,\n\nhere we go:\n\n{SHEET}\nSee you\n"))
    assert "|" not in turn(match)
    assert "passed on to the GM" not in last(post)
    post.deliver(reply(first, f"Hi,\n\n{SHEET}\nCould I be away next week?\n\n-- \nM.\n", number="2"))
    told = turn(match)
    assert "  | Could I be away next week?" in told
    assert "M." not in told
    assert "I have passed the rest of your text on to the GM" in last(post)
    assert taken(match) == ["venice", "venice"]


def test_a_machines_words_are_nobodys(match: Path, post: LocalPost) -> None:
    post.deliver(reply(post.mails_to(ONE)[0], "I am away until Monday.", Auto_Submitted="auto-replied"))
    assert "|" not in turn(match)
    assert held(match) == ["robot"]
    assert not unread(post)


def test_nothing_shown_of_words_is_obeyed_by_a_terminal(match: Path, post: LocalPost) -> None:
    post.deliver(reply(post.mails_to(ONE)[0], "Could\x1b[2J you wait?\n"))
    assert "\x1b" not in turn(match)


# -- how many are read -----------------------------------------------------------------------------------------------


def test_of_a_player_so_many_mails_are_read_a_day_and_the_next_are_left_for_the_gm(
    match: Path, post: LocalPost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One player keeps no club at work; what isn't read isn't lost, and another player's mail isn't counted."""
    monkeypatch.setattr(quota, "MOST_READ", 2)
    for number in range(3):
        post.deliver(reply(post.mails_to(ONE)[0], SHEET, number=str(number)))
    post.deliver(reply(post.mails_to(ONE)[0], SHEET, number="3", **NO_TOKEN))
    said = turn(match)
    assert said.count("taken of venice") == 2
    assert said.count("left of venice (too-many)") == 1
    assert len(unread(post)) == 2  # that one, and the one without a token
    post.deliver(reply(post.mails_to(TWO)[0], SHEET.replace("venice", "genoa"), sender=TWO))
    assert "of genoa" in turn(match)
    post.deliver(reply(post.mails_to(ONE)[0], SHEET, number="4"))
    later = turn(match, at=f"{datetime.fromisoformat(AT) + timedelta(days=2):%Y-%m-%dT%H:%MZ}")
    assert "of venice" in later and "too-many" not in later
