"""Promise 1, what orders use up: an order that can't be given twice takes something that `uses` names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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


def has_verb_without_uses(rulebook: Rulebook[Any]) -> bool:
    """Has the game a verb whose `uses` is `()`? Else there is nothing to try."""
    return any(verb.uses == () for phase in rulebook.phases for verb in phase.verbs.values())


def undeclared_uses(rulebook: Rulebook[Any], states: Iterable[Any], chance: Chance) -> Iterator[str]:
    """Verbs whose `uses` is `()`, with an order that the player's check accepts once and refuses the second time; and
    those of which no order was found in any of the positions, so that nothing is known of them.
    """
    tried: dict[tuple[str, str], bool] = {}
    for state in states:
        phase = rulebook.phase(state.phase.name)
        for player in state.phase.due:
            view = position_for(rulebook, state, player)
            for name in (name for name, verb in phase.verbs.items() if verb.uses == ()):
                orders = [random_order(name, phase.verbs[name], view, player, chance) for _ in range(TRIES)]
                found = [order for order in orders if order is not None]
                tried[phase.name, name] = tried.get((phase.name, name), False) or bool(found)
                once = next(
                    (order for order in found if not can_be_given_twice(rulebook, view, player, order)), None
                )
                if once is not None:
                    yield f"{state.phase}: `uses` of {name} is (), but {once} can't be given twice"
    for (phase_name, name), found_any in tried.items():
        if not found_any:
            yield f"{phase_name}: no order of {name} was found, whose `uses` is ()"


def can_be_given_twice(rulebook: Rulebook[Any], view: Any, player: Player, order: Mapping[str, Any]) -> bool:
    """Can the player give the order twice, if it can be given at all?"""
    checked = check_sheet(rulebook, view, sheet_of(player, {"orders": [order, order]}))
    first, second = checked.understood
    return second.good or not first.good
