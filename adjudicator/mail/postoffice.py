"""A whole post office on this machine, for demos: Dovecot keeps the mailboxes, an SMTP server takes mail for them.

The SMTP server is aiosmtpd, from the extra `demo`. It asks for the password, as real ones do.
"""

from __future__ import annotations

import asyncio
import email
import email.policy
import imaplib
import logging
import secrets
import smtplib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from adjudicator.engine.text.resources import how_to_install
from adjudicator.mail import dovecot
from adjudicator.mail.account import Account, account_in

ACCOUNT = """from: {address}
imap: {{host: {host}, port: {imap}, security: none}}
smtp: {{host: {host}, port: {smtp}, security: none}}
password-command: cat {word}
"""


def missing_parts() -> list[str]:
    """What isn't installed of a post office, with how to install it."""
    parts = [dovecot.missing_parts()]
    if find_spec("aiosmtpd") is None:
        parts.append(f"aiosmtpd ({how_to_install('demo')})")
    return [part for part in parts if part]


class PostOffice:
    """Mailboxes for some addresses; `smtp` is the port that takes mail for them."""

    def __init__(self, server: dovecot.Dovecot, users: Sequence[str], password: str) -> None:
        self.dovecot, self.users, self.password = server, users, password
        self.smtp = 0

    def account(self, address: str) -> Account:
        """A user's account, read from a `mail.yaml` such as every GM writes."""
        home = self.dovecot.home
        word, file = home / "word", home / "mail.yaml"
        facts = {"address": address, "host": dovecot.HOST, "imap": self.dovecot.imap, "smtp": self.smtp}
        for path, text in ((word, f"{self.password}\n"), (file, ACCOUNT.format(**facts, word=word))):
            path.write_text(text, encoding="utf-8")
            path.chmod(0o600)
        return account_in(file)

    def send(self, message: EmailMessage) -> None:
        """Sends a mail as a mail program does."""
        sender = str(message["From"])
        with smtplib.SMTP(dovecot.HOST, self.smtp) as way:
            way.login(sender, self.password)
            way.send_message(message)

    def mails(self, address: str) -> list[bytes]:
        """All mails in a user's inbox, in the order in which they came."""
        with imaplib.IMAP4(dovecot.HOST, self.dovecot.imap) as box:
            box.login(address, self.password)
            box.select("INBOX", readonly=True)
            numbers = box.search(None, "ALL")[1][0].split()
            found: list[Any] = [box.fetch(number.decode(), "(BODY.PEEK[])")[1][0] for number in numbers]
            return [each[1] for each in found]

    def write_files(self, address: str, folder: Path) -> list[Path]:
        """Writes a user's mails as files, `01.eml` and so on; returns their paths."""
        folder.mkdir(parents=True)
        paths = []
        for number, data in enumerate(self.mails(address), start=1):
            paths.append(folder / f"{number:02}.eml")
            paths[-1].write_bytes(data)
        return paths


def read(data: bytes) -> EmailMessage:
    """A mail's bytes as a message."""
    return email.message_from_bytes(data, policy=email.policy.default)


@contextmanager
def open_office(users: Sequence[str]) -> Iterator[PostOffice]:
    """A post office with these addresses, stopped at the end. Raises NotStarted if Dovecot doesn't start."""
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult

    logging.getLogger("mail.log").setLevel(logging.ERROR)  # without the library's warnings about its own use
    password = secrets.token_hex(16)
    server = dovecot.Dovecot(users, password)
    try:
        office = PostOffice(server, users, password)

        def check_login(*given: Any) -> AuthResult:
            return AuthResult(success=given[-1].password == password.encode(), handled=False)

        controller = Controller(
            _MailHandler(office),
            hostname=dovecot.HOST,
            port=dovecot.free_port(),
            auth_require_tls=False,
            authenticator=check_login,
        )
        controller.start()
        office.smtp = controller.port
        try:
            yield office
        finally:
            controller.stop()
    finally:
        server.close()


class _MailHandler:
    """Puts a mail into the mailbox of each address, ignoring what follows a plus."""

    def __init__(self, office: PostOffice) -> None:
        self.office = office

    async def handle_MAIL(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if not session.authenticated:
            return "530 log in first"
        envelope.mail_from, envelope.mail_options = address, [*envelope.mail_options, *options]
        return "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        local, _, host = address.rpartition("@")
        if f"{local.partition('+')[0]}@{host}" not in self.office.users:
            return "550 there is no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        try:
            await asyncio.to_thread(self.office.dovecot.deliver, envelope.content, envelope.rcpt_tos)
        except OSError as error:  # smtplib's errors are among these
            return f"451 not now: {error.strerror or type(error).__name__}"
        return "250 taken"
