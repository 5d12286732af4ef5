"""A match in a repository some of whose players play by mail: the referee's job reads the mailbox, and mails phases."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from adjudicator.engine.folder import disk
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.gate import NotPlain, read_named
from adjudicator.engine.folder.names import ACCOUNT
from adjudicator.mail.account import account_in
from adjudicator.mail.fetching import fetch
from adjudicator.mail.sending import SendResult, send
from adjudicator.mail.settling import MailOutcome


class MailResult(Struct, frozen=True):
    """What came by mail, what went, and what is wrong with either."""

    came: Sequence[MailOutcome] = ()
    went: SendResult = SendResult()
    wrong: Sequence[Faulty] = ()


def lay_account(path: Path, account: Path) -> None:
    """Lays the account's file beside a match, where every part of the program looks for it. Raises Faulty, OSError."""
    try:
        text = read_named(account)
    except NotPlain as odd:
        raise Faulty([problem(account, str(odd))]) from None
    account_in(account)  # raises if others may read the file
    disk.write(path.parent / ACCOUNT, text, 0o600)


def fetch_mail(path: Path, now: datetime) -> MailResult:
    """Takes what came by mail for a match. Raises Faulty if the mailbox can't be reached."""
    came: list[MailOutcome] = []
    wrong, _ = fetch(account_in(path.parent / ACCOUNT), [path], now, came.append)
    return MailResult(came, wrong=wrong)


def send_mail(path: Path, now: datetime) -> MailResult:
    """Mails the open phase and all answers, each once; a fault is told, and the next job sends the rest."""
    try:
        return MailResult(went=send(path, account_in(path.parent / ACCOUNT), now))
    except Faulty as faulty:
        return MailResult(wrong=[faulty])
