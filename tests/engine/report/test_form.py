"""Forms: a form is valid, isn't yet a sheet, and everything that it shows as possible is possible."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from jsonschema.validators import Draft7Validator
from msgspec.structs import replace

from adjudicator.contract.secrets import varied
from adjudicator.engine.library import registry
from adjudicator.engine.play.attempts import possible_values
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import comment, example, form_schema, names_now
from adjudicator.engine.report.reader_facts import Extras
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from tests.browser.written_phases import phases_of, state_of
from tests.engine.written_match import Match
from tests.rulebooks.every_match import GAMES, POSITIONS


def read(match: Match, state: Any, who: str, text: str) -> Sheet:
    sheet = read_sheet(text.encode(), Expected(match.rulebook, state.match, state.phase, match.players, who))
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


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_a_form_is_read_and_is_not_yet_a_sheet(match: Match, state: Any, who: str) -> None:
    text = match.form(state, who, extras=Extras("Sunday: 20:00 # sharp"))
    sheet = read(match, state, who, text)
    assert sheet.flaws == ()
    assert sheet.orders is None
    assert sheet.standing == {}
    assert text.startswith("# yaml-language-server: $schema=schema.json\n")
    assert ("# Until: Sunday: 20:00 # sharp\n" in text) == (who in state.phase.due)


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_nothing_hidden_is_in_a_form(match: Match, state: Any, who: str) -> None:
    text = match.form(state, who)
    assert not re.search(r"hidden|None|Secret|undefined", text)
    changed = varied(match.rulebook, state, state, who)
    assert match.form(changed, who) == text


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_every_example_is_accepted(match: Match, state: Any, who: str) -> None:
    view = position_for(match.rulebook, state, who)
    if who not in state.phase.due:
        return
    for name, verb in match.rulebook.phase(state.phase.name).verbs.items():
        order = example(name, verb, view, who)
        if order is not None:
            sheet = read(match, state, who, f"player: {who}\norders:\n- {json.dumps(order)}\n")
            checked = check_sheet(match.rulebook, view, sheet)
            assert [problem for problem in checked.problems if problem.severity == "error"] == [], order
            assert [understood.good for understood in checked.understood] == [True], order


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_the_comments_can_be_uncommented_where_they_stand(match: Match, state: Any, who: str) -> None:
    text = match.form(state, who)
    sheet = read(match, state, who, filled_in(text))
    assert all(not order.flaws for order in sheet.orders or ())
    assert sheet.flaws == ()
    assert bool(sheet.orders) == ("Possible now" in text)
    assert bool(sheet.standing) == ("Yours now:" in text)


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_the_schema_of_a_form_accepts_its_examples(match: Match, state: Any, who: str) -> None:
    view = position_for(match.rulebook, state, who)
    phase = match.rulebook.phase(state.phase.name)
    schema = json.loads(form_schema(match.rulebook, view, possible_values(phase, view, who)))
    text = filled_in(match.form(state, who))
    plain = read(match, state, who, text).source.plain
    assert list(Draft7Validator(schema).iter_errors(plain)) == []


@pytest.mark.parametrize("match", GAMES)
def test_a_players_words_stay_in_comments(match: Match) -> None:
    after, who = match.steps()[0].after, match.players[0]
    odd = replace(after, match=f"a: b # c\nplayer: {who}")
    text = match.form(odd, who)
    assert text.count("\nplayer: ") == 1
    assert read(match, odd, who, text).orders is None


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_comments_have_no_gaps(match: Match, state: Any, who: str) -> None:
    """A part that has nothing to say here leaves no empty line, beside another or at an edge."""
    for block in match.form(state, who).split("\n\n"):
        lines = [line.rstrip() for line in block.splitlines()]
        comments = [line for line in lines if line.startswith("#")]
        assert "#" not in (comments or lines)[:1] + (comments or lines)[-1:], block
        assert ("#", "#") not in pairwise(lines), block


def test_a_comment_is_on_every_line() -> None:
    assert comment("one\n- two: 3\n") == "# one\n# - two: 3\n"


def test_an_offer_is_called_by_what_it_is_as_far_as_the_reader_may_know() -> None:
    """A page asks about it so; which card of its hand a player gives stays hidden."""
    rulebook = registry.rulebook("oltremare")
    (written,) = (each for each in phases_of("oltremare").phases if each.name == "answer")
    view = position_for(rulebook, state_of("oltremare", written), "dandolo")
    called = names_now(rulebook, view, "dandolo")
    assert called["contarini-2"] == "Contarini’s 3 ducats for 1 olive"
    assert called["contarini-1"].startswith("Contarini’s 1 silk")
    assert "silk-04" not in str(called)
    assert names_now(rulebook, view, "contarini") == {}
