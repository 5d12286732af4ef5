"""An `else` may hold any verb, in any order: the schema checks it there too."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from adjudicator.engine.library import registry
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.event import OrderRefused
from adjudicator.engine.table.position import PHASES
from adjudicator.engine.table.secret import decode_secret, plain_of
from adjudicator.engine.text.writing import write
from tests.cli.calling import GAME, position

AROUND: dict[str, dict[str, Any]] = {
    "no order at all": {},
    "a good order": {"dismiss": 9, "from": "venice-1", "at": "venezia"},
    "one with a fault": {"dismiss": "x", "from": 3},
    "a verb of another phase": {"move": "venice-1", "via": ["ionio"]},
    "a verb that isn't known": {"x": 1},
    "two verbs": {"dismiss": 1, "buy": "wine"},
    "a keyword first": {"if": {"venice-1": {"in": "venezia"}}, "x": 1},
}
FAULTY: dict[str, dict[str, Any]] = {
    "a fact that is a text": {"if": {"venice-1": "here"}},
    "a fact that is a number": {"if": {"venezia": 1}},
    "a fact that is a list": {"if": {"venice-1": [1]}},
    "a fact of nothing": {"if": {"nobody": {}}},
    "a kind of fact that isn't known": {"if": {"venice-1": {"i": 1}}},
    "facts that are a list": {"if": [{"venice-1": 1}]},
    "facts that are a text": {"if": "venice-1"},
    "a field that isn't known": {"bye": 1},
    "a field of the wrong kind": {"from": {"a": 1}},
}


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("faulty", FAULTY)
@pytest.mark.parametrize("later", [False, True])
def test_what_is_wrong_under_else_is_told_and_harms_nobody(around: str, faulty: str, later: bool) -> None:
    rulebook, state = registry.rulebook(GAME), position("market")
    good = (
        {"move": "venice-1", "via": ["ionio"]}
        if later
        else {"dismiss": 1, "from": "venice-1", "at": "venezia"}
    )
    inner = {**good, **FAULTY[faulty]}
    for deep in (1, 2, 3):
        order: Any = inner
        for _ in range(deep):
            order = {**AROUND[around], "else": [order]}
        plain = (
            {"orders": [order]} if not later else {"orders": [], "later": {"movement": {"orders": [order]}}}
        )
        text = write({"player": "venice", **plain})
        asked = Expected(rulebook, "lagoon", state.phase, tuple(state.players), "venice")
        sheet = read_sheet(text.encode(), asked)
        assert isinstance(sheet, Sheet)
        (found,) = (sheet.later["movement"] if later else sheet.orders) or ()
        for _ in range(deep):
            (found,) = found.otherwise
        assert found.flaws, text
        check_sheet(rulebook, state, sheet)
        advance(rulebook, state, Inbox({"venice": sheet}), SeededDice(seed_from("x"), "x", 3))


@pytest.mark.parametrize("faulty", [name for name in FAULTY if name.startswith("a fact")])
def test_a_fact_that_a_hand_has_put_into_a_position_is_not_true(faulty: str) -> None:
    """Standing orders lie in the position, where a GM may have changed them since a schema looked at them."""
    rulebook, state = registry.rulebook(GAME), position("market", pages=False)
    order = {"dismiss": 1, "from": "venice-1", "at": "venezia", **FAULTY[faulty]}
    plain = plain_of(state)
    held = [{"order": order, "at": "sheets/venice.yaml:3:5"}]
    plain["players"]["venice"]["standing"] |= {PHASES: {"market": held}}
    edited = msgspec.convert(plain, rulebook.State, dec_hook=decode_secret)
    outcome = advance(rulebook, edited, Inbox(), SeededDice(seed_from("x"), "x", 3))
    assert [event.where for event in outcome.events if isinstance(event, OrderRefused)] == held[0][
        "at"
    ].split()
