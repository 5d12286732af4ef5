"""Reports: a redacted position and redacted events as Markdown. What a reader may not know never gets here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.library.texts import MOST_TOLD, number_of_problems, texts_of, words
from adjudicator.engine.play.account import OrderAccount, accounts as accounts_of, every_account
from adjudicator.engine.report.filters import without_needless_escapes
from adjudicator.engine.report.first_lines import FirstLines, first_lines, first_of, players_awaited
from adjudicator.engine.report.narrator import SHEETS, Group, Narrator
from adjudicator.engine.report.reader_facts import NO_ACCOUNTS, NOTHING_BESIDES, Accounts, Extras, ReaderFacts
from adjudicator.engine.report.template import environment, macros
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.table.event import Event, Head, NotSent, Opened, Player, Remarked, Stood
from adjudicator.engine.table.points import Line, total
from adjudicator.engine.table.rulebook import Phase, Rulebook

GAP = re.compile(r"\n{3,}")
"""Several empty lines, which a part of a template leaves that has nothing to say."""


class OrderLine(Struct, frozen=True):
    """A line of the account of the reader's sheet: an order, and how it stands in the order above it: a number of
    levels, and whether it is of its `else`.
    """

    account: OrderAccount
    level: int = 0
    other: bool = False


class Chapter(Struct, frozen=True):
    """What happened in one phase, and what became of the reader's own orders in it, line by line."""

    head: Head
    phase: Phase[Any] | None
    groups: Sequence[Group]
    orders: Sequence[OrderLine]
    remarks: Sequence[Remarked]
    taken_in: Sequence[Stood]
    more: int = 0
    """How many more reasons and remarks there are than are told."""

    @property
    def own(self) -> bool:
        """Is there anything to tell about the reader's own sheet?"""
        return bool(self.orders or self.remarks or self.taken_in or self.more)


def render_report(  # noqa: PLR0913 - a report has as many parts
    rulebook: Rulebook[Any],
    who: Player | None,
    state: Any,
    events: Sequence[Event[Any]],
    *,
    before: Any | None = None,
    extras: Extras = NOTHING_BESIDES,
    note: str = "",
    waiting: Player = "",
    question: Any | None = None,
    undone: str = "",
    first: FirstLines | None = None,
    accounts: Accounts | None = None,
) -> str:
    """The report for `who` (None: the public) as Markdown, with one line end after the last line.

    `state` and `events` are as `who` may know them (`view.position_for`, `view.events_for`); `before` is the position
    in which the events begin, also as `who` may know it; `extras` are what else it says. `question` is what the phase
    waits for, only for the asked player. `undone` is `open` if this phase is open once more, `played` if an earlier one
    was played again. `first` are its first lines, made here if left out. `accounts` are those of the orders of `who`;
    if they are left out, events alone tell of refused orders.
    """
    words = question_text(rulebook, question) if question is not None and who == waiting else ""
    head = first_head(rulebook, state, before, events)
    if accounts is None:
        accounts = accounts_told(head, events) if who is not None else {}
    if first is None:
        told = ReaderFacts(who, before, events, state, accounts=accounts)
        first = first_of(rulebook, told, extras, waiting=waiting, question=words, undone=undone)
    points = standings(rulebook, state)
    frame = environment(texts_of(rulebook)).get_template("report.md.j2")
    text = frame.render(
        rulebook=rulebook,
        who=who,
        state=state,
        head=state.phase,
        first=first_lines(rulebook, first),
        people=first.people,
        left=players_awaited(state.phase, who or "", extras),
        folder=folder_name(state.phase),
        chapters=limited_chapters(chapters(rulebook, who, head, before, events, accounts)),
        not_sent=[event for event in events if isinstance(event, NotSent) and event.player == who],
        standings=points,
        hidden_points=any(total(lines).more for lines in points.values()),
        due_text=extras.due_text,
        note=note.strip(),
        waiting=waiting,
        asked=words,
        done=extras.done,
        guess=extras.guess,
        ahead=extras.ahead,
        sent=extras.sent,
        receipts=extras.receipts,
        instead=extras.instead,
        silent=extras.silent,
        status=extras.status,
        asked_before=extras.asked,
        finished=extras.finished,
    )
    return without_needless_escapes(GAP.sub("\n\n", text.rstrip("\n"))) + "\n"


def question_text(rulebook: Rulebook[Any], question: Any) -> str:
    """A question in words."""
    macro = getattr(macros(texts_of(rulebook), "questions.md.j2"), type(question).__name__)
    return str(macro(question)).strip()


def standings(rulebook: Rulebook[Any], state: Any) -> Mapping[Player, Sequence[Line]]:
    """The points so far, line by line; empty at the end, when they have been counted."""
    return {} if state.phase.over or state.phase.name == rulebook.phases[0].name else rulebook.points(state)


def first_head(rulebook: Rulebook[Any], state: Any, before: Any | None, events: Iterable[Event[Any]]) -> Head:
    """The phase in which the events begin."""
    if before is not None:
        head: Head = before.phase
        return head
    for event in events:
        if isinstance(event, Opened):
            names = [phase.name for phase in rulebook.phases]
            at = names.index(event.phase.name) if event.phase.name in names else len(names)
            return Head(event.phase.number - 1, names[at - 1], event.phase.turn)
    opened: Head = state.phase
    return opened


# -- the story -----------------------------------------------------------------------------------------------------


def chapters(
    rulebook: Rulebook[Any],
    who: Player | None,
    head: Head,
    here: Any,
    events: Sequence[Event[Any]],
    own: Accounts = NO_ACCOUNTS,
) -> Iterator[Chapter]:
    """What happened, phase by phase; several folders of one phase (in live pacing, one a seat) are one chapter. `own`
    are the accounts of the reader's orders.
    """
    narrator = Narrator(rulebook, who, here)
    parts = events_by_phase(head, events)
    for (name, _), found in groupby(parts, key=lambda part: (part[0].name, part[0].turn)):
        folders = list(found)
        told = [event for _, part in folders for event in part]
        mine = [event for event in told if isinstance(event, SHEETS) and event.player == who]
        orders = [each for part, _ in folders for each in own.get(folder_name(part), ())]
        findings = [each for one in every_account(orders) for each in one.findings]
        known = {(each.place, each.reason.key) for each in findings}
        remarks = [event for event in mine if isinstance(event, Remarked)]
        yield Chapter(
            folders[0][0],
            next((phase for phase in rulebook.phases if phase.name == name), None),
            list(narrator.tell(told)),
            list(lines_of(orders)),
            sorted((each for each in remarks if (each.place, each.reason.key) not in known), key=spot),
            [event for event in mine if isinstance(event, Stood)],
        )


def events_by_phase(head: Head, events: Iterable[Event[Any]]) -> list[tuple[Head, list[Event[Any]]]]:
    """The events of each folder, with its phase; they begin in the phase `head`."""
    parts: list[tuple[Head, list[Event[Any]]]] = [(head, [])]
    for event in events:
        if isinstance(event, Opened):
            parts.append((event.phase, []))
        parts[-1][1].append(event)
    return parts


def accounts_told(head: Head, events: Iterable[Event[Any]]) -> Accounts:
    """What events alone tell of a reader's refused orders and open ones, by the folder of their phase."""
    parts = events_by_phase(head, events)
    return {folder_name(each): accounts_of((), None, part, waiting=False) for each, part in parts}


def lines_of(orders: Iterable[OrderAccount], level: int = 0, *, other: bool = False) -> Iterator[OrderLine]:
    """A line for each order, and below it those of its parts and of its `else`."""
    for each in orders:
        yield OrderLine(each, level, other)
        yield from lines_of(each.parts, level + 1)
        yield from lines_of(each.otherwise, level + 1, other=True)


def limited_chapters(parts: Iterable[Chapter]) -> list[Chapter]:
    """The chapters with the first orders, reasons and remarks, MOST_TOLD in all, so that the report stays readable."""
    left, found = MOST_TOLD, []
    for part in parts:
        room, more, orders = left - min(left // 2, len(part.remarks)), 0, []
        for line in part.orders:
            told, untold = line.account.findings[:room], line.account.findings[room:]
            more += sum(number_of_problems(each.reason) for each in untold)
            if room <= 0:
                more += not untold
                continue
            orders.append(replace(line, account=replace(line.account, findings=told)) if untold else line)
            cost = max(1, len(told))
            room, left = room - cost, left - cost
        remarks = part.remarks[:left]
        left -= len(remarks)
        more += sum(number_of_problems(event.reason) for event in part.remarks[len(remarks) :])
        found.append(replace(part, orders=orders, remarks=remarks, more=more))
    return found


def spot(event: Remarked) -> tuple[str, int, int]:
    """The file, line and column of a remark, to sort by: those in sheets of earlier phases first."""
    file, line, column = ("", "", "", *event.place.rsplit(":", 2))[-3:]
    return file, int(line or 0), int(column or 0)


def text_of_end(rulebook: Rulebook[Any], how: str) -> str:
    """The line of Markdown that says a match is over, and `how` it was won, if that is known."""
    texts = words(texts_of(rulebook))["pages"]
    return str(texts["over-by"].format(how=how) if how else texts["over"])


def bot_name(rulebook: Rulebook[Any], name: str) -> str:
    """The name of a bot that has a seat, called a bot; of somebody else's program, as it is."""
    texts = words(texts_of(rulebook))
    return str(texts["pages"]["bot"].format(name=texts["bots"].get(name, name)))
