"""Running a match by the clock: complete phases are played, overdue ones are closed, and the ledger says so.

The clock runs for nobody who wasn't told of it: a phase whose mail couldn't be handed over gets more time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from msgspec.structs import asdict

from adjudicator.engine.beacon import quicknet
from adjudicator.engine.folder.adjudication import ClosedPhase, closed_in
from adjudicator.engine.folder.entries import (
    Absent,
    Closed,
    Entry,
    Fetched,
    PhaseOpened,
    PutOff,
    Replaced,
    instant,
    of_kind,
)
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, changing
from adjudicator.engine.folder.ledger import (
    DeadlineInForce,
    add_entries,
    announced_in,
    append,
    deadline_in_force,
    hold_in_force,
    ledger_of,
    now_in,
    written_schedule,
)
from adjudicator.engine.folder.names import LEDGER
from adjudicator.engine.folder.post import Mail, Post
from adjudicator.engine.match.run import AdjudicatedPhase, Keep, Run, RunResult
from adjudicator.engine.match.showing import hand_out_again
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.gm import bots
from adjudicator.gm.bank import taken_from_bank
from adjudicator.gm.by_mail import is_refused, not_told, was_read
from adjudicator.gm.closing import AS_EVER, Dice, close, dice_option, draw, must_close
from adjudicator.gm.deadlines import Deadline, deadline
from adjudicator.gm.schedule import Schedule, Span, schedule_of, span_in
from adjudicator.gm.situation import BY_MAIL, WITH_ALL_IN, Now, Situation, absences_of, situation

UNNAMED = "name the source of its dice: adjudicator close {} --source ..."


def has_clock(match: Folder) -> bool:
    """Does the time matter to a match: has it a schedule, or a ledger?"""
    return bool(written_schedule(match)) or match.has(LEDGER)


def schedule_in_force(match: Folder) -> Schedule | None:
    """The schedule of a match; None if it has none. Raises Faulty."""
    return schedule_of(written_schedule(match), phases_of(match.rulebook))


def phases_of(rulebook: Rulebook[Any]) -> list[str]:
    """The names of the phases for which sheets are sent."""
    return [phase.name for phase in rulebook.phases if phase.verbs]


def entries_of_run(at: datetime, *, why: str = "", by: Literal["gm", "others"] = "gm") -> Keep:
    """The entries that a run at that instant writes: the phases it closed, and the deadline of the one it opened. `by`
    is what closed a phase without sheets before its time.
    """

    def keep(match: Folder, passed: Sequence[AdjudicatedPhase]) -> Iterable[Entry]:
        if not has_clock(match):
            return []
        now, entries = now_in(match, at), ledger_of(match)
        found: list[Entry] = []
        for phase in passed:
            fixed = closed_in(match, phase.number)
            if fixed is None or (
                phase.deadline and not fixed.deadline
            ):  # otherwise the phase's closing is entered already
                found += entry_of_closing(match, entries, phase, now, why, by)
        return [*found, *entry_of_opening(match, now)]

    return keep


def entry_of_closing(
    match: Folder,
    entries: Sequence[Entry],
    phase: AdjudicatedPhase,
    now: datetime,
    why: str,
    by: Literal["gm", "others"] = "gm",
) -> list[Entry]:
    """The entry that says when, why and without whom a phase was closed; none for one in which nobody was due."""
    if not match.opening(phase.number).due:
        return []
    known = deadline_in_force(entries, match.phases[phase.number])
    overdue = known is not None and now >= known.closes
    return [
        Closed(
            at=now,
            phase=match.phases[phase.number],
            by=("deadline" if overdue else by) if phase.deadline else "sheets",
            missing=phase.missing,
            early=known is not None and now < known.due,
            why=why if phase.deadline and not overdue else "",
        )
    ]


def entry_of_opening(match: Folder, now: datetime) -> list[Entry]:
    """The entry that says when the open phase is due, if it was opened at that instant."""
    if match.head(match.last).over:
        return []
    on_hold = (
        hold_in_force(ledger_of(match)) is not None
    )  # the phase gets a deadline when the match is resumed
    found = None if on_hold else deadline_of(match, now)
    return [PhaseOpened(at=now, phase=match.phases[-1], **asdict(found) if found is not None else {})]


def deadline_of(
    match: Folder,
    since: datetime,
    away: Iterable[Absent] = (),
    *,
    least: timedelta | None = None,
    schedule: Schedule | None = None,
) -> Deadline | None:
    """The deadline of the open phase, counted from an instant; None without a schedule. Raises Faulty.

    `away` are absences that aren't in the ledger yet; `schedule` is another than the match's own; for `least` see
    `deadline`.
    """
    schedule = schedule or schedule_in_force(match)
    if schedule is None:
        return None
    spans = absences([*ledger_of(match), *away], match.state(match.last).phase.due)
    return deadline(schedule, match.head(match.last).name, since, away=spans, least=least)


def absences(entries: Iterable[Entry], players: Iterable[str]) -> list[Span]:
    """The days on which one of these players is away without a regent, in the order of the entries."""
    wanted = {*players}
    return [
        span_in(f"{entry.first}..{entry.last}")
        for entry in absences_of([*entries])
        if entry.player in wanted and not entry.regent
    ]


def run_by_hand(
    path: Path,
    at: datetime,
    *,
    phase: str = "",
    deadline: bool = False,
    due_text: str = "",
    throws: Sequence[Any] | None = None,
    why: str = "",
    dice: Dice = AS_EVER,
) -> RunResult:
    """Plays as far as the sheets allow; with `deadline` it closes the open phase without the missing sheets.

    Plays nothing if `phase` is named and isn't open: whoever asked for it has seen another one than this.

    A phase whose sheets have faults waits for `deadline`: their players were told that they may send others. A match on
    hold is left alone, even if its phase is complete: all were told that nothing is played until it is resumed. Raises
    Faulty, also for `deadline` in a match on hold. `why` goes into the ledger; `dice` says how to get dice that nobody
    holds; for the rest see `run`.
    """
    with changing(path) as there:
        held = None if there.head(there.last).over else hold_in_force(ledger_of(there))
        if held is not None and deadline:
            raise Faulty([problem(path, f"the match is on hold ({held.why}); resume it first")])
        if held is not None or phase not in ("", there.phases[-1]):
            return _unchanged_result(there, situation(there, instant(at)))
        match = bots.with_sheets_of_bots(there, at)
        if not deadline and throws is None and (found := situation(match, instant(at))).faulty:
            return _unchanged_result(match, found)
        ran = close_first(match, at, dice, deadline=deadline, why=why) if throws is None else None
        if ran is None:
            run = Run(match, due_text=due_text, throws=throws, keep=entries_of_run(at, why=why))
            ran = run.play_on(deadline=deadline)
            ran = bots.run_on(path, ran, at, lambda then: _play_on(then, at, dice))
        return ran


def _play_on(match: Folder, at: datetime, dice: Dice) -> RunResult:
    """Plays on with sheets that have just come."""
    return close_first(match, at, dice) or Run(match, keep=entries_of_run(at)).play_on()


def run_if_due(path: Path, at: datetime, dice: Dice = AS_EVER) -> RunResult:
    """Plays a complete phase and closes an overdue one; else leaves the match as it is. Raises Faulty.

    A deadline that is past is first put off by what those who are missing have in the bank.
    A match on hold is left alone; so is one without a schedule whose sheets are missing or faulty. A phase whose time
    has come isn't played before the match's mailbox was read past that time, nor closed before the mail to those for
    whom it waits was handed over. `dice` says how to get dice that nobody
    holds: a phase that needs them is first closed, and played by a later call.
    """
    now = instant(at)
    with changing(path) as there:
        match = bots.with_sheets_of_bots(there, now) if hold_in_force(ledger_of(there)) is None else there
        found = situation(match, now)
        if put_off := taken_from_bank(match, found, schedule_in_force(match), now_in(match, now)):
            add_entries(match, *put_off)
            hand_out_again(match)
            match.commit()
            found = situation(match, now)
        if found.now in (Now.COMPLETE, Now.OVERDUE, Now.CLOSED):
            overdue = found.now is Now.OVERDUE
            ran = close_first(match, now, dice, deadline=overdue, by="others")
            ran = ran or Run(match, keep=entries_of_run(now, by="others")).play_on(deadline=overdue)
            return bots.run_on(path, ran, now, lambda then: _play_on(then, now, dice))
        return _unchanged_result(match, found)


def _unchanged_result(match: Folder, found: Situation) -> RunResult:
    """The result of a run that leaves a match in this situation as it is."""
    because = Now.FAULTY if found.faulty else found.now if found.now in (*WITH_ALL_IN, *BY_MAIL) else None
    return RunResult(
        adjudicated=(),
        open=match.phases[-1],
        missing=found.missing,
        drafts=found.drafts,
        waiting=found.waiting,
        problems=found.problems,
        still=found.held.why if found.held is not None else "",
        because="" if because is None else because.value,
        stuck=found.now is Now.UNREAD
        or any(is_refused(ledger_of(match), match.phases[-1], each) for each in found.unsent),
    )


def close_by_hand(
    path: Path, at: datetime, dice: Dice, *, deadline: bool = False, why: str = ""
) -> ClosedPhase | tuple[Player, ...]:
    """Closes the open phase in a step of its own; returns whose sheets are missing instead. Raises Faulty."""
    with changing(path) as there:
        top, still = there.phases[-1], hold_in_force(ledger_of(there))
        if there.head(there.last).over:
            raise Faulty([problem(path, "the match is over")])
        if still is not None:
            raise Faulty([problem(path, f"the match is on hold ({still.why}); resume it first")])
        if not must_close(there, dice):
            said = (
                "is closed already" if closed_in(there, there.last) else "has begun, and waits for an answer"
            )
            raise Faulty([problem(path / top, f"the phase {said}")])
        match = bots.with_sheets_of_bots(there, at)
        mail = Post(match).collect(match.last)
        if mail.problems:
            raise Faulty(mail.problems)
        if mail.missing and not deadline:
            return mail.missing
        return _close(match, mail, now_in(match, at), dice, deadline=deadline, why=why)


def _close(
    match: Folder,
    mail: Mail,
    now: datetime,
    dice: Dice,
    *,
    deadline: bool,
    why: str,
    by: Literal["gm", "others"] = "gm",
) -> ClosedPhase:
    closed = close(match, mail, now, dice, deadline=deadline)
    if has_clock(match):
        passed = AdjudicatedPhase(match.last, mail.missing, deadline)
        add_entries(match, *entry_of_closing(match, ledger_of(match), passed, now, why, by))
    match.commit()
    return closed


def close_first(
    match: Folder,
    at: datetime,
    dice: Dice,
    *,
    deadline: bool = False,
    why: str = "",
    by: Literal["gm", "others"] = "gm",
) -> RunResult | None:
    """Closes the open phase, or says what its dice wait for; None if it can be played now, or isn't complete."""
    if match.head(match.last).over:
        return None
    top, now = match.phases[-1], now_in(match, at)
    closed = closed_in(match, match.last)
    if closed is not None:
        undrawn = draw(match, closed, now, dice)
        if undrawn is None:
            return None
        return RunResult((), top, because=undrawn.because, undrawn=True, until=undrawn.until)
    if not must_close(match, dice):
        return None
    mail = Post(match).collect(match.last)
    if mail.problems or (mail.missing and not deadline):
        return None
    if dice_option(match) == "named" and not dice.named:
        return RunResult((), top, because=UNNAMED.format(match.path), undrawn=True)
    closed = _close(match, mail, now, dice, deadline=deadline, why=why, by=by)
    until = quicknet.time_of(closed.dice.drand) if closed.dice.drand else None
    return RunResult((), top, drafts=mail.drafts, closed=top, until=until)


def enter_as_read(path: Path, until: datetime) -> None:
    """Enters that all mail for a match up to an instant was taken, if the open phase waits for that, or somebody may be
    reminded then. Raises Faulty.
    """
    with changing(path) as match:
        found = situation(match, until)
        known = found.deadline_in_force
        late = (
            found.now is Now.LATE and known is not None and not was_read(match, ledger_of(match), known.due)
        )
        if found.now is Now.UNREAD or late:
            at = now_in(match, until)
            append(match, Fetched(at=at, phase=match.phases[-1], until=instant(until)))


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
        add_entries(match, PutOff(at=now, phase=phase, **asdict(later)))
        hand_out_again(match)


def _counted_from(match: Folder, known: DeadlineInForce, now: datetime) -> Deadline | None:
    """The deadline if the phase is opened only now; of one that the GM gave, or that the bank gave, at least half of
    the time is left. None if more is left.
    """
    if schedule_in_force(match) is not None and known.by in (PhaseOpened, PutOff):
        return deadline_of(match, now)
    half = (known.due - known.said) / 2
    if known.due - now >= half:
        return None
    due = instant(now + half)
    return deadline_of(match, now, least=half) or Deadline(due, due + known.grace)
