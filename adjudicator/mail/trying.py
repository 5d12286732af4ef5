"""Trying an account: whether mail can be read and sent, and whether a mail that is sent comes back."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from adjudicator.door.seats import all_seats
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.text.problem import counted
from adjudicator.mail.account import Account, server_in_words, words_of
from adjudicator.mail.answer import button_of, message_without_text
from adjudicator.mail.boxes import MailRefused
from adjudicator.mail.club import inbox, outgoing
from adjudicator.mail.letter import head_in
from adjudicator.mail.sender import observer

PAUSE = 1.0
"""Seconds between two looks for a mail that was sent."""


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


def try_round_trip(
    account: Account, folders: Sequence[Path], now: datetime, wait: Callable[[float], None] = time.sleep
) -> str:
    """Sends a mail to an address of the account such as a player's Reply-To, waits for it in the mailbox, and settles
    it; returns a sentence that says so. Raises Faulty, also if it doesn't come within the account's timeout.
    """
    seats, wrong = all_seats(folders)
    if not seats:
        raise wrong[0] if wrong else Faulty([problem(account.file, "there is no match to try it for")])
    here = observer(seats[0], account.address)
    to = button_of(account, here)
    message = message_without_text(
        account, here, f"test {now:%Y%m%dT%H%M%S.%f}", "adjudicator mail test", now
    )
    message.replace_header("To", to)
    message.set_content("A mail of `adjudicator mail test`, which looks for it in the mailbox.\n")
    try:
        with outgoing(account) as out:
            out.send(message.as_bytes(), [to])
    except MailRefused as refused:
        raise Faulty(
            [problem(account.file, f"a mail to {to} was refused: {refused}{_without_plus(account)}")]
        ) from None
    for _ in range(account.timeout):
        if _came(account, str(message["Message-ID"])):
            return f"a mail to {to} has come back"
        wait(PAUSE)
    said = f"a mail to {to} was sent, and didn't come back within {counted(account.timeout, 'second')}"
    raise Faulty([problem(account.file, f"{said}{_without_plus(account)}")])


def _without_plus(account: Account) -> str:
    return "; if your server knows no addresses with a plus, write `plus: false`" if account.plus else ""


def _came(account: Account, number: str) -> bool:
    """Is the mail of that Message-ID in the mailbox? Then it is marked as settled."""
    with inbox(account) as box:
        for arrived in box.new():
            if head_in(arrived.data).id == number:
                box.mark_settled(arrived, read=True)
                return True
    return False
