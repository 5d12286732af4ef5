"""Promise 8, during play: every event is told to every reader, in whole sentences, with no placeholder left open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from adjudicator.contract import cases, hostile, matches
from adjudicator.contract.texts import missing_facts
from adjudicator.engine.bots import Step
from adjudicator.engine.library.texts import game_texts
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.form import answer_form, sheet_form
from adjudicator.engine.report.map import picture
from adjudicator.engine.report.narrator import SHEETS, Narrator
from adjudicator.engine.report.news import News
from adjudicator.engine.report.story import render_report
from adjudicator.engine.report.template import macros
from adjudicator.engine.sheets.reading import expected_in, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.event import (
    ENGINE_EVENTS,
    Event,
    NotSent,
    OrderRefused,
    Player,
    Remarked,
    Thrown,
    owner_of,
    position_after,
)
from adjudicator.engine.table.rulebook import Rulebook

MOST = 4
"""How many events of each type are told."""
OPEN = re.compile(r"\bhidden\b|\bNone\b|Secret\(|\{\{|\bundefined\b")
"""What stands in a text only by mistake."""


class SampleEvent(Struct, frozen=True):
    """An event, the position before it, and the position after its phase."""

    event: Event[Any]
    here: Any
    state: Any


class AskedQuestion(Struct, frozen=True):
    """A question that came up, the player it was put to, and the position in which the phase had opened."""

    question: Any
    who: Player
    state: Any


class EventSamples(Struct, frozen=True):
    """What came up in the cases and in some random matches, by type."""

    events: dict[str, list[SampleEvent]]
    questions: dict[str, AskedQuestion]
    subjectless: dict[str, str]


def collect_samples(rulebook: Rulebook[Any], folder: Path, replaced: Sequence[str]) -> EventSamples:
    """Plays the cases, and random matches whose questions wait."""
    found = EventSamples({}, {}, {})
    for _, before, outcome in cases.played_cases(rulebook, folder, replaced):
        add_samples(rulebook, found, before, outcome)
    tables = list(rulebook.tables.values())
    for table in (*tables[:1], *tables[1:][-1:]):  # the smallest and the largest
        for step in matches.steps(rulebook, table[0], "telling", sensible=len(table[0]) // 2):
            add_samples(rulebook, found, step.before, step.outcome)
            if rulebook.questions and len(found.questions) < len(rulebook.questions):
                dice = SeededDice(seed_from("telling"), "telling", step.before.phase.number)
                waiting = advance(rulebook, step.before, Inbox(step.sheets, waits=True), dice)
                add_samples(rulebook, found, step.before, waiting)
    return found


def add_samples(rulebook: Rulebook[Any], found: EventSamples, before: Any, outcome: Any) -> None:
    """Keeps a few events of each kind, and a question of each."""
    here = before
    for event in outcome.events:
        kept = found.events.setdefault(type(event).__name__, [])
        if len(kept) < MOST:
            kept.append(SampleEvent(event, here, outcome.state))
        here = position_after([event], here)
    if outcome.question is not None:
        put = AskedQuestion(outcome.question, outcome.waiting, before)
        found.questions.setdefault(type(outcome.question).__name__, put)
    else:
        with suppress(Exception):  # where each event is told by itself, a failing template is named
            for fault in lines_without_subject(rulebook, before, outcome):
                found.subjectless.setdefault(fault.split()[1], fault)


def faults_of_event_texts(rulebook: Rulebook[Any], seen: EventSamples) -> Iterator[str]:
    """Events and questions that never came up, or whose text is bad for some reader."""
    for kind in rulebook.events:
        name = kind.__name__
        if name not in seen.events and kind not in ENGINE_EVENTS:
            yield f"event {name} happens in no case and no random match: add a case"
        for each in seen.events.get(name, ()):
            found = list(faults_of_line(rulebook, each))
            yield from found
            if found:
                break
    yield from seen.subjectless.values()
    for name in sorted(set(seen.events) - {kind.__name__ for kind in rulebook.events}):
        yield f"event {name} happens, but isn't listed in `events`"
    for question in rulebook.questions:
        put = seen.questions.get(question.__name__)
        if put is None and question.waits:
            where = "in no case and no random match"
            yield f"question {question.__name__} comes up {where}: add a case with `pacing: live`"
        elif put is not None:
            yield from faults_of_question(rulebook, put)


def readers(state: Any) -> tuple[Player | None, ...]:
    """The public and the players."""
    return (None, *state.players)


def faults_of_line(rulebook: Rulebook[Any], seen: SampleEvent) -> Iterator[str]:
    """What is wrong with an event's line, for the first reader for whom something is wrong."""
    name = type(seen.event).__name__
    if isinstance(seen.event, OrderRefused | Remarked | NotSent):
        for hole in missing_facts(rulebook, seen.event.reason):
            yield f"event {name}: the text of `{seen.event.reason.key}` names {hole}, which the reason doesn't give"
    if isinstance(seen.event, SHEETS):
        return
    for who in readers(seen.state):
        events = events_for(rulebook, seen.state, [seen.event], who)
        try:
            narrator = Narrator(rulebook, who, position_for(rulebook, seen.here, who))
            groups = list(narrator.tell(events))
        except Exception as error:  # a template may raise anything
            yield f"event {name} can't be told to {who or 'the public'}: {error_place(error)}"
            return
        for line in (line for group in groups for line in group.lines):
            if OPEN.search(line):
                yield f"event {name}, told to {who or 'the public'}, leaves something open: {line!r}"
                return
        for fault in faults_of_news(rulebook, seen, who):
            yield f"event {name} in news.md.j2, for {who or 'the public'}: {fault}"
            return


def faults_of_news(rulebook: Rulebook[Any], seen: SampleEvent, who: Player | None) -> Iterator[str]:
    """What is wrong with what an event means to a reader."""
    news = News(rulebook, who)
    try:
        news.note_events(
            events_for(rulebook, seen.state, [seen.event], who), position_for(rulebook, seen.here, who)
        )
    except Exception as error:  # a template may raise anything
        yield error_place(error)
        return
    own = macros(game_texts(rulebook.key), "news.md.j2")
    if (
        isinstance(seen.event, Thrown)
        and seen.event.player
        and not (hasattr(own, "Thrown") or "Thrown" in own.quiet)
    ):
        yield "a throw has no macro and isn't `quiet`: is it luck? (`news.luck`)"
    texts = [item.text for item in news.headlines] + [fight.text for fight in news.fights]
    for text in (*texts, *news.told("gained"), *news.told("lost")):
        if OPEN.search(text):
            yield f"it leaves something open: {text!r}"


def lines_without_subject(rulebook: Rulebook[Any], before: Any, outcome: Any) -> Iterator[str]:
    """Lines of a phase's story that begin in the middle of a sentence and stand under nobody's name, or another
    player's; and the first line of what a player ordered, if it stands under the name of whoever was told of before.
    """
    narrator = Narrator(rulebook, None, position_for(rulebook, before, None))
    public = [event for event in outcome.events if not event.to]
    events = events_for(rulebook, outcome.state, public, None)
    senders = {id(event): owner_of(signed.by) for event, signed in zip(events, public, strict=True)}
    last = ""
    for run, line in narrator.lines(events):
        name, sender = type(run[0]).__name__, senders[id(run[0])]
        stands = ""
        if re.match(r"[a-z]+\b", line) and narrator.actor in ("", *other_players(run[0], before)):
            stands = f"among {narrator.actor}'s doings" if narrator.actor else "under nobody's name"
        elif line and sender not in ("", last) and not narrator.doer(run[0]):
            stands = f"under the name of whoever was told of before, though {sender} ordered it"
        if stands:
            yield f"event {name} stands {stands}: {line!r}; `actor` in events.md.j2 must say whose doing it is"
        last = sender if line else last


def other_players(event: Event[Any], state: Any) -> Sequence[Player]:
    """The players who don't do what the event says its player does."""
    doer = getattr(event, "player", "")
    return [player for player in state.players if doer and player != doer]


def faults_of_question(rulebook: Rulebook[Any], put: AskedQuestion) -> Iterator[str]:
    """A question that can't be put in words, or whose names differ from those it declares."""
    name = type(put.question).__name__
    for field in put.question.names():
        if field not in put.question.shapes:
            yield f"question {name}: `names()` has the field `{field}`, which isn't among its `shapes`"
    try:
        text = answer_form(rulebook, position_for(rulebook, put.state, put.who), put.who, put.question)
    except Exception as error:  # a template may raise anything
        yield f"question {name} can't be put in words: {error_place(error)}"
        return
    if OPEN.search(text):
        yield f"question {name} leaves something open: {text!r}"


def faults_of_templates(rulebook: Rulebook[Any]) -> Iterator[str]:
    """The first position of each phase whose report, map or form can't be made, with the template that fails."""
    for phase in rulebook.phases:
        for table in rulebook.tables.values():
            start = rulebook.start("contract", rulebook.Options(), table[0])
            state = cases.first_position(rulebook, start, phase.name)
            if state.phase.name != phase.name:
                continue
            for who in readers(state):
                view = position_for(rulebook, state, who)
                try:
                    render_report(rulebook, who, view, ())
                    picture(rulebook, view)
                    if who is not None and who in state.phase.due:
                        sheet_form(rulebook, view, who)
                except Exception as error:  # a template may raise anything
                    yield f"phase {phase.name} can't be shown to {who or 'the public'}: {error_place(error)}"
                    return


def error_place(error: BaseException) -> str:
    """An error with the line of its template, as far as the traceback knows it.

    Where a macro is called by itself, the traceback has the lines of the compiled template, which differ.
    """
    place, trace = "", error.__traceback__
    while trace is not None:
        file, compiled = trace.tb_frame.f_code.co_filename, trace.tb_frame.f_globals.get("__jinja_template__")
        if file.endswith(".j2"):
            line = compiled.get_corresponding_lineno(trace.tb_lineno) if compiled else trace.tb_lineno
            place = f"{Path(file).name}:{line}: "
        trace = trace.tb_next
    return f"{place}{type(error).__name__}: {error}"


def faults_of_reasons(rulebook: Rulebook[Any], steps: Iterable[Step], seed: str) -> Iterator[str]:
    """Reasons given to hostile sheets in some phases whose texts name a fact that they don't have."""
    chance = SeededChance(seed)
    for step in steps:
        sheets: dict[Player, Sheet] = {}
        for player in step.before.phase.due:
            text = hostile.hostile_sheet(rulebook, step.before, player, chance)
            found = read_sheet(text.encode(), expected_in(rulebook, step.before, player))
            if isinstance(found, Sheet):
                sheets[player] = found
        dice = SeededDice(seed_from(seed), seed, step.before.phase.number)
        for event in advance(rulebook, step.before, Inbox(sheets), dice).events:
            if isinstance(event, OrderRefused | Remarked):
                for hole in missing_facts(rulebook, event.reason):
                    yield f"the text of `{event.reason.key}` ({event.rule}) names {hole}, and isn't given it"
