"""Whom to remind in the grace (after the deadline, before the phase closes), and who was reminded by mail."""

from __future__ import annotations

from datetime import datetime

from adjudicator.engine.folder.entries import Reminded, of_kind
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.moments import deadline_in_force
from adjudicator.engine.table.event import Player
from adjudicator.gm.missed_sheets import entries_since_replaced
from adjudicator.gm.playing import absences, schedule_in_force
from adjudicator.gm.situation import Now, Situation, local_date, situation


def players_to_remind(match: Folder, at: datetime, found: Situation | None = None) -> tuple[Player, ...]:
    """The players to remind now: in the grace, those whose sheet or answer is missing and who aren't away.

    Nobody while the match is on hold. `found` is the situation at that instant, if it is known. Raises Faulty.
    """
    entries = ledger_of(match)
    known = deadline_in_force(entries, match.phases[-1])
    if known is None or not known.due <= at < known.closes:
        return ()
    found = situation(match, at) if found is None else found
    if found.now is not Now.LATE:
        return ()
    today = local_date(schedule_in_force(match), at)
    late = found.missing or ((found.waiting,) if found.waiting else ())
    return tuple(player for player in late if not any(today in span for span in absences(entries, [player])))


def was_reminded(match: Folder, player: Player) -> bool:
    """Was the current player of a seat reminded since the open phase's deadline? Raises Faulty.

    If the phase is put off or opened again, everybody who is late again is reminded again.
    """
    entries, phase = ledger_of(match), match.phases[-1]
    known = deadline_in_force(entries, phase)
    sent = of_kind(entries_since_replaced(entries, player), Reminded, phase)
    return known is not None and any(each.player == player and each.at >= known.due for each in sent)
