"""Mailboxes and ways to send, as the rest of the program sees them, whatever server is behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Protocol

from msgspec import Struct

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.text.counting import counted
from adjudicator.engine.text.problem import Problem
from adjudicator.mail.account import Account

EARLIEST = 2000
LONGEST_TOLD = 300
"""Characters of a server's words that are shown."""


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
