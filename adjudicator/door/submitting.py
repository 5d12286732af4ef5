"""What becomes of a file that a player sends: one order of questions, whoever brings it.

A door finds the bytes, and knows who has sent them and when they came. From there on the first of these questions that
has an answer ends it: is the match over; is it what is in already; which phase is it for; can this phase still take it;
is there anything in it; is it a sheet? What is wrong with single orders holds nothing: the rest counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.content import Kind, kind_of, plain_in, with_player, without_content
from adjudicator.door.phase_status import PhaseStatus, status_of_phase
from adjudicator.door.telling import Line, understood_in
from adjudicator.engine.folder.closing import open_closing
from adjudicator.engine.folder.entries import Entry, Held, Taken, instant, of_kind, standing
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import add_entries, ledger_of, now_in
from adjudicator.engine.folder.marks import receipt_of
from adjudicator.engine.folder.moments import deadline_in_force, hold_in_force, opened_at
from adjudicator.engine.folder.names import head_of
from adjudicator.engine.handout.times import instant_text
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.match.sheet_checks import look_at_answers, look_at_sheet
from adjudicator.engine.report.template import macros
from adjudicator.engine.sheets.answers import ANSWERS, read_answers
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.sheets.reading import Expected, folder_name, names_phase, read_sheet
from adjudicator.engine.sheets.schema import phases_ahead
from adjudicator.engine.table.event import NotSent
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.problem import Problem
from adjudicator.gm.playing import has_clock
from adjudicator.gm.situation import situation

SHEET = "sheet"
"""The name of what was sent, in the places of its problems."""
LONGEST_NAME = 100
"""Characters: no name of a phase's folder is as long."""
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
    `why` says the reason in a sentence, and what to do.

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
    why: str = ""
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
    about = status_of_phase(match, player, said.because, said.problems, now)
    return _with_why(replace(said, about=about), match.rulebook_for(player))


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


def look_at(rulebook: Rulebook[Any], state: Any, data: bytes, player: str = "") -> Submission:
    """What becomes of a file as far as a position, or a player's view of it, can tell: it doesn't say whether the phase
    is still open. Without `player` it is the one whose view it is, else the one that the file names.
    """
    players = tuple(state.players)
    known = [each for each in players if state.players[each].standing.known]
    named = str(plain_in(data).get("player", ""))
    player = player or (known[0] if len(known) == 1 else named)
    data = with_player(data, player) if player in players else data
    said = Submission(player, folder_name(state.phase), kind_of(data), data)
    return _with_why(_looked_at(said, rulebook, state), rulebook)


def _with_why(said: Submission, rulebook: Rulebook[Any]) -> Submission:
    """The same, with why it is held in the reader's words."""
    if said.taken:
        return said
    return replace(said, why=str(macros(texts_of(rulebook), "held.txt.j2").why(said)).strip())


def _looked_at(said: Submission, rulebook: Rulebook[Any], state: Any) -> Submission:
    """The same with what is in the file: whether that counts, the orders as they were understood, and what is wrong."""
    if because := without_content(said.data):
        return replace(said, because=because)
    names = partial(names_on_board, state)
    asked = Expected(rulebook, state.match, state.phase, tuple(state.players), said.player, names, file=SHEET)
    if said.kind == ANSWERS:
        counts = not isinstance(read_answers(said.data, asked), NotSent)
        lines, problems = look_at_answers(said.data, asked)
    else:
        counts = not isinstance(read_sheet(said.data, asked), NotSent)
        lines, problems = look_at_sheet(said.data, asked, state, SHEET)
    return replace(
        said,
        because="" if counts else "not-a-sheet",
        receipt=receipt_of(digest_of(said.data)) if counts else "",
        lines=understood_in(SHEET, said.data, lines, problems),
        problems=problems,
    )


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
        if not again and (because := self._refused_now(said)):
            return because
        rulebook, state = match.rulebook_for(self.player), match.state(match.last)
        return replace(_looked_at(said, rulebook, state), again=again)

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
