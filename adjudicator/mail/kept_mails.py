"""Mails that are kept in a phase's folder, because they can't be made again from other files."""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage

from adjudicator.engine.folder.entries import Sent
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import add_entries
from adjudicator.engine.folder.names import MAIL

REMINDER, WELCOME, FAREWELL, CLOSING = "-reminder.eml", "-welcome.eml", "-farewell.eml", "-closed.eml"
"""The endings of these mails' names, with `gm.by_mail.NOTICE`; any other kept mail is an answer."""


def keep_mail(match: Folder, to: str, message: EmailMessage, kind: str, at: datetime) -> Sent:
    """Adds a mail to the match's folder, and its entry as begun; the next commit writes both."""
    top, data = match.phases[-1], message.as_bytes()
    name = f"{MAIL}/{digest_of(data)[:16]}{kind}"
    match.add(f"{top}/{name}", data)
    files, number = {name: digest_of(data)}, str(message["Message-ID"])
    entry = Sent(at=at, phase=top, to=to, files=files, message=number, stage="begun")
    add_entries(match, entry)
    return entry


def is_kept(entry: Sent) -> bool:
    """Is the entry about a mail that is kept in the phase's folder?"""
    return any(name.startswith(f"{MAIL}/") for name in entry.files)


def is_of_kind(kind: str, entry: Sent) -> bool:
    """Is the entry about a kept mail of that kind?"""
    return any(name.endswith(kind) for name in entry.files)
