"""Does the ledger fit the match? `verify` checks each entry against the folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from adjudicator.engine.folder.adjudication import closed_in
from adjudicator.engine.folder.entries import (
    Amended,
    Asked,
    Banked,
    Closed,
    Edited,
    Entry,
    Fetched,
    Held,
    PhaseOpened,
    PutOff,
    Reminded,
    Rescheduled,
    Sent,
    Taken,
    Undone,
    of_kind,
    standing,
)
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import deadline_in_force, entries_on_disk, prefix_of, problem_of_player
from adjudicator.engine.folder.names import FOR, LEDGER, MAIL, OPEN, head_of
from adjudicator.engine.folder.post import SHEETS
from adjudicator.engine.report.reader_texts import CALENDAR, ORDERS
from adjudicator.engine.text.problem import Problem

WHILE_ASKED = ("sheet.yaml", "answer.yaml", ORDERS, CALENDAR)
"""Players' files of a phase that may come and go while it waits for answers."""


def check_ledger(match: Folder) -> list[Problem]:
    """Everything that doesn't fit. Raises Faulty for a ledger that can't be read."""
    entries = entries_on_disk(match)
    holds = standing(entries)
    lines = {id(entry): line for line, entry in enumerate(entries, start=1)}
    return [
        *_check_unchanged(match),
        *_check_mails(match, entries),
        *(
            _problem(match, lines[id(entry)], said)
            for entry in entries
            for said in _check_at_any_time(match, entry)
        ),
        *(
            _problem(match, lines.get(id(entry), 0), said)  # an entry that `standing` changed has no line
            for place, entry in enumerate(holds)
            for said in _check_now(match, entry, holds, holds[:place])
        ),
    ]


def _problem(match: Folder, line: int, said: str) -> Problem:
    return Problem(str(match.path / LEDGER), line, 1, "LEDGER", said)


def _check_unchanged(match: Folder) -> Iterator[Problem]:
    """Checks that the ledger begins as it did when each phase was opened, and when its last reports were handed out:
    nothing was removed or changed.
    """
    for number, name in enumerate(match.phases):
        opening = match.opening(number)
        for entries, ledger, when in (
            (opening.entries, opening.ledger, "was opened"),
            (opening.acts, opening.acted, "had its last reports"),
        ):
            if entries and prefix_of(match, entries) != (entries, ledger):
                said = f"the first {entries} entries aren't those that were here when {name} {when}"
                yield _problem(match, 0, f"{said}: tampered with")
                return


def _check_at_any_time(match: Folder, entry: Entry) -> Iterator[str]:
    """What is wrong with an entry, even if its phase was taken back since."""
    if said := problem_of_player(match.card.players, entry):
        yield said
    phase = getattr(entry, "phase", "")
    if phase and head_of(phase) is None:
        yield f"{phase} is no phase"
    if isinstance(entry, Rescheduled) and not entry.schedule:
        yield "there is no schedule in it"
    if isinstance(entry, Undone) and not match.has(entry.where):
        yield f"{entry.where}, where undone phases were put, isn't there"


def _check_now(match: Folder, entry: Entry, holds: Sequence[Entry], before: Sequence[Entry]) -> Iterator[str]:
    """What is wrong with an entry that wasn't taken back.

    `before` are the entries above it: more may have been done in the same second.
    """
    phase = getattr(entry, "phase", "")
    if phase and phase not in match.phases:
        if head_of(phase) is not None:  # else another check says that it names no phase
            yield f"there is no phase {phase} in this match"
        return
    if isinstance(entry, Closed):
        yield from _check_closed(match, entry, holds, before)
    elif isinstance(entry, Taken):
        yield from _check_taken(match, entry, holds)
    elif isinstance(entry, Fetched) and not _while_open(before, entry):
        yield f"the mailbox was read until a time when {phase} wasn't open"
    elif isinstance(entry, Reminded):
        yield from _check_reminded(match, entry, holds, before)
    elif isinstance(entry, PutOff) and not _is_later(before, entry):
        yield f"the deadline of {phase} was put off to a time that isn't later"
    elif isinstance(entry, Sent) and entry.files:
        yield from _check_sent(match, entry)
    elif isinstance(entry, Amended) and phase == match.phases[0] and match.last:
        yield "the start of a match can't be changed by hand"


def _while_open(before: Sequence[Entry], entry: Fetched) -> bool:
    """Was the mailbox read while the phase was open, and no later than the entry was written?"""
    opened = [each.at for each in of_kind(before, PhaseOpened, entry.phase)]
    return entry.until <= entry.at and all(at <= entry.until for at in opened)


def _check_closed(
    match: Folder, entry: Closed, holds: Sequence[Entry], before: Sequence[Entry]
) -> Iterator[str]:
    number = match.phases.index(entry.phase)
    closed = match.opening(number).closed
    if closed is None:
        if closed_in(match, number) is None:
            yield f"{entry.phase} wasn't adjudicated"
        return
    last = of_kind(holds, Closed, entry.phase)[
        -1
    ]  # a phase that waited for an answer may have been closed again
    if entry is last and closed.deadline != (entry.by != "sheets"):
        how = "without waiting for sheets" if closed.deadline else "when its sheets were in"
        yield f"{entry.phase} was adjudicated {how}, {OPEN} says"
    known = deadline_in_force(before, entry.phase)
    if entry.by == "deadline" and (known is None or entry.at < known.closes):
        yield f"{entry.phase} wasn't overdue then"
    if known is not None and entry.early != (entry.at < known.due):
        yield f"{entry.phase} was closed {'before' if not entry.early else 'after'} its deadline"
    if strangers := sorted({*entry.missing} - {*match.opening(number).due}):
        yield f"{', '.join(strangers)} wasn't due in {entry.phase}"


def _is_later(before: Sequence[Entry], entry: PutOff) -> bool:
    """Is a deadline put off? Of several who have as much in the bank, each takes that at once."""
    known = deadline_in_force(before, entry.phase)
    if known is None or not known.due <= entry.due <= entry.closes:
        return False
    return known.due < entry.due or (
        isinstance(entry, Banked) and (known.by, known.said) == (Banked, entry.at)
    )


def _check_reminded(
    match: Folder, entry: Reminded, holds: Sequence[Entry], before: Sequence[Entry]
) -> Iterator[str]:
    known = deadline_in_force(before, entry.phase)
    # Who is reminded later than the phase would have closed, keeps it open.
    if known is None or not known.due <= entry.at < max(known.closes, entry.closes or known.closes):
        yield f"{entry.player} was reminded outside the grace of {entry.phase}"
    if not any(each.message == entry.message for each in of_kind(holds, Sent, entry.phase)):
        yield f"{entry.player} was reminded of {entry.phase} in a mail that was never begun"


def _check_taken(match: Folder, entry: Taken, holds: Sequence[Entry]) -> Iterator[str]:
    """Checks that an adjudicated phase used the last sheet taken from each player, unless the GM has told that it was
    changed by hand.
    """
    number = match.phases.index(entry.phase)
    closed, before = match.opening(number).closed, closed_in(match, number)
    if before is not None and before.at < entry.at and entry.file.startswith(f"{SHEETS}/"):
        yield f"the sheet of {entry.player} was taken after {entry.phase} was closed"
    last = [
        each
        for each in holds
        if (isinstance(each, Taken) and (each.phase, each.file) == (entry.phase, entry.file))
        or (isinstance(each, Edited) and f"{entry.phase}/{entry.file}" in each.files)
    ][-1]
    if closed is None or last is not entry:
        return
    used = closed.files.get(entry.file)
    if used is None:
        yield f"the sheet of {entry.player} that was taken wasn't used in {entry.phase}"
    elif used != entry.sheet:
        yield f"another sheet of {entry.player} was used in {entry.phase} than the one that was taken"


def _check_sent(match: Folder, entry: Sent) -> Iterator[str]:
    """Checks that each file sent is named like one handed out then; the GM's later acts may change the content."""
    number = match.phases.index(entry.phase)
    known: Mapping[str, str] = match.opening(number).handed
    gone = WHILE_ASKED if match.state(number).options.pacing == "live" else ()
    for name in entry.files:
        if name in gone and entry.to in match.card.players:
            continue
        if f"{FOR}/{entry.to}/{name}" not in known and not name.startswith(f"{MAIL}/"):
            yield f"{name}, sent to {entry.to}, was never handed out in {entry.phase}"


class _MailDigests(Struct, frozen=True):
    """The mails of a phase: the SHA-256 of those kept in its folder and of those that we sent, by name, and the SHA-256
    of those that came. `older`: some entries were written before they had digests.
    """

    there: Mapping[str, str]
    sent: Mapping[str, str]
    came: frozenset[str]
    older: bool


def _mails_of(match: Folder, phase: str, entries: Sequence[Entry]) -> _MailDigests:
    sent = {name: digest for one in of_kind(entries, Sent, phase) for name, digest in one.files.items()}
    came = [one for one in entries if isinstance(one, Taken | Held | Asked) and one.phase == phase]
    digests = frozenset(digest for one in came for digest in (one.mail, one.keys)) - {""}
    older = bool(came) and (not digests or any(isinstance(one, Taken) and not one.mail for one in came))
    names = [f"{MAIL}/{name}" for name in match.names(f"{phase}/{MAIL}") if not name.startswith(".")]
    return _MailDigests(
        {name: digest_of(match.read(f"{phase}/{name}")) for name in names},
        {name: digest for name, digest in sent.items() if name.startswith(f"{MAIL}/")},
        digests,
        older,
    )


def _check_mails(match: Folder, entries: Sequence[Entry]) -> Iterator[Problem]:
    """Checks that each kept mail agrees with the ledger."""
    for phase in match.phases:
        mails = _mails_of(match, phase, entries)
        for name, digest in mails.there.items():
            # Older entries have no digest and so name none; the mail's own name begins with its digest.
            older = mails.older and digest.startswith(name.removeprefix(f"{MAIL}/").partition(".")[0])
            if digest != mails.sent.get(name) and digest not in mails.came and not older:
                yield problem(
                    match.path / phase / name, "the ledger has no such mail: added, or tampered with"
                )


def missing_mails(match: Folder) -> Iterator[str]:
    """How many of the mails that the ledger names aren't here, if any: whoever hands a match on keeps them."""
    missing = 0
    with suppress(Faulty):  # the check of the ledger says that it can't be read
        for phase in match.phases:
            mails = _mails_of(match, phase, entries_on_disk(match))
            missing += len({*mails.sent} - {*mails.there}) + len(mails.came - {*mails.there.values()})
    if missing:
        yield f"{missing} of the mails that were kept"
