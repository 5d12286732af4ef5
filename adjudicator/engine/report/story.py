"""Reports: a redacted position and redacted events as Markdown. What a reader may not know never gets here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.library.first_problems import MOST_TOLD, number_of_problems
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.library.words import words
from adjudicator.engine.play.account import Word, places_waiting, refusals_with_words
from adjudicator.engine.report.filters import without_needless_escapes
from adjudicator.engine.report.first_lines import FirstLines, first_lines, first_of, players_awaited
from adjudicator.engine.report.narrator import SHEETS, Group, Narrator
from adjudicator.engine.report.reader_facts import NOTHING_BESIDES, Extras, ReaderFacts
from adjudicator.engine.report.template import environment, macros
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.table.event import (
    Event,
    Head,
    NotSent,
    Opened,
    OrderRefused,
    Player,
    Remarked,
    Stood,
)
from adjudicator.engine.table.points import Line, total
from adjudicator.engine.table.rulebook import Phase, Rulebook

Placed = TypeVar("Placed", OrderRefused, Remarked)

GAP = re.compile(r"\n{3,}")
"""Several empty lines, which a part of a template leaves that has nothing to say."""


class Chapter(Struct, frozen=True):
    """What happened in one phase, and how the reader's own sheet fared in it. `words` say of each refusal what became
    of its order, `waiting` are the places of orders that still wait when the phase is over.
    """

    head: Head
    phase: Phase[Any] | None
    groups: Sequence[Group]
    refused: Sequence[OrderRefused]
    remarks: Sequence[Remarked]
    taken_in: Sequence[Stood]
    words: Sequence[Word] = ()
    waiting: Sequence[str] = ()
    more: int = 0
    """How many more refusals and remarks there are than are told."""

    @property
    def own(self) -> bool:
        """Is there anything to tell about the reader's own sheet?"""
        return bool(self.refused or self.remarks or self.taken_in or self.more or self.waiting)


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
) -> str:
    """The report for `who` (None: the public) as Markdown, with one line end after the last line.

    `state` and `events` are as `who` may know them (`view.position_for`, `view.events_for`); `before` is the position
    in which the events begin, also as `who` may know it; `extras` are what else it says. `question` is what the phase
    waits for, only for the asked player. `undone` is `open` if this phase is open once more, `played` if an earlier one
    was played again. `first` are its first lines, made here if left out.
    """
    words = question_text(rulebook, question) if question is not None and who == waiting else ""
    if first is None:
        told = ReaderFacts(who, before, events, state)
        first = first_of(rulebook, told, extras, waiting=waiting, question=words, undone=undone)
    head = first_head(rulebook, state, before, events)
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
        chapters=limited_chapters(chapters(rulebook, who, head, before, events)),
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
    rulebook: Rulebook[Any], who: Player | None, head: Head, here: Any, events: Sequence[Event[Any]]
) -> Iterator[Chapter]:
    """What happened, phase by phase; several folders of one phase (in live pacing, one a seat) are one chapter."""
    narrator = Narrator(rulebook, who, here)
    parts: list[tuple[Head, list[Event[Any]]]] = [(head, [])]
    for event in events:
        if isinstance(event, Opened) and (event.phase.name, event.phase.turn) != (head.name, head.turn):
            head = event.phase
            parts.append((head, []))
        parts[-1][1].append(event)
    for each, part in parts:
        phases = [phase for phase in rulebook.phases if phase.name == each.name]
        own = [event for event in part if isinstance(event, SHEETS) and event.player == who]
        refused = events_by_place(own, OrderRefused)
        said = words_of_refusals(part)
        yield Chapter(
            each,
            phases[0] if phases else None,
            list(narrator.tell(part)),
            [replace(event, place=event.where) for event in refused],
            events_by_place(own, Remarked),
            [event for event in own if isinstance(event, Stood)],
            [said[id(event)] for event in refused],
            places_waiting(part) if who is not None else (),
        )


def words_of_refusals(events: Sequence[Event[Any]]) -> Mapping[int, Word]:
    """What became of the order of each refusal, by the event's identity. In each folder of a phase the same place may
    be another order's.
    """
    starts = [index for index, event in enumerate(events) if isinstance(event, Opened)]
    folders = [events[since:to] for since, to in pairwise([0, *starts, len(events)])]
    return {id(event): word for folder in folders for event, word in refusals_with_words(folder)}


def limited_chapters(parts: Iterable[Chapter]) -> list[Chapter]:
    """The chapters with the first MOST_TOLD refusals and remarks in all, so that the report stays readable."""
    left, found = MOST_TOLD, []
    for part in parts:
        refused = part.refused[: left - min(left // 2, len(part.remarks))]
        remarks = part.remarks[: left - len(refused)]
        left -= len(refused) + len(remarks)
        untold: list[OrderRefused | Remarked] = [*part.refused[len(refused) :], *part.remarks[len(remarks) :]]
        more = sum(number_of_problems(event.reason) for event in untold)
        found.append(replace(part, refused=refused, remarks=remarks, more=more))
    return found


def events_by_place(events: Iterable[Event[Any]], kind: type[Placed]) -> list[Placed]:
    """The events of a kind in the order of their lines, those in sheets of earlier phases first."""
    return sorted((event for event in events if isinstance(event, kind)), key=spot)


def spot(event: OrderRefused | Remarked) -> tuple[str, int, int]:
    """The file, line and column of a refusal or remark, to sort by."""
    where = event.where if isinstance(event, OrderRefused) else event.place
    file, line, column = ("", "", "", *where.rsplit(":", 2))[-3:]
    return file, int(line or 0), int(column or 0)


def text_of_end(rulebook: Rulebook[Any], how: str) -> str:
    """The line of Markdown that says a match is over, and `how` it was won, if that is known."""
    texts = words(texts_of(rulebook))["pages"]
    return str(texts["over-by"].format(how=how) if how else texts["over"])


def bot_name(rulebook: Rulebook[Any], name: str) -> str:
    """The name of a bot that has a seat, called a bot."""
    return str(words(texts_of(rulebook))["pages"]["bot"].format(name=name))
