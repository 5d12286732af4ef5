"""The bank: time that each player may take over a deadline, in all phases together. It is used by itself, before the
grace.

How much is left follows from the ledger: from a deadline that was put off to the player's next sheet, or to the close.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from adjudicator.engine.folder.entries import Banked, Closed, Entry, Taken, of_kind, standing
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.gm.by_mail import was_read
from adjudicator.gm.missed import entries_since_replaced, missed_in_a_row
from adjudicator.gm.schedule import Schedule
from adjudicator.gm.situation import Now, Situation, away_at

LEAST = timedelta(minutes=1)
"""Less than this isn't worth a new deadline."""


def left_in_bank(entries: Sequence[Entry], player: str, schedule: Schedule | None) -> timedelta:
    """How much time a player still has in the bank; a new player of a seat begins with all."""
    mine = standing(entries_since_replaced(entries, player))
    used = sum((_used(each, mine) for each in of_kind(mine, Banked) if each.player == player), timedelta())
    return max((schedule.bank if schedule is not None else timedelta()) - used, timedelta())


def _used(entry: Banked, entries: Sequence[Entry]) -> timedelta:
    """How much of what was taken from the bank was used."""
    sent = [
        one.came or one.at
        for one in of_kind(entries, Taken, entry.phase)
        if one.player == entry.player and one.at >= entry.at
    ]
    closed = [one.at for one in of_kind(entries, Closed, entry.phase) if one.at >= entry.at]
    return max(min([entry.due, *sent, *closed]) - entry.since, timedelta())


def taken_from_bank(
    match: Folder, found: Situation, schedule: Schedule | None, now: datetime
) -> list[Banked]:
    """The entries that put a deadline off which is past: one for each player whose sheet is missing and who still has
    time in the bank, the longest last. Nobody who is away, or for whom the others don't wait, takes any. Raises Faulty.
    """
    entries, phase, known = ledger_of(match), match.phases[-1], found.deadline_in_force
    if schedule is None or known is None or found.now not in (Now.LATE, Now.OVERDUE, Now.UNSENT):
        return []
    if now < known.due or not was_read(match, entries, known.due):
        return []
    before = {one.player for one in of_kind(standing(entries), Banked, phase)}
    gone = {one.player for one in missed_in_a_row(match, entries, schedule) if one.go_on or one.open}
    taken = [
        Banked(at=now, phase=phase, due=due, closes=due + known.grace, player=player, since=known.due)
        for player in {*found.missing, found.waiting} - before - gone - away_at(match, entries, now) - {""}
        if (left := left_in_bank(entries, player, schedule)) >= LEAST and (due := known.due + left) > now
    ]
    return sorted(taken, key=lambda each: (each.due, each.player))
