"""What an answer says about the open phase: its deadline, the orders that we already have, and what happens next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from adjudicator.door.submission import Next, PhaseStatus
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.marks import receipt_of
from adjudicator.engine.folder.moments import is_open_again
from adjudicator.engine.folder.post import SHEETS, Post
from adjudicator.engine.handout.ending import end_line
from adjudicator.engine.handout.times import due_text
from adjudicator.engine.report.markdown_html import plain_text
from adjudicator.engine.sheets.answers import ANSWERS
from adjudicator.engine.text.problem import Problem
from adjudicator.gm.playing import schedule_in_force
from adjudicator.gm.situation import Now, situation


def status_of_phase(
    match: Folder, player: str, because: str, problems: Sequence[Problem], now: datetime
) -> PhaseStatus:
    """The state of the open phase, as it is told to a player who sent something, which is held `because` of a reason
    (empty: it was taken). Raises Faulty.
    """
    if match.head(match.last).over:
        return PhaseStatus(ended=plain_text(end_line(match)))
    mail = Post(match).collect(match.last)
    asked = match.opening(match.last).waits == player
    before = f"{match.phases[-1]}/{ANSWERS if asked else SHEETS}/{player}.yaml"
    return PhaseStatus(
        until=due_text(match, match.last, player),
        earlier=receipt_of(digest_of(match.read(before))) if because and match.has(before) else "",
        asked=asked,
        due=player in match.state(match.last).phase.due,
        ahead=mail.later.get(player, ""),
        standing=player in mail.standing,
        next="" if because else _next(match, player, problems, now),
    )


def _next(match: Folder, player: str, problems: Sequence[Problem], now: datetime) -> Next:
    """What becomes of the phase for which a sheet or answers were just taken."""
    found, schedule = situation(match, now), schedule_in_force(match)
    asked = bool(match.opening(match.last).waits)
    past = found.deadline_in_force is not None and now >= found.deadline_in_force.due
    pause = schedule is not None and bool(
        schedule.pause
    )  # the pause is counted from the ledger, which lacks this sheet
    wrong = any(problem.severity == "error" for problem in problems)
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
