"""Whom to remind after the deadline, before the phase closes."""

from __future__ import annotations

from datetime import datetime

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.moments import deadline_in_force
from adjudicator.engine.table.event import Player
from adjudicator.gm.situation import Now, Situation, away_at, situation


def players_to_remind(match: Folder, at: datetime, found: Situation | None = None) -> tuple[Player, ...]:
    """The players to remind now: those whose sheet or answer is missing and who aren't away, if there is a grace and it
    isn't over, or mail keeps the phase open.

    Nobody while the match is on hold. `found` is the situation at that instant, if it is known. Raises Faulty.
    """
    entries = ledger_of(match)
    known = deadline_in_force(entries, match.phases[-1])
    if known is None or not known.grace or at < known.due:
        return ()
    found = situation(match, at) if found is None else found
    if found.now not in (Now.LATE, Now.UNSENT):
        return ()
    late, away = found.missing or ((found.waiting,) if found.waiting else ()), away_at(match, entries, at)
    return tuple(player for player in late if player not in away)
