"""Real servers on the loopback, for tests: Dovecot as an ordinary user,
and a server that takes mail and passes it on."""

from __future__ import annotations

import asyncio
import base64
import email
import email.policy
import os
import re
import socket
import threading
from collections.abc import Iterable
from contextlib import suppress
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult

from adjudicator.cli import post_office

PASSWORD = 'sec ret\\"x'
GM = "gm@example.org"


class Dovecot(post_office.Dovecot):
    """A mail server with the one user `gm@example.org`."""

    def __init__(self) -> None:
        super().__init__([GM], PASSWORD)

    def deliver(self, data: bytes, to: Iterable[str] = (GM,)) -> None:
        """A mail, as its mail server gets it."""
        super().deliver(data, to)


class TakesMail:
    """What a test's SMTP server does with mail: the GM's goes to Dovecot, what is for others is kept in `mails`."""

    def __init__(self, server: Dovecot | None = None) -> None:
        self.dovecot = server
        self.mails: list[tuple[str, EmailMessage]] = []
        self.refused: dict[str, str] = {}
        self.after = ""
        self.tokens: list[str] = []

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope) -> str:
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        for address in envelope.rcpt_tos:
            if re.sub(r"\+[^@]*", "", address) == GM and self.dovecot is not None:
                await asyncio.to_thread(self.dovecot.deliver, envelope.content)
            else:
                self.mails.append((address, message))
        if self.after == "hang":
            await asyncio.Event().wait()
        if self.after == "break":
            server.transport.abort()
        return "250 taken"

    async def auth_XOAUTH2(self, server, args) -> Any:
        blob = args[1] if len(args) > 1 else "="
        self.tokens.append(base64.b64decode(blob).decode())
        return AuthResult(success=self.tokens[-1].endswith("auth=Bearer good\1\1"), handled=False)

    def to(self, address: str) -> list[EmailMessage]:
        """All that an address has got, in order."""
        return [message for whose, message in self.mails if whose == address]


class Cut:
    """A way to a server that breaks after so many bytes have come from it."""

    def __init__(self, port: int, most: int) -> None:
        self.behind, self.most = port, most
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]

    def __enter__(self) -> Cut:
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.door.close()
        self.thread.join()

    def _serve(self) -> None:
        try:
            one, _ = self.door.accept()
        except OSError:
            return
        other = socket.create_connection(("127.0.0.1", self.behind))
        back = threading.Thread(target=self._copy, args=(one, other, 10**9), daemon=True)
        back.start()
        self._copy(other, one, self.most)
        back.join()
        one.close()
        other.close()

    def _copy(self, source: socket.socket, to: socket.socket, most: int) -> None:
        try:
            while most > 0 and (data := source.recv(min(4096, most))):
                to.sendall(data)
                most -= len(data)
        except OSError:
            pass
        for each in (source, to):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


def needs_dovecot() -> None:
    """Leaves a test out where there is no Dovecot; in continuous integration there must be one."""
    if gone := ", ".join(post_office.missing_parts()):
        if os.environ.get("CI"):
            pytest.fail(f"{gone} isn't installed: .ci/run does that")
        pytest.skip(f"{gone} isn't installed")
