"""A match at an instant: its deadline and the reason for it, who is late, who is away, who has missed sheets, and whom
to remind.

Players can correct sheets that have faults, so these complete no phase before its deadline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum

from msgspec import Struct

from adjudicator.engine.folder.adjudication import closed_in
from adjudicator.engine.folder.entries import (
    Absent,
    Entry,
    HeldUp,
    Replaced,
    Taken,
    Warned,
    of_kind,
    standing,
)
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import (
    DeadlineInForce,
    deadline_in_force,
    hold_in_force,
    is_open_again,
    ledger_of,
    written_schedule,
)
from adjudicator.engine.folder.post import Mail, Post
from adjudicator.engine.handout.gathering import position_known
from adjudicator.engine.play.checking import CheckResult, check_sheet
from adjudicator.engine.play.left import Left, left_in
from adjudicator.engine.table.event import Player
from adjudicator.engine.text.problem import Problem
from adjudicator.gm.by_mail import is_given_up, is_mailed, not_told, was_read, was_reminded
from adjudicator.gm.missed import MissedInARow, has_resigned, missed_in_a_row
from adjudicator.gm.schedule import Schedule, day_in, schedule_of


def checked_sheet(match: Folder, mail: Mail, player: Player) -> CheckResult:
    """The player's own check of the player's sheet; it knows what the player knows."""
    return check_sheet(match.rulebook, position_known(match, match.last, player), mail.sheets[player])


def faults_in(checked: CheckResult) -> list[Problem]:
    """The errors that a check has found."""
    return [problem for problem in checked.problems if problem.severity == "error"]


def left_of_sheet(match: Folder, mail: Mail, player: Player) -> list[Left]:
    """What the player's sheet leaves to be decided in the open phase; nothing, if it says that there are no orders."""
    if not mail.sheets[player].orders:
        return []
    view = position_known(match, match.last, player)
    left = left_in(match.rulebook, view, player, mail.sheets[player], must=True)
    return [each for each in left if each.phase == view.phase.name]


def players_with_faults(match: Folder, mail: Mail) -> tuple[Player, ...]:
    """The players whose sheet for the open phase has faults.

    Orders that came before the phase opened don't count: their players were asked again, if the match does that.
    """
    due = match.state(match.last).phase.due
    own = [player for player in due if player in mail.sheets and player not in mail.later]
    return tuple(
        player
        for player in own
        if player not in mail.standing and faults_in(checked_sheet(match, mail, player))
    )


class Now(Enum):
    """What to do with a match at an instant."""

    OVER = "the match is over"
    HELD = "it is on hold"
    COMPLETE = "all sheets that it needs are in"
    EARLY = "all sheets are in, but the phase waits for its deadline"
    AGAIN = "all sheets are in, but the phase was taken back, and waits until the GM plays it again"
    FAULTY = "all sheets are in, but some have faults that their players can still correct"
    PAUSE = "all sheets are in, but the pause after the last one isn't over"
    RUNNING = "sheets are due"
    LATE = "the deadline is past, but the grace isn't over"
    OVERDUE = "the phase is overdue"
    CLOSED = "the phase is closed, and waits for its dice"
    UNREAD = "the phase's time has come, but the mailbox hasn't been read since"
    UNSENT = "the phase's time has come, but mail couldn't be handed over to everybody for whom it waits"


WITH_ALL_IN = (Now.EARLY, Now.AGAIN, Now.FAULTY, Now.PAUSE)
"""Reasons not to play a phase although all sheets are in."""
BY_MAIL = (Now.UNREAD, Now.UNSENT)
"""Reasons not to play a phase although its time has come."""


class Situation(Struct, frozen=True):
    """A match at an instant.

    `late` are the players whose sheet is missing after the deadline; `away` the present and coming absences; `left` how
    often, and for how many days, each player may still be absent. `waiting` is the player whose answer is missing;
    `problems` are files that count as not sent, or belong to no player. `faulty` are the players whose sheet has
    faults, `unsent` those whose mail keeps a phase open whose time has come. `plays` is when the schedule plays or
    closes the phase, as things stand; None: at no time.
    """

    now: Now
    deadline_in_force: DeadlineInForce | None
    held: HeldUp | None
    missing: tuple[str, ...]
    drafts: tuple[str, ...]
    late: tuple[str, ...]
    away: tuple[Absent, ...]
    missed_in_a_row: tuple[MissedInARow, ...]
    left: Mapping[str, tuple[int, int]]
    waiting: str = ""
    problems: tuple[Problem, ...] = ()
    faulty: tuple[str, ...] = ()
    unsent: tuple[str, ...] = ()
    plays: datetime | None = None

    @property
    def awaited(self) -> tuple[str, ...]:
        """The players whose sheet is missing, or the one whose answer is."""
        return self.missing or ((self.waiting,) if self.waiting else ())


def situation(match: Folder, at: datetime) -> Situation:
    """The match at an instant, from its ledger, its schedule and what has come in. Raises Faulty."""
    entries = ledger_of(match)
    schedule = schedule_of(written_schedule(match))
    known, held = deadline_in_force(entries, match.phases[-1]), hold_in_force(entries)
    over = match.head(match.last).over
    post = Post(match)
    mail = None if over else post.collect(match.last)
    missing = mail.missing if mail is not None else ()
    past = known is not None and at >= known.due
    ended = known is not None and at >= known.closes
    waits = match.opening(match.last).waits
    asked = bool(waits) and not post.has_new_answers(match.last, waits)
    wrong: tuple[str, ...] = ()
    unsent: tuple[str, ...] = ()
    if mail is None:
        now, plays = Now.OVER, None
    elif held is not None:
        now, plays = Now.HELD, None
    elif (closed := closed_in(match, match.last)) is not None and not waits:
        now, plays = Now.CLOSED, None
        missing = () if closed.deadline else missing
    elif missing or asked:
        now, plays = (Now.LATE if past else Now.RUNNING), known.closes if known is not None else None
    else:
        wrong = () if waits or past else players_with_faults(match, mail)
        now, plays = _with_all_in(match, entries, schedule, known, faulty=bool(wrong))
        if waits and ended:  # the answer may be one that isn't possible: then the default counts
            plays = known.closes if known is not None else None
    goes_on = None if asked or wrong else others_go_on(match, mail, entries, schedule, at)
    if goes_on is not None and now in (Now.RUNNING, Now.LATE) and (plays is None or goes_on < plays):
        plays = goes_on
        if at >= goes_on:
            now = Now.OVERDUE if was_read(match, entries, goes_on) else Now.UNREAD
    elif plays is not None and at >= plays:
        now = Now.OVERDUE if missing or asked or (waits and ended) else Now.COMPLETE
        if missing or asked:
            unsent = without_mail(match, entries, missing or (waits,), at)
        if not was_read(match, entries, plays):
            now = Now.UNREAD
        elif unsent:
            now = Now.UNSENT
    return Situation(
        now=now,
        deadline_in_force=None if over else known,
        held=None if over else held,
        missing=missing,
        drafts=mail.drafts if mail is not None else (),
        late=(missing or ((waits,) if waits else ())) if past and held is None else (),
        away=tuple(each for each in absences_of(entries) if day_in(each.last) >= at.date()),
        missed_in_a_row=() if over else tuple(missed_in_a_row(match, entries, schedule)),
        left=absences_left(match, entries, schedule),
        waiting=waits if asked else "",
        problems=(*mail.problems, *post.problems(match.last, mail)) if mail is not None else (),
        faulty=wrong,
        unsent=unsent,
        plays=plays,
    )


def silent_players(
    match: Folder, mail: Mail | None, entries: Sequence[Entry], schedule: Schedule | None, at: datetime
) -> tuple[str, ...]:
    """Those whose sheets are missing, if all others are in and don't wait for them: each has missed too many before, or
    has resigned, and isn't away. Nobody, if the schedule says so, or the phase waits for its deadline anyhow.
    """
    if mail is None or schedule is None or not schedule.early or not mail.missing:
        return ()
    gone = {each.player for each in missed_in_a_row(match, entries, schedule) if each.go_on}
    if not {*mail.missing} <= gone - away_at(match, entries, at) or is_open_again(entries, match.phases[-1]):
        return ()
    if deadline_in_force(entries, match.phases[-1]) is None or players_with_faults(match, mail):
        return ()
    return mail.missing if {*match.state(match.last).phase.due} - {*mail.missing} else ()


def others_go_on(
    match: Folder, mail: Mail | None, entries: Sequence[Entry], schedule: Schedule | None, at: datetime
) -> datetime | None:
    """When a phase closes because all are in who are waited for; None if it doesn't. Whoever gets mail must have been
    warned of it; who has resigned needn't be.
    """
    silent = silent_players(match, mail, entries, schedule, at)
    if not silent:
        return None
    warned = {each.player: each.closes for each in of_kind(standing(entries), Warned, match.phases[-1])}
    told = [each for each in silent if is_mailed(match, each) and not has_resigned(entries, each)]
    return max((warned[each] for each in told), default=at) if {*told} <= {*warned} else None


def without_mail(
    match: Folder, entries: Sequence[Entry], players: Sequence[str], at: datetime
) -> tuple[str, ...]:
    """Those of the players whom a phase awaits without whom it doesn't close, because of mail: no mail that gives its
    deadline was handed over to them, or, after that, no reminder.

    Nobody is reminded without a grace, or while away. If the server refuses a player's mail for good, the phase waits
    until the GM puts the deadline off: then it goes on without that player.
    """
    phase = match.phases[-1]
    known = deadline_in_force(entries, phase)
    mailed = [
        player for player in players if is_mailed(match, player) and not is_given_up(entries, phase, player)
    ]
    if known is None or not mailed:
        return ()
    untold = not_told(match, entries, known, mailed)
    away = away_at(match, entries, at)
    return tuple(
        player
        for player in mailed
        if player in untold
        or (known.grace and player not in away and not was_reminded(entries, phase, player, known.due))
    )


def _with_all_in(
    match: Folder,
    entries: Sequence[Entry],
    schedule: Schedule | None,
    known: DeadlineInForce | None,
    *,
    faulty: bool,
) -> tuple[Now, datetime | None]:
    """What a phase that has all its sheets still waits for, and until when; if for nothing, it is complete.

    It waits for its deadline if the schedule says so, if a sheet has faults, or if the phase was opened again.
    """
    due = known.due if known is not None else None
    if known is not None and match.card.options.get("early_opening") == "locked":
        return Now.EARLY, known.closes  # sheets that are still locked may replace those that are here
    if is_open_again(entries, match.phases[-1]):
        return (Now.EARLY, due) if due is not None else (Now.AGAIN, None)
    if schedule is not None and not schedule.early and due is not None:
        return Now.EARLY, due
    if faulty:
        return Now.FAULTY, due
    if (until := _pause_over(match, entries, schedule)) is not None:
        return Now.PAUSE, min(until, due) if due is not None else until
    return Now.COMPLETE, None


def _pause_over(match: Folder, entries: Sequence[Entry], schedule: Schedule | None) -> datetime | None:
    """When the pause after the last sheet that came by mail is over; None if there is no pause."""
    if schedule is None or not schedule.pause or match.opening(match.last).waits:
        return None
    taken = [each.at for each in of_kind(entries, Taken, match.phases[-1])]
    return max(taken) + schedule.pause if taken else None


def absences_of(entries: Sequence[Entry]) -> list[Absent]:
    """The players' absences, in the order in which they were entered.

    Those of a player who was replaced since are left out: the new player isn't away.
    """
    found: list[Absent] = []
    for entry in standing(entries):
        if isinstance(entry, Replaced):
            found = [each for each in found if each.player != entry.player]
        elif isinstance(entry, Absent):
            found.append(entry)
    return found


def away_at(match: Folder, entries: Sequence[Entry], at: datetime) -> set[str]:
    """The players who are away on the day of that instant, in the match's time zone. Raises Faulty."""
    return {each.player for each in absences_at(match, entries, at)}


def absences_at(match: Folder, entries: Sequence[Entry], at: datetime) -> list[Absent]:
    """The absences of that day. Raises Faulty."""
    if not (found := absences_of(entries)):  # no time zone is needed
        return []
    today = at.astimezone((schedule_of(written_schedule(match)) or Schedule()).zone_info).date()
    return [each for each in found if day_in(each.first) <= today <= day_in(each.last)]


def absences_left(
    match: Folder, entries: Sequence[Entry], schedule: Schedule | None
) -> dict[str, tuple[int, int]]:
    """How often, and for how many days in all, each player may still be absent; empty if there is no limit.

    A new player of a seat begins with the full number. Days on which a regent plays don't count.
    """
    if schedule is None or schedule.absence is None:
        return {}
    found = {}
    for player in match.card.players:
        spent = [each for each in absences_of(entries) if each.player == player and not each.regent]
        days = sum((day_in(each.last) - day_in(each.first)).days + 1 for each in spent)
        found[player] = (schedule.absence.times - len(spent), schedule.absence.days - days)
    return found


def players_due_soon(match: Folder, schedule: Schedule | None, at: datetime) -> tuple[Player, ...]:
    """Those whose sheet or answer is missing, if the deadline is so near that the schedule reminds of it. Nobody who is
    away, and nobody in a match on hold. Raises Faulty.
    """
    entries = ledger_of(match)
    known = deadline_in_force(entries, match.phases[-1])
    if (
        schedule is None
        or not schedule.remind
        or known is None
        or not known.due - schedule.remind <= at < known.due
    ):
        return ()
    found = situation(match, at)
    return tuple(
        each for each in found.awaited if found.now is Now.RUNNING and each not in away_at(match, entries, at)
    )


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
    away = away_at(match, entries, at)
    return tuple(player for player in found.awaited if player not in away)
