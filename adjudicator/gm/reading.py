"""Whether the mailbox of a match was read since a phase's time came: what lies there unread is nobody's fault."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime

from adjudicator.engine.folder.entries import Entry, Fetched, of_kind
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import ACCOUNT
from adjudicator.gm.addresses import is_address


def by_mail(match: Folder) -> bool:
    """Does a match go by mail: is there an account for it, and an address for somebody?"""
    folder = match.path.absolute()
    if not any(os.path.lexists(each / ACCOUNT) for each in (folder, folder.parent)):
        return False
    secrets = match.secrets()
    return secrets is not None and any(is_address(address) for address in secrets.addresses.values())


def was_read(match: Folder, entries: Iterable[Entry], moment: datetime) -> bool:
    """Has all come in for the open phase that lay in the mailbox at an instant? So it has where there is none."""
    read = (entry.until for entry in of_kind(entries, Fetched, match.phases[-1]))
    return any(until >= moment for until in read) or not by_mail(match)
