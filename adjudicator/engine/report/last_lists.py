"""The lists that a player ranked in earlier sheets, such as wishes: the page for orders offers them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from adjudicator.engine.ahead.due_sheets import DueSheets
from adjudicator.engine.play.stops import asked_at
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.event import Player

MOST_SHEETS = 24
"""How many of a player's earlier sheets are looked at, the newest first."""
Lists = Mapping[str, Mapping[str, Sequence[Any]]]
"""Lists by phase and verb."""


def last_lists(due_sheets: DueSheets, number: int, who: Player) -> Lists:
    """What the player's last order of each verb ranked (`Verb.ranks`), for the phases that the open one asks for.

    Only the player's own sheets are read, whether they were carried out or not: it is what the player wrote.
    """
    match = due_sheets.match
    state = match.state(number)
    asked = asked_at(match.rulebook, state.options, state.phase.name)
    found: dict[str, dict[str, Sequence[Any]]] = {}
    missing = {
        (phase.name, verb): kind.ranks for phase in asked for verb, kind in phase.verbs.items() if kind.ranks
    }
    if not missing:
        return found
    sheets = ((past, due_sheets.ahead.sheet_of(past, who)) for past in range(number - 1, -1, -1))
    for past, sheet in islice(
        ((past, sheet) for past, sheet in sheets if isinstance(sheet, Sheet)), MOST_SHEETS
    ):
        orders = {match.head(past).name: sheet.orders or (), **sheet.later}
        for (phase, verb), field in [*missing.items()]:
            ranked = last_in(orders.get(phase, ()), verb, field)
            if ranked:
                found.setdefault(phase, {})[verb] = ranked
                del missing[phase, verb]
        if not missing:
            break
    return found


def last_in(orders: Sequence[Order], verb: str, field: str) -> Sequence[Any]:
    """What the last order of a verb has in a field, if that is a list; empty if there is none."""
    fields = (order.plain.get(field) for order in orders if order.verb == verb and not order.flaws)
    lists = [value for value in fields if isinstance(value, list)]
    return lists[-1] if lists else ()
