"""A post office of files, for tests: a Maildir that fills, and a command like `sendmail` that fills it and others.

The command is a program, but is mostly carried out in the test's own process: it would be started hundreds of times.
"""

from __future__ import annotations

import email
import email.policy
import os
import subprocess
import sys
from collections.abc import Sequence
from email.message import EmailMessage
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adjudicator.mail import account, boxes

COMMAND = """import os, sys
def deliver(post, words, data):
    to = words[words.index("--") + 1:]
    for address in to:
        if address.startswith("nobody@"):
            return 67, "no such user"
    if any(os.path.exists(os.path.join(post, name)) for name in ("full", "full-" + to[0])):
        return 75, "not now"
    for address in to:
        home = os.path.join(post, address, "new")
        os.makedirs(home, exist_ok=True)
        os.makedirs(os.path.join(post, address, "cur"), exist_ok=True)
        with open(os.path.join(home, "%06d.eml" % sum(len(files) for _, _, files in os.walk(post))), "wb") as file:
            file.write(data)
    return 0, ""
if __name__ == "__main__":
    status, said = deliver(sys.argv[1], sys.argv[2:], sys.stdin.buffer.read())
    sys.stderr.write(said)
    sys.exit(status)
"""
GM = "gm@example.org"


class LocalPost:
    """The post office in a folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        (home / "command.py").parent.mkdir(parents=True, exist_ok=True)
        (home / "command.py").write_text(COMMAND, encoding="utf-8")
        for name in ("new", "cur"):
            (home / GM / name).mkdir(parents=True, exist_ok=True)
        self.count = 0

    def account(self, match: Path, **more: object) -> None:
        lines = [
            f"from: {GM}",
            f"for: {match}",
            f"maildir: {self.home / GM}",
            f"sendmail: {sys.executable} -IS {self.home / 'command.py'} {self.home}",
            *(f"{key.replace('_', '-')}: {value}" for key, value in more.items()),
        ]
        file = match / "mail.yaml"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        file.chmod(0o600)

    def mails_to(self, address: str) -> list[EmailMessage]:
        """All that an address has got, in order."""
        home = self.home / address
        paths = sorted((path for path in home.glob("*/*") if path.is_file()), key=lambda path: path.name)
        return [mail_in(path.read_bytes()) for path in paths]

    def deliver(self, message: EmailMessage | bytes) -> None:
        """A mail to the GM."""
        self.count += 1
        data = message if isinstance(message, bytes) else message.as_bytes()
        path = self.home / GM / "new" / f"x{self.count:05d}"
        path.write_bytes(data)
        os.utime(path, (1_780_000_000 + self.count, 1_780_000_000 + self.count))


@lru_cache(maxsize=64)
def mail_in(data: bytes) -> EmailMessage:
    """A mail in a file. The tests of a match ask again and again for all that somebody has got."""
    return email.message_from_bytes(data, policy=email.policy.default)


def reply(to: EmailMessage, text: str, sender: str = "", number: str = "1", **headers: str) -> EmailMessage:
    """A player's answer to a mail of ours, from the address that it went to."""
    message = EmailMessage()
    message["From"] = sender or str(to["To"])
    message["To"] = to["Reply-To"]
    message["Subject"] = f"Re: {to['Subject']}"
    message["Message-ID"] = f"<{number}.{abs(hash_of(text))}@player.example>"
    message["In-Reply-To"] = to["Message-ID"]
    for name, value in headers.items():
        del message[name.replace("_", "-")]
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message


def hash_of(text: str) -> int:
    """A number of a text, the same each time."""
    return sum((place + 1) * ord(sign) for place, sign in enumerate(text))


def in_this_process(patch: pytest.MonkeyPatch) -> None:
    """From now on the command of a `LocalPost` is carried out here, and a password read; others are started."""
    found: dict[str, Any] = {"__name__": "command"}
    exec(compile(COMMAND, "command.py", "exec"), found)

    def run(
        words: Sequence[str],
        *,
        input: bytes,  # noqa: A002  as subprocess.run calls it
        check: bool,
        **more: Any,
    ) -> subprocess.CompletedProcess[bytes]:
        if words[:3] != [sys.executable, "-IS", f"{words[3]}/command.py"]:
            return subprocess.run(words, input=input, check=check, **more)
        status, said = found["deliver"](words[3], words[4:], input)
        return subprocess.CompletedProcess(words, status, b"", said.encode())

    def tell(command: str, *, check: bool, **more: Any) -> subprocess.CompletedProcess[bytes]:
        word = Path(command.removeprefix("cat "))
        if not command.startswith("cat ") or not word.is_file():
            return subprocess.run(command, check=check, **more)
        return subprocess.CompletedProcess(command, 0, word.read_bytes(), b"")

    rest = {"TimeoutExpired": subprocess.TimeoutExpired, "DEVNULL": subprocess.DEVNULL}
    patch.setattr(boxes, "subprocess", SimpleNamespace(run=run, **rest))
    patch.setattr(account, "subprocess", SimpleNamespace(run=tell, **rest))
