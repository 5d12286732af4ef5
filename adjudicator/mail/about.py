"""What an answer says about the open phase: its deadline, the orders that we already have, and why it waits."""

from __future__ import annotations

from datetime import datetime

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.post import Post
from adjudicator.engine.handout.times import due_text
from adjudicator.gm.playing import schedule_in_force
from adjudicator.gm.situation import Now, situation
from adjudicator.mail.answer import SHEET, PhaseStatus, Said


def about(match: Folder, player: str, said: Said, now: datetime) -> PhaseStatus:
    """What to say about the open phase in the answer `said` to a player's mail. Raises Faulty."""
    if match.head(match.last).over:
        return PhaseStatus()
    mail, schedule = Post(match).collect(match.last), schedule_in_force(match)
    taken = not said.because and said.kind == SHEET and not match.opening(match.last).waits
    due = player in match.state(match.last).phase.due
    return PhaseStatus(
        until=due_text(match, match.last, player),
        ahead=mail.later.get(player, ""),
        standing=player in mail.standing,
        faulty=taken and due and any(problem.severity == "error" for problem in said.problems),
        early=taken and (schedule is None or schedule.early),
        # A pause follows from the ledger, which doesn't have this mail yet.
        complete=taken
        and not (schedule is not None and schedule.pause)
        and situation(match, now).now is Now.COMPLETE,
    )
