"""Another schedule for a running match: an entry from which all later deadlines follow."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.folder.entries import Rescheduled
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.ledger import ledger_of, now_in
from adjudicator.engine.folder.moments import deadline_in_force, hold_in_force, written_schedule
from adjudicator.gm.acts import checked_reason, enter, match_for_act
from adjudicator.gm.deadlines import deadline
from adjudicator.gm.playing import absences, phases_of
from adjudicator.gm.schedule import schedule_of


def reschedule(path: Path, schedule: Mapping[str, Any], at: datetime, *, why: str) -> Rescheduled:
    """Gives a match another schedule, as it is written in a file. Raises Faulty.

    The announced deadline of the open phase stands: players count on it, and `extend` can move it. If the phase has
    none, because the match had no schedule, it gets one, counted from now; if the match is on hold, when it goes on.
    """
    with match_for_act(path) as match:
        now = now_in(match, at)
        if dict(schedule) == dict(written_schedule(match)):
            raise Faulty([problem(path, "the match already has this schedule")])
        read = schedule_of(schedule, phases_of(match.rulebook))
        entries, phase = ledger_of(match), match.phases[-1]
        entry = Rescheduled(at=now, schedule=dict(schedule), why=checked_reason(why))
        if read is not None and deadline_in_force(entries, phase) is None and hold_in_force(entries) is None:
            away = absences(entries, match.state(match.last).phase.due)
            found = deadline(read, match.head(match.last).name, now, away=away)
            entry = replace(entry, phase=phase, due=found.due, closes=found.closes, moved=found.moved)
        enter(match, entry)
        return entry
