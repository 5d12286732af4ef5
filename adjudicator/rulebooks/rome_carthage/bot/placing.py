"""Placement: a garrison in the capital, the others towards the enemy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.rulebooks.rome_carthage.board import BOARD, CAPITALS, KINDS, City, StateName
from adjudicator.rulebooks.rome_carthage.bot.routes import FAR, distances

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudicator.rulebooks.rome_carthage.bot.outlook import Outlook

GARRISONS = ("elephant", "infantry-1", "infantry-1")
FORWARD = ("cavalry", "ship-1", "infantry-2", "infantry-3", "infantry-1", "elephant", "ship-2")


def placement(outlook: Outlook, chance: Callable[[int], int]) -> list[dict[str, Any]]:
    """ROM-0.6: the placement of all pieces of the player's states."""
    return [
        order
        for state in outlook.view.players[outlook.me].states
        for order in placement_of_state(outlook, state, chance)
    ]


def placement_of_state(
    outlook: Outlook, state: StateName, chance: Callable[[int], int]
) -> list[dict[str, Any]]:
    """The seven pieces of one state: a land piece in the capital, an infantry or ship beside it,
    the others far forward."""
    garrison = GARRISONS[chance(len(GARRISONS))]
    at: dict[str, City] = {garrison: CAPITALS[state]}
    towns = [city for city, town in BOARD.cities.items() if town.state == state]
    forward = {
        kind: sorted(
            (city for city in towns if can_use(kind, city)),
            key=lambda city: (distance_to_enemy(outlook, kind, city), city),
        )
        for kind in dict.fromkeys(KINDS.values())
    }
    for name in FORWARD:
        if name not in at:
            free = [city for city in forward[KINDS[name]] if city not in at.values()]
            at[name] = free[chance(2)]
    return [{"place": f"{state}-{name}", "at": at[name]} for name in KINDS]


def can_use(kind: str, city: City) -> bool:
    """May a piece of the kind be placed there, and can it move from there?"""
    return BOARD.cities[city].port if kind == "ship" else not BOARD.cities[city].island


def distance_to_enemy(outlook: Outlook, kind: str, city: City) -> int:
    """The distance to the nearest enemy capital."""
    options = outlook.view.options
    return min(distances(kind, options, goal).get(city, FAR) for goal in outlook.theirs)
