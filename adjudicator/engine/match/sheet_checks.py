"""Checks what a player sends before it counts: how it was understood, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.texts import Texts, habits, problem_at, problems_at, texts_of, words
from adjudicator.engine.play.account import OrderAccount, every_account
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.left import Left, left_in, sentence_of_open
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.filters import account_text
from adjudicator.engine.sheets.reading import Expected, read_answers, read_sheet, text_at
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.event import NotSent
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Phase
from adjudicator.engine.text.problem import Problem, in_order
from adjudicator.engine.text.source import MOST_BYTES, Source, Unread
from adjudicator.engine.text.writing import in_a_line


class CheckedText(Struct, frozen=True):
    """A sheet or answers as they were checked: each order or answer on a line as it was understood, with what is to be
    said of the whole; what is wrong; what will become of a sheet's orders as far as its player can know, and what is
    left to decide, as data.
    """

    lines: Sequence[str] = ()
    problems: Sequence[Problem] = ()
    accounts: Sequence[OrderAccount] = ()
    left: Sequence[Left] = ()


def look_at_answers(text: bytes, asked: Expected) -> CheckedText:
    """Checks a file of answers as far as possible: the player's view doesn't say whether a question is open."""
    texts, found = texts_of(asked.rulebook), read_answers(text, asked)
    if isinstance(found, NotSent):
        return CheckedText(problems=[problem_at(found.place, found.reason, texts)])
    answers, flaws, source = found
    problems = problems_at(
        ((source.place(flaw.path, key=flaw.key), flaw.reason, "error") for flaw in flaws), texts
    )
    said = words(texts)["check"]["understood"]
    lines = [f"{answer.place}: {said}: {in_a_line(dict(answer.fields))}" for answer in answers]
    if not lines and not problems:
        lines.append(f"{asked.file}: {words(texts)['check']['no-answers']}")
    return CheckedText(lines, problems)


def look_at_sheet(text: bytes, asked: Expected, state: Any, view: str, seen: Any = None) -> CheckedText:
    """Checks a sheet with the code that will adjudicate it, on the position in `view`: the player's own view, or the
    GM's. `seen` is the player's view with all that the player knows besides, if that is known.
    """
    sheet = read_sheet(text, asked)
    if isinstance(sheet, NotSent):
        return CheckedText(problems=[problem_at(sheet.place, sheet.reason, texts_of(asked.rulebook))])
    if not state.players[sheet.player].standing.known:
        reason = Reason("FILE", "not-your-view", {"player": sheet.player})
        return CheckedText(problems=[problem_at(f"{view}:0:0", reason, texts_of(asked.rulebook))])
    # A GM's position holds more than the player may know, but it leads to the same answer.
    seen = position_for(asked.rulebook, state, sheet.player) if seen is None else seen
    found = check_sheet(asked.rulebook, seen, sheet)
    due = sheet.player in state.phase.due
    phase = asked.rulebook.phase(state.phase.name)
    texts = texts_of(asked.rulebook)
    left = left_in(asked.rulebook, seen, sheet.player, sheet, must=True)
    lines = [
        *(line_of_order(each, texts) for each in every_account(found.accounts)),
        *lines_of_sheet(sheet, phase, due, texts),
        *lines_of_left(state, sheet, left, texts),
    ]
    problems = [*found.problems, *waited_for(sheet, phase, due, texts)]
    return CheckedText(lines, problems, found.accounts, left)


def remarks_on_mark(file: Source | Unread, mark: str, asked: Expected, due: bool) -> Iterator[Problem]:
    """The warning that a file names another mark than that of its player's last report. It counts all the same.

    Reports tell which mark a `due` player names, and of others only one that was never a report's (`seen_told`).
    """
    seen = text_at(file.plain, "seen") if isinstance(file, Source) else ""
    if isinstance(file, Source) and seen and mark and seen != mark:
        place = f"{asked.file}{file.place(('seen',)).removeprefix(file.name)}"
        reason = Reason("SHEET", "other-mark" if due else "other-mark-undue", {"mark": mark})
        yield problem_at(place, reason, texts_of(asked.rulebook), "warning")


def lines_of_left(state: Any, sheet: Sheet, left: Sequence[Left], texts: Texts) -> Iterator[str]:
    """What the sheet leaves open, phase by phase, as far as it has orders for a phase."""
    for name, those in groupby(left, lambda each: each.phase):
        now = name == state.phase.name
        ordered, when = (sheet.orders, "") if now else (sheet.later.get(name), f"{name}, ")
        said = sentence_of_open([*those], texts) if ordered else ""
        if said:
            yield f"{sheet.source.name}: {when}{said}"


def waited_for(sheet: Sheet, phase: Phase[Any], due: bool, texts: Texts) -> Iterator[Problem]:
    """That a sheet of a due player has no orders: legal, since its standing instructions count, but the match waits.

    Whatever else is wrong with the sheet as a whole may be the cause, and is told alone.
    """
    if sheet.orders is not None or not due or sheet.flaws:
        return
    facts = {"player": sheet.player, "possible": [*phase.verbs], "chapter": phase.chapter}
    reason = Reason("SHEET", "none-passes" if phase.passes_empty else "none-leaves", facts)
    plain: Any = sheet.source.plain
    here = "orders" in plain
    place = sheet.source.place(("orders",), key=True) if here else f"{sheet.source.name}:1:1"
    yield problem_at(place, reason, texts, "warning")


def line_of_order(account: OrderAccount, texts: Texts) -> str:
    """An order as understood, on one line: its place, later phase, word and text; an unreadable one isn't shown."""
    when = f"{account.phase}, " if account.phase else ""
    what = f"{habits(texts)['colon']}{in_a_line(dict(account.order))}" if account.order else ""
    return f"{account.place}: {when}{account_text(account, words(texts))}{what}"


def lines_of_sheet(sheet: Sheet, phase: Phase[Any], due: bool, texts: Texts) -> Iterator[str]:
    """Whether a sheet counts as sent, and what a sheet without orders means."""
    said, name = words(texts)["check"], sheet.source.name
    if any(flaw.path == ("orders",) for flaw in sheet.flaws):
        return
    if sheet.orders is None and not due:
        yield f"{name}: {said[_key_without_orders(sheet)].format(player=sheet.player)}"
    elif sheet.orders is None:
        if sheet.phases:
            yield f"{name}: {said['standing-waits']}"
    elif not sheet.ready:
        yield f"{name}: {said['draft']}"
    elif not sheet.orders:
        none = "empty-unasked" if not due else "empty-passes" if phase.passes_empty else "empty-leaves"
        yield f"{name}: {said[none].format(player=sheet.player, chapter=phase.chapter)}"
    if sheet.orders == () and phase.name in (sheet.phases or {}):
        yield f"{name}: {said['empty-before-standing']}"


def below_orders(
    name: str, text: bytes, lines: Sequence[str], problems: Iterable[Problem]
) -> Iterator[tuple[str, list[Problem]]]:
    """The lines on a file's orders, each with what is wrong with its order; then what is wrong elsewhere, if anything
    is, with an empty line.

    By its place a fault lies in the last order that begins above it, unless the text goes further left in between.
    """
    indents = [_indent(line) for line in text.splitlines()]
    place = re.compile(rf"{re.escape(name)}:(\d+):(\d+): ")
    begins = [(int(at[1]), int(at[2])) if (at := place.match(line)) else (0, 0) for line in lines]
    below: dict[int, list[Problem]] = {}
    for problem in in_order(problems):
        above = [at for at in begins if (0, 0) < at <= (problem.line, problem.column)]
        home = max(above, default=(0, 0))
        fits = (
            above
            and problem.file == name
            and min(indents[home[0] : problem.line], default=home[1]) >= home[1]
        )
        below.setdefault(begins.index(home) if fits else len(lines), []).append(problem)
    yield from ((line, below.get(number, [])) for number, line in enumerate(lines))
    if len(lines) in below:
        yield "", below[len(lines)]


def _indent(line: bytes) -> int:
    """The column in which a line begins; of one without content, one that is right of everything."""
    content = line.lstrip()
    return len(line) - len(content) + 1 if content and not content.startswith(b"#") else MOST_BYTES


def _key_without_orders(sheet: Sheet) -> str:
    """What a sheet without orders is for a player who isn't asked for any: the key of the words for it."""
    if sheet.later:
        return "alone-with-later"
    return "alone" if sheet.standing or sheet.phases is not None else "alone-empty"
