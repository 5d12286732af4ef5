"""The game's own bot, a sensible trader: one file for each kind of decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.rulebooks.mediterranee.bot import ashore, bidding, dealing, fights, voyages
from adjudicator.rulebooks.mediterranee.bot.instructions import instructions
from adjudicator.rulebooks.mediterranee.bot.outlook import Outlook

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudicator.engine.table import Player
    from adjudicator.rulebooks.mediterranee.state import State

__all__ = ["trader"]


def trader(view: State, me: Player, chance: Callable[[int], int]) -> dict[str, Any]:
    """The sheet for the open phase: its `orders` and, if they change, `standing` instructions.

    It depends only on the player's own view and on `chance(below)`, a whole number under `below`.
    """
    sheet: dict[str, Any] = {"orders": orders(view, me, chance)}
    if view.phase.name in ("setup", "auction"):
        standing = instructions(view, me)
        if standing:
            sheet["standing"] = standing
    return sheet


def orders(view: State, me: Player, chance: Callable[[int], int]) -> list[dict[str, Any]]:
    """The orders for the open phase."""
    match view.phase.name:
        case "setup":
            return bidding.crews(view, me, chance)
        case "auction":
            return bidding.bid(view, me, chance)
        case "market":
            return dealing.market(view, me, chance)
        case "movement":
            return voyages.moves(Outlook(view, me))
        case "combat":
            return fights.attacks(Outlook(view, me))
        case "landing":
            return ashore.landings(Outlook(view, me))
        case "sale":
            return ashore.sales(Outlook(view, me))
    return []
