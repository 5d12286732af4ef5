"""A post office of files, for tests: a Maildir that fills, and a command like `sendmail` that fills it and others."""

from __future__ import annotations

import email
import email.policy
import os
import sys
from email.message import EmailMessage
from pathlib import Path

COMMAND = """import os, sys
post, words = sys.argv[1], sys.argv[2:]
data, to = sys.stdin.buffer.read(), words[words.index("--") + 1:]
full = os.path.join(post, "full")
for address in to:
    if address.startswith("nobody@"):
        sys.stderr.write("no such user")
        sys.exit(67)
if os.path.exists(full):
    sys.stderr.write("not now")
    sys.exit(75)
for address in to:
    home = os.path.join(post, address, "new")
    os.makedirs(home, exist_ok=True)
    os.makedirs(os.path.join(post, address, "cur"), exist_ok=True)
    with open(os.path.join(home, "%06d.eml" % sum(len(files) for _, _, files in os.walk(post))), "wb") as file:
        file.write(data)
"""
GM = "gm@example.org"


class LocalPost:
    """The post office in a folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        (home / "command.py").parent.mkdir(parents=True, exist_ok=True)
        (home / "command.py").write_text(COMMAND, encoding="utf-8")
        for name in ("new", "cur"):
            (home / GM / name).mkdir(parents=True)
        self.count = 0

    def account(self, match: Path, **more: object) -> None:
        lines = [
            f"from: {GM}",
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
        return [email.message_from_bytes(path.read_bytes(), policy=email.policy.default) for path in paths]

    def deliver(self, message: EmailMessage | bytes) -> None:
        """A mail to the GM."""
        self.count += 1
        data = message if isinstance(message, bytes) else message.as_bytes()
        path = self.home / GM / "new" / f"x{self.count:05d}"
        path.write_bytes(data)
        os.utime(path, (1_780_000_000 + self.count, 1_780_000_000 + self.count))


def reply(
    to: EmailMessage, text: str, sender: str = "one@example.org", number: str = "1", **headers: str
) -> EmailMessage:
    """A player's answer to a mail of ours."""
    message = EmailMessage()
    message["From"] = sender
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
