"""Real servers on the loopback, for tests: Dovecot as an ordinary user, and one that takes mail and hands it on."""

from __future__ import annotations

import asyncio
import base64
import email
import email.policy
import os
import pwd
import shutil
import smtplib
import socket
import subprocess
import tempfile
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult

PASSWORD = 'sec ret\\"x'
GM = "gm@example.org"
DOVECOT = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
CONFIG = """
base_dir = {home}/run
state_dir = {home}/state
log_path = {home}/log
protocols = imap lmtp
listen = 127.0.0.1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
ssl = no
disable_plaintext_auth = no
passdb {{
  driver = passwd-file
  args = {home}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={home}/home
}}
mail_location = maildir:{home}/home/Maildir
recipient_delimiter = +
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
"""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Dovecot:
    """A mail server with the one user `gm@example.org`; it runs as whoever runs the tests, for root as nobody."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="dovecot-"))
        self.imap, self.lmtp = free_port(), free_port()
        name = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        user = pwd.getpwnam(name)
        group = subprocess.run(["id", "-gn", name], capture_output=True, text=True, check=True).stdout.strip()
        facts = {"home": self.home, "user": name, "group": group, "uid": user.pw_uid, "gid": user.pw_gid}
        for folder in ("run", "state", "home"):
            (self.home / folder).mkdir()
        (self.home / "users").write_text(f"{GM}:{{PLAIN}}{PASSWORD}\n", encoding="utf-8")
        (self.home / "conf").write_text(
            CONFIG.format(**facts, imap=self.imap, lmtp=self.lmtp), encoding="utf-8"
        )
        as_user: dict[str, Any] = {}
        if os.geteuid() == 0:
            for path in (self.home, *self.home.rglob("*")):
                os.chown(path, user.pw_uid, user.pw_gid)
            as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self.process = subprocess.Popen(
            [str(DOVECOT), "-F", "-c", str(self.home / "conf")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **as_user,
        )
        self._wait()

    def _wait(self) -> None:
        """Until it listens; it ends by itself when it can't."""
        while self.process.poll() is None:
            with socket.socket() as door:
                if door.connect_ex(("127.0.0.1", self.imap)) == 0:
                    return
            os.sched_yield()
        log = self.home / "log"
        raise RuntimeError(log.read_text(encoding="utf-8") if log.exists() else "dovecot ended")

    def deliver(self, data: bytes, to: str = GM) -> None:
        """A mail, as its mail server gets it."""
        with smtplib.LMTP("127.0.0.1", self.lmtp) as way:
            way.sendmail("someone@example.net", [to], data)

    def close(self) -> None:
        """Stops it, and takes its files away."""
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)


class TakesMail:
    """What a test's SMTP server does with mail: the GM's goes to Dovecot, what is for others is kept in `mails`."""

    def __init__(self, dovecot: Dovecot | None = None) -> None:
        self.dovecot = dovecot
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
            if address == GM and self.dovecot is not None:
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


def needs_dovecot() -> None:
    """Leaves a test out where there is no Dovecot; in continuous integration there must be one."""
    if DOVECOT is None:
        if os.environ.get("CI"):
            pytest.fail("Dovecot isn't installed: .ci/run does that")
        pytest.skip("Dovecot isn't installed")
