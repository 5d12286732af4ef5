"""A view that is open in a page, and the page's questions about it: the page itself, and each sheet made on it.

All of it is the code that checks and adjudicates, on the reader's own view. Nothing here needs a match's folder.

What a page is told of a sheet or an answer, and where in it.

What the rules say of an answer, to the question that its player is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.languages import known_languages
from adjudicator.engine.library.texts import Texts, in_language, problem_at, say, texts_of, words
from adjudicator.engine.match.trying_out import guessed_position
from adjudicator.engine.play.account import Word, every_account
from adjudicator.engine.play.asking import from_data, is_meant
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.beside import Beside, choices_beside, place_for
from adjudicator.engine.play.checking import CheckResult, check_sheet
from adjudicator.engine.play.known import Known, filled_in
from adjudicator.engine.play.known_file import read_known
from adjudicator.engine.play.left import Course, Left, Steps, left_of
from adjudicator.engine.play.position import PositionFile, read_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.filters import account_text
from adjudicator.engine.report.markdown_html import plain_text
from adjudicator.engine.report.narrator import Narrator
from adjudicator.engine.report.page_scripts import left_as_json, limits_as_json
from adjudicator.engine.report.reader_facts import Extras, ReaderFacts
from adjudicator.engine.report.reader_texts import ORDERS, answer_texts, map_for, sheet_texts
from adjudicator.engine.report.template import names
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.sheets.reading import Expected, folder_name, read_answers, read_sheet
from adjudicator.engine.sheets.sheet import Answer, Reader, Sheet
from adjudicator.engine.table.event import Event, NotSent, Player
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Bot, Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Question
from adjudicator.engine.text.problem import Problem
from adjudicator.engine.text.source import Path, Source

FINE, REFUSED, UNKNOWN = "fine", "refused", "unknown"


class SheetReport(Struct, frozen=True, omit_defaults=True):
    """What the page is told of a sheet; `templates/pages/engine.js` says the same as far as an attached page knows.

    `problems` are those of the sheet as a whole. Of each order `at` is the path in the sheet; `brings` are sentences on
    what it leads to. `totals` is what is left of what is counted.
    """

    orders: Sequence[Mapping[str, Any]]
    problems: Sequence[Mapping[str, Any]]
    totals: Sequence[Any] = ()
    left: Sequence[Any] = ()
    sure: bool = True


def what_follows(
    rulebook: Rulebook[Any], me: Player, view: Any, events: Sequence[Event[Any]]
) -> Mapping[str, Sequence[str]]:
    """By the place of an order: what it brings about, as a report would tell it that tells of nothing else. `events`
    are those of a check.
    """
    found: dict[str, list[str]] = {}
    narrator = Narrator(rulebook, me, view)
    for place, own in groupby(events, key=lambda event: event.by):
        lines = [plain_text(line) for _, line in narrator.lines([*own]) if line]
        if place and lines:
            found.setdefault(place, []).extend(lines)
    return found


def report_of_unreadable(file: NotSent, texts: Texts) -> SheetReport:
    """A file that can't be read, with the reason."""
    return SheetReport((), [problem(file.reason, file.place, texts)], sure=False)


def problem(reason: Reason, place: str, texts: Texts) -> Mapping[str, Any]:
    """A reason at a place of the file as a page is told it."""
    line, column = place.rsplit(":", 2)[1:]
    said = {"rule": reason.rule, "words": say(reason, texts), "severity": "error"}
    return {**said, "line": int(line), "column": int(column)}


def page_path(path: Path) -> Path:
    """A path in a sheet as the page writes it: `later.combat.0`, where the file has `later.combat.orders.0`."""
    return (*path[:2], *path[3:]) if path[:1] == ("later",) else path


def places(source: Source) -> Iterator[tuple[Path, str]]:
    """Every path in a file with its place (`sheet.yaml:7:5`)."""

    def within(plain: Any, path: Path) -> Iterator[Path]:
        yield path
        if isinstance(plain, Mapping):
            for key, value in plain.items():
                yield from within(value, (*path, key))
        elif isinstance(plain, list):
            for index, value in enumerate(plain):
                yield from within(value, (*path, index))

    for path in within(source.plain, ()):
        mark = source.mark(path)
        yield path, f"{source.name}:{mark.line}:{mark.column}"


def look_at_answers(text: bytes, asked: Expected, question: Question[Any, Any], view: Any) -> SheetReport:
    """What the rules say of a text with answers; `view` is the position as its player knows it."""
    texts, found = texts_of(asked.rulebook), read_answers(text, asked)
    if isinstance(found, NotSent):
        return report_of_unreadable(found, texts)
    answers, flaws, source = found
    paths = {place: path for path, place in places(source)}
    orders = [
        {
            "at": paths.get(each.place, ()),
            **verdict_on(each, question, view, texts),
            "warns": (),
            "brings": (),
        }
        for each in answers
    ]
    told = [(source.place(flaw.path, key=flaw.key), flaw.reason) for flaw in flaws]
    return SheetReport(orders, [problem(reason, place, texts) for place, reason in told])


def verdict_on(answer: Answer, question: Question[Any, Any], view: Any, texts: Texts) -> Mapping[str, Any]:
    """Whether an answer answers the question, and if not, why."""
    if not is_meant(answer, question):
        return {"state": UNKNOWN, "problems": ()}
    try:
        question.answer(Reader(answer.fields), view)
    except Refused as refused:
        field = next((step for step in refused.path if isinstance(step, str)), "")
        told = {"rule": refused.reason.rule, "words": say(refused.reason, texts), "field": field}
        return {"state": REFUSED, "problems": (told,)}
    except Unknown:
        return {"state": UNKNOWN, "problems": ()}
    return {"state": FINE, "problems": ()}


SHEET, VIEW = "sheet.yaml", "view.yaml"
SHOWN = 4
"""Where in a limit (`report/uses.py`) the words stand by which a page calls it."""


class NotOpened(Exception):
    """A view for which no sheet can be made: what is wrong with it, in the order of the file."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(*(problem.text for problem in problems))
        self.problems = problems


class OpenView(Struct, frozen=True):
    """A player's view that is open: the game, the position as `me` sees it, what `me` is asked in mid-phase, and what
    else `me` knows.
    """

    rulebook: Rulebook[Any]
    view: Any
    me: Player
    question: Question[Any, Any] | None = None
    known: Known | None = None

    @property
    def seen(self) -> Any:
        """The view, with everything filled in that is certain by earlier reports."""
        return self.view if self.known is None else filled_in(self.known)

    @property
    def expected(self) -> Expected:
        """The sheet that is expected of the player."""
        view = self.view
        names = partial(names_on_board, view)
        return Expected(
            self.rulebook, view.match, view.phase, tuple(view.players), self.me, names, file=SHEET
        )

    def page(self, extras: Extras) -> str:
        """The page for orders, or for the answer, as it is attached to a mail too."""
        facts = ReaderFacts(self.me, self.view, (), self.view)
        picture = map_for(self.rulebook, facts)
        if self.question is not None:
            return answer_texts(self.rulebook, self.view, self.me, self.question, extras, picture)[ORDERS]
        return sheet_texts(self.rulebook, self.view, self.me, extras, picture)[ORDERS]

    def others(self) -> list[Mapping[str, Any]]:
        """The other players, each with the name, and whether the phase wants orders of them."""
        known, due = names(texts_of(self.rulebook)), self.view.phase.due
        return [
            {"id": player, "name": str(known.get(player)), "due": player in due}
            for player in self.view.players
            if player != self.me
        ]

    def guessed(self, player: Player) -> OpenView:
        """What another player would see of a position that could be the real one, by what `me` knows. Raises
        `Impossible`.
        """
        state = guessed_position(self.rulebook, self.view, self.me, known=self.known)
        return OpenView(self.rulebook, position_for(self.rulebook, state, player), player)

    def look(self, text: bytes) -> SheetReport:
        """What the rules say of a sheet's text; if the player is asked something, of a text of answers."""
        if self.question is not None:
            return look_at_answers(text, self.expected, self.question, self.view)
        sheet = read_sheet(text, self.expected)
        if isinstance(sheet, NotSent):
            return report_of_unreadable(sheet, texts_of(self.rulebook))
        found = check_sheet(self.rulebook, seen := self.seen, sheet)
        course, *later = Steps(self.rulebook, seen, sheet).courses()
        follows = what_follows(self.rulebook, self.me, self.view, course.events)
        orders = [*self._orders(sheet, found, follows)]
        return SheetReport(
            orders=orders,
            problems=[*self._problems(found)],
            totals=[*self._totals(course.positions[-1])],
            left=[*self._left([course, *later], sheet)],
            sure=all(order["state"] != UNKNOWN for order in orders),
        )

    def choices(self, text: bytes, thing: Left) -> Beside:
        """What can be chosen for a thing beside the orders of a sheet; nothing if the sheet can't be read."""
        sheet = read_sheet(text, self.expected)
        if isinstance(sheet, NotSent):
            return Beside()
        return choices_beside(self.rulebook, self.seen, sheet, thing)

    def advised(self, text: bytes, bot: Bot) -> Mapping[str, Sequence[Any]]:
        """What a bot would order in each phase of the sheet, once the sheet's own orders are carried out."""
        sheet = read_sheet(text, self.expected)
        if isinstance(sheet, NotSent):
            return {}
        chance = SeededChance(f"{folder_name(self.view.phase)} {self.me}")
        courses = Steps(self.rulebook, self.seen, sheet).courses()
        found = {
            course.phase.name: bot(course.positions[-1], self.me, chance).get("orders", ())
            for course in courses
            if course.positions[-1].phase.name == course.phase.name
        }
        return {name: list(orders) for name, orders in found.items() if orders}

    def _totals(self, after: Any) -> Iterator[Mapping[str, Any]]:
        """What is left after the orders of what is counted, and how much there was."""
        phase = self.rulebook.phase(self.view.phase.name)
        before = limits_as_json(self.rulebook, phase, self.view, self.me)
        for key, told in limits_as_json(self.rulebook, phase, after, self.me).items():
            if isinstance(told, list) and len(told) > SHOWN and isinstance(was := before.get(key), list):
                yield {"id": key, "words": told[SHOWN], "left": told[0], "of": was[0]}

    def _left(self, courses: Sequence[Course], sheet: Sheet) -> Iterator[Mapping[str, Any]]:
        """What is left to do, with the paths of the orders that decide the rest."""
        paths = {place: path for path, place in places(sheet.source)}
        for each in (left for course in courses for left in left_of(course, self.me)):
            yield left_as_json(each) | ({"by": page_path(paths[each.by])} if each.by in paths else {})

    def _problems(self, found: CheckResult) -> Iterator[Mapping[str, Any]]:
        for problem in found.problems:
            yield {
                "rule": problem.code,
                "words": problem.text,
                "severity": problem.severity,
                "line": problem.line,
                "column": problem.column,
            }

    def _orders(
        self, sheet: Sheet, found: CheckResult, brought: Mapping[str, Sequence[str]]
    ) -> Iterator[Mapping[str, Any]]:
        """Each order as it was understood, with the problems in it."""
        texts, paths = texts_of(self.rulebook), {place: path for path, place in places(sheet.source)}
        understood = {each.place for each in found.understood}
        for order in every_account(found.accounts):
            if order.place not in understood:
                continue
            at = paths.get(order.place, ())
            said = [each for each in found.said if order.place in (each.place, each.order)]
            told: dict[bool, list[Mapping[str, str]]] = {True: [], False: []}
            for each in said:
                inner = paths.get(each.place, ())[len(at) :]
                if inner[:1] == ("else",):  # it is told of the order that stands there
                    continue
                field = next((step for step in inner if isinstance(step, str)), "")
                problem = {"rule": each.reason.rule, "words": say(each.reason, texts), "field": field}
                told[each.severity == "error"].append(problem)
            missed, sure = order.word in (Word.NOTHING, Word.PARTLY), order.may is None
            fine = order.word is Word.DONE and sure
            state = REFUSED if told[True] or (missed and sure) else FINE if fine else UNKNOWN
            place = self._place_for(sheet, at) if state == REFUSED else None
            yield {
                "at": page_path(at),
                "state": state,
                **({} if place is None else {"place": place}),
                "word": account_text(order, words(texts)),
                "doubtful": missed,
                "problems": told[True],
                "warns": told[False],
                "brings": brought.get(order.place, ()),
            }

    def _place_for(self, sheet: Sheet, at: Path) -> int | None:
        """Where among the others an order of the sheet would be good, if it stands in another place now."""
        match at:
            case ("orders", int(index)):
                place = place_for(self.rulebook, self.seen, sheet, self.view.phase.name, index)
            case ("later", str(phase), "orders", int(index)):
                place = place_for(self.rulebook, self.seen, sheet, phase, index)
            case _:
                return None
        return None if place == index else place


def opened(
    text: bytes,
    name: str = VIEW,
    language: str = "",
    question: Mapping[str, Any] = MappingProxyType({}),
    known: bytes = b"",
) -> OpenView:
    """The view in a file of that name, open for its player, in a language with texts. `question` is what the player is
    asked, as data (`play/question_data.py`), `known` the text of the view's `known.yaml`; one of another view doesn't
    count. Raises `NotOpened`.
    """
    found = read_position(text, name)
    if not isinstance(found, PositionFile):
        raise NotOpened(found)
    state = found.state
    rulebook = found.rulebook
    if language in known_languages(rulebook.key):
        rulebook = in_language(rulebook, language)
    seeing = [player for player in state.players if state.players[player].standing.known]
    if len(seeing) != 1:
        raise NotOpened([problem_at(f"{name}:0:0", Reason("FILE", "no-players-view"), texts_of(rulebook))])
    asked = from_data(rulebook, question)
    if question and asked is None:
        raise NotOpened([problem_at(f"{name}:0:0", Reason("FILE", "no-such-question"), texts_of(rulebook))])
    view = position_for(rulebook, state, seeing[0])
    remembered = read_known(rulebook, known, view, seeing[0]) if known else None
    return OpenView(rulebook, view, seeing[0], asked, remembered)
