"""Promise 8, what does nothing: an order that comes to the same as none, until more is chosen, is told to be idle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from adjudicator.contract.order_search import find_order
from adjudicator.engine.bots import sheet_of
from adjudicator.engine.play.trying import OrderTrial
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.domain.names import NAME
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook

TRIED = 3
"""How many orders of each verb are sought in a position."""


def misjudged(rulebook: Rulebook[Any], states: Iterable[Any], chance: Chance) -> Iterator[str]:
    """Verbs with several fields of which an order that only names a thing in the verb's own field always came to the
    same as no order, or didn't, and that say otherwise (`Verb.idle`)."""
    does: dict[tuple[str, str], bool] = {}
    for state in states:
        phase = rulebook.phase(state.phase.name)
        for me in state.phase.due:
            view = position_for(rulebook, state, me)
            more = {name: verb for name, verb in phase.verbs.items() if len(verb.fields) > 1}
            for name, verb in more.items():
                for _ in range(TRIED):
                    order = find_order(name, verb.rule, view, me, chance)
                    if order is None or type(order[name]) not in NAME:
                        continue
                    found = does_something(rulebook, view, me, {name: order[name]})
                    if found is not None:
                        does[phase.name, name] = does.get((phase.name, name), False) or found
    for (phase_name, name), found in does.items():
        if found == rulebook.phase(phase_name).verbs[name].idle:
            said = "something, and is said to be idle" if found else "nothing, and isn't said to be idle"
            yield f"{phase_name}: {name} by itself does {said}"


def does_something(rulebook: Rulebook[Any], view: Any, me: Player, order: Mapping[str, Any]) -> bool | None:
    """Does the order change what happens, as far as the player can know? None if it is refused or can't be tried."""
    alone, none = (OrderTrial(rulebook, view, sheet_of(me, {"orders": orders})) for orders in ([order], []))
    for trial in (alone, none):
        trial.course()
    tried = [each for each in alone.understood if each.good and each.tried and not each.waits]
    return bool(alone.state != none.state) if tried else None
