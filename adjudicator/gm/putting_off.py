"""More time for a phase whose mail couldn't be handed over: the clock runs for nobody who wasn't told of it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from adjudicator.engine.folder.entries import PhaseOpened, PutOff, Replaced, instant, of_kind
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import add_entries, ledger_of, now_in
from adjudicator.engine.folder.moments import (
    DeadlineInForce,
    announced_in,
    deadline_in_force,
    hold_in_force,
)
from adjudicator.engine.match.showing import hand_out_again
from adjudicator.engine.table.event import Player
from adjudicator.gm.by_mail import not_told
from adjudicator.gm.deadlines import Deadline, deadline
from adjudicator.gm.playing import absences, deadline_of, schedule_in_force
from adjudicator.gm.situation import Now, situation


def put_off(match: Folder, at: datetime, refused: Collection[Player]) -> None:
    """Adds a later deadline to what is to be written, and the reports that say so, if a player for whom the open phase
    waits is told only now when it is due, and too late.

    Who is `refused` gets no mail now. Who plays instead of somebody has the time that is left, and that of a reminder.
    Raises Faulty.
    """
    now, entries, phase = now_in(match, at), ledger_of(match), match.phases[-1]
    known = deadline_in_force(entries, phase)
    if known is None or hold_in_force(entries) is not None:
        return
    since = entries[announced_in(entries, phase) :]
    new = {each.player for each in of_kind(since, Replaced)} if known.grace else set[Player]()
    if not not_told(match, entries, known, {*match.state(match.last).phase.due} - {*refused} - new):
        return
    found = situation(match, now)
    awaited = {*found.missing, found.waiting} - {"", *refused} - new
    if found.now in (Now.OVER, Now.CLOSED) or not not_told(match, entries, known, awaited):
        return
    later = _counted_from(match, known, now)
    if later is not None and later.due > known.due:
        add_entries(match, PutOff(at=now, phase=phase, due=later.due, closes=later.closes, moved=later.moved))
        hand_out_again(match)


def _counted_from(match: Folder, known: DeadlineInForce, now: datetime) -> Deadline | None:
    """The deadline if the phase is opened only now; of one that the GM gave, at least half of the time is left. None if
    more is left.
    """
    schedule = schedule_in_force(match)
    if schedule is not None and issubclass(known.by, PhaseOpened | PutOff):
        return deadline_of(match, now)
    half = (known.due - known.said) / 2
    if known.due - now >= half:
        return None
    if schedule is None:
        due = instant(now + half)
        return Deadline(due, due + known.grace)
    away = absences(ledger_of(match), match.state(match.last).phase.due)
    return deadline(schedule, match.head(match.last).name, now, away=away, least=half)
