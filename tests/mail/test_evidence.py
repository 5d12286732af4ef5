"""Evidence of who sent a mail: its DKIM signature, with the key as it was then, is checked years later, offline."""

from __future__ import annotations

import base64
import os
from email.message import EmailMessage
from pathlib import Path

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Sent
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.text.resources import Missing
from adjudicator.mail import who_sent
from adjudicator.mail.who_sent import dkim_signatures, evidence_of, keys_in_dns, right_signatures
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import entries, utc, week
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
SHEET = "orders:\n  - place: 4\n    to: venice-1\n"
RECORD = "s1._domainkey.example.org"
NOON = utc("2026-11-22 12:00")


class Server:
    """A player's mail server, which signs, and its record in the DNS."""

    def __init__(self) -> None:
        key = rsa.generate_private_key(65537, 1024)
        pem, der = serialization.Encoding.PEM, serialization.Encoding.DER
        self.secret = key.private_bytes(
            pem, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
        )
        public = key.public_key().public_bytes(der, serialization.PublicFormat.SubjectPublicKeyInfo)
        self.record = b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)
        self.asked: list[str] = []

    def signed(self, message: EmailMessage | bytes, **how: object) -> bytes:
        data = message if isinstance(message, bytes) else message.as_bytes()
        data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        head: bytes = dkim.sign(data, b"s1", b"example.org", self.secret, **how)
        return head + data

    def ask(self, name: str, seconds: int) -> bytes | None:
        self.asked.append(name)
        return self.record if name == RECORD else None


@pytest.fixture(scope="module")
def server() -> Server:
    return Server()


@pytest.fixture
def match(tmp_path: Path, post: LocalPost, server: Server, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A match whose GM keeps evidence; venice's mail server signs, genoa's doesn't."""
    monkeypatch.setattr(who_sent, "in_dns", server.ask)
    found = week(tmp_path / "lagoon")
    post.account(found, evidence="true")
    call("mail", "send", str(found), "--at", "2026-11-22T12:05Z")
    mail = reply(post.mails_to("venice@example.org")[0], SHEET)
    post.deliver(server.signed(mail))
    post.deliver(reply(post.mails_to("genoa@example.org")[0], SHEET.replace("venice", "genoa"), number="2"))
    assert call("mail", "fetch", str(found), "--at", "2026-11-22T12:10Z").exit_code == 0
    return found


def by(match: Path) -> dict[str, tuple[str, ...]]:
    return {sheet.player: sheet.by for sheet in evidence_of(open_match(match))}


def kept(match: Path, ending: str) -> Path:
    return next(iter((match / "0001-t1-setup/mail").glob(f"*{ending}")))


def test_a_signed_mail_is_known_by_its_domain_without_a_network(
    match: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(*_: object) -> bytes:
        raise AssertionError("no network is used")

    monkeypatch.setattr(who_sent, "in_dns", nobody)
    assert by(match) == {"venice": ("example.org",), "genoa": ()}
    assert [each.text for each in verify(match).problems] == []


def test_verify_says_which_sheets_have_evidence(match: Path) -> None:
    call("run", str(match), "--at", "2026-11-22T12:20Z")
    done = call("verify", str(match), "--evidence")
    assert done.exit_code == 0, done.output
    assert "0001-t1-setup/sheets/venice.yaml: signed by example.org" in done.output
    assert "0001-t1-setup/sheets/genoa.yaml: no evidence" in done.output
    assert "Evidence of who sent them: 1 of 2 files." in done.output


def test_evidence_that_was_changed_is_found(match: Path) -> None:
    call("run", str(match), "--at", "2026-11-22T12:20Z")
    mail = next(
        file
        for file in (match / "0001-t1-setup/mail").glob("*.eml")
        if b"DKIM-Signature" in file.read_bytes()
    )
    mail.write_bytes(mail.read_bytes().replace(b"place: 4", b"place: 3"))
    assert by(match)["venice"] == ()
    assert any("the ledger has no such mail" in each.text for each in verify(match).problems)


def test_keys_that_were_changed_are_found(match: Path) -> None:
    file = kept(match, ".keys")
    file.write_text(file.read_text().replace("p=", "p=A"))
    assert any("the ledger has no such mail" in each.text for each in verify(match).problems)


def test_without_the_option_nothing_is_asked(
    tmp_path: Path, post: LocalPost, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(who_sent, "in_dns", lambda name, seconds: asked.append(name))
    found = week(tmp_path / "lagoon")
    post.account(found)
    call("mail", "send", str(found), "--at", "2026-11-22T12:05Z")
    post.deliver(server.signed(reply(post.mails_to("venice@example.org")[0], SHEET)))
    call("mail", "fetch", str(found), "--at", "2026-11-22T12:10Z")
    assert asked == []
    assert not list(found.glob("*/mail/*.keys"))


def test_without_the_library_the_mail_waits_and_the_gm_is_told(
    tmp_path: Path, post: LocalPost, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise Missing("dkimpy", "evidence")

    found = week(tmp_path / "lagoon")
    post.account(found, evidence="true")
    call("mail", "send", str(found), "--at", "2026-11-22T12:05Z")
    post.deliver(server.signed(reply(post.mails_to("venice@example.org")[0], SHEET)))
    monkeypatch.setattr(who_sent, "_library", missing)
    done = call("mail", "fetch", str(found), "--at", "2026-11-22T12:10Z")
    assert done.exit_code == 1
    assert "needs dkimpy (pip install " in done.output
    assert not (found / "0001-t1-setup/sheets/venice.yaml").exists()


MAIL_OF_ANOTHER = "not as a mail from the address of venice"
ROBBED: dict[str, tuple[dict[str, str], str, str]] = {
    "from another address": ({"From": "two@example.org"}, SHEET, MAIL_OF_ANOTHER),
    "from two addresses": ({"From": "venice@example.org, two@example.org"}, SHEET, MAIL_OF_ANOTHER),
    "which says so itself": ({"In-Reply-To": ""}, f"phase: 1\n{SHEET}", "signed by example.org"),
}


@pytest.mark.parametrize("what", ROBBED)
def test_a_signature_shows_who_sent_a_sheet_only_if_it_is_of_their_address_and_of_the_phase(
    what: str, tmp_path: Path, post: LocalPost, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a GM could take any signed mail for it: of a friend in the same domain, or of an earlier phase."""
    monkeypatch.setattr(who_sent, "in_dns", server.ask)
    headers, text, said = ROBBED[what]
    found = week(tmp_path / "lagoon")
    post.account(found, evidence="true")
    call("mail", "send", str(found), "--at", "2026-11-22T12:05Z")
    mail = reply(post.mails_to("venice@example.org")[0], text)
    for name, value in headers.items():
        del mail[name]
        if value:
            mail[name] = value
    post.deliver(server.signed(mail))
    call("mail", "fetch", str(found), "--at", "2026-11-22T12:10Z")
    told = call("verify", str(found), "--evidence").output
    assert said in told
    assert by(found) == (
        {"venice": ("example.org",)} if said.startswith("signed") else {"venice": ()} if said else {}
    )


def test_a_mail_that_answered_another_mail_than_that_of_the_phase_shows_nothing(match: Path) -> None:
    """As a GM would use who has a signed mail of an earlier phase, whose sheet names none."""
    (mail, *_) = [each for each in entries(match) if isinstance(each, Sent) and each.to == "venice"]
    ledger = match / "ledger.jsonl"
    ledger.write_text(ledger.read_text().replace(mail.message, "<earlier@example.org>"))
    (found,) = [each for each in evidence_of(open_match(match)) if each.player == "venice"]
    assert (found.by, found.short) == ((), "signed by example.org, but it doesn't say for which phase")


def test_a_signature_speaks_for_the_addresses_of_its_domain_alone(server: Server) -> None:
    (one,) = dkim_signatures(server.signed(mail()))
    assert one.speaks_for("venice@example.org")
    assert one.speaks_for("venice@Mail.example.org")
    assert not one.speaks_for("venice@notexample.org")
    assert not one.speaks_for("venice@org")


# -- hostile mails -------------------------------------------------------------------------------------------------


def mail() -> bytes:
    return b"From: a@example.org\r\nTo: gm@example.org\r\nSubject: x\r\n\r\norders: []\r\n"


def signers(data: bytes, keys: bytes, name: str) -> tuple[str, ...]:
    return tuple(each.domain for each in right_signatures(data, keys, name))


def keys_for(data: bytes, server: Server) -> bytes:
    return keys_in_dns(data, NOON, server.ask)


def test_a_signature_counts_by_the_key_of_then_alone(server: Server) -> None:
    data = server.signed(mail())
    assert signers(data, keys_for(data, server), "keys") == ("example.org",)
    assert signers(data, keys_for(data, Server()), "keys") == ()
    assert signers(data.replace(b"orders: []", b"orders: [1]"), keys_for(data, server), "keys") == ()


def test_a_signature_of_a_part_of_the_mail_is_no_evidence(server: Server) -> None:
    data = server.signed(mail(), length=True)
    assert signers(data, keys_for(data, server), "keys") == ()


@pytest.mark.parametrize(
    "head",
    [
        b"DKIM-Signature: \r\n",
        b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s1; b=; bh=; h=from\r\n",
        b"DKIM-Signature: v=1; d=" + b"a." * 3000 + b"org; s=x; b=y\r\n",
        b"DKIM-Signature: d=\xff\xfe; s=\x00\r\n",
        b"DKIM-Signature: d=example.org; d=example.org; s=s1\r\n",
        b"DKIM-Signature: d=../../etc; s=*\r\n",
        b"DKIM-Signature: d=localhost; s=a b\r\n",
        b"DKIM-Signature: " + b"x" * 100_000 + b"\r\n",
        b"no header at all\r\n",
    ],
)
def test_a_hostile_signature_is_none_and_stops_nothing(head: bytes, server: Server) -> None:
    data = head + mail()
    keys = keys_for(data, server)
    assert (signers(data, keys, "keys") if keys else ()) == ()


def test_only_the_first_signatures_are_asked_for(server: Server) -> None:
    asked: list[str] = []
    head = b"".join(
        b"DKIM-Signature: v=1; d=example%d.org; s=s1; b=; bh=; h=from\r\n" % n for n in range(500)
    )
    keys_in_dns(head + mail(), NOON, lambda name, seconds: asked.append(name))
    assert len(asked) == len(list(dkim_signatures(head + mail()))) == who_sent.MOST


@pytest.mark.parametrize(
    "record", [b"", b"x" * 10_000, b"\x1b[2J", b"\xff"], ids=["none", "long", "unseen", "odd"]
)
def test_an_odd_record_is_not_kept(record: bytes, server: Server) -> None:
    data = server.signed(mail())
    assert b"records: {}" in keys_in_dns(data, NOON, lambda name, seconds: record)


def test_a_name_server_that_fails_loses_no_mail(server: Server) -> None:
    def fails(name: str, seconds: int) -> bytes:
        raise OSError("no network")

    assert b"records: {}" in keys_in_dns(server.signed(mail()), NOON, fails)
