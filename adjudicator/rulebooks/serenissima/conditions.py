"""The facts that an order's `if:` may hold, by the name of a thing: a galley, a port, a zone, or oneself (`me`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.table.domain import Many, MapOf, OneOf, Part, Record, Whole
from adjudicator.engine.table.rulebook import Condition
from adjudicator.rulebooks.serenissima.board import BOARD, COLOURS
from adjudicator.rulebooks.serenissima.fields import GOOD, PLACE, PLAYER, ZONE
from adjudicator.rulebooks.serenissima.movement import afloat
from adjudicator.rulebooks.serenissima.state import State, has, purse, to_come

NOBODY = "nobody"
"""The owner of a neutral port, and of a galley that isn't on the board."""
ME = "me"
AMOUNT = {"least": Part(Whole(0)), "most": Part(Whole(0))}
FACTS: Mapping[str, Part[Any]] = {
    "owner": Part(OneOf((*COLOURS, NOBODY))),
    **AMOUNT,
    "in": Part(ZONE),
    "has": Part(Many(GOOD)),
    "afloat": Part(MapOf(PLAYER, Record(dict, AMOUNT))),
}
THINGS = OneOf((ME, *BOARD.zones, *(name for name in PLACE.among if name not in BOARD.ports)))


def holds(state: State, name: str, wanted: Mapping[str, Any]) -> bool:
    """Is all of it so? `least` and `most` count a galley's sailors, a port's garrison, or one's own ducats."""
    return all(true_of(state, name, fact, value) for fact, value in wanted.items())


def true_of(state: State, name: str, fact: str, value: Any) -> bool:
    """One fact: of a galley its owner, where it is, what is aboard; of a port its owner, and what it produces or
    holds; of a zone the sailors on galleys by player; of oneself the ducats."""
    galley, port = state.galleys.get(name), state.ports.get(name)
    match fact:
        case "owner":
            thing = galley or port
            return name != ME and value == (thing.owner if thing and thing.owner else NOBODY)
        case "least" | "most":
            count = amount(state, name)
            return count is not None and (value <= count if fact == "least" else count <= value)
        case "in":
            return galley is not None and galley.zone == value
        case "has":
            if port is not None:
                return all(has(state, name, good) for good in value)
            return galley is not None and all(good in galley.cargo for good in value)
        case "afloat":
            there = afloat(state, name)
            return name in BOARD.zones and all(
                limits.get("least", 0) <= there.get(player, 0) <= limits.get("most", there.get(player, 0))
                for player, limits in value.items()
            )
    return False


def amount(state: State, name: str) -> int | None:
    """A galley's sailors, a port's garrison; the ducats of whoever owns the galley whose turn it is."""
    if name == ME:
        owner = next((state.galleys[other].owner for other in to_come(state)), "")
        return purse(state, owner) if owner in state.phase.due else None
    if name in state.galleys:
        return state.galleys[name].sailors
    return state.ports[name].garrison if name in state.ports else None


CONDITION = Condition(MapOf(THINGS, Record(dict, FACTS)), holds)
