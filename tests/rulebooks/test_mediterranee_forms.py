"""Méditerranée's forms, the needed parts of its standing instructions, and the answers to its questions."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.contract.offered import entries
from adjudicator.engine.play.choices import needed_in
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import answer_form, example, standing_in_force
from adjudicator.engine.report.reader_facts import Extras
from adjudicator.engine.sheets.reading import Expected, read_answers
from adjudicator.engine.sheets.sheet import Reader
from adjudicator.engine.table.table import Instruction
from adjudicator.rulebooks.mediterranee.auction import seats_in
from adjudicator.rulebooks.mediterranee.questions import (
    Asking,
    CounterOffer,
    LastWord,
    Pass,
    Prize,
    SeatWanted,
)
from adjudicator.rulebooks.mediterranee.state import Beside
from tests.cli.calling import position
from tests.rulebooks.mediterranee_match import MATCH, PLAYERS, RULEBOOK, steps

QUESTIONS = (
    Asking("wine", "genoa", "sicilia", 2, 300),
    CounterOffer("wine", "genoa", "sicilia", 200),
    LastWord("wine", "sicilia", 300),
    SeatWanted((1, 3)),
    Pass("genoa-1", "genoa", "sicilia", 3),
    Prize("genoa-1", "venice-1", "genoa"),
)
form = MATCH.form


def test_a_form_shows_what_is_needed() -> None:
    movement = form(steps()[4].before, "venice")
    assert "#   venice-1   venezia: 3 sailors, 2 wine; room for 0" in movement
    assert "#     2: corfu" in movement
    market = form(steps()[9].before, "genoa")
    assert "#   sicilia    wine, Venice asks 100 to 300; in the supply: " in market
    assert "#   venice     sicilia: venice-1 (2 sailors)" in market
    combat = form(steps()[5].before, "turkey")
    assert "#     venice-2: 4 sailors, wine" in combat
    landing = form(steps()[6].before, "venice")
    assert "3 sailors at sicilia, neutral, no garrison: you can" in landing
    sale = form(steps()[7].before, "genoa")
    assert "#     iron: 200 + 500 for a new market" in sale
    assert "# You have 2,000 ducats. Your bid: from 0 to all of it" in form(steps()[2].before, "genoa")
    assert "genoa-1, genoa-2, genova: 1 to 5 aboard each galley" in form(steps()[1].before, "genoa")


def test_standing_instructions_in_force_are_written_as_in_a_sheet() -> None:
    view = position_for(RULEBOOK, steps()[2].before, "venice")
    assert "passage: [{grant: false}]" in standing_in_force(view, "venice").replace("\n  - ", " [").replace(
        "}\n", "}]\n"
    )
    assert standing_in_force(view, "genoa") == ""


def test_what_an_entry_of_standing_instructions_needs() -> None:
    view = position_for(RULEBOOK, steps()[1].before, "venice")
    found = {
        key: needed_in(kind, view, "venice")
        for key, kind in RULEBOOK.standing.items()
        if isinstance(kind, Instruction)
    }
    assert found == {"prices": ["ask"], "deals": [], "passage": ["grant"], "defence": []}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: type(question).__name__)
def test_an_answer_form_is_read(question: Any) -> None:
    state = steps()[9].before
    view = position_for(RULEBOOK, state, "venice")
    text = answer_form(RULEBOOK, view, "venice", question, extras=Extras("Monday"))
    assert text.startswith("# yaml-language-server: $schema=answers.json\n")
    assert "# Until: Monday\n" in text
    found = read_answers(text.encode(), Expected(RULEBOOK, state.match, state.phase, PLAYERS, "venice"))
    assert isinstance(found, tuple)
    answers, flaws, _ = found
    assert [flaw.reason.facts["field"] for flaw in flaws] == list(question.needed), (
        "untouched, it answers nothing"
    )
    named = question.names() and not question.needed
    assert [answer.verb for answer in answers] == ([question.verb] if named else [])


FILLED = {
    "Asking": ("# ask:", "ask: 200"),
    "CounterOffer": ("# accept:", "accept: true"),
    "LastWord": ("# take:", "take: true"),
    "SeatWanted": ("# - seat:", "- seat: 3"),
    "Pass": ("# grant:", "grant: true"),
    "Prize": ("# crew:", "crew: 2"),
}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: type(question).__name__)
def test_an_answer_form_filled_in_answers_the_question(question: Any) -> None:
    state = steps()[9].before
    view = position_for(RULEBOOK, state, "venice")
    blank, filled = FILLED[type(question).__name__]
    text = answer_form(RULEBOOK, view, "venice", question)
    assert text.count(blank) == 1
    found = read_answers(
        text.replace(blank, filled).encode(), Expected(RULEBOOK, state.match, state.phase, PLAYERS, "venice")
    )
    assert isinstance(found, tuple)
    (answer,), flaws, _ = found
    assert not flaws
    assert question.answer(Reader(answer.fields), state) is not None


@pytest.mark.parametrize(("verb", "phase"), [("transfer", "market"), ("land", "landing")])
def test_an_example_sinks_no_galley_where_another_would_not(verb: str, phase: str) -> None:
    rule = RULEBOOK.phase(phase).verbs[verb]

    def shown(*crews: int) -> Any:
        state = position(phase)
        galleys = {
            f"venice-{number}": replace(state.galleys["venice-1"], sailors=sailors, zone="corfu")
            for number, sailors in enumerate(crews, start=1)
        }
        state = replace(state, galleys={**state.galleys, **galleys})
        return example(verb, rule, position_for(RULEBOOK, state, "venice"), "venice")

    assert shown(1, 3)["from"] == "venice-2"
    assert shown(3, 1)["from"] == "venice-1"
    assert shown(1, 1) is not None  # where every such order sinks one, it is possible all the same


@pytest.mark.parametrize(("players", "count"), [(("venice", "genoa"), 2), (("venice", "genoa", "spain"), 7)])
def test_two_players_are_offered_no_seat_beside_each_other(players: tuple[str, ...], count: int) -> None:
    """It would never make a difference (MED-1.2)."""
    state = RULEBOOK.start("lagoon", RULEBOOK.Options(), players)
    seats = seats_in(state, players[0])
    assert len([*entries(seats.schema()["items"])]) == count
    assert seats.read([{"after": players[1]}, 1]) == (Beside(after=players[1]), 1)
