"""Names that a check and a form offer instead of a wrong one: of the board, the powers and the seats of this match."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from adjudicator.cli import app
from adjudicator.engine.library import registry
from adjudicator.engine.play.attempts import possible_values
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import form_schema, sheet_form
from adjudicator.engine.sheets.published import json_of
from adjudicator.engine.sheets.schema import answer_schema
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.reason import Refused
from tests.cli.calling import adjudicator, lay_out, position


def playable(game: str, table: tuple[str, ...]) -> bool:
    """Can these players play by the usual options?"""
    rulebook = registry.rulebook(game)
    try:
        rulebook.start("lagoon", rulebook.Options(), table)
    except Refused:
        return False
    return True


ARGUMENTS = {
    "folder": "FOLDER", "folders": "FOLDER...", "rulebook": "GAME", "game": "GAME", "player": "PLAYER", "out": "OUT",
    "view": "VIEW", "clone": "CLONE", "url": "URL", "file": "FILE", "match": "[FOLDER]",
}  # fmt: skip
"""What help calls the arguments; of a command that takes several, or another thing too, it says so."""


def commands(command: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every command below one, with its words."""
    if not hasattr(command, "list_commands"):
        yield name, command
        return
    context = command.make_context(name, [], resilient_parsing=True)
    for each in command.list_commands(context):
        yield from commands(command.get_command(context, each), f"{name} {each}".strip())


def test_help_calls_one_thing_by_one_name() -> None:
    odd = {
        f"{name}: {each.name} {each.metavar}"
        for name, command in commands(get_command(app))
        for each in command.params
        if each.param_type_name == "argument" and each.name in ARGUMENTS
        if each.metavar
        not in (ARGUMENTS[each.name], f"[{ARGUMENTS[each.name]}]", f"{ARGUMENTS[each.name]}...")
    }
    assert odd == {"replace: player PLAYER=ADDRESS"}


@pytest.mark.parametrize("word", ["medit", "Mediteranee", "MEDITERRAN"])
@pytest.mark.parametrize(
    "command", [("new", "{}", "lagoon"), ("demo", "{}"), ("rules", "{}"), ("simulate", "{}")]
)
def test_a_game_that_is_half_written_is_suggested(command: tuple[str, ...], word: str) -> None:
    told = adjudicator(*(each.format(word) for each in command))
    assert told.exit_code in (1, 2)
    assert "did you mean mediterranee?" in told.output


SAID = {
    "a galley without its hyphen": (
        "- jettison: {wine: 1}\n    from: venice1",
        "4:11: SCHEMA venice1 isn't known (did you mean venice-1?); possible here: venice-1, venice-2",
    ),
    "where a port could stand too": (
        "- transfer: {sailors: 1}\n    from: venezia\n    to: venice2",
        "5:9: SCHEMA venice2 isn't known (did you mean venice-2?); possible here: ",
    ),
    "as a key": (
        "- dismiss: 1\n    from: venice-1\n    if: {genoa1: {most: 1}}",
        '5:10: SCHEMA there is no "genoa1" here (did you mean genoa-1?)',
    ),
    "a power that doesn't play": (
        "- buy: wine\n    from: turkye\n    to: venice-1",
        "4:11: SCHEMA turkye isn't known; known: venice, genoa\n",
    ),
    "else inside if": (
        "- dismiss: 1\n    from: venice-1\n    if: {genoa-1: {most: 1}, else: []}",
        "5:30: SCHEMA `else` isn't allowed here: write it below the verb",
    ),
    "else inside a fact of if": (
        "- dismiss: 1\n    from: venice-1\n    if:\n      genoa-1: {most: 1}\n      else: [{dismiss: 2}]",
        "7:7: SCHEMA `else` isn't allowed here: write it below the verb",
    ),
    "if before the verb": (
        "- if: {genoa-1: {most: 1}}\n    dismiss: 1\n    from: venice-1",
        "3:5: SHEET no order begins with `if`: write it below the verb",
    ),
    "else as an order of its own": (
        "- dismiss: 1\n    from: venice-1\n  - else:\n      - dismiss: 2",
        "5:5: SCHEMA no order begins with `else`: write it below the verb",
    ),
}


@pytest.mark.parametrize("what", SAID)
def test_what_a_check_says(tmp_path: Path, what: str) -> None:
    order, said = SAID[what]
    sheet = lay_out(tmp_path, position("market")) / "venice.yaml"
    sheet.write_text(f"player: venice\norders:\n  {order}\n")
    assert said in adjudicator("check", sheet).output


def test_a_form_offers_the_powers_and_seats_of_its_match_alone() -> None:
    rulebook = registry.rulebook("mediterranee")
    for players in (("venice", "genoa"), ("venice", "genoa", "spain")):
        for phase in rulebook.phases:
            if phase.verbs:
                view = position(phase.name, players)
                now = possible_values(phase, view, "venice")
                listed = lists(json.loads(form_schema(rulebook, view, now)))
                assert not [words for words in listed if "turkey" in words], phase.name
                assert phase.name != "auction" or not [words for words in listed if 4 in words]
        answers = json.loads(json_of(answer_schema(rulebook, players)))
        assert not [words for words in lists(answers) if "turkey" in words]
        assert [words for words in lists(answers) if "genoa" in words]


def lists(schema: object) -> list[list[object]]:
    """Everything that a schema lists: in order of place; messages as one word each."""
    if isinstance(schema, list):
        return [words for item in schema for words in lists(item)]
    if not isinstance(schema, dict):
        return []
    found = [words for item in schema.values() for words in lists(item)]
    said = schema.get("errorMessage", "")
    named = [*schema.get("properties", {})] if "patternProperties" in schema else []
    listed = re.fullmatch(r"\^\(([\w|-]+)\)\$", schema.get("pattern", ""))
    known = listed[1].split("|") if listed else []
    offered = [schema.get("enum", []), schema.get("examples", known), named]
    return [*found, *offered, str(said).replace(",", " ").split()]


EVERY_TABLE = [
    pytest.param(game, table, id="-".join(table))
    for game in registry.OWN
    for tables in registry.rulebook(game).tables.values()
    for table in tables
    if playable(game, table)
]


def first_asked(game: str, table: tuple[str, ...]) -> Any:
    """The position of the first phase in which something is asked of players."""
    rulebook = registry.rulebook(game)
    state = rulebook.start("lagoon", rulebook.Options(), table)
    while not state.phase.due:
        dice = SeededDice(seed_from("x"), "lagoon", state.phase.number)
        state = advance(rulebook, state, Inbox(), dice).state
    return state


@pytest.mark.parametrize(("game", "table"), EVERY_TABLE)
def test_forms_offer_nobody_who_does_not_play(game: str, table: tuple[str, ...]) -> None:
    """Not in the phase that is open, nor in what can be sent for others, nor in what `if` can ask."""
    rulebook, state = registry.rulebook(game), first_asked(game, table)
    strangers = {name for tables in rulebook.tables.values() for each in tables for name in each} - {*table}
    for me in table:
        view = position_for(rulebook, state, me)
        now = possible_values(rulebook.phase(state.phase.name), view, me)
        of_players = [
            words
            for words in lists(json.loads(form_schema(rulebook, view, now)))
            if {*table} - {me} <= {str(word) for word in words}
        ]
        assert not [words for words in of_players if strangers & {str(word) for word in words}]


def test_nobody_is_offered_a_deal_with_himself() -> None:
    """OLT-2.1: in the talk, and in the answers that can be sent ahead."""
    rulebook = registry.rulebook("oltremare")
    state = first_asked("oltremare", ("contarini", "dandolo", "grimani"))
    (me,) = state.phase.due
    view = position_for(rulebook, state, me)
    for now in (None, possible_values(rulebook.phase("commerce"), view, me)):
        schema = json.loads(form_schema(rulebook, view, now))
        for phase in ("commerce", "answer"):
            offer = schema["definitions"][f"{phase}-offer"]["properties"]["offer"]
            listed = [words for words in lists(offer) if {*state.seats} - {me} <= {*words}]
            assert listed and not [words for words in listed if me in words]


@pytest.mark.parametrize(("game", "table"), EVERY_TABLE)
def test_examples_can_be_copied_by_whoever_reads_them(game: str, table: tuple[str, ...]) -> None:
    """No help names a player who doesn't play, and none an own order's other side oneself."""
    rulebook, state = registry.rulebook(game), first_asked(game, table)
    strangers = [name for tables in rulebook.tables.values() for each in tables for name in each]
    for me in table:
        view = position_for(rulebook, state, me)
        texts = f"{form_schema(rulebook, view, None)}\n{sheet_form(rulebook, view, me)}"
        found = re.findall(r"\[\{.*?\}\]|\{after: .*?\}", texts)
        assert found
        for text in found:
            for name in re.findall(r"(?:for|with|after|before): ([\w-]+)", text):
                whose, _, piece = name.partition("-")
                assert whose == me if piece else whose in {*table} - {me} or whose not in strangers, text
