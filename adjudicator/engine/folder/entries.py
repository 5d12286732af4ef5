"""The entries of the ledger: what happened to a match outside its rules, as typed values.

Rules never see a clock. What a clock, a GM or a mail does to a match is one entry after another, and none is ever
changed. Deadlines and absences are worked out from these entries and `match.yaml`, and never stored a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, TypeVar, get_args

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

Instant = Annotated[datetime, Meta(tz=True)]
"""A point in time, in UTC and to the second; written `2026-11-22T19:00:00Z`."""
FIRST_YEAR, LAST_YEAR = 1990, 2200
"""The years that dates may lie in, so that a slip of the pen is noticed."""
LONGEST_SPAN = 366
"""The most days in a row that somebody may be away."""


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that happened. `at` is when it was written down; `why` is the GM's reason, told in the next report."""

    at: Instant
    why: str = ""


class PhaseOpened(Entry, frozen=True, tag_field="kind", tag="opened"):
    """A phase (the name of its folder) was opened for sheets, which are due at the instant `due`.

    It closes at `closes`, when the grace is over. `moved` are the keys of the schedule's rules that moved the deadline.
    Announced instants stay as they are, even if the zone's clocks change. A match without a schedule has neither.
    """

    phase: str
    due: Instant | None = None
    closes: Instant | None = None
    moved: tuple[str, ...] = ()


class Closed(Entry, frozen=True, tag_field="kind", tag="closed"):
    """A phase was adjudicated, or closed in a step of its own: because all sheets were in, at its deadline, when the GM
    said so, or because all `others` were in and the rest had missed sheets before.

    `missing` are the due players without a sheet; `early`: before the deadline.
    """

    phase: str
    by: Literal["sheets", "deadline", "gm", "others"]
    missing: tuple[str, ...] = ()
    early: bool = False


class Sent(Entry, frozen=True, tag_field="kind", tag="sent"):
    """A phase's files went to a reader (a player, or `public`), with their SHA-256, in the mail of that Message-ID.

    `stage` is `begun` before the mail is handed over and `done` after it; without `done`, nobody knows whether it went.
    """

    phase: str
    to: str
    files: Mapping[str, str] = {}
    message: str = ""
    stage: Literal["begun", "done"] = "done"


class Taken(Entry, frozen=True, tag_field="kind", tag="taken"):
    """A sheet for a phase was taken from a player's mail: its name in the folder, its SHA-256, when the mail came.

    `late`: it came after the phase's deadline and within the grace. `mail` is the SHA-256 of the mail, or of the
    player's signature of a sheet that came in a repository, as it is kept in the phase's folder; `keys` is that of the
    keys of the mail's own signatures.
    """

    phase: str
    player: str
    file: str
    sheet: str
    message: str = ""
    came: Instant | None = None
    late: bool = False
    mail: str = ""
    keys: str = ""


class Held(Entry, frozen=True, tag_field="kind", tag="held"):
    """A mail was kept back for the GM, `because` of a reason; `player` is the one it may be from, if known.

    `mail` and `keys` are as in `Taken`; empty if it isn't kept. `version` is the program that failed on it, if it is
    held for that.
    """

    phase: str
    message: str
    because: str
    player: str = ""
    came: Instant | None = None
    mail: str = ""
    keys: str = ""
    version: str = ""


class Asked(Entry, frozen=True, tag_field="kind", tag="asked"):
    """A player's mail had commands, and was answered: `commands` are their verbs, and nothing of what stood behind
    them.

    `mail` and `keys` are as in `Taken`.
    """

    phase: str
    message: str
    player: str
    commands: tuple[str, ...] = ()
    came: Instant | None = None
    mail: str = ""
    keys: str = ""


class Fetched(Entry, frozen=True, tag_field="kind", tag="fetched"):
    """The mailbox was read to its end when a phase's time had come: all mail that was there `until` then is taken.

    Without this entry, no phase of a match by mail is closed by its deadline. A phase that closes when all sheets are
    in needs none.
    """

    phase: str
    until: Instant


class Bounced(Entry, frozen=True, tag_field="kind", tag="bounced"):
    """A mail to a player bounced; `of` is our mail's Message-ID, if known."""

    player: str
    message: str
    because: str = ""
    of: str = ""


class Reminded(Entry, frozen=True, tag_field="kind", tag="reminded"):
    """A player was reminded, after the deadline and before the phase closed, in the mail of that Message-ID.

    It is written with the entry of the mail as `done`. The phase doesn't close before `closes`, a grace after it.
    """

    phase: str
    player: str
    message: str
    closes: Instant | None = None


class Warned(Entry, frozen=True, tag_field="kind", tag="warned"):
    """A player who has missed sheets was told, in the mail of that Message-ID, that all others are in: the phase closes
    at `closes` without the player's sheet.
    """

    phase: str
    player: str
    message: str
    closes: Instant


class PutOff(Entry, frozen=True, tag_field="kind", tag="put-off"):
    """The program put the deadline of a phase off, because a mail that gives it hadn't been handed over before."""

    phase: str
    due: Instant
    closes: Instant
    moved: tuple[str, ...] = ()


class Banked(PutOff, frozen=True, kw_only=True, tag_field="kind", tag="banked"):
    """The deadline of a phase was put off from the instant `since`, by the time that a player still had in the bank."""

    player: str
    since: Instant


class Absent(Entry, frozen=True, tag_field="kind", tag="absent"):
    """A player is away from the first day to the last, both included: `2026-12-24`, in the schedule's zone.

    If this moves the deadline of the open phase, the new deadline stands here as in `PhaseOpened`. With a `regent` a
    program orders meanwhile, and no deadline is moved.
    """

    player: str
    first: str
    last: str
    regent: bool = False
    phase: str = ""
    due: Instant | None = None
    closes: Instant | None = None
    moved: tuple[str, ...] = ()


class Ordered(Entry, frozen=True, tag_field="kind", tag="ordered"):
    """The regent of a player who is away has ordered in a phase: the SHA-256 of its sheet."""

    phase: str
    player: str
    sheet: str


class Extended(Entry, frozen=True, tag_field="kind", tag="extended"):
    """The deadline of a phase has changed. The GM's reason is required."""

    phase: str
    due: Instant
    closes: Instant


class Rescheduled(Entry, frozen=True, tag_field="kind", tag="rescheduled"):
    """Deadlines follow a new schedule from now on, kept as it was written. The GM's reason is required.

    What was announced for the open phase stands. If it had no deadline, the one by this schedule is here as in
    `PhaseOpened`.
    """

    schedule: Mapping[str, Any]
    phase: str = ""
    due: Instant | None = None
    closes: Instant | None = None
    moved: tuple[str, ...] = ()


class HeldUp(Entry, frozen=True, tag_field="kind", tag="held-up"):
    """The match is on hold: it has no deadline until it is resumed. The GM's reason is required."""


class Resumed(Entry, frozen=True, tag_field="kind", tag="resumed"):
    """The match goes on, with this deadline of the open phase, as in `PhaseOpened`. The GM's reason is required."""

    phase: str
    due: Instant | None = None
    closes: Instant | None = None
    moved: tuple[str, ...] = ()


class Replaced(Entry, frozen=True, tag_field="kind", tag="replaced"):
    """Somebody else plays for a player from now on: the program `bot`, or a person, whose address stands only in
    `referee.yaml`.
    """

    player: str
    bot: str = ""


class Invited(Entry, frozen=True, tag_field="kind", tag="invited"):
    """Somebody who waits for a seat was asked, in the mail of that Message-ID, to play for a player whose seat is open.

    `who` stands for the address, which isn't in the ledger: an HMAC of it under the seed.
    """

    phase: str
    player: str
    who: str
    message: str


class Resigned(Entry, frozen=True, tag_field="kind", tag="resigned"):
    """A player has given the seat up: it is open for somebody else."""

    player: str


class Agreed(HeldUp, frozen=True, tag_field="kind", tag="agreed"):
    """The players have voted that the match ends as it stands (`end`), or in a draw: until the GM lets it go on,
    nothing of it is played.
    """

    on: Literal["end", "draw"]


class Change(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A change of one place of a position, given by its keys: the old and the new value; unset means nothing."""

    path: tuple[str, ...]
    was: Any | UnsetType = UNSET
    now: Any | UnsetType = UNSET


class Amended(Entry, frozen=True, tag_field="kind", tag="amended"):
    """The GM has made these changes to the position of a phase by hand. The reason is required."""

    phase: str
    changes: tuple[Change, ...]


class Edited(Entry, frozen=True, tag_field="kind", tag="edited"):
    """The GM has changed these files of the match by hand while the phase was open. The reason is required."""

    phase: str
    files: tuple[str, ...]


class Upgraded(Entry, frozen=True, tag_field="kind", tag="upgraded"):
    """From this phase on the match is played by the version `now` of the rulebook, and not `was`; `program` did it.

    `same`: under the new rules every phase before comes out as it did. If not, the GM's reason is required.
    """

    phase: str
    was: int
    now: int
    program: str
    same: bool = False


class SourceChanged(Entry, frozen=True, tag_field="kind", tag="source-changed"):
    """The dice of a closed phase come from another source than the one named before: from this round of drand, or from
    this public text. The reason is required.
    """

    phase: str
    drand: int = 0
    named: str = ""


class Undone(Entry, frozen=True, tag_field="kind", tag="undone"):
    """Phases were taken back and are now in the folder `where`; `phase` is open again. The reason is required."""

    phase: str
    gone: tuple[str, ...]
    where: str


Kind = (
    PhaseOpened
    | Closed
    | Sent
    | Taken
    | Held
    | Asked
    | Fetched
    | Bounced
    | Reminded
    | Warned
    | PutOff
    | Banked
    | Absent
    | Ordered
    | Extended
    | Rescheduled
    | HeldUp
    | Resumed
    | Replaced
    | Invited
    | Resigned
    | Agreed
    | Amended
    | Edited
    | Upgraded
    | SourceChanged
    | Undone
)
KINDS: tuple[type[Entry], ...] = get_args(Kind)
BY_HAND = (Extended, Rescheduled, HeldUp, Resumed, Replaced, Amended, Edited, SourceChanged, Undone)
"""What a GM does to a match by hand; each needs a reason."""

E = TypeVar("E", bound=Entry)


def instant(moment: datetime) -> datetime:
    """A moment as the ledger writes it: in UTC, to the second. It must have a time zone."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a zone")
    return moment.astimezone(UTC).replace(microsecond=0)


def of_kind(entries: Iterable[Entry], kind: type[E], phase: str = "") -> list[E]:
    """The entries of a kind, or only those of one phase, in order."""
    return [
        entry
        for entry in entries
        if isinstance(entry, kind) and (not phase or getattr(entry, "phase", "") == phase)
    ]


def standing(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that still apply to the match: those of phases taken back are left out.

    A phase that is open again has not been closed, but its sheets were taken all the same. Absences and schedules stay
    whatever happens to the phase whose deadline they moved; only that deadline is gone.
    """
    found: list[Entry] = []
    for entry in entries:
        if isinstance(entry, Undone):
            gone, again = set(entry.gone), entry.phase
            found = [
                replace(each, phase="", due=None, closes=None, moved=())
                if isinstance(each, Absent | Rescheduled) and each.phase in gone
                else each
                for each in found
                if (isinstance(each, Absent | Rescheduled) or getattr(each, "phase", "") not in gone)
                and not (isinstance(each, Closed | SourceChanged) and each.phase == again)
            ]
        found.append(entry)
    return found
