"""What a check lists as possible is possible there: put in, it isn't refused for the same reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

import pytest

from adjudicator.contract import matches
from adjudicator.contract.cases import Case, position
from adjudicator.contract.senders import other_order
from adjudicator.engine.library import registry
from adjudicator.engine.play.account import Finding, names_in
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import Expected, expected_in, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.writing import write
from tests.rulebooks.replaced import REPLACED

NOWHERE = "nowhere"
"""A name of nothing in any game."""
UNKNOWN = ("unknown-here", "unknown-name", "not-possible", "wrong-kind")
FEW = 8
"""How many of what is listed are put in."""


def wrong_in(book: Rulebook[Any], view: Any, me: str, order: Any) -> list[tuple[tuple[Any, ...], Finding]]:
    """What a check finds wrong with a sheet of one order, each with the path of a name in the order."""
    asked = expected_in(book, view, me)
    sheet = read_sheet(write({"player": me, "orders": [order]}).encode(), asked)
    assert isinstance(sheet, Sheet), sheet
    places = {sheet.source.place(("orders", 0, *path)): path for path, _ in names_in(order)}
    found = check_sheet(book, view, sheet).said
    return [(places[each.place], each) for each in found if each.place in places]


def erring(order: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The order, and again with each of its names misspelt."""
    yield order
    for path, _ in names_in(order):
        yield put(order, path, NOWHERE)


def put(order: Any, path: Sequence[Any], value: Any) -> Any:
    """The order with another value at a path."""
    found = inner = deepcopy(order)
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return found


def listed_in_vain(game: str, seed: str) -> Iterator[str]:
    """What a check lists as possible and doesn't know there, or refuses for the same reason."""
    book, chance = registry.rulebook(game), SeededChance(seed)
    table = book.tables[max(book.tables)][0]
    for step in matches.some_of_each(matches.steps(book, table, seed, sensible=2), range(1, 3)):
        phase = book.phase(step.before.phase.name)
        for me in step.before.phase.due if phase.verbs else ():
            view = position_for(book, step.before, me)
            for order in erring(other_order(phase, view, me, chance)):
                for path, said in wrong_in(book, view, me, order):
                    possible = list(said.reason.facts.get("possible", ()))
                    if said.reason.key == "unknown-name":
                        continue  # the schema's list of all that is known, where the rule doesn't come so far
                    for value in possible[:FEW]:
                        again = dict(wrong_in(book, view, me, put(order, path, value))).get(path)
                        if again is not None and again.reason.key in (said.reason.key, *UNKNOWN):
                            yield f"{order} {path} {said.reason.key}: {value}, {again.reason}"


@pytest.mark.parametrize("game", registry.OWN)
def test_what_is_listed_as_possible_is_possible(game: str) -> None:
    assert list(listed_in_vain(game, "listed")) == []


SAID = {
    "a start port": (
        ("serenissima", "ports", "{start: marseille, galley: 1}"),
        "marseille isn't known; possible here: ",
    ),
    "a number": (
        ("serenissima", "ports", "{start: genova, galley: 16}"),
        "16 isn't known; possible here: 1 to 12",
    ),
    "a port for a galley": (
        ("mediterranee", "market", "{dismiss: 1, from: Venezia}"),
        "Venezia isn't known; possible here: venice-1, venice-2",
    ),
    "a card for a port": (
        ("mediterranee", "market", "{build: galley, at: venice-1, crew: {enlist: 1}}"),
        "venice-1 isn't known; possible here: venezia",
    ),
}


@pytest.mark.parametrize("what", SAID)
def test_a_name_is_suggested_of_the_kind_that_is_asked_for(what: str) -> None:
    (game, phase, order), said = SAID[what]
    book = registry.rulebook(game)
    case = Case(case=what, phase=phase, expect={})
    state = position(book, case, REPLACED[game])
    me = state.phase.due[0]
    asked = Expected(book, "case", state.phase, tuple(state.players), me)
    sheet = read_sheet(f"player: {me}\norders: [{order}]\n".encode(), asked)
    assert isinstance(sheet, Sheet)
    problems = check_sheet(book, position_for(book, state, me), sheet).problems
    assert any(said in each.text for each in problems), problems


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("movement: {orders: []}", "`movement:` is a phase: it stands under `later:`, indented deeper"),
        ("auction: {orders: []}", "auction doesn't come after this phase in the same turn"),
        ("passage: []", "`passage:` stands under `standing:`, indented deeper"),
        ("buy: wine", "`buy:` is an order: it stands under `orders:`, after `- `"),
    ],
)
def test_what_stands_outside_its_place_is_told_where_it_belongs(text: str, said: str) -> None:
    book = registry.rulebook("mediterranee")
    state = position(book, Case(case=text, phase="market", expect={}), REPLACED["mediterranee"])
    asked = Expected(book, "case", state.phase, tuple(state.players), "venice")
    sheet = read_sheet(f"player: venice\norders: []\n{text}\n".encode(), asked)
    assert isinstance(sheet, Sheet)
    (problem,) = check_sheet(book, position_for(book, state, "venice"), sheet).problems
    assert said in problem.text
