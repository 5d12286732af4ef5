"""The special cards: the sedition is played at once, the betrayal when it opens a capital."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.rulebooks.rome_carthage.board import City, Piece
from adjudicator.rulebooks.rome_carthage.bot.moves import Plan, best_plan, movable
from adjudicator.rulebooks.rome_carthage.movement import reach, ways
from adjudicator.rulebooks.rome_carthage.reachable import ends

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudicator.rulebooks.rome_carthage.bot.outlook import Outlook

WORTH = 6.0
"""The least gain of a turn with the betrayal over one without."""

Orders = list[dict[str, Any]]


def sedition(outlook: Outlook) -> tuple[Orders, Outlook]:
    """ROM-4.2: orders that free an occupied capital, and the outlook afterwards."""
    occupied = [city for city in outlook.home if city in outlook.enemies]
    if "sedition" not in outlook.view.players[outlook.me].special or not occupied:
        return [], outlook
    return [{"sedition": occupied[0]}], outlook.freed(occupied[0])


def betrayal(outlook: Outlook, chance: Callable[[int], int]) -> tuple[Orders, Outlook, Plan]:
    """ROM-4.1: leads an enemy garrison out of a capital that the player's own piece can enter in the same turn."""
    usual = best_plan(outlook, chance)
    if "betrayal" in outlook.view.players[outlook.me].special:
        value, city = max((entry(outlook, city), city) for city in (*outlook.theirs, *outlook.ours))
        way = exit_from(outlook, city) if value > WORTH else ()
        if way:
            garrison = outlook.enemies[city]
            then = outlook.displaced(garrison, way[-1])
            plan = best_plan(then, chance)
            if plan.value > usual.value + WORTH and any(step.way[-1] == city for step in plan.steps):
                return [{"betray": garrison, "via": list(way)}], then, plan
    return [], outlook, usual


def entry(outlook: Outlook, city: City) -> float:
    """The most that a piece of the player's gains by entering a city when its enemy garrison has gone."""
    mine = pieces_in_reach(outlook, city) if city in outlook.enemies else []
    places = {name: outlook.places(name) for name in mine}
    return max((places[name][city] - places[name][outlook.mine[name].at] for name in mine), default=0.0)


def exit_from(outlook: Outlook, city: City) -> tuple[City, ...]:
    """The way on which an enemy garrison is led out of a city, as far as it can go; none if it can't leave."""
    unit = outlook.view.pieces[outlook.enemies[city]]
    reached = ends(unit, reach(unit), ways(outlook.view, unit), outlook.friends, outlook.enemies)
    return max((way for city, way in reached.items() if city not in outlook.friends), key=len, default=())


def pieces_in_reach(outlook: Outlook, city: City) -> list[Piece]:
    """The player's pieces that could enter the city in this turn, at most by a forced march."""
    if city in outlook.barred:
        return []
    return [name for name in movable(outlook) if city in outlook.paths[outlook.mine[name], 2]]
