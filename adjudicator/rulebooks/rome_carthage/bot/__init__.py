"""The game's own bot, which makes war sensibly: one file for each kind of decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.rulebooks.rome_carthage.bot import answers, defences, moves, placing, special
from adjudicator.rulebooks.rome_carthage.bot.outlook import Outlook

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudicator.engine.table.event import Player
    from adjudicator.rulebooks.rome_carthage.state import State

__all__ = ["general"]


def general(view: State, me: Player, chance: Callable[[int], int]) -> dict[str, Any]:
    """The sheet for the open phase: its `orders` and, if they change, `standing` instructions.

    It depends only on the player's own view and on `chance(below)`, a whole number under `below`.
    """
    outlook = Outlook(view, me)
    sheet: dict[str, Any] = {"orders": orders(outlook, chance)}
    if view.phase.name in ("placement", "turn"):
        standing = defences.standing(outlook, chance)
        if standing:
            sheet["standing"] = standing
    return sheet


def orders(outlook: Outlook, chance: Callable[[int], int]) -> list[dict[str, Any]]:
    """The orders for the open phase."""
    match outlook.view.phase.name:
        case "placement":
            return placing.placement(outlook, chance)
        case "turn":
            return turn(outlook, chance)
        case "moves":
            return turn(outlook, chance, betray=False)
        case "fight":
            return answers.fight(outlook)
        case "spy":
            return answers.spy(outlook)
        case "tie":
            return answers.tie(outlook)
    return []


def turn(outlook: Outlook, chance: Callable[[int], int], *, betray: bool = True) -> list[dict[str, Any]]:
    """ROM-1: special cards if they are good, then the moves and the cards for their fights; else a pass."""
    freed, then = special.sedition(outlook)
    if betray:
        betrayed, then, plan = special.betrayal(then, chance)
    else:
        betrayed, plan = [], moves.best_plan(then, chance)
    found = moves.orders(then, plan)
    return [*freed, *betrayed, *(found or [{"pass": True}])]
