"""What came in for a phase: its sheets and answers, sheets sent ahead for it, and what is wrong with any of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.engine.ahead.due_sheets import DueSheet, DueSheets, SheetStatus
from adjudicator.engine.ahead.orders_ahead import NotNeeded
from adjudicator.engine.folder.errors import problem
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.gate import Kind
from adjudicator.engine.folder.names import ANSWERED
from adjudicator.engine.folder.papers import read_paper
from adjudicator.engine.library.texts import problems_at, texts_of
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.stops import standing_orders
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.sheets.reading import Expected, read_answers, read_sheet, text_at
from adjudicator.engine.sheets.sheet import ANSWERS, Answer, Sheet
from adjudicator.engine.table.event import Event, NotSent, Player, Remarked
from adjudicator.engine.table.position import Options
from adjudicator.engine.table.reason import Flaw, Reason
from adjudicator.engine.text.problem import Problem
from adjudicator.engine.text.source import Source

SHEETS = "sheets"


class Mail(Struct, frozen=True):
    """Everything from players in a phase's folder.

    `sheets` are those that count if the phase is adjudicated now. `missing` are the due players without a sheet that
    starts a run; `drafts` those of them whose sheet, of this phase or sent ahead, says `ready: false`. `later` are
    players whose orders stand in an earlier sheet, with the folder of its phase; of these, `again` are asked once more
    because pieces named there have been lost since. `standing` are those whose standing orders say what to do,
    `passing` those who were asked before and sent nothing, and `in_vain` those whose standing orders led to nothing
    when the phase was last open: they don't apply in it again. `notes` and `remarks` are events for the players: what
    is wrong with sheets, and with answers. `not_needed` are remarks on orders sent ahead, to be told if nobody needs
    these. `files` are the SHA-256 of all files by name; `problems` are what the GM must put right first.
    """

    sheets: dict[Player, Sheet]
    answers: dict[Player, tuple[Answer, ...]]
    missing: tuple[Player, ...] = ()
    drafts: tuple[Player, ...] = ()
    later: Mapping[Player, str] = {}
    again: Mapping[Player, Sequence[str]] = {}
    standing: tuple[Player, ...] = ()
    passing: tuple[Player, ...] = ()
    in_vain: tuple[Player, ...] = ()
    rejected: tuple[NotSent, ...] = ()
    notes: tuple[Event[Any], ...] = ()
    remarks: tuple[Remarked, ...] = ()
    not_needed: NotNeeded = {}
    files: dict[str, str] = {}
    problems: tuple[Problem, ...] = ()

    def inbox(self, options: Options, *, deadline: bool) -> Inbox:
        """What the referee carries out; without a deadline a match with live pacing waits for answers."""
        waits = options.pacing == "live" and not deadline
        return Inbox(self.sheets, self.answers, self.notes, waits, deadline, self.in_vain)


class AnsweredFile(Struct, frozen=True):
    """`answered.yaml`."""

    answers: dict[Player, tuple[Answer, ...]]


class Post:
    """Reads the sheets and answers of a match, each file once."""

    def __init__(self, match: Folder) -> None:
        self.match = match
        self._sheets: dict[tuple[int, Player], Sheet | NotSent | None] = {}
        self._digests: dict[str, str] = {}
        self.due_sheets = DueSheets(match, self.sheet)
        self.ahead = self.due_sheets.ahead

    def collect(self, number: int) -> Mail:
        """Everything that came in for a phase. Raises Faulty for a position that can't be read."""
        state = self.match.state(number)
        players, due = tuple(state.players), tuple(state.phase.due)
        own = {player: self.sheet(number, player) for player in players}
        answered = {player: self._answers(number, player) for player in players}
        rejected = [found for found in own.values() if isinstance(found, NotSent)]
        sheets = {player: sheet for player, sheet in own.items() if isinstance(sheet, Sheet)}
        ready = {player for player in due if player in sheets and sheets[player].orders is not None}
        # A broken file doesn't bring back what was sent before it: its player meant something else.
        rejected_by = {found.player: found for found in rejected}
        broken = set(rejected_by)
        provided = {player: self.due_sheets.of(number, player) for player in due if player not in ready}

        def by(*ways: SheetStatus) -> tuple[Player, ...]:
            return tuple(player for player, one in provided.items() if one.status in ways)

        drafts = {player: sheet for player, sheet in sheets.items() if player in due and not sheet.ready}
        drafts |= {
            player: one.ahead[1]
            for player, one in provided.items()
            if one.ahead and one.status is SheetStatus.DRAFT
        }
        for player, one in provided.items():
            if one.ahead is not None:
                sheets[player] = with_orders(sheets.get(player), one.ahead[1])
        waits = {*drafts, *broken, *(player for player, one in provided.items() if one.waits)}
        in_vain = tuple(player for player in provided if self.due_sheets.in_vain(number, player))
        files = self._files(number)
        answers = self._answers_before(number)
        return Mail(
            sheets={player: sheets[player] for player in players if player in sheets},
            answers={
                player: (*answers.get(player, ()), *(found[0] if isinstance(found, tuple) else ()))
                for player, found in answered.items()
            },
            missing=tuple(player for player in due if player in waits),
            drafts=tuple(drafts),
            later={
                player: self.match.phases[one.ahead[0]]
                for player, one in provided.items()
                if one.ahead is not None
            },
            again={player: one.lost for player, one in provided.items() if one.lost},
            standing=tuple(player for player in by(SheetStatus.STANDING) if player not in broken),
            passing=tuple(player for player in by(SheetStatus.PASSING) if player not in broken),
            in_vain=in_vain,
            rejected=tuple(rejected),
            notes=(
                *(event for player in players for event in notes_on(player, own[player], due)),
                *(remark_on_draft(sheet) for sheet in drafts.values() if sheet.orders is not None),
                *(
                    remark_on_no_orders(sheets[player])
                    for player, one in provided.items()
                    if own[player] is not None
                    and one.status is SheetStatus.NOTHING
                    and player not in {*broken, *drafts}
                ),
                *(
                    event
                    for player in due
                    if player in broken
                    for event in remark_on_replacement(
                        rejected_by[player], provided[player], state, in_vain=player in in_vain
                    )
                ),
            ),
            remarks=tuple(event for player in players for event in remarks_on(player, answered[player])),
            not_needed=self.ahead.not_needed(number, players, sheets),
            files={name: self._digests[name] for name in files},
            problems=tuple(self._foreign(number, players)),
        )

    def problems(self, number: int, mail: Mail) -> list[Problem]:
        """Files that count as not sent, answers that can't be used, and what is wrong in sheets without orders, such as
        a mistyped `orders`: reported to the GM.
        """
        top, texts = self.match.path / self.match.phases[number], texts_of(self.match.rulebook)
        found = [(each.place, each.reason) for each in mail.rejected]
        found += [(each.place, each.reason) for each in mail.remarks]
        without = (self.sheet(number, player) for player in mail.missing)
        found += [
            (sheet.source.place(flaw.path, key=flaw.key), flaw.reason)
            for sheet in without
            if isinstance(sheet, Sheet) and sheet.orders is None
            for flaw in sheet.flaws_as_a_whole(mail.missing)
        ]
        return problems_at(((f"{top}/{place}", reason, "error") for place, reason in found), texts)

    def sheet(self, number: int, player: Player) -> Sheet | NotSent | None:
        """The player's own sheet in a phase's folder; None if there is none."""
        key = (number, player)
        if key not in self._sheets:
            name = f"{self.match.phases[number]}/{SHEETS}/{player}.yaml"
            text = self._text(name)
            self._sheets[key] = None if text is None else self._read(name, text, number, player)
        return self._sheets[key]

    def seen(self, number: int, player: Player) -> str:
        """The mark that a player's sheet in a phase's folder names, or else the answers; empty if neither does."""
        sheet, answers = self.sheet(number, player), self._answers(number, player)
        own = sheet.seen if isinstance(sheet, Sheet) else ""
        return own or (text_at(answers[2].plain, "seen") if isinstance(answers, tuple) else "")

    def _read(self, name: str, text: bytes, number: int, player: Player) -> Sheet | NotSent:
        """Reads a sheet; once for everybody who reads the match, as long as its bytes are the same."""
        digest, before = self._digests[name], self.match.read_before
        if name not in before or before[name][0] != digest:
            before[name] = digest, read_sheet(text, self._expected(number, player))
        found: Sheet | NotSent = before[name][1]
        return found

    def _answers(self, number: int, player: Player) -> _Answers | NotSent | None:
        text = self._text(f"{self.match.phases[number]}/{ANSWERS}/{player}.yaml")
        return None if text is None else read_answers(text, self._expected(number, player))

    def has_new_answers(self, number: int, player: Player) -> bool:
        """Has a player's file answers of which none was used when the phase last began to wait?"""
        found, used = self._answers(number, player), self._answers_before(number).get(player, ())
        known = [each.fields for each in used]
        return isinstance(found, tuple) and any(each.fields not in known for each in found[0])

    def _answers_before(self, number: int) -> dict[Player, tuple[Answer, ...]]:
        """The answers we already had when the phase last began to wait."""
        name = f"{self.match.phases[number]}/{ANSWERED}"
        if not self.match.has(name):
            return {}
        return read_paper(self.match.read(name), str(self.match.path / name), AnsweredFile).answers

    def _text(self, name: str) -> bytes | None:
        if name not in self.match.fresh and self.match.kind(name) is not Kind.FILE:
            return None
        filed = self.match.file_sent(name)
        self._digests[name] = filed.digest
        return filed.text

    def _expected(self, number: int, player: Player) -> Expected:
        match, head = self.match, self.match.head(number)
        return Expected(
            match.rulebook,
            match.card.match,
            head,
            match.card.players,
            player,
            lambda: names_on_board(match.state(number)),
        )

    def _files(self, number: int) -> list[str]:
        """The names of the sheets and answers that have been read, in order."""
        top = self.match.phases[number]
        return [
            name
            for kind in (SHEETS, ANSWERS)
            for player in sorted(self.match.card.players)
            if (name := f"{top}/{kind}/{player}.yaml") in self._digests
        ]

    def _foreign(self, number: int, players: tuple[Player, ...]) -> Iterator[Problem]:
        """Files that belong to no player or lie in a wrong folder: otherwise somebody's orders would be overlooked."""
        known, top = {f"{player}.yaml" for player in players}, self.match.phases[number]
        beside = (f"{home}{name}" for home in (f"{top}/", "") for name in sorted(known))
        for name in beside if number == self.match.last else ():
            if self.match.kind(name) is not Kind.NOTHING:
                where = self.match.path / top / SHEETS
                yield problem(
                    self.match.path / name, f"a sheet isn't read here: sheets for {top} go into {where}"
                )
        for kind in (SHEETS, ANSWERS):
            folder = f"{top}/{kind}"
            if self.match.kind(folder) not in (Kind.FOLDER, Kind.NOTHING):
                yield problem(
                    self.match.path / folder, f"this isn't a folder, and a folder of {kind} belongs here"
                )
            for name in self.match.names(folder):
                path = self.match.path / folder / name
                if name in known and self.match.kind(f"{folder}/{name}") is not Kind.FILE:
                    yield problem(path, f"this isn't a file with {kind} in it; links aren't followed")
                elif name not in known and not name.startswith("."):
                    yield problem(
                        path, f"this isn't a player's file: {kind}/ is for {', '.join(sorted(known))}"
                    )


_Answers = tuple[tuple[Answer, ...], tuple[Flaw, ...], Source]


def with_orders(own: Sheet | None, later: Sheet) -> Sheet:
    """The orders of an earlier sheet, put into a later sheet that has only standing instructions, if there is one."""
    if own is None:
        return later
    return msgspec.structs.replace(own, orders=later.orders, salt=own.salt or later.salt)


def notes_on(player: Player, found: Sheet | NotSent | None, due: tuple[Player, ...]) -> Iterator[Event[Any]]:
    """What is wrong with a player's sheet as a whole, as events."""
    if isinstance(found, NotSent):
        yield found
    elif found is not None:
        for flaw in found.flaws_as_a_whole(due):
            yield _remarked(player, flaw.reason, found.source.place(flaw.path, key=flaw.key))


def remark_on_draft(sheet: Sheet) -> Remarked:
    """The remark that a draft was carried out as it was, because a deadline closed the phase."""
    place = sheet.source.place(("ready",), key=True)
    return _remarked(sheet.player, Reason("SHEET", "draft-taken"), place)


def remark_on_no_orders(sheet: Sheet) -> Remarked:
    """The remark that a due player's sheet has no orders and counts as none. (A deadline closed the phase anyway.)"""
    place = sheet.source.place(("player",), key=True)
    return _remarked(sheet.player, Reason("SHEET", "no-orders"), place)


def remark_on_replacement(broken: NotSent, one: DueSheet, state: Any, *, in_vain: bool) -> Iterator[Remarked]:
    """The remark on what is carried out instead of a broken sheet, if anything is, when a deadline has closed the
    phase.
    """
    name = state.phase.name
    if one.ahead is not None:
        place = one.ahead[1].source.place(("later", name), key=True)
        yield _remarked(broken.player, Reason("SHEET", "ahead-instead"), place)
    elif not in_vain and standing_orders(state, broken.player, name) is not None:
        yield _remarked(broken.player, Reason("SHEET", "standing-instead"), broken.place)


def remarks_on(player: Player, found: _Answers | NotSent | None) -> Iterator[Remarked]:
    """What is wrong with a player's answers, as events."""
    if isinstance(found, NotSent):
        # Not `NotSent`: the sheet beside it counts, and so does an answer sent in its place.
        yield _remarked(player, found.reason, found.place)
    elif found is not None:
        _, flaws, source = found
        for flaw in flaws:
            yield _remarked(player, flaw.reason, source.place(flaw.path, key=flaw.key))


def _remarked(player: Player, reason: Reason, place: str) -> Remarked:
    return Remarked(rule=reason.rule, to=(player,), player=player, reason=reason, place=place)
