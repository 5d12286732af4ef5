"""What becomes of a file that a player sends: one order of questions, whoever brings it.

A door finds the bytes, and knows who has sent them and when they came. From there on the first of these questions that
has an answer ends it: is the match over; is it what is in already; which phase is it for; can this phase still take it;
is there anything in it; is it a sheet? What is wrong with single orders holds nothing: the rest counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.content import Kind, kind_of, plain_in, with_player, without_content
from adjudicator.door.phase_status import PhaseStatus, status_of_phase
from adjudicator.engine.folder.closing import open_closing
from adjudicator.engine.folder.entries import Held, Taken, instant, of_kind, standing
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import add_entries, ledger_of, now_in
from adjudicator.engine.folder.marks import receipt_of
from adjudicator.engine.folder.moments import deadline_in_force, hold_in_force, opened_at
from adjudicator.engine.folder.names import head_of
from adjudicator.engine.handout.times import instant_text
from adjudicator.engine.library.texts import Texts
from adjudicator.engine.match.sheet_checks import Line, look_at_answers, look_at_sheet, understood_in
from adjudicator.engine.report.template import macros
from adjudicator.engine.sheets.answers import ANSWERS, read_answers
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.sheets.reading import Expected, names_phase, read_sheet
from adjudicator.engine.sheets.schema import phases_ahead
from adjudicator.engine.table.event import NotSent
from adjudicator.engine.text.problem import Problem
from adjudicator.gm.playing import has_clock
from adjudicator.gm.situation import situation

SHEET = "sheet"
"""The name of what was sent, in the places of its problems."""
Reason = Literal[
    "",
    "over",
    "earlier-phase",
    "later-phase",
    "late",
    "older",
    "frozen",
    "closed",
    "no-question",
    "nothing",
    "blank",
    "not-a-sheet",
]
"""Why a file is held; empty: it is taken.

`over`: the match is. `earlier-phase`, `later-phase`: it is for another phase. `late`: it came after the phase was to
close; `older`: before the one that counts. `frozen`: the phase waits for an answer; `closed`: its sheets are fixed;
`no-question`: its player is asked nothing. `nothing`: the file is empty; `blank`: it is a form that wasn't filled in;
`not-a-sheet`: it can't count as one, and `problems` say why.
"""


class Submission(Struct, frozen=True):
    """What became of a file that a player sent while `phase` (a folder) was open: held `because` of a reason, or taken.

    `kind` is `sheets` or `answers`, its folder. `receipt` names its bytes, which may have been in before (`again`).
    `meant` is the phase that it is for, if another one; `came` and `closes`, in words, are when it came and when the
    phase was to close, if that is why it is held. `lines` are the orders as they were understood, each with what is
    wrong with it; `problems` are the same, as data. `about` is the state of the phase with this file in it.
    """

    player: str
    phase: str
    kind: Kind
    data: bytes
    because: Reason = ""
    receipt: str = ""
    again: bool = False
    meant: str = ""
    came: str = ""
    closes: str = ""
    lines: Sequence[Line] = ()
    problems: Sequence[Problem] = ()
    about: PhaseStatus = PhaseStatus()

    @property
    def taken(self) -> bool:
        """Does the file count, now or already?"""
        return not self.because

    @property
    def file(self) -> str:
        """The file's name in the folder of its phase: `sheets/venice.yaml`."""
        return f"{self.kind}/{self.player}.yaml"

    def entry(
        self, at: datetime, message: str, *, came: datetime | None = None, mail: str = "", keys: str = ""
    ) -> Taken | Held:
        """The ledger's entry: `message` is the door's own number of what brought the file; for the rest see `Taken`."""
        if self.because:
            return Held(
                at=at,
                phase=self.phase,
                message=message,
                because=self.because,
                player=self.player,
                came=came,
                mail=mail,
                keys=keys,
            )
        return Taken(
            at=at,
            phase=self.phase,
            player=self.player,
            file=self.file,
            sheet=digest_of(self.data),
            message=message,
            came=came,
            mail=mail,
            keys=keys,
        )


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
    the next `match.commit()`.

    `came` is when it came, for a door that can tell. `phase` is the one that it is for, for a door that knows it: it
    counts if the file names none. Raises Faulty.
    """
    data = with_player(data, player)
    said = _Intake(match, player, data, kind or kind_of(data), phase, came and instant(came), now).answer()
    if said.taken and not said.again:
        match.add(f"{said.phase}/{said.file}", data)
    return replace(said, about=status_of_phase(match, player, said.because, said.problems, now))


def take(match: Folder, player: str, data: bytes, now: datetime, *, by: str) -> Submission:
    """Submits what a player hands in at a door that keeps nothing of its own, such as a page at this machine, and
    writes what is taken; in a match with a ledger its entry names the door (`by`). Raises Faulty.
    """
    said = submit(match, player, data, now, came=now)
    if said.taken and not said.again:
        if has_clock(match):
            add_entries(match, said.entry(now_in(match, now), by, came=instant(now)))
        match.commit()
    return said


class _Intake(Struct, frozen=True, dict=True):
    """One file of one player, and the match that it came to."""

    match: Folder
    player: str
    data: bytes
    kind: Kind
    phase: str
    came: datetime | None
    now: datetime

    def answer(self) -> Submission:
        """What becomes of the file; the order of the questions is that of the answers."""
        said = Submission(self.player, self.match.phases[-1], self.kind, self.data)
        if self.match.head(self.match.last).over:
            return replace(said, because="over")
        again = self._is_in()
        if not again and (meant := self._other_phase()):
            return replace(
                said, because=meant[0], meant=meant[1], came="" if meant[1] else self._told(self.came)
            )
        if not again and (because := self._refused_now() or self._out_of_time()):
            known = deadline_in_force(ledger_of(self.match), said.phase)
            closes = known.closes if known and because == "late" else None
            came = self.came if because in ("late", "older") else None
            return replace(said, because=because, came=self._told(came), closes=self._told(closes))
        if because := without_content(self.data):
            return replace(said, because=because)
        counts, lines, problems = self._checked()
        said = replace(said, lines=understood_in(SHEET, self.data, lines, problems), problems=problems)
        if not counts:
            return replace(said, because="not-a-sheet")
        return replace(said, receipt=receipt_of(digest_of(self.data)), again=again)

    @cached_property
    def named(self) -> str:
        """The phase that the file names; empty if it names none."""
        value = plain_in(self.data).get("phase")
        return "" if value is None else str(value)

    def _is_in(self) -> bool:
        """Are these the bytes that count already?"""
        name = f"{self.match.phases[-1]}/{self.kind}/{self.player}.yaml"
        return self.match.has(name) and self.match.read(name) == self.data

    def _other_phase(self) -> tuple[Reason, str] | None:
        """Why the file is for another phase, and which; None if it is for the open one, or names no phase at all."""
        head, opened = (
            self.match.head(self.match.last),
            opened_at(ledger_of(self.match), self.match.phases[-1]),
        )
        meant = self.named or self.phase
        if not meant:
            before = self.came is not None and opened is not None and self.came < opened
            return ("earlier-phase", "") if before else None
        if names_phase(meant, head):
            return None
        there = head_of(meant)
        number = there.number if there is not None else int(meant) if meant.isdecimal() else None
        if number is not None and len(meant) < LONGEST_PHASE:
            return ("earlier-phase" if number <= head.number else "later-phase"), meant
        rulebook = self.match.rulebook
        if meant in (each.name for each in phases_ahead(rulebook, rulebook.phase(head.name))):
            return "later-phase", meant
        return ("earlier-phase", meant) if meant in (each.name for each in rulebook.phases) else None

    def _refused_now(self) -> Reason:
        """Why the open phase can't take such a file now; empty if it can."""
        waits = self.match.opening(self.match.last).waits
        if self.kind == ANSWERS:
            return "" if waits == self.player else "no-question"
        if waits:
            return "frozen"
        return "closed" if open_closing(self.match) is not None else ""

    def _out_of_time(self) -> Reason:
        """Why a file doesn't count by the time at which it came; empty if it counts.

        The newest file from before the phase closed counts, in whatever order a door brings them.
        """
        if self.came is None:
            return ""
        entries, top = ledger_of(self.match), self.match.phases[-1]
        known = deadline_in_force(entries, top)
        name = f"{self.kind}/{self.player}.yaml"
        before = [one for one in of_kind(standing(entries), Taken, top) if one.file == name]
        if known is not None and self.came >= known.closes and hold_in_force(entries) is None:
            # While mail keeps the phase open nobody is late, nor is who then sends another sheet.
            waited = any((one.came or one.at) >= known.closes for one in before)
            if not waited and not situation(self.match, self.now).unsent:
                return "late"
        return "older" if any((one.came or one.at) > self.came for one in before) else ""

    def _checked(self) -> tuple[bool, Sequence[str], Sequence[Problem]]:
        """Whether the file counts as sent, its orders as they were understood, and what is wrong."""
        state = self.match.state(self.match.last)
        asked = Expected(
            self.match.rulebook_for(self.player),
            state.match,
            state.phase,
            tuple(state.players),
            self.player,
            partial(names_on_board, state),
            file=SHEET,
        )
        if self.kind == ANSWERS:
            counts = not isinstance(read_answers(self.data, asked), NotSent)
            return counts, *look_at_answers(self.data, asked)
        counts = not isinstance(read_sheet(self.data, asked), NotSent)
        return counts, *look_at_sheet(self.data, asked, state, SHEET)

    def _told(self, moment: datetime | None) -> str:
        return "" if moment is None else instant_text(self.match, moment, self.player)


LONGEST_PHASE = 100
"""Characters: no name of a phase's folder is as long."""


def why_held(texts: Texts, said: Submission) -> str:
    """Why a file is held, and what to do, in the reader's words."""
    return str(macros(texts, "held.txt.j2").why(said)).strip()
