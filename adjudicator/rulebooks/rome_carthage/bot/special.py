"""The special cards: the sedition is played at once, the betrayal when it opens a capital."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.rulebooks.rome_carthage.board import City, Piece
from adjudicator.rulebooks.rome_carthage.bot.moves import Plan, candidates, movable, payment, planned
from adjudicator.rulebooks.rome_carthage.movement import reach, ways
from adjudicator.rulebooks.rome_carthage.reachable import ends

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudicator.rulebooks.rome_carthage.bot.outlook import Outlook

WORTH = 6.0
"""The least gain of a turn with the betrayal over one without."""
EXITS = 2
"""To how many cities a garrison is led in trials, the farthest first."""

Orders = list[dict[str, Any]]


def sedition(outlook: Outlook) -> tuple[Orders, Outlook]:
    """ROM-4.2: orders that free an occupied capital, and the outlook afterwards."""
    occupied = [city for city in outlook.home if city in outlook.enemies]
    if "sedition" not in outlook.view.players[outlook.me].special or not occupied:
        return [], outlook
    return [{"sedition": occupied[0]}], outlook.freed(occupied[0])


def betrayal(outlook: Outlook, chance: Callable[[int], int]) -> tuple[Orders, Outlook, Plan]:
    """ROM-4.1: leads an enemy garrison out of a capital that the player's own piece can enter in the same turn."""
    usual = planned(outlook, chance)
    if "betrayal" in outlook.view.players[outlook.me].special:
        chances = [
            found for city in (*outlook.theirs, *outlook.ours) for found in openings(outlook, city, chance)
        ]
        if chances:
            _, order, then = max(chances, key=lambda found: found[0])
            plan = planned(then, chance)
            city = outlook.view.pieces[order["betray"]].at
            if plan.value > usual.value + WORTH and any(step.way[-1] == city for step in plan.steps):
                return [order], then, plan
    return [], outlook, usual


def openings(
    outlook: Outlook, city: City, chance: Callable[[int], int]
) -> list[tuple[float, dict[str, Any], Outlook]]:
    """Ways to lead an enemy garrison out of a city: the value of entering it then, the order,
    the outlook afterwards."""
    name, mine = outlook.enemies.get(city), in_reach(outlook, city)
    if name is None or not mine:
        return []
    unit, toll = outlook.view.pieces[name], payment(outlook.hand)
    reached = ends(unit, reach(unit), ways(outlook.view, unit), outlook.friends, outlook.enemies)
    exits = [there for there in reached if there not in outlook.friends]
    found: list[tuple[float, dict[str, Any], Outlook]] = []
    for there in sorted(exits, key=lambda city: -len(reached[city]))[:EXITS]:
        then = outlook.displaced(name, there)
        entries = candidates(then, toll, chance, mine, to=city)
        if entries:
            found.append((entries[0].value, {"betray": name, "via": list(reached[there])}, then))
    return found


def in_reach(outlook: Outlook, city: City) -> list[Piece]:
    """The player's pieces that could enter the city in this turn, at most by a forced march."""
    return [name for name in movable(outlook) if city in outlook.ends(name, 2)]
