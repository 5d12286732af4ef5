"""What an answer says about the open phase: its deadline, the orders that we already have, and what happens next."""

from __future__ import annotations

from datetime import datetime

from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.marks import receipt_of
from adjudicator.engine.folder.moments import is_open_again
from adjudicator.engine.folder.post import SHEETS, Post
from adjudicator.engine.handout.times import due_text
from adjudicator.engine.sheets.answers import ANSWERS
from adjudicator.gm.playing import schedule_in_force
from adjudicator.gm.situation import Now, situation
from adjudicator.mail.answer import AnswerFacts, Next, PhaseStatus


def status_of_phase(match: Folder, player: str, said: AnswerFacts, now: datetime) -> PhaseStatus:
    """What to say about the open phase in the answer `said` to a player's mail. Raises Faulty."""
    if match.head(match.last).over:
        return PhaseStatus()
    mail = Post(match).collect(match.last)
    asked = match.opening(match.last).waits == player
    before = f"{match.phases[-1]}/{ANSWERS if asked else SHEETS}/{player}.yaml"
    return PhaseStatus(
        until=due_text(match, match.last, player),
        earlier=receipt_of(digest_of(match.read(before))) if said.because and match.has(before) else "",
        asked=asked,
        due=player in match.state(match.last).phase.due,
        ahead=mail.later.get(player, ""),
        standing=player in mail.standing,
        next=_next(match, player, said, now),
    )


def _next(match: Folder, player: str, said: AnswerFacts, now: datetime) -> Next:
    """What becomes of the phase for which a sheet or answers were just taken."""
    if said.because:
        return ""
    found, schedule = situation(match, now), schedule_in_force(match)
    asked = bool(match.opening(match.last).waits)
    past = found.deadline_in_force is not None and now >= found.deadline_in_force.due
    pause = schedule is not None and bool(
        schedule.pause
    )  # the pause is counted from the ledger, which lacks this sheet
    wrong = any(problem.severity == "error" for problem in said.problems)
    if found.held is not None:
        return "held"
    if found.now is Now.COMPLETE and (asked or past or not pause):
        return "answered" if asked else "complete"
    if asked:
        return "open"
    if player in found.missing:
        return "unfinished"
    if past:
        return "late"
    if is_open_again(ledger_of(match), match.phases[-1]):
        return "again"
    if match.card.options.get("early_opening") == "locked":
        return "open"
    if wrong and player in match.state(match.last).phase.due:
        return "faulty"
    return "early" if schedule is None or schedule.early else "open"
