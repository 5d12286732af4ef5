"""The facts that an order's `if:` may hold: how many barbarians stand in a province, and whose it is."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table.domain import Either, MapOf, OneOf, Part, Record, Whole
from adjudicator.engine.table.rulebook import Condition
from adjudicator.rulebooks.triumvirat.board import BOARD, SEATS
from adjudicator.rulebooks.triumvirat.standing import PROVINCE
from adjudicator.rulebooks.triumvirat.state import Barbarians, State, barbarians

NOBODY = "nobody"
"""The owner of a neutral province."""
FACTS: dict[str, Part[Any]] = {
    "least": Part(Whole(0)),
    "most": Part(Whole(0)),
    "owner": Part(OneOf((*SEATS, NOBODY))),
}


def holds(state: State, name: str, wanted: Any) -> bool:
    """TRI-5.4: do so many barbarians stand there still, which nobody has moved in this turn? Or `least`, `most` of
    them, and `owner`."""
    if name not in BOARD.provinces:
        return False
    lying = sum(state.done.lying.get(name, {}).values(), Barbarians())
    standing = (barbarians(state, name) - lying).count
    if isinstance(wanted, int):
        return standing >= wanted
    owner = state.provinces[name].owner or NOBODY
    return bool(
        wanted.get("least", standing) <= standing <= wanted.get("most", standing)
        and wanted.get("owner", owner) == owner
    )


CONDITION = Condition(MapOf(PROVINCE, Either((Whole(0), Record(dict, FACTS)))), holds)
