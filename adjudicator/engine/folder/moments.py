"""What the ledger says about a match's time: the deadline in force, whether it is on hold, earlier deadlines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.entries import (
    Absent,
    Closed,
    Entry,
    Extended,
    HeldUp,
    PhaseOpened,
    PutOff,
    Reminded,
    Rescheduled,
    Resumed,
    Undone,
    of_kind,
    standing,
)
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.names import LEDGER
from adjudicator.engine.table.event import Player

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

MOVERS = (PhaseOpened, Absent, Extended, Rescheduled, Resumed, PutOff)
"""Entries that may say when a phase is due; the last of them counts."""


class DeadlineInForce(Struct, frozen=True):
    """The deadline of a phase, when the phase closes after the `grace`, or a reminder's, what has moved the deadline,
    and when it was announced.
    """

    due: datetime
    closes: datetime
    moved: tuple[str, ...]
    said: datetime
    by: type[Entry]
    grace: timedelta


def deadline_in_force(entries: Iterable[Entry], phase: str) -> DeadlineInForce | None:
    """The deadline of a phase as it was last announced; None if it has none. Reminders may keep it open for longer."""
    found = None
    for entry in standing(entries):
        if (
            isinstance(entry, Reminded)
            and entry.phase == phase
            and found is not None
            and entry.closes is not None
        ):
            found = replace(found, closes=max(found.closes, entry.closes))
        if not isinstance(entry, MOVERS) or entry.phase != phase or entry.due is None:
            continue
        moved = () if isinstance(entry, Extended) else entry.moved
        closes = entry.closes or entry.due
        found = DeadlineInForce(entry.due, closes, moved, entry.at, type(entry), closes - entry.due)
    return found


def announced_in(entries: Sequence[Entry], phase: str) -> int:
    """How many entries there are up to the last that opened a phase or said when it is due; 0 if there is none."""
    found = [
        number
        for number, entry in enumerate(entries, start=1)
        if isinstance(entry, MOVERS)
        and entry.phase == phase
        and (isinstance(entry, PhaseOpened) or entry.due is not None)
    ]
    return found[-1] if found else 0


def written_schedule(match: Folder) -> Mapping[str, Any]:
    """The schedule of a match as it was written: the last that the GM gave, else that of `match.yaml`; may be empty."""
    changed = of_kind(ledger_of(match), Rescheduled)
    return changed[-1].schedule if changed else match.card.schedule


def opened_at(entries: Iterable[Entry], phase: str) -> datetime | None:
    """When a phase was last opened; None if the ledger doesn't say."""
    found = [
        entry.at for entry in standing(entries) if isinstance(entry, PhaseOpened) and entry.phase == phase
    ]
    return found[-1] if found else None


def hold_in_force(entries: Iterable[Entry]) -> HeldUp | None:
    """What holds the match up; None if it isn't held up."""
    last = None
    for entry in entries:
        if isinstance(entry, HeldUp):
            last = entry
        elif isinstance(entry, Resumed):
            last = None
    return last


def is_open_again(entries: Iterable[Entry], phase: str) -> bool:
    """Was a phase taken back since it was last closed? Then its old sheets don't play it again at once.

    A phase that went to `undone/` itself has no old sheets: when it is reached again it is open for the first time.
    """
    last = [
        each
        for each in entries
        if (isinstance(each, Closed | Undone) and each.phase == phase)
        or (isinstance(each, Undone) and phase in each.gone)
    ]
    return bool(last) and isinstance(last[-1], Undone) and last[-1].phase == phase


def announcements(entries: Iterable[Entry]) -> int:
    """How many announcements of a deadline, or of none, there were: the number only rises, whatever is taken back."""
    return sum(
        isinstance(entry, HeldUp) or (isinstance(entry, MOVERS) and entry.due is not None)
        for entry in entries
    )


def prefix_of(match: Folder, entries: int | None = None) -> tuple[int, str]:
    """The number of the ledger's lines (at most `entries`) and their SHA-256; 0 and empty if there are none."""
    lines = match.read(LEDGER).splitlines(keepends=True) if match.has(LEDGER) else []
    kept = lines if entries is None else lines[:entries]
    return len(kept), digest_of(b"".join(kept)) if kept else ""


def zone_of(match: Folder, who: Player | None) -> tuple[str, ZoneInfo]:
    """The zone in which a reader is told deadlines, with its clock: the reader's own, else the schedule's."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    secrets = match.secrets() if who is not None else None
    own = (secrets.zones if secrets else {}).get(who or "", "")
    for name in (own, str(written_schedule(match).get("zone", ""))):
        try:
            if name:
                return name, ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError):  # edited by hand: commands that need the zone report it
            continue
    return "UTC", ZoneInfo("UTC")
