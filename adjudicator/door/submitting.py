"""What becomes of a file that a player sends: one order of questions, whoever brings it.

A door finds the bytes, and knows who has sent them and when they came. From there on the first of these questions that
has an answer ends it: is the match over; is it what is in already; which phase is it for; can this phase still take it;
is there anything in it; is it a sheet? What is wrong with single orders holds nothing: the rest counts.

What an answer says about the open phase: its deadline, the orders that we already have, and what happens next.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.submission import (
    Kind,
    Next,
    PhaseStatus,
    Reason,
    Submission,
    kind_of,
    looked_at,
    plain_in,
    with_player,
    with_why,
)
from adjudicator.engine.folder.adjudication import open_closing
from adjudicator.engine.folder.entries import Entry, Taken, instant, of_kind, standing
from adjudicator.engine.folder.errors import Faulty, fault_in_words, place_of
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import (
    add_entries,
    deadline_in_force,
    hold_in_force,
    is_open_again,
    ledger_of,
    now_in,
    opened_at,
)
from adjudicator.engine.folder.marks import mark_now, receipt_of
from adjudicator.engine.folder.names import head_of
from adjudicator.engine.folder.post import SHEETS, Post
from adjudicator.engine.handout.for_all import end_line
from adjudicator.engine.handout.gathering import position_known
from adjudicator.engine.handout.times import due_text, instant_text
from adjudicator.engine.report.markdown_html import plain_text
from adjudicator.engine.sheets.reading import names_phase
from adjudicator.engine.sheets.schema import phases_ahead
from adjudicator.engine.sheets.sheet import ANSWERS
from adjudicator.engine.text.problem import Problem
from adjudicator.gm.playing import has_clock, schedule_in_force
from adjudicator.gm.situation import Now, situation


def status_of_phase(
    match: Folder, player: str, because: str, problems: Sequence[Problem], now: datetime
) -> PhaseStatus:
    """The state of the open phase, as it is told to a player who sent something, which is held `because` of a reason
    (empty: it was taken). Raises Faulty.
    """
    if match.head(match.last).over:
        return PhaseStatus(ended=plain_text(end_line(match, player)))
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


LONGEST_NAME = 100
"""Characters: no name of a phase's folder is as long."""


def submit(
    match: Folder,
    player: str,
    data: bytes,
    now: datetime,
    *,
    came: datetime | None = None,
    kind: Kind | None = None,
    phase: str = "",
) -> Submission:
    """Takes or holds what a player sent; what is taken is added to the match, which must be locked, and is written by
    the next `match.commit()`. What the program fails on is held, so that it stops nobody else.

    `came` is when it came, for a door that can tell. `phase` is the one that it is for, for a door that knows it: it
    counts if the file names none. Raises Faulty.
    """
    data = with_player(data, player)
    kind = kind or kind_of(data)
    try:
        said = _Intake(match, player, data, kind, phase, came and instant(came), now).answer()
    except (Faulty, OSError, MemoryError):
        raise
    except BaseException as error:
        crash = f"{fault_in_words(error)} ({place_of(error)})"
        said = Submission(player, match.phases[-1], kind, data, because="crashed", crash=crash)
    if said.taken and not said.again:
        match.add(f"{said.phase}/{said.file}", data)
    about = status_of_phase(match, player, said.because, said.problems, now)
    return with_why(replace(said, about=about), match.rulebook_for(player))


def submit_and_write(match: Folder, player: str, data: bytes, now: datetime, *, by: str) -> Submission:
    """Submits what a player hands in at a door that keeps nothing of its own, such as a page at this machine, and
    writes what is taken; in a match with a ledger its entry names the door (`by`). Raises Faulty.
    """
    said = submit(match, player, data, now, came=now)
    if said.taken and not said.again:
        if has_clock(match):
            add_entries(match, said.entry(now_in(match, now), by, came=instant(now)))
        match.commit()
    return said


class _Intake(Struct, frozen=True):
    """One file of one player, and the match that it came to; `phase` is what the door knows of the phase it is for."""

    match: Folder
    player: str
    data: bytes
    kind: Kind
    phase: str
    came: datetime | None
    now: datetime

    def answer(self) -> Submission:
        """What becomes of the file; the order of the questions is that of the answers."""
        match = self.match
        said = Submission(self.player, match.phases[-1], self.kind, self.data)
        if match.head(match.last).over:
            return replace(said, because="over")
        again = self._is_in(said)
        if not again and (held := self._refused_now(said)):
            return held
        rulebook, state = match.rulebook_for(self.player), match.state(match.last)
        seen = position_known(match, match.last, self.player) if self.kind == SHEETS else None
        return replace(looked_at(said, rulebook, state, seen=seen, mark=mark_now(match)), again=again)

    def _is_in(self, said: Submission) -> bool:
        """Are these the bytes that count already?"""
        name = f"{said.phase}/{said.file}"
        return self.match.has(name) and self.match.read(name) == self.data

    def _refused_now(self, said: Submission) -> Submission | None:
        """The file as it is held, if the open phase doesn't take it now; None if it does."""
        entries = ledger_of(self.match)
        named = plain_in(self.data).get("phase")
        meant = self.phase if named is None else str(named)
        opened = opened_at(entries, said.phase)
        if because := self._other_phase(meant):
            return replace(said, because=because, meant=meant)
        if not meant and self.came is not None and opened is not None and self.came < opened:
            return replace(said, because="earlier-phase", came=self._told(self.came))
        if because := self._closed_for(said) or self._out_of_time(said, entries):
            known = deadline_in_force(entries, said.phase) if because == "late" else None
            return replace(
                said,
                because=because,
                came=self._told(self.came) if because in ("late", "older") else "",
                closes=self._told(known.closes) if known else "",
            )
        return None

    def _other_phase(self, meant: str) -> Reason:
        """Is a phase, by its name, number or folder, an earlier or a later one than the one that is open? Empty for the
        open one, and for what names no phase.
        """
        head, rulebook = self.match.head(self.match.last), self.match.rulebook
        if not meant or len(meant) > LONGEST_NAME or names_phase(meant, head):
            return ""
        there = head_of(meant)
        if there is not None or (meant.isascii() and meant.isdecimal()):
            number = int(meant) if there is None else there.number
            return "later-phase" if number > head.number else "earlier-phase"
        if meant in (each.name for each in phases_ahead(rulebook, rulebook.phase(head.name))):
            return "later-phase"
        return "earlier-phase" if meant in (each.name for each in rulebook.phases) else ""

    def _closed_for(self, said: Submission) -> Reason:
        """Why the open phase can't take such a file now; empty if it can."""
        waits = self.match.opening(self.match.last).waits
        if said.kind == ANSWERS:
            return "" if waits == self.player else "no-question"
        if waits:
            return "frozen"
        return "closed" if open_closing(self.match) is not None else ""

    def _out_of_time(self, said: Submission, entries: Sequence[Entry]) -> Reason:
        """Why a file doesn't count by the time at which it came; empty if it counts.

        The newest file from before the phase closed counts, in whatever order a door brings them.
        """
        if self.came is None:
            return ""
        known = deadline_in_force(entries, said.phase)
        before = [one for one in of_kind(standing(entries), Taken, said.phase) if one.file == said.file]
        if known is not None and self.came >= known.closes and hold_in_force(entries) is None:
            # While mail keeps the phase open nobody is late, nor is who then sends another sheet.
            waited = any((one.came or one.at) >= known.closes for one in before)
            if not waited and not situation(self.match, self.now).unsent:
                return "late"
        return "older" if any((one.came or one.at) > self.came for one in before) else ""

    def _told(self, moment: datetime | None) -> str:
        return "" if moment is None else instant_text(self.match, moment, self.player)
