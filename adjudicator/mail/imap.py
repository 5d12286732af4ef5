"""A mailbox on an IMAP server, over a connection with limits: on the bytes of an answer, and on the time to wait.

Python's own clients start their timeout again for each byte, and take as much memory as a server fills.
"""

from __future__ import annotations

import base64
import imaplib
import re
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import pairwise
from typing import Any

from adjudicator.engine.text.problem import counted
from adjudicator.mail.account import Account, password_of, port_and_security, server_in_words
from adjudicator.mail.boxes import Arrived, plausible_time, server_problem, shut_out, words_of_error
from adjudicator.mail.limits import LARGEST

MOST_SAID = LARGEST + 2**20
"""Bytes of the answer to one IMAP command: a mail, up to the limit, and the protocol around it."""
LONGEST_LINE = 1_000_000
LONGEST = 10
"""How long a connection may stay open, as a multiple of the account's timeout, which holds for each answer."""
SETTLED = "AdjudicatorDone"
"""The keyword of a mail that was dealt with. Flags like \\Seen are used by other programs, too."""
_ERRORS = (imaplib.IMAP4.error, OSError, EOFError, ValueError, LookupError)
"""The last two are what imaplib raises for some broken answers of servers."""
_NUMBER = re.compile(rb"[1-9][0-9]{0,9}")
_DATE = re.compile(
    rb'INTERNALDATE "([ 0-9][0-9])-([A-Za-z]{3})-([0-9]{4}) ([0-9]{2}:[0-9]{2}:[0-9]{2}) ([-+][0-9]{4})"'
)
_MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"
LONGEST_NAME = 2000
"""Bytes that are read of a line in the list of folders."""
_UID = re.compile(rb"\bUID ([0-9]+)")
_SENT = re.compile(rb'\((?=[^)]*\\Sent\b)[^)]*\) (?:"[^"]*"|NIL) (.+)$', re.IGNORECASE)


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


@contextmanager
def opened_imap(account: Account, clock: Callable[[], float] = time.monotonic) -> Iterator[ImapBox]:
    """The account's folder, open; the connection is closed at the end. Raises Faulty.

    `clock` returns seconds; by it a server that is too slow is given up.
    """
    try:
        box = ImapBox(account, clock)
    except _ERRORS as error:
        raise server_problem(account, _problems_of_server(account), error) from None
    try:
        yield box
    except _ERRORS as error:
        raise server_problem(account, _problems_of_server(account), error) from None
    finally:
        with suppress(*_ERRORS):
            box.server.logout()
        with suppress(*_ERRORS):
            box.server.shutdown()  # a failed logout leaves the connection open


class ImapBox:
    """A folder of a mailbox."""

    def __init__(self, account: Account, clock: Callable[[], float] = time.monotonic) -> None:
        self.account, self.patience = account, Patience(account.timeout, clock)
        self.server = _connected(account, self.patience)
        try:
            self.patience.begin()
            _log_in(self.server, account)
            self._select(imap_name(account.folder), readonly=False)
        except BaseException:
            with suppress(*_ERRORS):
                self.server.shutdown()
            raise
        said = self.server.untagged_responses.get("PERMANENTFLAGS", [])
        flags = b" ".join(one for one in said if isinstance(one, bytes))
        self.keywords = b"\\*" in flags or SETTLED.encode() in flags

    def new(self) -> Iterator[Arrived]:
        """The mails without our keyword. If the server keeps no keywords: all, with those left for the GM flagged."""
        wanted = f"UNKEYWORD {SETTLED}" if self.keywords else "ALL"
        for uid in self._uids(wanted):
            if (arrived := self._fetched(uid)) is not None:
                yield arrived

    def mark_settled(self, arrived: Arrived, *, read: bool) -> None:
        """Sets the keyword, and with `read` also the flag of mails that were read.

        If the server keeps no keywords, a mail left for the GM is flagged: it comes again each time, but is told once.
        """
        flags = [*(["\\Seen"] if read else []), *([SETTLED] if self.keywords else [])]
        if not self.keywords and not read:
            flags.append("\\Flagged")
        if flags:
            self._uid("STORE", arrived.key, "+FLAGS.SILENT", f"({' '.join(flags)})")

    def has(self, message: str) -> bool:
        """Is a mail with that Message-ID in the folder, or in that for sent mails?"""
        if self._found(message):
            return True
        self.patience.begin()
        for line in self._ok(self.server.list()):
            found = _SENT.search(line[:LONGEST_NAME]) if isinstance(line, bytes) else None
            if found:
                name = found[1].decode("ascii", "replace").strip('"')
                self._select(name, readonly=True)
                there = self._found(message)
                self._select(imap_name(self.account.folder), readonly=False)
                if there:
                    return True
        return False

    def _found(self, message: str) -> bool:
        return bool(self._uids(f'HEADER Message-ID "{message}"'))

    def _select(self, folder: str, *, readonly: bool) -> None:
        quoted = '"' + folder.replace("\\", "\\\\").replace('"', '\\"') + '"'
        self.patience.begin()
        self._ok(self.server.select(quoted, readonly=readonly))

    def _uids(self, wanted: str) -> list[str]:
        data = self._uid("SEARCH", wanted)
        words = set(b" ".join(line for line in data if isinstance(line, bytes)).split())
        if strange := next((word for word in sorted(words) if not _NUMBER.fullmatch(word)), None):
            raise imaplib.IMAP4.error(f"its list of mails has {strange[:40]!a} for a number")
        return [str(uid) for uid in sorted(int(word) for word in words)]

    def _fetched(self, uid: str) -> Arrived | None:
        """A mail, up to the limit; None if it was deleted meanwhile. Fetching doesn't mark it as read."""
        data = self._uid("FETCH", uid, f"(UID FLAGS INTERNALDATE BODY.PEEK[]<0.{LARGEST + 1}>)")
        for part, after in pairwise([*data, b""]):
            if not isinstance(part, tuple):
                continue
            head = part[0] + (after if isinstance(after, bytes) else b"")  # the UID may stand behind the text
            named = _UID.search(head)
            if named and named[1].decode() == uid:
                return Arrived(uid, part[1], _arrival(head), not self.keywords and b"\\Flagged" in head)
        return None

    def _uid(self, *words: str) -> Any:
        """The server's answer to a command that names mails by their UID."""
        self.patience.begin()
        return self._ok(self.server.uid(*words))

    def _ok(self, answer: tuple[str, Any]) -> Any:
        kind, data = answer
        if kind != "OK":
            raise imaplib.IMAP4.error(*(data or [kind]))
        return [one for one in data if one is not None]


def _arrival(head: bytes) -> datetime:
    """When the server got the mail, as the server says."""
    found = _DATE.search(head)
    if found is None:
        return plausible_time("")
    day, month, year, clock, zone = (part.decode() for part in found.groups())
    number = _MONTHS.find(month.lower()) // 3 + 1
    return plausible_time(f"{year}-{number:02}-{day.strip():0>2}T{clock}{zone}")


def _server(account: Account) -> str:
    return f"the IMAP server {account.imap.host}" if account.imap else "IMAP"


def _problems_of_server(account: Account) -> str:
    return f"the IMAP server {server_in_words(account.imap, outgoing=False)}" if account.imap else "IMAP"


def _connected(account: Account, patience: Patience) -> imaplib.IMAP4:
    assert account.imap is not None
    host, (port, security) = account.imap.host, port_and_security(account.imap, outgoing=False)
    if security == "tls":
        context = tls_settings(account.imap.ca)
        return BoundedTls(patience, host, port, ssl_context=context, timeout=account.timeout)
    server = Bounded(patience, host, port, timeout=account.timeout)
    if security == "starttls":
        server.starttls(tls_settings(account.imap.ca))
    return server


def tls_settings(ca: str) -> ssl.SSLContext:
    """The TLS settings that check a server's certificate, by `ca` if one is given."""
    try:
        return ssl.create_default_context(cafile=ca or None)
    except (
        OSError
    ) as error:  # the error lacks the file's name; a file without a certificate raises ssl.SSLError
        raise OSError(error.errno, f"`ca: {ca}` can't be read ({error.strerror or error})") from None


def _log_in(server: imaplib.IMAP4, account: Account) -> None:
    user, word = account.user or account.address, password_of(account)
    try:
        if account.auth == "oauth2":
            server.authenticate("XOAUTH2", lambda challenge: b"" if challenge else xoauth2_login(user, word))
        elif f"{user}{word}".isascii():
            server.login(user, word)
        else:  # LOGIN takes only ASCII
            server.authenticate("PLAIN", lambda challenge: plain_login(user, word))
    except imaplib.IMAP4.error as error:
        raise shut_out(account, _server(account), user, words_of_error(error)) from None


def plain_login(user: str, word: str) -> bytes:
    """The message of PLAIN (RFC 4616), in UTF-8."""
    return f"\0{user}\0{word}".encode()


def imap_name(folder: str) -> str:
    """A folder's name as IMAP writes it: characters beyond ASCII in its own UTF-7 (RFC 3501, 5.1.3)."""

    def shifted(found: re.Match[str]) -> str:
        letters = base64.b64encode(found[0].encode("utf-16-be")).decode()
        return f"&{letters.rstrip('=').replace('/', ',')}-"

    return re.sub(r"[^ -~]+", shifted, folder.replace("&", "&-"))


def xoauth2_login(user: str, token: str) -> bytes:
    """The message of XOAUTH2."""
    return f"user={user}\1auth=Bearer {token}\1\1".encode()
