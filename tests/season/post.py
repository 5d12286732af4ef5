"""The post of a season: the GM's mailbox is Dovecot's, what is for others is kept, and servers fail now and then."""

from __future__ import annotations

import asyncio
import imaplib
import logging
import re
import smtplib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from adjudicator.cli.post_office import free_port, read
from tests.mail.servers import GM, PASSWORD, Dovecot

ACCOUNT = """from: {gm}
imap: {{host: 127.0.0.1, port: {imap}, security: none}}
smtp: {{host: 127.0.0.1, port: {smtp}, security: none}}
user: {gm}
password-command: cat {word}
timeout: 5
page: https://club.example/play/
standby: [{standby}]
"""


def owner_of(address: str) -> str:
    """The first address of whoever has it: people who move, or whose address was mistyped, put a word before it."""
    return address.removeprefix("b-").removeprefix("new-")


class Got:
    """A mail that somebody got, and when."""

    def __init__(self, at: datetime, to: str, data: bytes) -> None:
        self.at, self.to, self.mail, self.size = at, to, read(data), len(data)
        part = self.mail.get_body(("plain",))
        self.text: str = part.get_content() if part is not None else ""

    @property
    def id(self) -> str:
        """The Message-ID."""
        return str(self.mail["Message-ID"])

    @property
    def subject(self) -> str:
        """The subject, without the token."""
        return re.sub(r" \([a-z2-7]{12}\)$", "", str(self.mail["Subject"]))

    def has_form(self) -> bool:
        """Does it bring a form to fill in?"""
        return any(
            part.get_filename() in ("sheet.yaml", "answer.yaml") for part in self.mail.iter_attachments()
        )


class Post:
    """What the SMTP server of a season does with mail."""

    def __init__(self, server: Dovecot, now: datetime) -> None:
        self.server, self.now = server, now
        self.boxes: dict[str, list[Got]] = {}
        self.dead: set[str] = set()
        self.silent: set[str] = set()
        """Addresses whose mails are taken and come back later."""
        self.returned: list[tuple[str, str]] = []
        self.sent_back: list[tuple[str, str]] = []
        self.fails = ""
        self.way = smtplib.LMTP("127.0.0.1", server.lmtp)
        self.port = 0
        self.handed = Counter[str]()

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:
        if self.fails == "smtp":
            return "451 try again later"
        if address in self.dead:
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope) -> str:
        for address in envelope.rcpt_tos:
            if re.sub(r"\+[^@]*", "", address) == GM:
                await asyncio.to_thread(self.deliver, envelope.content)
            elif address in self.silent:
                self.returned.append((address, str(read(envelope.content)["Message-ID"])))
                self.sent_back.append(self.returned[-1])
            else:
                self.boxes.setdefault(owner_of(address), []).append(Got(self.now, address, envelope.content))
            self.handed[address] += 1
        if self.fails == "break" and self.handed.total() % 7 == 0:
            server.transport.abort()
        return "250 taken"

    def deliver(self, data: bytes) -> None:
        """A mail for the GM, over a way that stays open: a new one takes Dovecot longer than the mail."""
        with suppress(smtplib.SMTPException, OSError):
            self.way.sendmail("someone@example.net", [GM], data)
            return
        self.way.close()
        self.way = smtplib.LMTP("127.0.0.1", self.server.lmtp)
        self.way.sendmail("someone@example.net", [GM], data)

    def write(self, *messages: EmailMessage | bytes) -> None:
        """Mails to the GM, which come now: the server's own date says when a mail came."""
        if not messages:
            return
        when = imaplib.Time2Internaldate(self.now)
        with imaplib.IMAP4("127.0.0.1", self.server.imap) as box:
            box.login(GM, PASSWORD)
            for each in messages:
                data = each if isinstance(each, bytes) else each.as_bytes()
                said = box.append("INBOX", "", when, re.sub(rb"\r?\n", b"\r\n", data))
                assert said[0] == "OK", said

    def account(self, file: Path, standby: list[str]) -> None:
        """Writes `mail.yaml`; while mail can't be read its port is one where nobody listens."""
        word = file.with_name("word")
        word.write_text(PASSWORD + "\n")
        word.chmod(0o600)
        imap = free_port() if self.fails == "imap" else self.server.imap
        text = ACCOUNT.format(gm=GM, imap=imap, smtp=self.port, word=word, standby=", ".join(standby))
        file.unlink(missing_ok=True)
        file.write_text(text)
        file.chmod(0o600)


@contextmanager
def open_post(now: datetime) -> Iterator[Post]:
    """The servers of a season, stopped at the end."""
    logging.getLogger("mail.log").setLevel(logging.ERROR)  # without the library's warnings about its own use
    server = Dovecot()
    try:
        post = Post(server, now)

        def log_in(*given) -> AuthResult:
            return AuthResult(success=given[-1].password == PASSWORD.encode(), handled=False)

        way = Controller(
            post, hostname="127.0.0.1", port=free_port(), auth_require_tls=False, authenticator=log_in
        )
        way.start()
        post.port = way.port
        try:
            yield post
        finally:
            way.stop()
            post.way.close()
    finally:
        server.close()
