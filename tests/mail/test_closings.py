"""A phase by mail whose dice come from drand: the mail that says 'closed' goes out before anybody can know them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.engine.audit.comparing import check_received
from adjudicator.engine.beacon import quicknet
from adjudicator.engine.folder.entries import SourceChanged, of_kind
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.names import CLOSED
from adjudicator.mail.notices import UNTOLD
from tests.cli.calling import adjudicator as call
from tests.drand import ROUNDS, Relay, relays
from tests.gm.weeks import WEEK, faults, week
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
VENICE, GENOA = "venice@example.org", "genoa@example.org"
SHEET = "orders:\n  - place: 4\n    to: {}-1\n"
FIRST, NEXT = 32281667, 32285085
"""Rounds three hours apart."""
LEAD = timedelta(minutes=10, seconds=2)
"""From the closing to a round: ten minutes, and what is missing to whole rounds."""


@pytest.fixture
def relay() -> Iterator[Relay]:
    with relays() as found:
        yield found[0]


@pytest.fixture
def match(tmp_path: Path, post: LocalPost, relay: Relay) -> Path:
    """A match by mail that has just begun by the first of two rounds."""
    found = week(tmp_path / "lagoon", {**WEEK, "not": []}, dice="drand")
    post.account(found, observers="[friend@example.org]")
    turn(found, FIRST, relay)
    turn(found, FIRST, relay, out=True)
    return found


def turn(path: Path, number: int, relay: Relay, *, out: bool = False) -> int:
    """`mail turn` at the closing to which that round belongs, or when the round is out."""
    at = quicknet.time_of(number) - (timedelta(0) if out else LEAD)
    return call(
        "mail", "turn", str(path), "--at", f"{at:%Y-%m-%dT%H:%M:%SZ}", "--relay", relay.address
    ).exit_code


def last(post: LocalPost, address: str = VENICE) -> EmailMessage:
    return post.mails_to(address)[-1]


def body(mail: EmailMessage) -> str:
    part = mail.get_body()
    assert part is not None
    return str(part.get_content())


def test_nobody_got_anything_before_the_first_deal_was_drawn(match: Path, post: LocalPost) -> None:
    first, second = post.mails_to(VENICE)
    assert "closed" in str(first["Subject"])
    assert f"round {FIRST} of drand" in body(first)
    assert "your set-up" in str(second["Subject"])
    seed = json.loads((match / "0001-t1-setup/for/venice/receipts.json").read_text())["marks"][
        "0000-t1-start"
    ]
    assert f"The mark of all that came before, the match's seed included: {seed}." in body(first)


def test_closed_then_told_then_played(match: Path, post: LocalPost, relay: Relay) -> None:
    for player, address in (("venice", VENICE), ("genoa", GENOA)):
        post.deliver(reply(last(post, address), SHEET.format(player)))
    turn(match, NEXT, relay)
    phase = Folder(match).phases[-1]
    assert phase == "0001-t1-setup"
    for address in (VENICE, GENOA, "friend@example.org"):
        told = last(post, address)
        assert str(told["Subject"]).startswith("lagoon 1: ")
        assert "closed" in str(told["Subject"])
        attached = {part.get_filename(): part.get_payload(decode=True) for part in told.iter_attachments()}
        assert attached == {CLOSED: (match / phase / CLOSED).read_bytes()}
    asked = len(relay.asked)
    turn(match, NEXT, relay)
    assert len(relay.asked) == asked
    assert Folder(match).phases[-1] == phase
    turn(match, NEXT, relay, out=True)
    assert Folder(match).phases[-1] == "0002-t1-auction"
    assert faults(match) == []


def test_a_sheet_that_comes_after_the_closing_is_held_and_answered(
    match: Path, post: LocalPost, relay: Relay
) -> None:
    for player, address in (("venice", VENICE), ("genoa", GENOA)):
        post.deliver(reply(last(post, address), SHEET.format(player)))
    first = last(post)
    turn(match, NEXT, relay)
    sheet = (match / "0001-t1-setup/sheets/venice.yaml").read_bytes()
    post.deliver(reply(first, "orders: []"))
    turn(match, NEXT, relay)
    answer = last(post)
    assert "The phase is closed" in answer.get_content()
    assert (match / "0001-t1-setup/sheets/venice.yaml").read_bytes() == sheet
    turn(match, NEXT, relay, out=True)
    assert faults(match) == []


def test_mails_that_went_out_too_late_name_other_dice(match: Path, post: LocalPost, relay: Relay) -> None:
    for player, address in (("venice", VENICE), ("genoa", GENOA)):
        post.deliver(reply(last(post, address), SHEET.format(player)))
    (post.home / "full").touch()
    assert turn(match, NEXT, relay) == 1
    (post.home / "full").unlink()
    turn(match, NEXT, relay, out=True)
    match_now = open_match(match)
    assert match_now.phases[-1] == "0001-t1-setup"
    assert [one.why for one in of_kind(ledger_of(match_now), SourceChanged)] == [UNTOLD]
    assert f"given up: round {NEXT}" in body(last(post))


def test_a_closing_is_not_played_before_its_mails_are_begun(
    match: Path, post: LocalPost, relay: Relay
) -> None:
    for player, address in (("venice", VENICE), ("genoa", GENOA)):
        post.deliver(reply(last(post, address), SHEET.format(player)))
    at = quicknet.time_of(NEXT) - LEAD
    call("mail", "fetch", str(match), "--at", f"{at:%Y-%m-%dT%H:%M:%SZ}")
    call("close", str(match), "--at", f"{at:%Y-%m-%dT%H:%M:%SZ}")
    turn(match, NEXT, relay, out=True)
    assert Folder(match).phases[-1] == "0001-t1-setup"
    assert [one.why for one in of_kind(ledger_of(open_match(match)), SourceChanged)] == [UNTOLD]


def test_a_silent_relay_is_told_and_nothing_is_lost(match: Path, post: LocalPost, relay: Relay) -> None:
    for player, address in (("venice", VENICE), ("genoa", GENOA)):
        post.deliver(reply(last(post, address), SHEET.format(player)))
    turn(match, NEXT, relay)
    relay.status = 500
    assert turn(match, NEXT, relay, out=True) == 1
    assert Folder(match).phases[-1] == "0001-t1-setup"
    relay.status = 200
    assert turn(match, NEXT, relay, out=True) == 0
    assert Folder(match).phases[-1] == "0002-t1-auction"


def test_who_kept_the_mail_can_check_it(match: Path, post: LocalPost, relay: Relay, tmp_path: Path) -> None:
    for player, address in (("venice", VENICE), ("genoa", GENOA)):
        post.deliver(reply(last(post, address), SHEET.format(player)))
    turn(match, NEXT, relay)
    attached = next(iter(last(post).iter_attachments())).get_payload(decode=True)
    turn(match, NEXT, relay, out=True)
    folder = match / "0002-t1-auction/for/venice"
    (folder / CLOSED).write_bytes(attached)
    assert check_received([folder], [], []).problems == ()
    (folder / CLOSED).write_bytes(attached.replace(b"genoa: ", b"genoa: f"))
    assert check_received([folder], [], []).problems


def test_every_round_of_these_tests_is_a_real_one() -> None:
    assert all(quicknet.is_signed(number, signature) for number, signature in ROUNDS.items())


def test_the_mailed_page_can_seal_in_a_match_that_is_played_in_a_repository_too(
    tmp_path: Path, post: LocalPost
) -> None:
    found = week(tmp_path / "lagoon", pages="on")
    key = "age1" + "q" * 58
    (found / "keys.yaml").write_text(f"referee: [{key}]\n")
    post.account(found)
    call("mail", "send", str(found), "--at", "2026-11-22T12:05Z")
    pages = {
        part.get_filename(): part.get_content()
        for part in last(post).iter_attachments()
        if part.get_filename()
    }
    assert key in pages["orders.html"]
    assert key not in pages["report.html"]
