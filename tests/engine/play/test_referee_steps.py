"""Steps: an order may hold orders, each carried out like one of its own, with its refusal, its line and its else."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.sheets.sheet import Sheet, orders_at
from adjudicator.engine.table.dice import Scripted
from adjudicator.engine.table.event import OrderRefused
from adjudicator.engine.table.rulebook import Options
from adjudicator.engine.table.table import Table, Verb
from adjudicator.engine.text.source import Source, read
from tests.engine.one_phase import play
from tests.engine.small_card_game import CITY, DUEL, TWO_CARDS, State, march, start

ORDERS = b"""player: rome
orders:
  - campaign: roma
    towards:
      - march: roma
      - march: roma
        else:
          - march: carthago
      - march: roma
"""


def campaign(t: Table[State]) -> None:
    """DUE-1.1: several marches in one order."""
    t.pick("campaign", CITY, rule="DUE-1.1")
    t.steps("towards", {"march": Verb(march, {"march": CITY})})


def test_each_step_is_refused_alone_with_its_line_and_has_its_own_else() -> None:
    verbs: dict[str, Any] = {"campaign": Verb(campaign, {"campaign": CITY, "towards": TWO_CARDS})}
    phases = tuple(replace(phase, verbs=verbs) if phase.name == "turn" else phase for phase in DUEL.phases)
    book = replace(DUEL, phases=phases)
    state = play(book, start("m", Options(), ("rome", "carthage"))).state
    source = read(ORDERS, "sheets/rome.yaml")
    assert isinstance(source, Source) and isinstance(source.plain, dict)
    sheet = Sheet("rome", source, orders_at(source, ("orders",), source.plain["orders"], {}))
    outcome = advance(book, state, Inbox({"rome": sheet}), Scripted(()))
    assert [fight.city for fight in outcome.state.fights] == ["roma", "carthago"]
    refused = [event.place for event in outcome.events if isinstance(event, OrderRefused)]
    assert refused == ["6:9", "9:9"], "the steps that failed left the others"
