"""The special cards: the sedition at once, the betrayal where it opens a capital."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.rulebooks.rome_carthage.board import BOARD
from adjudicator.rulebooks.rome_carthage.bot.moves import Plan, planned
from adjudicator.rulebooks.rome_carthage.bot.routes import ends
from adjudicator.rulebooks.rome_carthage.movement import reach, ways

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudicator.rulebooks.rome_carthage.bot.outlook import Outlook

WORTH = 6.0
"""What a turn must promise more with the betrayal than without."""
EXITS = 2
"""How many cities are tried to lead a garrison to, the farthest first."""

Orders = list[dict[str, Any]]


def sedition(outlook: Outlook) -> tuple[Orders, Outlook]:
    """ROM-4.2: a capital that is occupied is freed; the orders for it, and the outlook then."""
    occupied = [city for city in outlook.home if city in outlook.enemies]
    if "sedition" not in outlook.view.players[outlook.me].special or not occupied:
        return [], outlook
    return [{"sedition": occupied[0]}], outlook.freed(occupied[0])


def betrayal(outlook: Outlook, chance: Callable[[int], int]) -> tuple[Orders, Outlook, Plan]:
    """ROM-4.1: an enemy garrison marches out of a capital that one's own piece can enter in the same turn."""
    usual = planned(outlook, chance)
    best: tuple[Orders, Outlook, Plan] = ([], outlook, usual)
    if "betrayal" not in outlook.view.players[outlook.me].special:
        return best
    most = usual.value + WORTH
    for city in (*outlook.theirs, *outlook.ours):
        name = outlook.enemies.get(city)
        if name is None or not in_reach(outlook, city):
            continue
        unit = outlook.view.pieces[name]
        if unit.kind != "ship" and BOARD.cities[city].island:
            continue
        reached = ends(unit, reach(unit), ways(outlook.view, unit), outlook.friends, outlook.enemies)
        open_ = [there for there in reached if there not in outlook.friends]
        for there in sorted(open_, key=lambda city: -len(reached[city]))[:EXITS]:
            then = outlook.displaced(name, there)
            plan = planned(then, chance)
            if plan.value > most and any(step.way[-1] == city for step in plan.steps):
                most = plan.value
                best = ([{"betray": name, "via": list(reached[there])}], then, plan)
    return best


def in_reach(outlook: Outlook, city: str) -> bool:
    """Could one of the own pieces enter the city in this turn, by a forced march at the most?"""
    return any(
        city
        in ends(
            unit,
            2 * reach(unit),
            ways(outlook.view, unit),
            outlook.enemies,
            outlook.friends,
        )
        for unit in outlook.mine.values()
        if unit.at not in outlook.home and unit.at not in outlook.theirs
    )
