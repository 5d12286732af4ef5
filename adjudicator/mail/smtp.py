"""Sending over an SMTP server."""

from __future__ import annotations

import base64
import smtplib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.text.problem import Problem
from adjudicator.mail.account import Account, password_of, port_and_security, server_in_words
from adjudicator.mail.boxes import MailRefused, server_problem, shut_out
from adjudicator.mail.imap import plain_login, tls_settings, xoauth2_login

_ERRORS = (smtplib.SMTPException, OSError)


@contextmanager
def through_smtp(account: Account) -> Iterator[Smtp]:
    """A connection to the account's SMTP server, closed at the end. Raises Faulty."""
    try:
        way = Smtp(account)
    except _ERRORS as error:
        raise server_problem(account, _problems_of_server(account), error) from None
    try:
        yield way
    finally:
        with suppress(*_ERRORS):
            way.server.quit()


class Smtp:
    """A connection to a server that takes our mail."""

    def __init__(self, account: Account) -> None:
        self.account = account
        assert account.smtp is not None
        host, (port, security) = account.smtp.host, port_and_security(account.smtp, outgoing=True)
        if security == "tls":
            context = tls_settings(account.smtp.ca)
            self.server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=account.timeout, context=context)
        else:
            self.server = smtplib.SMTP(host, port, timeout=account.timeout)
        try:
            self._greet(security, account)
        except BaseException:
            self.server.close()
            raise

    def _greet(self, security: str, account: Account) -> None:
        assert account.smtp is not None
        self.server.ehlo()
        if security == "starttls":
            self.server.starttls(context=tls_settings(account.smtp.ca))
            self.server.ehlo()  # only what it offers now counts
        if account.password_command:
            self._log_in()

    def _log_in(self) -> None:
        user, word = self.account.user or self.account.address, password_of(self.account)
        try:
            if self.account.auth == "oauth2":
                self.server.auth("XOAUTH2", lambda challenge=None: xoauth2_login(user, word).decode())
            elif f"{user}{word}".isascii():
                self.server.login(user, word)
            else:  # smtplib logs in only with ASCII
                given = base64.b64encode(plain_login(user, word)).decode()
                code, answer = self.server.docmd("AUTH", f"PLAIN {given}")
                if code != 235:
                    raise smtplib.SMTPAuthenticationError(code, answer)
        except smtplib.SMTPAuthenticationError as error:
            raise shut_out(self.account, _server(self.account), user, _words(error.smtp_error)) from None

    def send(self, data: bytes, to: Sequence[str]) -> None:
        """Sends one mail, if the server takes the first address: nobody else gets a mail that its reader can't get."""
        try:
            self._begin(to)
            self._check_answer(self.server.data(data))
        except _ERRORS as error:
            raise server_problem(self.account, _problems_of_server(self.account), error) from None

    def _begin(self, to: Sequence[str]) -> None:
        self._check_answer(self.server.mail(self.account.address))
        for place, address in enumerate(to):
            answer = self.server.rcpt(address)
            if not place:
                self._check_answer(answer)

    def _check_answer(self, answer: tuple[int, bytes]) -> None:
        """Returns if the server agrees. Else the mail is given up: raises MailRefused if for good, Faulty if
        for now.
        """
        code, text = answer
        if 200 <= code < 400:
            return
        with suppress(*_ERRORS):
            self.server.rset()
        said = f"{code} {_words(text)}"
        if 500 <= code < 600:
            raise MailRefused(said)
        raise Faulty([Problem(self.account.file, 0, 0, "MAIL", f"{_server(self.account)}: not now: {said}")])


def _words(text: bytes | str) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


def _problems_of_server(account: Account) -> str:
    return f"the SMTP server {server_in_words(account.smtp, outgoing=True)}" if account.smtp else "SMTP"


def _server(account: Account) -> str:
    return f"the SMTP server {account.smtp.host}" if account.smtp else "SMTP"
