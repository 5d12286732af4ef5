"""Promise 1, what orders use up: an order that can't be given twice takes something that `uses` names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.engine.bots.bot import random_order
from adjudicator.engine.bots.simulation import sheet_of
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook

TRIES = 3
"""So many orders of each verb are looked for."""


def unsaid(rulebook: Rulebook[Any], state: Any, player: Player, chance: Chance) -> Iterator[str]:
    """Verbs whose `uses` is `()`, with an order that the player's check accepts once and refuses the second time."""
    phase, view = rulebook.phase(state.phase.name), position_for(rulebook, state, player)
    for name, verb in phase.verbs.items():
        for _ in range(TRIES) if verb.uses == () else ():
            order = random_order(name, verb, view, player, chance)
            if order is None:
                continue
            checked = check_sheet(rulebook, view, sheet_of(player, {"orders": [order, order]}))
            first, second = checked.understood
            if first.good and not second.good:
                yield f"{state.phase}: `uses` of {name} is (), but {order} can't be given twice"
                break
