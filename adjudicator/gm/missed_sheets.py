"""Who has missed sheets in a row, and what the schedule says about it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from adjudicator.engine.folder.entries import Closed, Entry, Replaced, standing
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.moments import written_schedule
from adjudicator.engine.folder.post import SHEETS
from adjudicator.gm.schedule import Schedule, schedule_of


class MissedInARow(Struct, frozen=True):
    """A player's missed sheets in a row, and whether by the schedule this is told (`warned`) or the seat is `open`."""

    player: str
    missed: int
    warned: bool
    open: bool


def entries_since_replaced(entries: Sequence[Entry], player: str) -> Sequence[Entry]:
    """The entries since a seat last changed hands; all entries if it never did."""
    at = [
        index for index, entry in enumerate(entries) if isinstance(entry, Replaced) and entry.player == player
    ]
    return entries[at[-1] + 1 :] if at else entries


def missed_in_a_row(match: Folder, entries: Sequence[Entry], schedule: Schedule | None) -> list[MissedInARow]:
    """Each player who has missed sheets in a row, up to the last closed phase, and how many."""
    found = []
    for player in match.card.players:
        mine = [
            each for each in standing(entries_since_replaced(entries, player)) if isinstance(each, Closed)
        ]
        missed = 0
        for each in mine:
            if player in each.missing:
                missed += 1
            elif has_sent(match, each.phase, player):
                missed = 0
        if missed:
            limits = schedule.missed if schedule is not None else None
            warned = limits is not None and 0 < limits.warn <= missed
            gone = limits is not None and 0 < limits.replace <= missed
            found.append(MissedInARow(player, missed, warned, gone))
    return found


def has_sent(match: Folder, phase: str, player: str) -> bool:
    """Did a player send a sheet for a closed phase?"""
    return phase in match.phases and match.has(f"{phase}/{SHEETS}/{player}.yaml")


def newly_missed(match: Folder) -> list[MissedInARow]:
    """The players whose sheet was missing when the last run closed a phase, if the schedule says to tell.

    A run may play more phases, which wait for nobody; all that it closes has its instant. Raises Faulty.
    """
    entries = ledger_of(match)
    closed = [each for each in standing(entries) if isinstance(each, Closed)]
    gone = {player for each in closed if each.at == closed[-1].at for player in each.missing}
    found = missed_in_a_row(match, entries, schedule_of(written_schedule(match))) if gone else []
    return [seat for seat in found if seat.player in gone and (seat.warned or seat.open)]
