"""Who has missed sheets in a row, or has given up a seat: by the ledger, since the seat last changed hands."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from adjudicator.engine.folder.entries import Closed, Entry, Replaced, Resigned, of_kind, standing
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of, written_schedule
from adjudicator.engine.folder.post import SHEETS
from adjudicator.gm.schedule import Missed, Schedule, schedule_of


class MissedInARow(Struct, frozen=True):
    """A player's missed sheets in a row, and whether by the schedule this is told (`warned`), the others don't wait any
    more (`go_on`), or the seat is `open`; it also is if its player has `resigned`.
    """

    player: str
    missed: int
    warned: bool
    open: bool
    go_on: bool = False
    resigned: bool = False


def entries_since_replaced(entries: Sequence[Entry], player: str) -> Sequence[Entry]:
    """The entries since a seat last changed hands; all entries if it never did."""
    at = [
        index for index, entry in enumerate(entries) if isinstance(entry, Replaced) and entry.player == player
    ]
    return entries[at[-1] + 1 :] if at else entries


def has_resigned(entries: Sequence[Entry], player: str) -> bool:
    """Has the player given up the seat, and did nobody take it since?"""
    return any(each.player == player for each in of_kind(entries_since_replaced(entries, player), Resigned))


def has_left(entries: Sequence[Entry], player: str, regent: str) -> bool:
    """Has the player given up the seat, and does nobody play it since but the bot of that name?"""
    mine = [
        each
        for each in entries
        if isinstance(each, Resigned | Replaced) and each.player == player
        if not (isinstance(each, Replaced) and each.bot == regent)
    ]
    return any(isinstance(each, Resigned) for each in mine[-1:])


def missed_in_a_row(match: Folder, entries: Sequence[Entry], schedule: Schedule | None) -> list[MissedInARow]:
    """Each player who has missed sheets in a row, up to the last closed phase, and how many; and each who
    has resigned.
    """
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
        resigned = has_resigned(entries, player)
        if missed or resigned:
            limits = schedule.missed if schedule is not None else Missed()
            warned, go_on, gone = (0 < each <= missed for each in (limits.warn, limits.go_on, limits.replace))
            seat = MissedInARow(player, missed, warned, gone or resigned, go_on or resigned, resigned)
            found.append(seat)
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
    return [seat for seat in found if seat.player in gone and seat.missed and (seat.warned or seat.open)]
