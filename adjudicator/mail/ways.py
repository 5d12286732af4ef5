"""An account's mailbox and its way to send, each loaded when it is used."""

from __future__ import annotations

from contextlib import AbstractContextManager

from adjudicator.mail.account import Account
from adjudicator.mail.boxes import Mailbox, Outgoing


def inbox(account: Account) -> AbstractContextManager[Mailbox]:
    """The account's mailbox. Raises Faulty."""
    if account.maildir:
        from adjudicator.mail.maildir import opened_maildir

        return opened_maildir(account)
    from adjudicator.mail.imap import opened_imap

    return opened_imap(account)


def outgoing(account: Account) -> AbstractContextManager[Outgoing]:
    """The account's way to send. Raises Faulty."""
    if account.sendmail:
        from adjudicator.mail.maildir import through_command

        return through_command(account)
    from adjudicator.mail.smtp import through_smtp

    return through_smtp(account)
