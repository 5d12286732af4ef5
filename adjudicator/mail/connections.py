"""An account's mailbox and its way to send, each loaded when it is used."""

from __future__ import annotations

import shutil
from contextlib import AbstractContextManager

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.mail.account import Account, server_in_words, words_of
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


def try_inbox(account: Account) -> str:
    """Opens the mailbox and reads no mail; returns a sentence that says so. Raises Faulty."""
    with inbox(account):
        pass
    if account.imap is None:
        return f"mail can be read in the Maildir {account.maildir}"
    return f"mail can be read in {account.folder} of {server_in_words(account.imap, outgoing=False)}"


def try_outgoing(account: Account) -> str:
    """Begins to send, and sends nothing; returns a sentence that says so. Raises Faulty."""
    with outgoing(account):
        pass
    if account.smtp is not None:
        return f"mail can be sent by {server_in_words(account.smtp, outgoing=True)}"
    program = words_of(account.sendmail)[0]
    if shutil.which(program) is None:
        raise Faulty([problem(account.file, f"sendmail: there is no command {program}")])
    return f"mail is handed to {program}; whether that can send it shows when it does"
