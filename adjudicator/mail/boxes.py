"""Mailboxes and ways to send, as the rest of the program sees them, whatever server is behind them.

A machine with a mail server of its own needs no other: a Maildir that the server fills, and a command that sends.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.gate import Kind, kind_of
from adjudicator.engine.text.problem import Problem, counted
from adjudicator.mail.account import Account, words_of
from adjudicator.mail.limits import LARGEST

EARLIEST = 2000
LONGEST_TOLD = 300
"""Characters of a server's words that are shown."""
_NO_USER, _DATA, _NO_HOST = 67, 65, 68
"""What a sendmail command ends with (sysexits.h) when it can never deliver."""
_HEAD = 65536


class Arrived(Struct, frozen=True):
    """A mail in the mailbox: its name there, its bytes, and when the server got it.

    `flagged`: it was left for the GM and reported before, in a mailbox that has no other mark for this.
    """

    key: str
    data: bytes
    came: datetime
    flagged: bool = False


class MailRefused(Exception):
    """A server will never take this mail for this address. The text is the server's."""


class Mailbox(Protocol):
    """A mailbox. All methods raise Faulty if the server can't be reached, refuses, or is silent for too long."""

    def new(self) -> Iterator[Arrived]:
        """The mails that aren't settled yet, in the order in which they came."""

    def mark_settled(self, arrived: Arrived, *, read: bool) -> None:
        """Marks a mail so that it doesn't come again; `read`: the GM need not look at it."""

    def has(self, message: str) -> bool:
        """Is a mail with that Message-ID in the mailbox, or among the sent mails?"""


class Outgoing(Protocol):
    """A way to send mail."""

    def send(self, data: bytes, to: Sequence[str]) -> None:
        """Hands a mail over for these addresses; when this returns, it is under way. Raises MailRefused and Faulty."""


def plausible_time(said: str | float) -> datetime:
    """The time at which a server says that it got a mail, in ISO 8601 or in seconds; now, if that time is impossible.

    No mail of a match is from before this century. `take` counts a mail from the future as one from now.
    """
    try:
        if isinstance(said, str):
            when = datetime.fromisoformat(said).astimezone(UTC)
        else:
            when = datetime.fromtimestamp(said, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.now(UTC)
    return when if when.year >= EARLIEST else datetime.now(UTC)


def server_problem(account: Account, what: str, error: Exception, more: str = "") -> Faulty:
    """The problem for a server that doesn't do what it should; `more` follows its words."""
    if isinstance(error, TimeoutError) or "timed out" in str(error):  # smtplib tells a timeout only in words
        said = f"{what}: nothing came for {counted(account.timeout, 'second')}"
    elif isinstance(error, OSError) and (why := _words_for_tls(error)):
        said = f"{what}: {why}"
    else:
        text = getattr(error, "strerror", None) or words_of_error(error)
        said = f"{what}: {text}"
    return Faulty([Problem(account.file, 0, 0, "MAIL", f"{said}{more}")])


def shut_out(account: Account, server: str, user: str, words: str) -> Faulty:
    """The problem for a server that doesn't let us in."""
    given = (
        f"and the {'token' if account.auth == 'oauth2' else 'password'} that `password-command` prints"
        if account.password_command
        else "without a password; `password-command` names a command that prints one"
    )
    return Faulty(
        [Problem(account.file, 0, 0, "MAIL", f"{server} refuses {user} {given}: {words[:LONGEST_TOLD]}")]
    )


def _words_for_tls(error: OSError) -> str:
    """Words for a failure of TLS, because OpenSSL's own don't say what a GM could do; empty for other errors."""
    import ssl  # not needed for a Maildir

    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"its certificate isn't trusted ({error.verify_message}); `ca: FILE` names the authority to trust"
        )
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError | ConnectionResetError):
        return "it has ended the connection"
    if isinstance(error, ssl.SSLError):
        begins = "a server without TLS at the start needs `security: starttls`, or use another port"
        return f"its answer isn't TLS ({error.reason}); {begins}"
    return ""


def words_of_error(error: Exception) -> str:
    """The words of an error; those of servers come as bytes."""
    words = [one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one) for one in error.args]
    return " ".join(words)[:LONGEST_TOLD] or type(error).__name__


@contextmanager
def opened_maildir(account: Account) -> Iterator[Maildir]:
    """The account's Maildir, for reading and marking mails. Raises Faulty if it isn't one, or if a file can't be read
    or moved.
    """
    home = Path(account.maildir).expanduser()
    if not home.is_absolute():
        home = Path(account.file).parent / home
    for name in ("new", "cur"):
        if kind_of(home / name) is not Kind.FOLDER:
            raise Faulty([problem(home, f"this isn't a Maildir: there is no folder {name} in it")])
    try:
        yield Maildir(home)
    except OSError as error:
        raise server_problem(account, f"the Maildir {home}", error) from None


class Maildir:
    """A Maildir that nobody else reads: settled mails are in `cur`, marked as seen."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def new(self) -> Iterator[Arrived]:
        """The mails that aren't marked as seen, by the time at which they came."""
        waiting = [path for path in self._all() if not _is_seen(path)]
        for path in sorted(waiting, key=lambda path: (path.stat().st_mtime, path.name)):
            with path.open("rb") as file:
                data = file.read(LARGEST + 1)
                came = plausible_time(os.fstat(file.fileno()).st_mtime)
            yield Arrived(path.relative_to(self.home).as_posix(), data, came)

    def mark_settled(self, arrived: Arrived, *, read: bool) -> None:
        """Moves the mail to `cur`, marked as seen; without `read` it is also flagged, for the GM to look at."""
        path = self.home / arrived.key
        base, _, flags = path.name.partition(":2,")
        marks = "".join(sorted({*flags, "S", *("" if read else "F")}))
        path.rename(self.home / "cur" / f"{base}:2,{marks}")

    def has(self, message: str) -> bool:
        """Has any mail in the Maildir that Message-ID? Searches the headers of all."""
        wanted = message.encode()
        for path in self._all():
            with path.open("rb") as file:
                head = file.read(_HEAD).replace(b"\r\n", b"\n").partition(b"\n\n")[0]
            lines = head.replace(b"\n ", b" ").replace(b"\n\t", b" ").split(b"\n")
            if any(line.lower().startswith(b"message-id:") and wanted in line for line in lines):
                return True
        return False

    def _all(self) -> list[Path]:
        found = [path for name in ("new", "cur") for path in (self.home / name).iterdir()]
        return [path for path in found if kind_of(path) is Kind.FILE and not path.name.startswith(".")]


def _is_seen(path: Path) -> bool:
    return path.parent.name == "cur" and "S" in path.name.partition(":2,")[2]


@contextmanager
def through_command(account: Account) -> Iterator[Command]:
    """The account's command that sends mail, for one round of sending."""
    yield Command(account)


class Command:
    """A command like `sendmail`: it takes a mail on its input, and the addresses as words."""

    def __init__(self, account: Account) -> None:
        self.account = account

    def send(self, data: bytes, to: Sequence[str]) -> None:
        """Runs the command once."""
        words = [*words_of(self.account.sendmail), "-i", "-f", self.account.address, "--", *to]
        try:
            ran = subprocess.run(
                words,
                input=data.replace(b"\r\n", b"\n"),
                capture_output=True,
                timeout=self.account.timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise server_problem(self.account, words[0], TimeoutError()) from None
        except OSError as error:
            raise server_problem(self.account, words[0], error) from None
        said = ran.stderr.decode(errors="replace").strip()[:300]
        if ran.returncode in (_NO_USER, _DATA, _NO_HOST):
            raise MailRefused(said or f"status {ran.returncode}")
        if ran.returncode:
            raise server_problem(self.account, words[0], OSError(f"status {ran.returncode} {said}"))
