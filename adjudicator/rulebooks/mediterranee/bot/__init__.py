"""The game's own bot, a sensible trader: a file for each kind of decision; here the set-up and auction sheets."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Chance
from adjudicator.rulebooks.mediterranee.board import CAPITAL
from adjudicator.rulebooks.mediterranee.bot import dealing, galleys
from adjudicator.rulebooks.mediterranee.bot.dealing import instructions
from adjudicator.rulebooks.mediterranee.bot.outlook import Outlook
from adjudicator.rulebooks.mediterranee.bot.worth import turns_left
from adjudicator.rulebooks.mediterranee.standing import STEP
from adjudicator.rulebooks.mediterranee.state import State


def trader(view: State, me: Player, chance: Chance) -> dict[str, Any]:
    """The sheet for the open phase: its `orders` and, if they change, `standing` instructions.

    It depends only on the player's own view and on `chance(below)`, a whole number under `below`.
    """
    sheet: dict[str, Any] = {"orders": orders(view, me, chance)}
    if view.phase.name in ("setup", "auction"):
        standing = instructions(view, me)
        if standing:
            sheet["standing"] = standing
    return sheet


def orders(view: State, me: Player, chance: Chance) -> list[dict[str, Any]]:
    """The orders for the open phase."""
    match view.phase.name:
        case "setup":
            return crews(view, me, chance)
        case "auction":
            return bid(view, me, chance)
        case "market":
            return dealing.market(view, me, chance)
        case "movement":
            return galleys.moves(Outlook(view, me))
        case "combat":
            return galleys.attacks(Outlook(view, me))
        case "landing":
            return galleys.landings(Outlook(view, me))
        case "sale":
            return galleys.sales(Outlook(view, me))
    return []


SPLITS = ((4, 3, 3), (4, 3, 3), (3, 3, 4), (5, 2, 3))
"""MED-0.3: the sailors placed at the start on the first galley, on the second, in the capital."""
BIDS = (0, 0, 0, 0, 100, 100, 100, 200, 200, 300, 400)
LATE_BIDS = (0, 0, 100, 200, 300, 300, 400, 500, 600, 800)
RESERVE = 700
"""Ducats kept back for the market."""
CAUTION = 3
"""A bid takes at most one part in so many of the ducats to spare."""


def crews(view: State, me: Player, chance: Chance) -> list[dict[str, Any]]:
    """Where the ten sailors go."""
    split = SPLITS[chance(len(SPLITS))]
    places = (*view.galleys_of(me), CAPITAL[me])
    return [{"place": sailors, "to": place} for place, sailors in zip(places, split, strict=True)]


def bid(view: State, me: Player, chance: Chance) -> list[dict[str, Any]]:
    """A modest bid; more in the last turns, when there is little else to spend ducats on."""
    left = turns_left(view)
    bids = LATE_BIDS if left < 2 else BIDS
    spare = max(0, view.players[me].treasury.value - RESERVE)
    offered = min(bids[chance(len(bids))], spare // (CAUTION * STEP) * STEP)
    seats = list(range(1, len(view.order) + 1))
    if left == 0 and chance(2):
        seats.reverse()  # the last to land keeps what it takes
    return [{"bid": offered, "seats": seats}]
