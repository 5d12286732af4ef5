"""Mail over real servers on the loopback: Dovecot for what comes in, aiosmtpd for what goes out."""

from __future__ import annotations

import imaplib
import re
import shutil
import socket
import ssl
import subprocess
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from adjudicator.cli.post_office import free_port
from adjudicator.engine.folder.entries import Held, Sent, Taken
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.begin import begin
from adjudicator.mail.imap import ImapBox
from tests.cli.calling import adjudicator as call
from tests.mail.clubs import entries
from tests.mail.local_post import reply
from tests.mail.servers import GM, PASSWORD, Cut, Dovecot, TakesMail, needs_dovecot

AT = "2026-05-03T18:00:00Z"
SHEET = "orders:\n  - place: 4\n    to: venice-1\n"
CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.eml"))


@pytest.fixture
def dovecot():
    needs_dovecot()
    server = Dovecot()
    yield server
    server.close()


def serving(handler: TakesMail, **more) -> Controller:
    controller = Controller(handler, hostname="127.0.0.1", port=free_port(), **more)
    controller.start()
    return controller


def account(
    match: Path, smtp: int, imap: int, /, *, password: str = PASSWORD, timeout: int = 20, **more
) -> None:
    word = match / ".password"
    word.write_text(f"{password}\n", encoding="utf-8")
    word.chmod(0o600)
    lines = [
        f"from: {GM}",
        f"for: {match}",
        f"imap: {{host: 127.0.0.1, port: {imap}, security: none}}",
        f"smtp: {{host: 127.0.0.1, port: {smtp}, security: none}}",
        f"password-command: cat {word}",
        f"timeout: {timeout}",
        *(f"{key}: {value}" for key, value in more.items()),
    ]
    file = match / "mail.yaml"
    file.unlink(missing_ok=True)
    file.write_text(
        "\n".join(dict((line.split(":")[0], line) for line in lines).values()) + "\n", encoding="utf-8"
    )
    file.chmod(0o600)


@pytest.fixture
def match(tmp_path) -> Path:
    path = tmp_path / "lagoon"
    addresses = {"venice": "one@example.org", "genoa": "two@example.org"}
    options = {"pages": "off"}  # what is attached is no matter here
    begin(
        "mediterranee",
        path,
        ["venice", "genoa"],
        options=options,
        seed_text="mail",
        addresses=addresses,
        gm=GM,
    )
    return path


@pytest.fixture
def post(dovecot, match):
    handler = TakesMail(dovecot)
    controller = serving(
        handler, auth_required=False, auth_require_tls=False, authenticator=lambda *a: _good(a[-1])
    )
    account(match, controller.port, dovecot.imap)
    yield handler
    controller.stop()


def _good(given):
    return AuthResult(success=given.password == PASSWORD.encode(), handled=False)


def mail(*words, at: str = AT):
    return call("mail", *words, "--at", at)


def box(dovecot: Dovecot) -> dict[str, str]:
    """The flags of all mails in the GM's box, by number."""
    with imaplib.IMAP4("127.0.0.1", dovecot.imap) as server:
        server.login(GM, PASSWORD)
        server.select("INBOX")
        found = server.fetch("1:*", "(FLAGS)")[1]
        return {line.decode().split()[0]: line.decode() for line in found if line}


def test_two_turns_over_real_servers(match, post, dovecot):
    told = mail("send", str(match))
    assert told.exit_code == 0, told.output
    for address in ("one@example.org", "two@example.org"):
        dovecot.deliver(
            reply(
                post.to(address)[0], SHEET.replace("venice", "genoa" if "two" in address else "venice")
            ).as_bytes()
        )
    told = mail("turn", str(match))
    assert told.exit_code == 0, told.output
    assert [entry.player for entry in entries(match, Taken)] == ["venice", "genoa"]
    assert open_match(match).last > 1
    assert [len(post.to(address)) for address in ("one@example.org", "two@example.org")] == [3, 3]
    for address in ("one@example.org", "two@example.org"):
        dovecot.deliver(reply(post.to(address)[-1], "orders: []\n", number="2").as_bytes())
    assert mail("turn", str(match)).exit_code == 0
    assert len(entries(match, Taken)) == 4
    assert not mail("turn", str(match)).output
    flags = box(dovecot)
    assert len(flags) == 14
    assert all("AdjudicatorDone" in each and "\\Seen" in each for each in flags.values())


def test_other_mail_of_the_box_is_left_alone_and_none_stops_the_fetch(match, post, dovecot):
    mail("send", str(match))
    for each in CORPUS:
        dovecot.deliver(each.read_bytes().replace(b"\0", b""))
    dovecot.deliver(reply(post.to("one@example.org")[0], SHEET).as_bytes())
    told = mail("fetch", str(match))
    assert told.exit_code == 0, told.output
    assert len(entries(match, Taken)) == 1
    # The corpus is from the address on file, and bears a token that was never one of this match.
    assert {entry.because for entry in entries(match, Held)} == {"address-alone"}
    # Of those without a token that came within a day, the rest is left to the GM.
    accounted = len(entries(match, Held)) + told.output.count("left (unknown)")
    accounted += told.output.count("left of venice (address-alone)")
    assert accounted == len(CORPUS)
    assert not mail("fetch", str(match)).output


def test_who_was_refused_for_now_gets_it_later_and_the_others_once(match, post):
    post.refused["two@example.org"] = "451 try again later"
    told = mail("send", str(match))
    assert told.exit_code == 1
    assert "451 try again later" in told.output
    post.refused.clear()
    assert mail("send", str(match)).exit_code == 0
    assert [len(post.to(address)) for address in ("one@example.org", "two@example.org")] == [1, 1]


@pytest.mark.parametrize("after", ["break", "hang"])
def test_a_mail_that_went_though_the_server_never_said_so_isnt_sent_again(match, post, dovecot, after):
    account(match, _port_of(match), dovecot.imap, timeout=1)
    post.after = after
    assert mail("send", str(match)).exit_code == 1
    account(match, _port_of(match), dovecot.imap)
    post.after = ""
    told = mail("send", str(match))
    assert told.exit_code == 0, told.output
    assert "had gone already to venice" in told.output
    assert [len(post.to(address)) for address in ("one@example.org", "two@example.org")] == [1, 1]
    assert {entry.to for entry in entries(match, Sent) if entry.stage == "done"} == {"venice", "genoa"}


def _port_of(match: Path) -> int:
    text = (match / "mail.yaml").read_text(encoding="utf-8")
    return int(text.partition("smtp: {host: 127.0.0.1, port: ")[2].partition(",")[0])


def test_an_account_that_refuses_is_told(match, post, dovecot):
    account(match, _port_of(match), dovecot.imap, password="wrong")
    told = mail("fetch", str(match))
    assert told.exit_code == 1
    assert f"the IMAP server 127.0.0.1 refuses {GM}" in told.output
    assert f"the SMTP server 127.0.0.1 refuses {GM}" in mail("send", str(match)).output
    assert "wrong" not in told.output
    assert "the password that `password-command` prints" in told.output
    assert "b'" not in told.output


def test_an_account_is_tried_before_and_with_the_first_mail(match, post, dovecot):
    """A wrong password for what comes in would else be noticed only by cron, when players have answered."""
    smtp = _port_of(match)
    done = call("mail", "test", str(match))
    assert done.exit_code == 0, done.output
    assert f"mail can be read in INBOX of 127.0.0.1, port {dovecot.imap} (unencrypted)" in done.output
    assert f"mail can be sent by 127.0.0.1, port {smtp} (unencrypted)" in done.output
    assert re.search(r"a mail to gm\+lagoon-public-\w+@example\.org has come back", done.output)
    assert not post.to("one@example.org")
    account(match, smtp, dovecot.imap, password="wrong")
    told = call("mail", "test", str(match))
    assert told.exit_code == 1
    assert f"the IMAP server 127.0.0.1 refuses {GM} and the password" in told.output
    assert f"the SMTP server 127.0.0.1 refuses {GM} and the password" in told.output
    account(match, smtp, free_port(), copies="false")
    first = mail("send", str(match))
    assert first.exit_code == 1
    assert "sent to venice, genoa" in first.output
    assert "the IMAP server 127.0.0.1, port" in first.output
    assert mail("send", str(match)).exit_code == 0  # `mail turn` tells it too


def test_servers_that_are_gone_or_say_nothing_are_told(match):
    account(match, free_port(), free_port(), timeout=1)
    assert "Connection refused" in mail("send", str(match)).output
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        account(match, port, port, timeout=1)
        for command in ("send", "fetch"):
            told = mail(command, str(match))
            assert told.exit_code == 1
            assert re.search(r"nothing came for 1 second\b", told.output)


def test_a_server_that_ends_in_the_middle_of_a_mail_loses_none(match, post, dovecot):
    mail("send", str(match))
    dovecot.deliver(reply(post.to("one@example.org")[0], SHEET).as_bytes())
    with Cut(dovecot.imap, 9_000) as cut:
        account(match, _port_of(match), cut.port, timeout=5)
        dovecot.deliver(b"Subject: long\n\n" + b"x" * 70 * 300)
        assert mail("fetch", str(match)).exit_code == 1
    account(match, _port_of(match), dovecot.imap)
    assert mail("fetch", str(match)).exit_code == 0
    assert len(entries(match, Taken)) == 1
    assert len(post.to("one@example.org")) == 2


def test_starttls_and_a_token_in_place_of_a_password(match, tmp_path):
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl makes the certificate, and isn't installed")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    how = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    subprocess.run([openssl, *how.split(), "-keyout", key, "-out", cert], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key)
    handler = TakesMail()
    controller = serving(handler, tls_context=context, require_starttls=True, auth_required=True)
    try:
        secured = f"{{host: 127.0.0.1, port: {controller.port}, security: starttls, ca: {cert}}}"
        account(match, 1, 1, password="good", smtp=secured, auth="oauth2", copies="false")
        told = mail("send", str(match))
        assert "sent to venice, genoa" in told.output, told.output
        assert handler.tokens == [f"user={GM}\1auth=Bearer good\1\1"]
        assert len(handler.to("one@example.org")) == 1
        account(match, 1, 1, password="good", smtp=secured.replace(f", ca: {cert}", ""), auth="oauth2")
        call("mail", "token", str(match), "venice", "--new")
        assert "certificate" in mail("send", str(match)).output
    finally:
        controller.stop()


def test_where_the_server_keeps_no_keywords_what_is_left_is_told_once(match, post, dovecot, monkeypatch):
    real = ImapBox.__init__

    def without(self, account, clock):
        real(self, account, clock)
        self.keywords = False

    monkeypatch.setattr(ImapBox, "__init__", without)
    mail("turn", str(match))
    dovecot.deliver(b"From: x@example.net\nSubject: hello\nMessage-ID: <a@b>\n\nhello\n")
    assert mail("turn", str(match)).output.count("left (unknown)") == 1
    assert not mail("turn", str(match)).output
    dovecot.deliver(b"From: y@example.net\nSubject: hello\nMessage-ID: <c@d>\n\nhello\n")
    assert mail("turn", str(match)).output.count("left (unknown)") == 1
    # One that was left is still taken when there is a match for it: nothing of the box is out of sight.
    (flags,) = [line for line in box(dovecot).values() if line.startswith("4 ")]
    assert "Flagged" in flags and "Seen" not in flags
