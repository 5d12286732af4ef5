"""The merchant has an answer to offers of every kind, also incomplete ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.contract.cases import Case, position
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.view import position_for
from adjudicator.rulebooks.oltremare import RULEBOOK
from adjudicator.rulebooks.oltremare.bot import merchant

CARDS = {"cards": [{"card": "gem-01", "good": "gem"}, {"card": "olive-02", "good": "olive"}]}


@pytest.mark.parametrize("give", [{}, {"ducats": 2}, {"ducats": 20}, CARDS, {**CARDS, "ducats": 1}])
@pytest.mark.parametrize(
    "asked", [{}, {"ducats": 3}, {"goods": {"silk": 1}}, {"goods": {"silk": 3, "gem": 1}}]
)
@pytest.mark.parametrize("to", ["dandolo", "all"])
@pytest.mark.parametrize("phase", ["answer", "voyage"])
def test_every_offer_is_answered(
    phase: str, to: str, asked: Mapping[str, Any], give: Mapping[str, Any]
) -> None:
    by, to = ("contarini", to) if phase == "answer" else ("dandolo", "contarini")
    me = "dandolo" if phase == "answer" else "contarini"
    hands = {
        "contarini": {"hand": ["gem-01", "olive-02", "silk-09"]},
        "dandolo": {"hand": ["silk-04", "salt-05"]},
    }
    given = {"players": hands, "offers": {f"{by}-1": {"by": by, "to": to, "give": give, "for": asked}}}
    case = Case(case=phase, phase=phase, given={**given, "deck": ["..."]}, expect={})
    view = position_for(RULEBOOK, position(RULEBOOK, case, ("markers", "offers")), me)
    orders = merchant(view, me, SeededChance("calm"))["orders"]
    answered = {f"{by}-1"} & {order.get("accept") or order.get("refuse") for order in orders}
    assert answered if phase == "answer" else orders[-1].get("load") or orders[-1].get("play")
