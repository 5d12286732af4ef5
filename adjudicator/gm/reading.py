"""Whether a match's mailbox was read since a phase's time came: a sheet that lies there unread isn't late."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime

from adjudicator.engine.folder.entries import Entry, Fetched, of_kind
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import ACCOUNT
from adjudicator.gm.addresses import is_address


def by_mail(match: Folder) -> bool:
    """Is a match played by mail: has it an account, and at least one address?"""
    folder = match.path.absolute()
    if not any(os.path.lexists(each / ACCOUNT) for each in (folder, folder.parent)):
        return False
    secrets = match.secrets()
    return secrets is not None and any(is_address(address) for address in secrets.addresses.values())


def was_read(match: Folder, entries: Iterable[Entry], moment: datetime) -> bool:
    """Was the mailbox read past an instant, for the open phase? True also for a match without a mailbox."""
    read = (entry.until for entry in of_kind(entries, Fetched, match.phases[-1]))
    return any(until >= moment for until in read) or not by_mail(match)
