"""Reports: a story from a reader's own position and events, without anything that the reader may not know."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.contract.secrets import varied, varied_event
from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import in_language, texts_of, words
from adjudicator.engine.play.account import every_account
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.filters import place
from adjudicator.engine.report.reader_facts import Extras
from adjudicator.engine.report.story import accounts_told, bot_name, render_report
from adjudicator.engine.table.event import ENGINE_EVENTS, Event, Head, NotSent, Opened, OrderRefused, Thrown
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.secret import Private, Secret
from adjudicator.rulebooks.mediterranee.events import DealClosed, DealOffered
from adjudicator.rulebooks.mediterranee.state import Deal
from tests.engine.written_match import Match, section
from tests.rulebooks.every_event import EVERY, FOR_ONE, SILENT, kind_of
from tests.rulebooks.every_match import GAMES, MATCHES, READERS

RULE = re.compile(r"\((?:[A-Z]+-[0-9.]+(?:, )?)+\)")


# -- the story -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("match", "who"), READERS)
def test_each_line_of_the_story_has_its_rule(match: Match, who: str | None) -> None:
    story = section(match.whole(who), "What happened")
    lines = [line for line in story.splitlines() if line and not line.startswith(("#", "|", "  "))]
    told = [
        line for line in lines if not re.fullmatch(r"\*\*\w+\*\*", line) and not line.startswith("Nothing in")
    ]
    assert len(told) > 30
    assert [line for line in told if not RULE.search(line)] == []


@pytest.mark.parametrize("match", GAMES)
def test_phases_come_in_order_with_their_chapters(match: Match) -> None:
    headings = [
        line for line in match.whole(None).splitlines() if re.match(r"### .* \([A-Z]+-[0-9]\)$", line)
    ]
    numbers = [int(re.search(r"[a-z] ([0-9]+) \(", line)[1]) for line in headings]  # type: ignore[index]
    assert len(set(headings)) > 5
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("match", GAMES)
def test_it_says_what_comes_next_and_what_the_gm_says(match: Match) -> None:
    who = match.steps()[1].after.phase.due[-1]
    head = match.steps()[1].after.phase
    text = match.report(
        1, 1, who, extras=Extras("Sunday 20:00"), note="Happy new year!\nNo mail on Monday.", undone="open"
    )
    assert "> Happy new year!\n> No mail on Monday." in text
    assert "taken the last phase back" in text
    assert "Sheets are due from " in text
    assert f"Fill in `sheet.yaml` (phase 0002-t1-{head.name})" in text
    assert "Until: Sunday 20:00." in text


@pytest.mark.parametrize(("match", "who"), READERS)
def test_a_report_is_narrow_enough_for_a_phone(match: Match, who: str | None) -> None:
    for line in match.whole(who).splitlines():
        assert not line.startswith("|") or len(line) <= 60, line


@pytest.mark.parametrize("match", GAMES)
def test_without_the_position_before_it_still_tells_the_story(match: Match) -> None:
    for step in match.steps():
        state, events = (
            position_for(match.rulebook, step.after, None),
            events_for(match.rulebook, step.after, step.events, None),
        )
        told = section(match.report_of(step, None), "What happened").count("\n- ")
        text = render_report(match.rulebook, None, state, events)
        assert section(text, "What happened").count("\n- ") == told


# -- what is a player's own ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("match", "who"), READERS)
def test_each_of_the_readers_own_orders_has_its_word_and_nobody_elses_has(
    match: Match, who: str | None
) -> None:
    for step in match.steps():
        text = match.report_of(step, who)
        said = [
            f"{each[1]} {each[2]}"
            for line in section(text, "Your sheet").splitlines()
            if (each := re.match(r" *- (?:else )?([0-9]+:[0-9]+) \*([a-z ]+)\*", line))
        ]
        found = every_account(match.accounts(step, who))
        texts = words(texts_of(match.rulebook))["account"]
        assert said == [f"{place(each.place)} {texts[each.word]}" for each in found]
        assert ("## Your sheet" in text) <= (who is not None)
        assert not re.search(r"sheets/|\.yaml:", text)


@pytest.mark.parametrize(("match", "who"), READERS)
def test_nothing_hidden_leaks_into_the_text(match: Match, who: str | None) -> None:
    for step in match.steps():
        text = match.report_of(step, who)
        assert not re.search(r"hidden|None|Secret|\{\{|undefined|\?\b", text.replace("Do you", "")), text


@pytest.mark.parametrize(("match", "who"), READERS)
def test_a_report_is_a_function_of_what_its_reader_may_know(match: Match, who: str | None) -> None:
    book = match.rulebook
    for step in match.steps():
        state = varied(book, step.after, step.after, who)
        events = [
            varied_event(book, step.after, event, who)
            for event in step.events
            if not event.to or who in event.to
        ]
        assert render_report(
            book, who, position_for(book, state, who), events_for(book, state, events, who)
        ) == render_report(
            book, who, position_for(book, step.after, who), events_for(book, step.after, step.events, who)
        )


@pytest.mark.parametrize("match", GAMES)
def test_a_sheet_that_counts_as_not_sent_is_told_to_its_player_alone(match: Match) -> None:
    step, player = match.steps()[3], match.players[2]
    reason = Reason("YAML", "yaml", {"text": "a tab stands here"})
    event = NotSent(
        rule="YAML", to=(player,), player=player, reason=reason, place=f"sheets/{player}.yaml:3:1"
    )
    for who in match.readers:
        told = events_for(match.rulebook, step.after, [event, *step.events], who)
        text = render_report(match.rulebook, who, position_for(match.rulebook, step.after, who), told)
        assert ("3:1 a tab stands here (YAML)" in text) == (who == player)


@pytest.mark.parametrize("match", GAMES)
def test_what_a_sheet_says_is_not_read_as_markdown(match: Match) -> None:
    player, state = match.players[2], match.steps()[3].after
    reason = Reason("SCHEMA", "unknown-name", {"value": "<b>*\nwine", "possible": ["wine"]})
    event = OrderRefused(rule="SCHEMA", player=player, verb="buy: *", reason=reason, place="3:1")
    text = render_report(match.rulebook, player, position_for(match.rulebook, state, player), [event])
    assert '- 3:1 *nothing*: buy: "\\*"\n  - \\<b>\\*\\nwine isn\'t known' in text


def test_without_a_sheet_events_tell_what_was_refused_and_what_waits() -> None:
    """In each folder of a phase a place is another order's; a deal that is open at the end of a seat waits."""
    match = next(match for match in MATCHES if match.rulebook.key == "mediterranee")
    seat = Head(3, "market", 1, ("venice",))
    reason, rule, by = Reason("MED-2.1", "never"), "MED-2.1", "sheets/venice.yaml:3:5"
    refused = OrderRefused(
        rule=rule, by=by, player="venice", verb="buy: wine, to", reason=reason, place="3:9", field="to"
    )
    whole = replace(refused, verb="buy: wine")
    changed = Thrown(rule=rule, by=by, what=("x",), face=1)
    again = Opened(rule=rule, phase=seat)
    deal = Deal("venice", "genoa", False, "wine", 1, "venice-1", 100, Secret(100), {}, Secret(by))
    offered, closed = (kind(rule=rule, deal=Private(deal)) for kind in (DealOffered, DealClosed))
    for events, said in (
        ([refused, changed], ["partly"]),
        ([whole, changed], ["nothing"]),
        ([changed, again, whole], ["nothing"]),
        ([offered], ["waits"]),
        ([offered, closed], []),
    ):
        told = accounts_told(replace(seat, number=2), events).values()
        assert [each.word for found in told for each in found] == said
    state = position_for(match.rulebook, match.steps()[3].after, "venice")
    assert "- 3:5 *waits*" in render_report(match.rulebook, "venice", state, [offered])


# -- every event ---------------------------------------------------------------------------------------------


EVENTS = [
    pytest.param(match, event, id=f"{match.rulebook.key}-{type(event).__name__}")
    for match in MATCHES
    for event in EVERY[match.rulebook.key]
]


@pytest.mark.parametrize("game", EVERY)
def test_every_event_of_a_game_is_among_them(game: str) -> None:
    listed, engines = {type(event) for event in EVERY[game]}, {*ENGINE_EVENTS}
    lacking = [kind.__name__ for kind in registry.rulebook(game).events if kind not in listed | engines]
    assert lacking == [], f"tests/rulebooks/{game.replace('-', '_')}_events.py has none of these events"


@pytest.mark.parametrize(("match", "event"), EVENTS)
def test_every_event_renders(match: Match, event: Event[Any]) -> None:
    state = match.steps()[4].after
    for who in (None, match.players[0], match.players[2]):
        told = events_for(match.rulebook, state, [event], who)
        text = render_report(match.rulebook, who, position_for(match.rulebook, state, who), told)
        assert "hidden" not in text
        assert "None" not in text
        assert "  →" not in text
        kind = kind_of(event)
        silent = kind in SILENT or (kind in FOR_ONE and who != FOR_ONE[kind])
        assert bool(RULE.search(section(text, "What happened"))) == (not silent)


def test_a_bot_is_called_so_in_the_readers_language() -> None:
    """Somebody else's program keeps its name."""
    rulebook = registry.rulebook("triumvirat")
    assert bot_name(rulebook, "governor") == "bot governor"
    assert bot_name(in_language(rulebook, "fr"), "governor") == "bot gouverneur"
    assert bot_name(rulebook, "mine") == "bot mine"
