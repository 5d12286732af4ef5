"""A course that takes orders by what they name says which orders of an `else` can't replace another."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.engine.play.checking import Check
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.sheets.sheet import Sheet, orders_at
from adjudicator.engine.table.dice import ScriptedDice
from adjudicator.engine.table.event import OrderRefused
from adjudicator.engine.table.position import Options
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import PhaseRun
from adjudicator.engine.text.source import Source, read
from tests.engine.one_phase import play
from tests.engine.small_card_game import DUEL, start

MISPLACED = Reason("DUE-1.1", "not-now")
SHEET = """player: rome
orders:
  - march: {first}
    else: [{{march: carthago}}, {{march: roma}}]
  - march: carthago
"""


def to_rome_alone(order: Any) -> Reason | None:
    return None if order.fields.get("march") != "carthago" else MISPLACED


def rome_first(hearing: PhaseRun) -> None:
    """The first march is on Rome, whatever stands in its `else`."""
    first, *others = hearing.orders("rome")
    hearing.carry_out("rome", first, unfit=to_rome_alone)
    for order in others:
        hearing.carry_out("rome", order)


def opened(first: str) -> tuple[Any, Any, Sheet]:
    """The game with that course, the position of the turn, and the sheet."""
    phases = tuple(
        replace(phase, course=rome_first) if phase.name == "turn" else phase for phase in DUEL.phases
    )
    source = read(SHEET.format(first=first).encode(), "sheets/rome.yaml")
    assert isinstance(source, Source) and isinstance(source.plain, dict)
    book = replace(DUEL, phases=phases)
    sheet = Sheet("rome", source, orders_at(source, ("orders",), source.plain["orders"], {}))
    return book, play(book, start("m", Options(), ("rome", "carthage"))).state, sheet


def test_it_is_refused_and_the_next_of_the_else_and_the_other_orders_are_tried() -> None:
    book, state, sheet = opened("nowhere")
    outcome = advance(book, state, Inbox({"rome": sheet}), ScriptedDice(()))
    assert [fight.city for fight in outcome.state.fights] == ["roma", "carthago"]
    refused = [event for event in outcome.events if isinstance(event, OrderRefused)]
    assert [event.place for event in refused] == ["3:12", "4:12"] and refused[1].reason == MISPLACED


@pytest.mark.parametrize("first", ["roma", "nowhere"], ids=["not-tried", "tried"])
def test_a_check_says_so_once_whether_or_not_the_else_is_tried(first: str) -> None:
    check = Check(*opened(first))
    check.run()
    found = [(said.place, said.severity) for said in check.said if said.reason == MISPLACED]
    assert found == [("sheets/rome.yaml:4:12", "error")]
