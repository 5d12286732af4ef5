"""Sending over an SMTP server."""

from __future__ import annotations

import base64
import re
import smtplib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.text.problem import Problem
from adjudicator.mail.account import Account, password_of, port_and_security, server_in_words
from adjudicator.mail.boxes import LONGEST_TOLD, MailRefused, server_problem, shut_out, words_of_error
from adjudicator.mail.imap import BoundedReader, GivenUp, Patience, plain_login, tls_settings, xoauth2_login

_ERRORS = (smtplib.SMTPException, OSError, ValueError, LookupError)
"""The last two are what smtplib raises for some broken answers of servers."""
LONGEST_ANSWER = 65536
"""Bytes of the answer to one command."""
PIECE = 16384
"""Bytes that a server must take within the account's timeout."""
REST = "sending took more than {}; the rest goes the next time"
UNSURE = ". Whether the mail to {} went isn't known; the next command {}"
OK = range(200, 300)
FULL = 552
"""What servers say of a mailbox that is full: no word for good (RFC 5321, 4.5.3.1.10)."""
_PERIOD = re.compile(rb"(?m)^\.")
"""A period that begins a line: it is sent twice, because a line of one period ends the mail."""
_CODE = re.compile(rb"[2-5][0-9][0-9](?=[ \-\r\n])")


class Bounded(BoundedReader, smtplib.SMTP):
    """A connection to an SMTP server that is given up if the server takes too long or says too much."""

    def getreply(self) -> tuple[int, bytes]:
        """The answer of the server: its code, and its words. Raises OSError, and then the connection is closed."""
        words = []
        try:
            while True:
                line = self.readline()
                found = _CODE.match(line)
                if found is None:
                    said = line[:40].decode("utf-8", "replace").strip()
                    raise GivenUp(f"{said!a} is no answer that SMTP knows")
                words.append(line[4:].strip())
                if line[3:4] != b"-":
                    return int(found[0]), b"\n".join(words)
        except BaseException:
            self.close()
            raise

    def send(self, s: Any) -> None:
        """Sends a command or a mail, piece by piece. Raises OSError, and then the connection is closed."""
        data = s.encode(self.command_encoding) if isinstance(s, str) else bytes(s)
        try:
            for start in range(0, len(data), PIECE):
                self.patience.begin()
                if self.sock is None:
                    raise GivenUp("it has ended the connection")
                self.sock.settimeout(self.patience.left())
                self.sock.sendall(data[start : start + PIECE])
        except BaseException:
            self.close()
            raise

    def hand_over(self, data: bytes) -> tuple[int, bytes]:
        """Sends the mail itself, after the server has asked for it; returns the answer."""
        self.send(_PERIOD.sub(b"..", data).removesuffix(b"\r\n") + b"\r\n.\r\n")
        return self.getreply()


class BoundedTls(Bounded, smtplib.SMTP_SSL):
    """A connection to an SMTP server with the same bounds, over TLS from the beginning."""


@contextmanager
def through_smtp(account: Account, clock: Callable[[], float] = time.monotonic) -> Iterator[Smtp]:
    """A connection to the account's SMTP server, closed at the end. Raises Faulty.

    `clock` returns seconds; by it a server that is too slow is given up.
    """
    way = Smtp(account, clock)
    way.connect()
    try:
        yield way
    finally:
        way.leave()


class Smtp:
    """The way to a server that takes our mail. If a connection breaks, the next mail gets a new one."""

    def __init__(self, account: Account, clock: Callable[[], float] = time.monotonic) -> None:
        self.account = account
        self.patience = Patience(account.timeout, clock, LONGEST_ANSWER, REST)
        self.server: Bounded | None = None

    def connect(self) -> Bounded:
        """The connection, logged in; a new one if there is none. Raises Faulty."""
        if self.server is None or self.server.sock is None:
            try:
                self.patience.begin()
                self.server = _connected(self.account, self.patience)
                self._greet(self.server)
            except _ERRORS as error:
                self._drop()
                raise server_problem(self.account, _server_in_words(self.account), error) from None
            except BaseException:
                self._drop()
                raise
        return self.server

    def leave(self) -> None:
        """Ends the connection, if there is one."""
        with suppress(*_ERRORS):
            if self.server is not None and self.server.sock is not None:
                self.server.quit()
        self._drop()

    def _drop(self) -> None:
        if self.server is not None:
            self.server.close()
        self.server = None

    def _greet(self, server: Bounded) -> None:
        assert self.account.smtp is not None
        server.ehlo_or_helo_if_needed()
        if port_and_security(self.account.smtp, outgoing=True)[1] == "starttls":
            server.starttls(context=tls_settings(self.account.smtp.ca))
            server.ehlo_or_helo_if_needed()  # only what it offers now counts
        if self.account.password_command:
            self._log_in(server)

    def _log_in(self, server: Bounded) -> None:
        user, word = self.account.user or self.account.address, password_of(self.account)
        try:
            if self.account.auth == "oauth2":
                server.auth("XOAUTH2", lambda challenge=None: xoauth2_login(user, word).decode())
            elif f"{user}{word}".isascii():
                server.login(user, word)
            else:  # smtplib logs in only with ASCII
                given = base64.b64encode(plain_login(user, word)).decode()
                code, answer = server.docmd("AUTH", f"PLAIN {given}")
                if code != 235:
                    raise smtplib.SMTPAuthenticationError(code, answer)
        except smtplib.SMTPAuthenticationError as error:
            raise shut_out(self.account, _server(self.account), user, words_of_error(error)) from None

    def send(self, data: bytes, to: Sequence[str]) -> None:
        """Sends one mail, if the server takes the first address: nobody else gets a mail that its reader can't get."""
        server, unsure = self.connect(), ""
        try:
            self._begin(server, to)
            unsure = UNSURE.format(to[0], "looks for its copy" if self.account.copies else "sends it again")
            self._check_answer(server, server.hand_over(data), OK)
        except _ERRORS as error:
            self._drop()
            raise server_problem(self.account, _server_in_words(self.account), error, unsure) from None

    def _begin(self, server: Bounded, to: Sequence[str]) -> None:
        """Says from whom and to whom a mail is, up to the mail itself."""
        self._check_answer(server, server.mail(self.account.address), OK, of_mailbox=False)
        for place, address in enumerate(to):
            answer = server.rcpt(address)
            if not place:
                self._check_answer(server, answer, OK)
        self._check_answer(server, server.docmd("DATA"), range(354, 355))

    def _check_answer(
        self, server: Bounded, answer: tuple[int, bytes], wanted: range, *, of_mailbox: bool = True
    ) -> None:
        """Returns if the server agrees. Else the mail is given up: raises MailRefused if for good, Faulty if
        for now, OSError for an answer that is none.

        Only of a mailbox, or of a mail, a server can speak for good (550 to 559). All else is its own trouble, and may
        be over the next time.
        """
        code, text = answer
        if code in wanted:
            return
        said = f"{code} {text.decode('utf-8', 'replace')}"[:LONGEST_TOLD]
        if code < 400:
            raise GivenUp(f"it answers {said}")
        try:
            server.rset()
        except _ERRORS:
            self._drop()
        if of_mailbox and code in range(550, 560) and code != FULL:
            raise MailRefused(said)
        raise Faulty([Problem(self.account.file, 0, 0, "MAIL", f"{_server(self.account)}: not now: {said}")])


def _connected(account: Account, patience: Patience) -> Bounded:
    assert account.smtp is not None
    host, (port, security) = account.smtp.host, port_and_security(account.smtp, outgoing=True)
    if security == "tls":
        context = tls_settings(account.smtp.ca)
        return BoundedTls(patience, host, port, timeout=account.timeout, context=context)
    return Bounded(patience, host, port, timeout=account.timeout)


def _server_in_words(account: Account) -> str:
    return f"the SMTP server {server_in_words(account.smtp, outgoing=True)}" if account.smtp else "SMTP"


def _server(account: Account) -> str:
    return f"the SMTP server {account.smtp.host}" if account.smtp else "SMTP"
