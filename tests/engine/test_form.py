"""Forms: what a player is handed out is valid, isn't yet a sheet, and what it shows as possible is possible."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest
from jsonschema.validators import Draft7Validator

from adjudicator.engine.checking import check_sheet
from adjudicator.engine.form import answer_form, comment, example, form_schema, sheet_form, standing_in_force
from adjudicator.engine.listing import possible
from adjudicator.engine.reader import Reader
from adjudicator.engine.reading import Asked, read_answers, read_sheet
from adjudicator.engine.secret import Secret
from adjudicator.engine.sheet import Sheet
from adjudicator.engine.view import position_for
from adjudicator.rulebooks.mediterranee.questions import (
    Asking,
    CounterOffer,
    LastWord,
    Pass,
    Prize,
    SeatWanted,
)
from tests.engine.lagoon import PLAYERS, RULEBOOK, opening, steps

OPEN = [step.before for step in steps()[1:]]
"""Every position of the match that waits for sheets."""
CASES = [
    pytest.param(state, who, id=f"{state.phase.name}-{state.phase.turn}-{who}")
    for state in OPEN
    for who in PLAYERS
]
QUESTIONS = (
    Asking("wine", "genoa", "sicilia", 2, 300),
    CounterOffer("wine", "genoa", "sicilia", 200),
    LastWord("wine", "sicilia", 300),
    SeatWanted((1, 3)),
    Pass("genoa-1", "genoa", "sicilia", 3),
    Prize("genoa-1", "venice-1", "genoa"),
)


def form(state: Any, who: str, **more: Any) -> str:
    return sheet_form(RULEBOOK, position_for(RULEBOOK, state, who), who, **more)


def read(state: Any, who: str, text: str) -> Sheet:
    sheet = read_sheet(text.encode(), Asked(RULEBOOK, state.match, state.phase, PLAYERS, who))
    assert isinstance(sheet, Sheet), sheet
    return sheet


def filled_in(text: str) -> str:
    """The form as a player fills it in who takes every example and the standing instructions."""
    above, below = text.split("\norders:\n")
    kept: list[str] = []
    further = ""  # how the further lines of what is being taken begin
    for line in below.splitlines():
        if line.startswith("#   - "):
            further = "#     "
        elif line == "# standing:":
            further = "#   "
        elif not (further and line.startswith(further)):
            further = ""
        kept.append(line[2:] if further else line)
    return f"{above}\norders:\n" + "\n".join(kept) + "\n"


@pytest.mark.parametrize(("state", "who"), CASES)
def test_a_form_is_read_and_is_not_yet_a_sheet(state: Any, who: str) -> None:
    text = form(state, who, due_text="Sunday: 20:00 # sharp")
    sheet = read(state, who, text)
    assert sheet.flaws == ()
    assert sheet.orders is None
    assert sheet.standing == {}
    assert text.startswith("# yaml-language-server: $schema=schema.json\n")
    assert ("# Until: Sunday: 20:00 # sharp\n" in text) == (who in state.phase.due)


@pytest.mark.parametrize(("state", "who"), CASES)
def test_nothing_hidden_is_in_a_form(state: Any, who: str) -> None:
    text = form(state, who)
    assert not re.search(r"hidden|None|Secret|undefined", text)
    changed = msgspec.structs.replace(
        state,
        players={
            name: seat if name == who else msgspec.structs.replace(seat, treasury=Secret(98700))
            for name, seat in state.players.items()
        },
    )
    assert form(changed, who) == text


@pytest.mark.parametrize(("state", "who"), CASES)
def test_every_example_is_accepted(state: Any, who: str) -> None:
    view = position_for(RULEBOOK, state, who)
    if who not in state.phase.due:
        return
    for name, verb in RULEBOOK.phase(state.phase.name).verbs.items():
        order = example(name, verb, view, who)
        if order is not None:
            sheet = read(state, who, f"player: {who}\norders:\n- {json.dumps(order)}\n")
            checked = check_sheet(RULEBOOK, view, sheet)
            assert [problem for problem in checked.problems if problem.severity != "may"] == [], order
            assert [understood.good for understood in checked.understood] == [True]


@pytest.mark.parametrize(("state", "who"), CASES)
def test_the_comments_can_be_uncommented_where_they_stand(state: Any, who: str) -> None:
    text = form(state, who)
    sheet = read(state, who, filled_in(text))
    assert all(not order.flaws for order in sheet.orders or ())
    assert sheet.flaws == ()
    assert bool(sheet.orders) == ("Possible now" in text)
    assert bool(sheet.standing) == ("Yours now:" in text)


@pytest.mark.parametrize(("state", "who"), CASES)
def test_the_schema_of_a_form_accepts_its_examples(state: Any, who: str) -> None:
    view = position_for(RULEBOOK, state, who)
    phase = RULEBOOK.phase(state.phase.name)
    schema = json.loads(form_schema(RULEBOOK, view, possible(RULEBOOK, phase, view, who)))
    text = filled_in(form(state, who))
    plain = read(state, who, text).source.plain
    assert list(Draft7Validator(schema).iter_errors(plain)) == []


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


def test_a_players_words_stay_in_comments() -> None:
    assert comment("one\n- two: 3\n") == "# one\n# - two: 3\n"
    state = opening("a: b # c\nplayer: genoa")
    text = sheet_form(RULEBOOK, position_for(RULEBOOK, steps()[0].after, "venice"), "venice")
    assert text.count("\nplayer: ") == 1
    after = msgspec.structs.replace(steps()[0].after, match=state.match)
    assert read(after, "venice", form(after, "venice")).orders is None


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: type(question).__name__)
def test_an_answer_form_is_read(question: Any) -> None:
    state = steps()[9].before
    view = position_for(RULEBOOK, state, "venice")
    text = answer_form(RULEBOOK, view, "venice", question, due_text="Monday")
    assert text.startswith("# yaml-language-server: $schema=answers.json\n")
    assert "# Until: Monday\n" in text
    found = read_answers(text.encode(), Asked(RULEBOOK, state.match, state.phase, PLAYERS, "venice"))
    assert isinstance(found, tuple)
    answers, flaws, _ = found
    assert not flaws
    assert [answer.verb for answer in answers] == ([question.verb] if question.names() else [])


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
        text.replace(blank, filled).encode(), Asked(RULEBOOK, state.match, state.phase, PLAYERS, "venice")
    )
    assert isinstance(found, tuple)
    (answer,), flaws, _ = found
    assert not flaws
    assert question.answer(Reader(answer.fields), state) is not None
