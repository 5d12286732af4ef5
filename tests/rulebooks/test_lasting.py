"""Reasons that a rulebook calls lasting: nothing that happens later, in the turn or the match, makes the order good."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from adjudicator.contract import matches
from adjudicator.contract.cases import Case, position
from adjudicator.contract.senders import other_order
from adjudicator.engine.library import registry
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.listing import Probe, QuestionAsked
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Verb
from tests.rulebooks.replaced import REPLACED

FOR_THE_TURN = {
    "oltremare": {"bought-enough", "sailing-already"},
    "serenissima": {"not-adjacent"},
}
"""Reasons that last as long as the turn: its player alone can change them, in the next one."""
TRIED = 8
"""How many orders are tried of each player in each position."""
MATCHES = 8
"""In so many matches at most an order is looked for that is refused for good; most games have some in the first."""


def refusal(verb: Verb[Any], view: Any, me: str, order: Mapping[str, Any]) -> str | None:
    """The key of the reason why an order would be refused now."""
    try:
        verb.rule(Probe(view, me, order))
    except Refused as refused:
        return refused.reason.key
    except (Unknown, QuestionAsked):
        pass
    return None


def refused_for_good(game: str, seed: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Orders of random players that are refused for a lasting reason, each with the reason and, if a later position of
    the match would take it, with that position."""
    book = registry.rulebook(game)
    table, chance = book.tables[max(book.tables)][0], SeededChance(seed)
    refused: dict[tuple[str, str], list[tuple[str, dict[str, Any]]]] = {}
    for step in matches.steps(book, table, seed, sensible=2):
        phase, turns = book.phase(step.before.phase.name), FOR_THE_TURN.get(game, set())
        for me in table if phase.verbs else ():
            view, mine = position_for(book, step.before, me), refused.setdefault((phase.name, me), [])
            for key, order in mine:
                if refusal(phase.verbs[next(iter(order))], view, me, order) is None:
                    yield key, f"taken in {step.before.phase}", order
            for order in (other_order(phase, view, me, chance) for _ in range(TRIED)):
                key = refusal(phase.verbs[next(iter(order))], view, me, order)
                never = book.never(view, str(order[next(iter(order))]))
                if never or (key in book.lasting and key not in turns):
                    mine.append((str(key), order))
                    yield str(key), "", order


@pytest.mark.parametrize("game", registry.OWN)
def test_what_is_refused_for_good_is_never_taken_later(game: str) -> None:
    played = (list(refused_for_good(game, f"for good {number}")) for number in range(MATCHES))
    found = next(filter(None, played), [])
    assert found, f"no order of {MATCHES} matches is refused for a reason that the rulebook calls `lasting`"
    assert [each for each in found if each[1]] == []


PLACED = {"rome-ship-1": "roma", "carthage-cavalry": "carthago"}
GIVEN: dict[str, dict[str, Any]] = {
    "rome-carthage": {
        "pieces": {
            name: {"state": name.split("-")[0], "kind": name.split("-")[1], "at": city}
            for name, city in PLACED.items()
        }
    }
}
AHEAD = {
    "a bid above the purse of the start": (
        ("mediterranee", "setup", "venice", "auction: {orders: [{bid: 9000}]}"),
        ["error treasury"],
    ),
    "a bid from a purse that others don't touch": (
        ("mediterranee", "setup", "venice", "auction: {orders: [{bid: 2000}]}"),
        [],
    ),
    "a purchase after a bid above the purse": (
        ("mediterranee", "setup", "venice", "market: {orders: [{build: fortress, at: venezia}]}"),
        ["may lacks"],
    ),
    "a piece that is another's": (
        ("rome-carthage", "turn", "carthage", "turn: {orders: [{move: rome-ship-1, via: [panormus]}]}"),
        ["error not-yours"],
    ),
    "a piece that was eliminated": (
        ("rome-carthage", "turn", "carthage", "turn: {orders: [{move: carthage-ship-1, via: [panormus]}]}"),
        ["error eliminated"],
    ),
    "another's capital": (
        ("rome-carthage", "turn", "carthage", "turn: {orders: [{sedition: roma}]}"),
        ["error not-your-capital"],
    ),
    "a general who betrays a friend": (
        (
            "rome-carthage",
            "turn",
            "carthage",
            "turn: {orders: [{betray: carthage-cavalry, via: [hadrumetum]}]}",
        ),
        ["error on-your-side"],
    ),
    "influence in Italy": (
        ("triumvirat", "italy", "caesar", "building: {orders: [{influence: roma, pay: [wine, oil]}]}"),
        ["error never-italy"],
    ),
    "a barbarian raised in Italy": (
        ("triumvirat", "italy", "caesar", "barbarians: {orders: [{raise: roma}]}"),
        ["error raised-outside"],
    ),
}


@pytest.mark.parametrize("what", AHEAD)
def test_orders_ahead_are_doubted_only_where_something_can_change(what: str) -> None:
    (game, phase, me, later), said = AHEAD[what]
    book = registry.rulebook(game)
    case = Case(
        case=what, phase=phase, given=GIVEN.get(game, {}), players=book.tables[max(book.tables)][0], expect={}
    )
    state = position(book, case, REPLACED[game])
    asked = Expected(book, "case", state.phase, tuple(state.players), me)
    sheet = read_sheet(f"player: {me}\nlater: {{{later}}}\n".encode(), asked)
    assert isinstance(sheet, Sheet), sheet
    found = check_sheet(book, position_for(book, state, me), sheet).said
    assert [f"{each.severity} {each.reason.key}" for each in found] == said, found
