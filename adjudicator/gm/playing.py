"""Running a match by the clock: complete phases are played, overdue ones are closed, and the ledger says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace as with_other

from adjudicator.engine.folder.entries import Absent, Closed, Entry, Fetched, Opened, instant
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, changing
from adjudicator.engine.folder.ledger import append, ledger_of, now_in
from adjudicator.engine.folder.moments import in_force, schedule_written, stands_still
from adjudicator.engine.folder.names import LEDGER
from adjudicator.engine.match.run import Keep, Passed, Ran, Run
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.gm.deadlines import Deadline, deadline
from adjudicator.gm.schedule import Schedule, Span, schedule_of, span_in
from adjudicator.gm.situation import WITH_ALL_IN, Now, absences_of, situation


def has_clock(match: Folder) -> bool:
    """Does the time matter to a match: has it a schedule, or a ledger?"""
    return bool(schedule_written(match)) or match.has(LEDGER)


def schedule_in_force(match: Folder) -> Schedule | None:
    """The schedule of a match; None if it has none. Raises Faulty."""
    return schedule_of(schedule_written(match), phases_of(match.rulebook))


def phases_of(rulebook: Rulebook[Any]) -> list[str]:
    """The names of the phases for which sheets are sent."""
    return [phase.name for phase in rulebook.phases if phase.verbs]


def keeping(at: datetime, *, why: str = "") -> Keep:
    """The entries that a run at that instant writes: the phases it closed, and the deadline of the one it opened."""

    def keep(match: Folder, passed: Sequence[Passed]) -> Iterable[Entry]:
        if not has_clock(match):
            return []
        now, entries = now_in(match, at), ledger_of(match)
        found: list[Entry] = []
        for phase in passed:
            if not match.opening(phase.number).due:
                continue
            known = in_force(entries, match.phases[phase.number])
            overdue = known is not None and now >= known.closes
            found.append(
                Closed(
                    at=now,
                    phase=match.phases[phase.number],
                    by=("deadline" if overdue else "gm") if phase.deadline else "sheets",
                    missing=phase.missing,
                    early=known is not None and now < known.due,
                    why=why if phase.deadline and not overdue else "",
                )
            )
        return [*found, *opened(match, now)]

    return keep


def opened(match: Folder, now: datetime) -> list[Entry]:
    """The entry that says when the open phase is due, if it was opened at that instant."""
    if match.head(match.last).over:
        return []
    if stands_still(ledger_of(match)) is not None:  # it gets a deadline when the match is resumed
        return [Opened(at=now, phase=match.phases[-1])]
    found = deadline_of(match, now)
    if found is None:
        return [Opened(at=now, phase=match.phases[-1])]
    return [Opened(at=now, phase=match.phases[-1], due=found.due, closes=found.closes, moved=found.moved)]


def deadline_of(match: Folder, since: datetime, away: Iterable[Absent] = ()) -> Deadline | None:
    """The deadline of the open phase, counted from an instant; None without a schedule. Raises Faulty.

    `away` are absences that aren't in the ledger yet.
    """
    schedule = schedule_in_force(match)
    if schedule is None:
        return None
    spans = absences([*ledger_of(match), *away], match.state(match.last).phase.due)
    return deadline(schedule, match.head(match.last).name, since, away=spans)


def absences(entries: Iterable[Entry], players: Iterable[str]) -> list[Span]:
    """The days on which one of these players is away, in the order of the entries."""
    wanted = {*players}
    return [
        span_in(f"{entry.first}..{entry.last}") for entry in absences_of([*entries]) if entry.player in wanted
    ]


def run_by_hand(
    path: Path,
    at: datetime,
    *,
    deadline: bool = False,
    due_text: str = "",
    throws: Sequence[Any] | None = None,
    why: str = "",
) -> Ran:
    """Plays as far as the sheets allow; with `deadline` it closes the open phase without the missing sheets.

    Raises Faulty, also for `deadline` in a match on hold: its players were told that no deadline comes. A complete
    phase is played even then, and the result says that the match is on hold. `why` goes into the ledger; for the rest
    see `run`.
    """
    with changing(path) as match:
        held = None if match.head(match.last).over else stands_still(ledger_of(match))
        if held is not None and deadline:
            raise Faulty([problem(path, f"the match stands still ({held.why}); resume it first")])
        run = Run(match, due_text=due_text, throws=throws, keep=keeping(at, why=why))
        return with_other(run.go(deadline=deadline), still=held.why if held is not None else "")


def run_if_due(path: Path, at: datetime) -> Ran:
    """Plays a complete phase and closes an overdue one; else leaves the match as it is. Raises Faulty.

    A match on hold is left alone; so is one without a schedule whose sheets are missing or faulty. A phase whose time
    has come isn't played before the match's mailbox was read past that time.
    """
    now = instant(at)
    with changing(path) as match:
        found = situation(match, now)
        if found.now in (Now.COMPLETE, Now.OVERDUE):
            return Run(match, keep=keeping(now)).go(deadline=found.now is Now.OVERDUE)
        return Ran(
            adjudicated=(),
            open=match.phases[-1],
            missing=found.missing,
            drafts=found.drafts,
            waiting=found.waiting,
            problems=found.problems,
            still=found.held.why if found.held is not None else "",
            because=found.now.value if found.now in (*WITH_ALL_IN, Now.UNREAD) else "",
            unread=found.now is Now.UNREAD,
        )


def read_to_its_end(path: Path, until: datetime) -> None:
    """Enters that all mail for a match up to an instant was taken, if the open phase waits for that. Raises Faulty."""
    with changing(path) as match:
        if situation(match, until).now is Now.UNREAD:
            at = now_in(match, until)
            append(match, Fetched(at=at, phase=match.phases[-1], until=instant(until)))
