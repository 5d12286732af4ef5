"""What becomes of a file that a player sends, as a value, and what can be said of it from a position alone.

What stands in a file that a player sent, before anybody asks whether it can count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from adjudicator import __version__
from adjudicator.engine.library.texts import Texts, line_of_problem, texts_of
from adjudicator.engine.match.sheet_checks import (
    below_orders,
    look_at_answers,
    look_at_sheet,
    remarks_on_mark,
)
from adjudicator.engine.play.account import OrderAccount
from adjudicator.engine.play.left import Left
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.sheets.reading import Expected, folder_name, read_answers, read_sheet
from adjudicator.engine.sheets.sheet import A_MARK, ANSWERS
from adjudicator.engine.table.event import NotSent
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.problem import Problem, in_order, shortened
from adjudicator.engine.text.source import Source, Unread, read

if TYPE_CHECKING:
    from adjudicator.engine.folder.entries import Held, Taken


CONTENT = ("orders", "standing", "later", "answers")
KEYS = ("player", "match", "phase", *CONTENT, "salt", "seen", "ready")
"""The keys of a sheet and of a file of answers."""
Kind = Literal["sheets", "answers"]
"""What a file is, by the folder for it."""


@lru_cache(maxsize=8)
def source_in(data: bytes) -> Source | Unread:
    """A text read as YAML; the last few are kept."""
    return read(data, "sheet")


def plain_in(data: bytes) -> Mapping[str, Any]:
    """A text's content as plain data; empty if it can't be read, or isn't a mapping."""
    source = source_in(data)
    return source.plain if isinstance(source, Source) and isinstance(source.plain, dict) else {}


def kind_of(data: bytes) -> Kind:
    """Is it a sheet, or a file of answers: one that has answers and no orders?"""
    if isinstance(source_in(data), Source):
        plain = plain_in(data)
        answers = "answers" in plain and "orders" not in plain
    else:
        answers = any(line.startswith(b"answers:") for line in data.splitlines())
    return "answers" if answers else "sheets"


def keys_with_content(plain: Mapping[str, Any]) -> set[str]:
    """The keys of a sheet or of a file of answers that have content."""
    later = plain.get("later")
    ahead = later.values() if isinstance(later, dict) else () if later is None else (later,)
    said = {key for key in CONTENT if key != "later" and plain.get(key) is not None}
    filled = any((one.get("orders") if isinstance(one, dict) else one) is not None for one in ahead)
    return said | ({"later"} if filled else set())


def is_blank(data: bytes) -> bool:
    """Is nothing filled in: is the file empty, has it comments alone, or is it a form as it was sent?"""
    source = source_in(data)
    if not isinstance(source, Source):
        return False
    plain = source.plain
    unfilled = isinstance(plain, dict) and plain.keys() <= {*KEYS} and not keys_with_content(plain)
    return plain is None or unfilled


def with_player(data: bytes, player: str) -> bytes:
    """A file with its player's name, if it has none and can be read. The name goes to the end, to keep line numbers.

    A file to which nothing can be appended, such as one in braces, stays as it was.
    """
    source, plain = source_in(data), plain_in(data)
    if not isinstance(source, Source) or not plain or "player" in plain:
        return data
    column = min(source.mark((key,), key=True).column for key in plain)
    end = b"" if data.endswith(b"\n") else b"\n"
    text = data + end + b" " * (column - 1) + f"player: {player}\n".encode()
    return text if isinstance(source_in(text), Source) else data


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
    "blank",
    "not-a-sheet",
    "crashed",
]
"""Why a file is held; empty: it is taken.

`over`: the match is. `earlier-phase`, `later-phase`: it is for another phase. `late`: it came after the phase was to
close; `older`: before the one that counts. `frozen`: the phase waits for an answer; `closed`: its sheets are fixed;
`no-question`: its player is asked nothing. `blank`: it is empty, or a form that wasn't filled in;
`not-a-sheet`: it can't count as one, and `problems` say why. `crashed`: the program failed on it.
"""
_PLACE = re.compile(r":(\d+:\d+): ")
Next = Literal["", "held", "unfinished", "complete", "answered", "late", "again", "faulty", "early", "open"]
"""What becomes of a phase for which something was just taken; empty: nothing was.

`held`: the match is on hold. `unfinished`: the sheet is a draft or has no orders. `complete`: all sheets are there now;
`answered`: the answer was all that was missing. `late`: the deadline is past, but the grace isn't over. `again`: the
phase was taken back, and is played again at its deadline or by the GM. `faulty`: the sheet has faults, so the phase
waits. `early`: it is played when all are there.
"""


class PhaseStatus(Struct, frozen=True):
    """The state of the open phase, as an answer tells it: `until` is its deadline in words, empty if it has none.

    `earlier` is the receipt of what came from the player before: of answers if the player is `asked` something, else of
    a sheet. `due`: the match waits for a sheet of the player. `ahead` is the folder of the phase whose sheet brought
    orders for this one; `standing`: standing orders apply. `ended` says how a match that is over was won.
    """

    until: str = ""
    earlier: str = ""
    asked: bool = False
    due: bool = False
    ahead: str = ""
    standing: bool = False
    next: Next = ""
    ended: str = ""


class Line(Struct, frozen=True):
    """A line on an order as it was understood, with its place in the file (`7:5`), and what is wrong with it. The place
    is empty on a line about the whole file, and so is the text on one with what is wrong elsewhere. `wrong` says the
    problems, one line each.
    """

    place: str
    text: str
    problems: Sequence[Problem] = ()
    wrong: Sequence[str] = ()

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text


def understood_in(
    name: str, text: bytes, lines: Sequence[str], problems: Sequence[Problem], texts: Texts
) -> list[Line]:
    """How a file of that name was understood, order by order, with what is wrong with each below it."""
    found = []
    for line, below in below_orders(name, text, lines, problems):
        at = _PLACE.match(line, len(name))
        place, said = (at[1], line[at.end() :]) if at else ("", line.removeprefix(f"{name}: "))
        found.append(
            Line(place, shortened(said), tuple(below), tuple(line_of_problem(each, texts) for each in below))
        )
    return found


class Submission(Struct, frozen=True):
    """What became of a file that a player sent while `phase` (a folder) was open: held `because` of a reason, or taken.
    `why` says the reason in a sentence, and what to do.

    `kind` is `sheets` or `answers`, its folder. `again`: the same bytes were in before. `meant` is the phase that it is
    for, if another one; `came` and `closes`, in words, are when it came and when the phase was to close, if that is why
    it is held. `orders` are the accounts of a sheet's orders, as far as their player can know what becomes of them, and
    `left` is what is left to decide; `lines` say the same in words, each with what is wrong with it, and `problems` are
    all that is wrong. `about` is the state of the phase with this file in it. `crash` says how the program failed on
    it, for the GM.
    """

    player: str
    phase: str
    kind: Kind
    data: bytes
    because: Reason = ""
    why: str = ""
    again: bool = False
    meant: str = ""
    came: str = ""
    closes: str = ""
    orders: Sequence[OrderAccount] = ()
    left: Sequence[Left] = ()
    lines: Sequence[Line] = ()
    problems: Sequence[Problem] = ()
    about: PhaseStatus = PhaseStatus()
    crash: str = ""

    @property
    def taken(self) -> bool:
        """Does the file count, now or already?"""
        return not self.because

    @property
    def receipt(self) -> str:
        """The receipt of its bytes; empty if it is held."""
        from adjudicator.engine.folder.files import digest_of
        from adjudicator.engine.folder.marks import receipt_of

        return receipt_of(digest_of(self.data)) if self.taken else ""

    @property
    def file(self) -> str:
        """The file's name in the folder of its phase: `sheets/venice.yaml`."""
        return f"{self.kind}/{self.player}.yaml"

    def entry(
        self, at: datetime, message: str, *, came: datetime | None = None, mail: str = "", keys: str = ""
    ) -> Taken | Held:
        """The ledger's entry: `message` is the door's own number of what brought the file; for the rest see `Taken`."""
        from adjudicator.engine.folder.entries import Held, Taken
        from adjudicator.engine.folder.files import digest_of

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
                version=__version__ if self.because == "crashed" else "",
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


def look_at(
    rulebook: Rulebook[Any],
    state: Any,
    data: bytes,
    player: str = "",
    *,
    kind: Kind | None = None,
    name: str = SHEET,
    view: str = SHEET,
    seen: Any = None,
) -> Submission:
    """What becomes of a file as far as a position, or a player's view of it, can tell: it doesn't say whether the phase
    is still open. Without `player` it is the one whose view it is, else the one that the file names. `name` and `view`
    are the names of the two files in what is wrong with them. `seen` is the view with all that the player knows
    besides, if that is known.
    """
    known = [each for each, one in state.players.items() if one.standing.known]
    player = player or (known[0] if len(known) == 1 else str(plain_in(data).get("player", "")))
    said = Submission(player, folder_name(state.phase), kind or kind_of(data), data)
    return with_why(looked_at(said, rulebook, state, name, view, seen), rulebook)


def looked_at(
    said: Submission,
    rulebook: Rulebook[Any],
    state: Any,
    name: str = SHEET,
    view: str = SHEET,
    seen: Any = None,
    mark: str = "",
) -> Submission:
    """The same with what is in the file: whether that counts, the orders as they were understood, and what is wrong;
    `mark` is that of the phase, if the position hasn't it.
    """
    names = partial(names_on_board, state)
    asked = Expected(rulebook, state.match, state.phase, tuple(state.players), said.player, names, file=name)
    if said.kind == ANSWERS:
        counts = not isinstance(read_answers(said.data, asked), NotSent)
        checked = look_at_answers(said.data, asked)
    else:
        counts = not isinstance(read_sheet(said.data, asked), NotSent)
        checked = look_at_sheet(said.data, asked, state, view, seen)
    because: Reason = "blank" if is_blank(said.data) else "" if counts else "not-a-sheet"
    mark = mark or (state.chain if A_MARK.fullmatch(state.chain) else "")
    remarks = (
        () if because else remarks_on_mark(source_in(said.data), mark, asked, said.player in state.phase.due)
    )
    problems = in_order([*checked.problems, *remarks])
    return replace(
        said,
        because=because,
        orders=checked.accounts,
        left=checked.left,
        lines=tuple(understood_in(name, said.data, checked.lines, problems, texts_of(rulebook))),
        problems=tuple(problems),
    )


def with_why(said: Submission, rulebook: Rulebook[Any]) -> Submission:
    """The same, with why it is held in the reader's words."""
    if said.taken:
        return said
    from adjudicator.engine.report.template import macros

    return replace(said, why=str(macros(texts_of(rulebook), "held.txt.j2").why(said)).strip())
