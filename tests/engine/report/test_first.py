"""A report's first lines: what changed most, what it means to the reader, what to decide by when, and who leads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.engine.ahead.due_sheets import SheetStatus
from adjudicator.engine.library import registry
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.chart import Count
from adjudicator.engine.report.filters import without_needless_escapes
from adjudicator.engine.report.finished_match import MOST_SENTENCES, changes_of_lead, finished_match
from adjudicator.engine.report.first_lines import (
    LONGEST_ITEM,
    FirstLines,
    first_lines,
    first_of,
    how_to_pass,
    shortened_text,
)
from adjudicator.engine.report.news import News
from adjudicator.engine.report.reader_facts import Extras, FinishedMatch, ReaderFacts
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.points import Total
from adjudicator.engine.table.rulebook import Rulebook
from tests.rulebooks.every_match import MATCHES, Match

RULEBOOK: Rulebook[Any] = registry.rulebook("mediterranee")
PLAYERS = ("venice", "genoa")
ALONE = re.compile(r"\blead by \d+[^,]*$|\bleads by \d+[^,]*$")


def told_of(match: Match, first: int, last: int, who: Player | None) -> ReaderFacts:
    """What a reader is told of some phases of a match."""
    steps = match.steps()[first : last + 1]
    after = steps[-1].after
    seen = events_for(match.rulebook, after, [event for step in steps for event in step.events], who)
    before = position_for(match.rulebook, steps[0].before, who)
    accounts = {folder_name(step.before.phase): match.accounts(step, who) for step in steps}
    return ReaderFacts(who, before, seen, position_for(match.rulebook, after, who), accounts=accounts)


def facts(match: Match) -> Iterator[ReaderFacts]:
    """What each reader is told at each phase of a match."""
    for number, _ in enumerate(match.steps()):
        for who in match.readers:
            yield told_of(match, number, number, who)


def at(phase: str, **changes: Any) -> ReaderFacts:
    """Nothing has happened, and a phase is open in which both are due."""
    state = RULEBOOK.start("pond", RULEBOOK.Options(), PLAYERS)
    head = replace(state.phase, name=phase, number=4, due=PLAYERS)
    view = position_for(RULEBOOK, replace(state, phase=head, **changes), "venice")
    return ReaderFacts("venice", view, (), view)


def decided(extras: Extras, phase: str = "movement", **more: Any) -> FirstLines:
    return first_of(RULEBOOK, at(phase), extras, **more)


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match.rulebook.key)
def test_nobody_is_said_to_lead_alone_where_something_is_secret(match: Match) -> None:
    for told in facts(match):
        first = first_of(match.rulebook, told, Extras())
        hidden = any(stand.points.more for stand in first.stands)
        assert not (hidden and ALONE.search(first.headline)), first.headline
        assert hidden <= ("as far as you can see" in first.headline or told.after.phase.over), first.headline


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match.rulebook.key)
def test_who_would_pass_is_measured_against_what_the_leader_may_have_too(match: Match) -> None:
    """The sum that somebody needs in secret counts from nothing only where the leader's own sum is known."""
    for told in facts(match):
        stands = first_of(match.rulebook, told, Extras()).stands
        said = how_to_pass(match.rulebook, stands) if len(stands) > 1 else ""
        assert not said or (f"than {stands[0].name}" in said) == stands[0].points.more, said


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match.rulebook.key)
def test_the_first_lines_are_short_and_in_their_order(match: Match) -> None:
    for told in facts(match):
        first = first_of(match.rulebook, told, Extras(due_soon="Tue 20:00"))
        kinds = [row.kind for row in first.rows]
        assert kinds == [
            kind
            for kind in ("against", "aim", "gained", "lost", "missed", "nothing", "partly", "idle", "threat")
            if kind in kinds
        ]
        assert all(len(row.text) < 2 * LONGEST_ITEM for row in first.rows)
        text = first_lines(match.rulebook, first)
        places = [
            text.index(part)
            for part in (
                first.headline,
                *(without_needless_escapes(row.text) for row in first.rows),
                first.decide,
            )
        ]
        assert all(one < other for one, other in pairwise(places))
        if told.who is None:
            assert not {"gained", "lost", "threat", "refused"} & {*kinds}


def test_what_is_asked_and_by_when() -> None:
    first = decided(Extras(status=SheetStatus.NOTHING, due_soon="Tue 20:00"), "auction")
    assert first.decide == "Decide: your bid"
    assert first.call
    assert first.details.startswith("by **Tue 20:00**.")
    assert (
        "In the same sheet: market" in decided(Extras(), "auction").details
        or "No deadline" in decided(Extras(), "auction").details
    )


@pytest.mark.parametrize(
    ("extras", "decide", "details"),
    [
        (
            Extras(status=SheetStatus.AHEAD, ahead="0001-t1-setup"),
            "Nothing to do now: your movement is in",
            "with your sheet of",
        ),
        (
            Extras(status=SheetStatus.STANDING),
            "Nothing to do now: your standing orders apply",
            "doesn't wait for you",
        ),
        (
            Extras(status=SheetStatus.PASSING),
            "Nothing to do now: nothing is awaited from you",
            "A sheet that comes in time",
        ),
        (Extras(status=SheetStatus.IDLE), "Decide: your movement", "for a whole turn"),
        (Extras(status=SheetStatus.DRAFT, ahead="0001-t1-setup"), "Decide: your movement", "`ready: false`"),
        (
            Extras(ahead="0001-t1-setup", lost=["venice-1"]),
            "Decide once more: your movement",
            "you have lost venice-1",
        ),
        (Extras(ahead="0001-t1-setup", vain=True), "Decide: your movement", "None of your orders"),
    ],
)
def test_the_box_says_why_a_sheet_is_needed_or_not(extras: Extras, decide: str, details: str) -> None:
    first = decided(extras)
    assert first.decide == decide
    assert details in first.details


def test_who_isnt_asked_reads_who_is() -> None:
    told = at("movement")
    head = replace(told.after.phase, due=("genoa",))
    told = replace(told, after=replace(told.after, phase=head))
    assert first_of(RULEBOOK, told, Extras()).decide == "Nothing to do now: the match waits for Genoa"
    assert first_of(RULEBOOK, replace(told, who=None), Extras()).decide == "Movement: waiting for Genoa"
    waits = first_of(RULEBOOK, told, Extras(), waiting="genoa")
    assert waits.decide == "Nothing to do now: the match waits for an answer from Genoa"
    assert not waits.call
    assert decided(Extras(), waiting="venice", question="Well?").details.startswith("Well?")


def test_a_report_of_several_phases_says_of_which() -> None:
    match = MATCHES[0]
    many, one = told_of(match, 1, 3, "venice"), told_of(match, 1, 1, "venice")
    assert first_of(match.rulebook, many, Extras()).since.startswith("Since your last report: turn 1, ")
    assert first_of(match.rulebook, one, Extras()).since == ""


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match.rulebook.key)
def test_a_match_is_told_in_a_few_sentences(match: Match) -> None:
    told = told_of(match, 0, len(match.steps()) - 1, None)
    finished = finished_match(match.rulebook, None, told.events, told.before, ())
    assert 0 < len(finished.sentences) <= MOST_SENTENCES
    turns = [int(re.findall(r"\d+", sentence)[0]) for sentence in finished.sentences]
    assert turns == sorted(turns)


def test_the_end_says_the_match_in_sentences_and_figures() -> None:
    finished = FinishedMatch(["Turn 1: It began."], [("luck", "none")])
    text = first_lines(RULEBOOK, decided(Extras(finished=finished), "end"))
    assert "- Turn 1: It began.\n- luck: none" in text
    assert "**The match is over**" in text


def test_changes_of_the_lead_are_counted() -> None:
    def count(turn: int, red: int, blue: int) -> Count:
        totals: dict[Player, Total] = {"red": Total(red, False), "blue": Total(blue, False)}
        return Count(turn, False, totals)

    assert changes_of_lead([]) == 0
    assert changes_of_lead([count(1, 2, 1), count(2, 2, 2), count(3, 3, 2)]) == 0, "level between"
    assert changes_of_lead([count(1, 2, 1), count(2, 2, 3), count(3, 4, 3)]) == 2


def test_sums_are_added_up_and_the_most_notable_comes_first() -> None:
    news = News(RULEBOOK, "venice")
    news.amount("venice", "ducats", 300, "income")
    news.amount("venice", "ducats", 200, "for goods sold")
    news.amount("venice", "ducats", 100, "for goods sold")
    news.amount("genoa", "ducats", 900, "income")
    news.amount("venice", "sailors", -1, "lost in fights")
    news.gained("venice", "great", "**Corfu**")
    assert news.told("gained") == ["**Corfu**", "**600 ducats**: 300 income, 300 for goods sold"]
    assert news.told("lost") == ["**1 sailor** lost in fights"]


def test_what_concerns_the_reader_comes_before_the_same_about_others() -> None:
    news = News(RULEBOOK, "venice")
    news.headline("great", "You lose Corfu", "venice")
    news.headline("great", "Spain takes Tunis", "spain")
    news.headline("decisive", "Genoa takes Valencia", "genoa")
    assert [item.text for item in news.top(3)] == [
        "You lose Corfu",
        "Genoa takes Valencia",
        "Spain takes Tunis",
    ]
    assert news.does(("genoa", "venice"), "win", "wins") == "You and Genoa win"
    assert news.does("genoa", "win", "wins") == "Genoa wins"


def test_a_long_text_is_cut_at_a_word_and_its_code_closed() -> None:
    assert shortened_text("short") == "short"
    cut = shortened_text("`" + "many words " * 30)
    assert len(cut) <= LONGEST_ITEM + 3
    assert cut.endswith("` …")
