"""Voyages: what a galley should load where it lies and where it should go; the movement sheet."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from adjudicator.rulebooks.mediterranee.board import BOARD, HOLD, Good, ZoneId
from adjudicator.rulebooks.mediterranee.bot.outlook import counted
from adjudicator.rulebooks.mediterranee.bot.routes import ends, way
from adjudicator.rulebooks.mediterranee.bot.worth import price_at
from adjudicator.rulebooks.mediterranee.state import (
    Galley,
    GalleyId,
    State,
    galleys_in,
    galleys_of,
    supply_of,
)

if TYPE_CHECKING:
    from adjudicator.engine.table import Player
    from adjudicator.rulebooks.mediterranee.bot.outlook import Outlook


class Voyage(Struct, frozen=True):
    """A galley's plan for the turn: pieces of the port's good to buy, the zone to go to, and its worth."""

    quantity: int
    goal: ZoneId
    worth: float


def voyages(outlook: Outlook, galley: Galley, most: int = 0) -> list[Voyage]:
    """The plans for a galley that can buy up to `most` pieces where it lies; it may stay there."""
    good = BOARD.ports[galley.zone].good if most else ""
    price = price_at(outlook.view, outlook.me, galley.zone) if most else 0
    found: list[Voyage] = []
    for quantity in range(most + 1):
        cargo = counted([*galley.cargo, *[good] * quantity])
        for zone in ends(galley.zone, galley.sailors):
            worth = outlook.arrival(zone, galley.sailors, cargo) - quantity * price
            found.append(Voyage(quantity, zone, worth))
    return found


def best(plans: list[Voyage], but: ZoneId = "") -> Voyage:
    """The first of the best plans that don't lead to `but`."""
    others = [each for each in plans if each.goal != but] if but else plans
    return max(others, key=attrgetter("worth"))


def claim(outlook: Outlook, galley: Galley, voyage: Voyage) -> None:
    """Takes the galley's sales and port out of the plans of the player's other galleys."""
    if voyage.goal in outlook.view.ports:
        goods: list[Good] = list(galley.cargo)
        if voyage.quantity:
            goods += [BOARD.ports[galley.zone].good]
        outlook.claim(voyage.goal, list(outlook.sales(voyage.goal, galley.sailors, counted(goods))))


def affordable(view: State, me: Player, galley: Galley) -> int:
    """How many pieces of the port's good a galley can buy where it lies (MED-0.6, MED-2.2, MED-0.5)."""
    if galley.zone not in BOARD.ports:
        return 0
    room = HOLD - max(2, galley.sailors) - len(galley.cargo)  # room for a second sailor is kept
    price = price_at(view, me, galley.zone)
    purse = view.players[me].treasury.value
    return max(0, min(room, purse // price, supply_of(view, BOARD.ports[galley.zone].good)))


def moves(outlook: Outlook) -> list[dict[str, Any]]:
    """The orders of the movement phase, for the galleys with the most to gain first."""
    mine = galleys_of(outlook.view, outlook.me)
    orders: list[dict[str, Any]] = []
    for name in galleys_by_cargo(mine):
        galley = mine[name]
        plans = voyages(outlook, galley)
        voyage = best(plans)
        other = best(plans, but=voyage.goal)
        claim(outlook, galley, voyage)
        if voyage.goal != galley.zone:
            order = move(outlook, name, voyage.goal)
            orders.append({**order, **unless_forestalled(outlook, name, voyage.goal, other.goal)})
    return orders


def move(outlook: Outlook, name: GalleyId, goal: ZoneId) -> dict[str, Any]:
    """The order to go the whole route."""
    galley = outlook.view.galleys[name]
    return {"move": name, "via": way(outlook.view, outlook.me, galley.zone, goal, galley.sailors)}


def unless_forestalled(outlook: Outlook, name: GalleyId, goal: ZoneId, other: ZoneId) -> dict[str, Any]:
    """If another galley gets first to a port that can be taken, this one goes to the next best goal."""
    view, me = outlook.view, outlook.me
    if goal not in view.ports or view.ports[goal].garrison or view.ports[goal].owner == me:
        return {}
    there = sum(galley.owner != me for galley in galleys_in(view, goal).values())
    elsewhere = {"else": [move(outlook, name, other)]} if other != view.galleys[name].zone else {}
    return {"if": {goal: {"enemies": {"most": there}}}, **elsewhere}


def galleys_by_cargo(galleys: dict[GalleyId, Galley]) -> list[GalleyId]:
    """The galleys with the most goods aboard first: they have the fewest ports to choose from."""
    return sorted(galleys, key=lambda name: (-len(galleys[name].cargo), -galleys[name].sailors, name))
