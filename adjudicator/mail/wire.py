"""A connection to a mail server with limits: on the bytes of an answer, and on the time to wait for it.

Python's own clients start their timeout again for each byte, and take as much memory as a server fills.
"""

from __future__ import annotations

import imaplib
from collections.abc import Callable
from typing import Any

from adjudicator.engine.text.counting import counted
from adjudicator.mail.limits import LARGEST

MOST_SAID = LARGEST + 2**20
"""Bytes of the answer to one IMAP command: a mail, up to the limit, and the protocol around it."""
LONGEST_LINE = 1_000_000
LONGEST = 10
"""How long a connection may stay open, as a multiple of the account's timeout, which holds for each answer."""


class GivenUp(OSError):
    """A server took too long, said too much, or left."""


class Patience:
    """How long to wait for a server, and how many bytes to take: `timeout` is in seconds, which `clock` returns.

    `most` is the most bytes of an answer; `rest` says what took too long in all, and what becomes of the rest.
    """

    def __init__(
        self,
        timeout: int,
        clock: Callable[[], float],
        most: int = MOST_SAID,
        rest: str = "the mailbox took more than {}; the rest comes the next time",
    ) -> None:
        self.timeout, self.clock, self.most, self.rest = timeout, clock, most, rest
        self.end = clock() + LONGEST * timeout
        self.begin()

    def begin(self) -> None:
        """Starts the time and the count of bytes for a command."""
        self.until, self.heard = self.clock() + self.timeout, 0

    def left(self) -> float:
        """Seconds that are left to wait for the answer. Raises GivenUp if there are none."""
        now = self.clock()
        if now >= self.end:
            raise GivenUp(self.rest.format(counted(LONGEST * self.timeout, "second")))
        if now >= self.until:
            raise GivenUp(f"an answer took more than {counted(self.timeout, 'second')}")
        return min(self.end, self.until) - now

    def count(self, size: int) -> None:
        """Counts `size` bytes that have come. Raises GivenUp if they are too many."""
        self.heard += size
        if self.heard > self.most:
            raise GivenUp("an answer is longer than requested")


class BoundedReader:
    """What a client of any protocol reads from its socket `sock`, within the limits of its `patience`."""

    patience: Patience
    sock: Any

    def __init__(self, patience: Patience, *given: Any, **more: Any) -> None:
        self.patience = patience
        self.come = bytearray()
        self.from_: Any = None
        super().__init__(*given, **more)

    def read(self, size: int) -> bytes:
        """Reads `size` bytes."""
        if size > self.patience.most:
            raise GivenUp(f"it announces {size} bytes, which is more than requested")
        while len(self.come) < size:
            self._more()
        return self._taken(size)

    def readline(self) -> bytes:
        """Reads a line, with its line end."""
        looked = 0
        while (end := self.come.find(b"\n", looked)) < 0:
            looked = len(self.come)
            if looked > LONGEST_LINE:
                raise GivenUp("a line of an answer has no end")
            self._more()
        return self._taken(end + 1)

    def _more(self) -> None:
        if self.sock is None:
            raise GivenUp("it has ended the connection")
        if self.from_ is not self.sock:  # what came before TLS was switched on can't be trusted
            self.come.clear()
            self.from_ = self.sock
        self.sock.settimeout(self.patience.left())
        data = self.sock.recv(65536)
        if not data:
            raise GivenUp("it has ended the connection")
        self.patience.count(len(data))
        self.come += data

    def _taken(self, size: int) -> bytes:
        data = bytes(self.come[:size])
        del self.come[:size]
        return data


class Bounded(BoundedReader, imaplib.IMAP4):
    """A connection to an IMAP server that is given up if the server takes too long or sends too much."""


class BoundedTls(Bounded, imaplib.IMAP4_SSL):
    """A connection to an IMAP server with the same bounds, over TLS from the beginning."""
