"""Where mail comes in and goes out, as the rest of the program sees it, whatever stands behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Protocol

from msgspec import Struct

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.text.problem import Problem
from adjudicator.mail.account import Account

EARLIEST = 2000
LONGEST_TOLD = 300
"""Characters of what a server says that are told."""


class Arrived(Struct, frozen=True):
    """A mail in the box: how the box calls it, its bytes, and when the server had it.

    `flagged`: it was left for the GM to look at before, and told, in a box that can't say otherwise what was settled.
    """

    key: str
    data: bytes
    came: datetime
    flagged: bool = False


class Refused(Exception):
    """A server won't ever take this mail for this address. The text is its own."""


class Inbox(Protocol):
    """Mail that came in. All raise Faulty when the server can't be reached, refuses or says nothing for too long."""

    def new(self) -> Iterator[Arrived]:
        """The mails that weren't settled yet, in the order in which they came."""

    def settled(self, arrived: Arrived, *, read: bool) -> None:
        """Marks a mail, so that it doesn't come again; `read`: the GM need not look at it."""

    def has(self, message: str) -> bool:
        """Does a mail of that Message-ID lie there, or among what was sent?"""


class Outgoing(Protocol):
    """Mail that goes out."""

    def send(self, data: bytes, to: Sequence[str]) -> None:
        """Hands a mail over for these addresses; when it returns, it is under way. Raises Refused and Faulty."""


def plausible(said: str | float) -> datetime:
    """When a server says that it had a mail, in ISO 8601 or in seconds; now, where that can't be.

    No mail of a match is from before this century. One that is said to be of the future is of now, `take` sees to that.
    """
    try:
        if isinstance(said, str):
            when = datetime.fromisoformat(said).astimezone(UTC)
        else:
            when = datetime.fromtimestamp(said, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.now(UTC)
    return when if when.year >= EARLIEST else datetime.now(UTC)


def out_of_order(account: Account, what: str, error: Exception) -> Faulty:
    """What is said when a server doesn't do what it should."""
    if isinstance(error, TimeoutError) or "timed out" in str(error):  # smtplib tells it in words alone
        said = f"{what}: nothing came for {account.timeout} seconds"
    elif isinstance(error, OSError) and (why := _of_tls(error)):
        said = f"{what}: {why}"
    else:
        text = getattr(error, "strerror", None) or _text(error)
        said = f"{what}: {text}"
    return Faulty([Problem(account.file, 0, 0, "MAIL", said)])


def _of_tls(error: OSError) -> str:
    """What is said where TLS fails: OpenSSL's own words name no cause that a GM could mend; empty for other errors."""
    import ssl  # which a Maildir has no use for

    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"its certificate isn't trusted ({error.verify_message}); `ca: FILE` names what it must come from"
        )
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError | ConnectionResetError):
        return "it has ended the connection"
    if isinstance(error, ssl.SSLError):
        begins = "one that begins in clear needs `security: starttls`, or another port"
        return f"what it says isn't TLS ({error.reason}); {begins}"
    return ""


def _text(error: Exception) -> str:
    """The words of an error; servers' own come as bytes."""
    words = [one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one) for one in error.args]
    return " ".join(words)[:LONGEST_TOLD] or type(error).__name__
