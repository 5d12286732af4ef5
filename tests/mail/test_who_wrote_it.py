"""Who wrote a mail, and to whom: tokens in threads and in mails within mails, mails without a token,
and plain words."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.door import seats
from adjudicator.door.seats import MOST_ALONE, MOST_HELD_ALONE, MOST_KEPT_ALONE
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Taken, of_kind
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.mail.limits import LARGEST
from tests.cli.calling import adjudicator as call
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


@pytest.mark.ci
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
    monkeypatch.setattr(seats, "MOST_READ", 2)
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


def test_what_others_send_in_a_players_name_uses_up_nothing_of_the_players(
    match: Path, post: LocalPost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mails to another's own token, with tokens of two, and from machines are counted apart from a seat's own."""
    monkeypatch.setattr(seats, "MOST_READ", 2)
    monkeypatch.setattr(seats, "MOST_ANSWERS", 2)
    mine, others = post.mails_to(ONE)[0], post.mails_to(TWO)[0]
    for number in range(3):
        post.deliver(reply(others, SHEET, sender=ONE, number=f"forged-{number}"))
        both = f"{mine['Reply-To']}, {others['Reply-To']}"
        post.deliver(reply(mine, "hello", number=f"both-{number}", To=both))
        post.deliver(reply(mine, "I am away.", number=f"away-{number}", Auto_Submitted="auto-replied"))
    said = turn(match)
    assert said.count("held of venice (anothers-token)") == 3
    assert said.count("(several-players)") == 3
    assert said.count("held of venice (robot)") == 3
    before = len(post.mails_to(ONE))
    post.deliver(reply(mine, SHEET, number="own"))
    assert "taken of venice" in turn(match)
    assert len(post.mails_to(ONE)) == before + 1
    assert last(post).startswith("Taken")


def test_machines_use_up_nothing_of_those_who_forgot_their_token(match: Path, post: LocalPost) -> None:
    mine = post.mails_to(ONE)[0]
    for number in range(MOST_HELD_ALONE + 2):
        post.deliver(reply(mine, "I am away.", number=str(number), Auto_Submitted="auto-replied"))
    assert turn(match).count("left of venice (robot)") == 2
    post.deliver(reply(mine, SHEET, number="alone", **NO_TOKEN))
    assert "held of venice (address-alone)" in turn(match)
    assert "no token" in last(post)


def test_a_mail_that_was_held_for_its_token_is_read_when_it_comes_again_with_one(
    match: Path, post: LocalPost
) -> None:
    """Its player redirects it to the address with the token: the same Message-ID, other headers."""
    mine = post.mails_to(ONE)[0]
    post.deliver(reply(mine, SHEET, **NO_TOKEN))
    assert "held of venice (address-alone)" in turn(match)
    again = reply(mine, SHEET, **NO_TOKEN)
    again["Resent-To"] = mine["Reply-To"]
    post.deliver(again)
    assert "taken of venice" in turn(match)
    assert last(post).startswith("Taken")
    post.deliver(again)
    assert "taken" not in turn(match)
    assert taken(match) == ["venice"]


def test_a_sheet_from_a_postmaster_is_a_sheet(match: Path, post: LocalPost) -> None:
    """The page's button answers no mail, and an address may be called so; a server's own mails have no return path."""
    mine = post.mails_to(ONE)[0]
    sheet = reply(mine, SHEET, sender="postmaster@example.net")
    del sheet["In-Reply-To"]
    post.deliver(sheet)
    assert "taken of venice" in turn(match)
    notice = reply(
        mine, f"We could not deliver {mine['Message-ID']}.", sender="postmaster@example.net", number="2"
    )
    del notice["In-Reply-To"]
    notice.replace_header("To", "gm@example.org")
    post.deliver(notice)
    assert "bounced of venice" in turn(match)


# -- two seats at one address, and a seat that changes hands -----------------------------------------------------------


def test_two_seats_at_one_address_are_told_apart_by_name(tmp_path: Path, post: LocalPost) -> None:
    path = begun(tmp_path / "lagoon", post, genoa=ONE)
    turn(path)
    venice, genoa = post.mails_to(ONE)
    assert "Venice" in str(venice["Subject"])
    assert "Genoa" in str(genoa["Subject"])
    post.deliver(reply(venice, f"player: genoa\n{SHEET}"))
    turn(path)
    assert "You play Genoa too: answer the mail that went to Genoa" in last(post)
    assert "not taken" in str(post.mails_to(ONE)[-1]["Subject"])
    post.deliver(reply(venice, SHEET, number="alone", **NO_TOKEN))
    turn(path)
    assert "for Venice and Genoa" in last(post)
    assert "you play Venice and Genoa in this match" in last(post)
    post.deliver(reply(venice, SHEET, number="good"))
    turn(path)
    assert "This counts for Venice" in last(post)


def test_after_a_replacement_the_new_players_mails_count_and_the_former_ones_dont(
    match: Path, post: LocalPost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "MOST_READ", 1)
    old, new = post.mails_to(ONE)[0], "new@example.org"
    post.deliver(reply(old, SHEET))
    assert "taken of venice" in turn(match)
    told = call("replace", str(match), f"venice={new}", "--why", "away", "--at", AT)
    assert told.exit_code == 0
    assert f"adjudicator mail turn {match}" in told.output
    assert "Send the new player" not in told.output
    turn(match)
    post.deliver(reply(old, SHEET, number="2"))
    assert "held of venice (expired)" in turn(match)
    post.deliver(reply(old, SHEET, number="3", **NO_TOKEN))
    assert "left (unknown)" in turn(match)
    post.deliver(reply(post.mails_to(new)[-1], SHEET, sender=new, number="4"))
    assert "taken of venice" in turn(match)
    assert last(post, new).startswith("Taken")
    assert verify(match).good


# -- what an answer says ---------------------------------------------------------------------------------------------


def test_an_answer_names_each_line_that_was_not_read_and_a_mistyped_key(match: Path, post: LocalPost) -> None:
    mine = post.mails_to(ONE)[0]
    marco = "From: Marco <m@else.example>\nDate: Sun, 3 May 2026\nTo: Anna <a@else.example>\n"
    post.deliver(reply(mine, f"Hi GM\n\n{SHEET}\n{marco}\nCome to Corfu\n\n-- \nAnna\n"))
    turn(match)
    assert "Lines of your mail that I haven't read as part of it: Hi GM From: Marco" in last(post)
    assert "Come to Corfu" in last(post)
    assert "Anna -- " not in last(post)
    post.deliver(reply(mine, SHEET.replace("orders", "oders"), number="2"))
    assert "held of venice (mistyped)" in turn(match)
    assert "begins with `oders:`, which isn't a word of a sheet. Did you mean `orders:`?" in last(post)
    assert "not taken" in str(post.mails_to(ONE)[-1]["Subject"])
