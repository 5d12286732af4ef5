"""What a reader is told of a match, as one value from which reports, maps and pages are made."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from adjudicator.engine.ahead.due_sheets import SheetStatus
from adjudicator.engine.play.account import OrderAccount, Word, every_account
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.reason import Reason

if TYPE_CHECKING:
    from adjudicator.engine.report.chart import Chart
    from adjudicator.engine.report.luck import Luck
    from adjudicator.engine.report.receipts import Receipts

CARRIED_OUT = (Word.DONE, Word.PARTLY)
Accounts = Mapping[str, Sequence[OrderAccount]]
"""What became of a reader's orders, by the folder of their phase: `0003-t1-market`."""
NO_ACCOUNTS: Accounts = {}
Link = tuple[str, str]
"""Another page: its address as seen from this one, and its title."""


class ReaderFacts(Struct, frozen=True):
    """What a report tells its reader: the events since the last one, the position before them, and that after them.

    `view` is the position after them as the reader sees it, if `after` also has what the reader could work out.
    `people` are the names of those who play, by their seats, as far as the GM has given them. `accounts` say what
    became of the reader's own orders.
