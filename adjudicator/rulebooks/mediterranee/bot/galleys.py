"""The sheets for galleys: voyages, attacks with good odds only, landing and sale."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from msgspec import Struct

from adjudicator.engine.table import Player, changed
from adjudicator.rulebooks.mediterranee.board import BOARD, GOODS, HOLD, Good, ZoneId
from adjudicator.rulebooks.mediterranee.bot.outlook import ROUNDS, Cargo, Outlook, Prospect, counted, fight
from adjudicator.rulebooks.mediterranee.bot.worth import (
    CREWS,
    SHIP,
    earlier,
    ends,
    price_at,
    way,
    worth_of_cargo,
)
from adjudicator.rulebooks.mediterranee.combat import targets
from adjudicator.rulebooks.mediterranee.landing import open_ports
from adjudicator.rulebooks.mediterranee.sale import A_SLOT
from adjudicator.rulebooks.mediterranee.state import Galley, GalleyId, State


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
    return max(0, min(room, purse // price, view.supply_of(BOARD.ports[galley.zone].good)))


def moves(outlook: Outlook) -> list[dict[str, Any]]:
    """The orders of the movement phase, for the galleys with the most to gain first."""
    mine = outlook.view.galleys_of(outlook.me)
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
    there = sum(galley.owner != me for galley in view.galleys_in(goal).values())
    elsewhere = {"else": [move(outlook, name, other)]} if other != view.galleys[name].zone else {}
    return {"if": {goal: {"enemies": {"most": there}}}, **elsewhere}


def galleys_by_cargo(galleys: dict[GalleyId, Galley]) -> list[GalleyId]:
    """The galleys with the most goods aboard first: they have the fewest ports to choose from."""
    return sorted(galleys, key=lambda name: (-len(galleys[name].cargo), -galleys[name].sailors, name))


CRIPPLED = 3
"""If a single sailor is left to sail both galleys, a prize counts for one part in so many."""


def against_galley(outlook: Outlook, own: GalleyId, target: GalleyId) -> Prospect:
    """Attack a galley: the prize is the galley and its cargo (MED-4.4, MED-4.5)."""
    mine, theirs = outlook.view.galleys[own], outlook.view.galleys[target]
    room = 2 * HOLD - 2 - len(mine.cargo)
    prize = (SHIP if outlook.left else 0) + worth_of_cargo(theirs.cargo[:room])
    odds, worth = 0.0, 0.0
    for (left, enemy), likely in fight(mine.sailors, theirs.sailors, False).items():
        if enemy == 0 and left:
            odds += likely
            worth += likely * (prize if left > 1 else prize / CRIPPLED)
        worth -= likely * (CREWS[mine.sailors] - CREWS[left])
        if not left:
            worth -= likely * (SHIP + worth_of_cargo(mine.cargo))
    return Prospect(odds, worth - outlook.scruples)


def attacks(outlook: Outlook) -> list[dict[str, Any]]:
    """The orders of the combat phase: each galley at most one attack, each target at most one attacker."""
    view, me = outlook.view, outlook.me
    found: list[dict[str, Any]] = []
    spoken_for: set[str] = set()
    for name, galley in view.galleys_of(me).items():
        there = [target for target in targets(view, galley.zone, me) if target not in spoken_for]
        forestalled = any(rival.sailors > 2 for rival in earlier(view, me, galley.zone))
        if not there or forestalled:
            continue
        quiet = outlook.peace(galley.zone, galley.sailors, counted(galley.cargo))
        gains: Mapping[str, float] = {target: gain_of(outlook, name, target, quiet) for target in there}
        good = sorted((target for target in gains if gains[target] > 0), key=lambda target: -gains[target])
        if good:
            spoken_for.add(good[0])
            found.append({**attack(outlook, name, good[0]), **with_conditions(outlook, name, good)})
    return found


def with_conditions(outlook: Outlook, name: GalleyId, good: list[str]) -> dict[str, Any]:
    """The odds hold for the position seen now: if either side has changed by then,
    the order takes the next target, or none."""
    view, (target, *rest) = outlook.view, good
    strength = view.ports[target].garrison if target in view.ports else view.galleys[target].sailors
    facts: dict[str, Any] = {target: {"most": strength}, name: {"least": view.galleys[name].sailors}}
    return {"if": facts, **({"else": [attack(outlook, name, rest[0])]} if rest else {})}


def gain_of(outlook: Outlook, name: GalleyId, target: str, quiet: float) -> float:
    """The gain of an attack over not fighting; below 0 if the odds aren't good."""
    galley = outlook.view.galleys[name]
    if target in outlook.view.ports:
        worth = outlook.storm(target, galley.sailors, counted(galley.cargo))
        return -1.0 if worth is None else worth - quiet
    prospect = against_galley(outlook, name, target)
    return prospect.worth if prospect.sensible else -1.0


def attack(outlook: Outlook, name: GalleyId, target: str) -> dict[str, Any]:
    """The order: attack until the enemy is beaten or one sailor is left."""
    order: dict[str, Any] = {"attack": target, "with": name, "rounds": ROUNDS}
    if target in outlook.view.galleys:
        galley = outlook.view.galleys[name]
        goods = {*galley.cargo, *outlook.view.galleys[target].cargo}
        order["crew"] = {"leave": 2} if galley.sailors > 3 else 1
        if goods:
            hopes = {good: outlook.markets[good].hopes[galley.zone, 2][0] for good in goods}
            order["keep"] = sorted(goods, key=lambda good: (-hopes[good], GOODS.index(good)))
    return order


def landings(outlook: Outlook) -> list[dict[str, Any]]:
    """MED-5.1: takes ports that are worth more than the sailor, mans the player's empty ports, and lands where an
    attack should have killed the garrison."""
    view, me = outlook.view, outlook.me
    orders: list[dict[str, Any]] = []
    taken: set[str] = set()
    for name, galley in view.galleys_of(me).items():
        forestalled = any(rival.sailors > 1 for rival in earlier(view, me, galley.zone))
        if not open_ports(view, galley.zone, me) or galley.zone in taken or forestalled:
            continue
        sailors = sailors_to_land(outlook, galley.zone, galley.sailors, counted(galley.cargo))
        if sailors:
            taken.add(galley.zone)
            orders.append({"land": sailors, "at": galley.zone, "from": name})
    return [*orders, *landings_after_fights(outlook)]


def landings_after_fights(outlook: Outlook) -> list[dict[str, Any]]:
    """MED-4.9, MED-5.1: lands one sailor where an attack of the player's has killed the garrison, if enough are left
    aboard.

    These orders are in the same sheet as the attack, so their `if` says how the fight must have ended.
    """
    least = 2 if outlook.left else 1
    orders: list[dict[str, Any]] = []
    for order in attacks(outlook):
        name = order["with"]
        zone = outlook.view.galleys[name].zone
        if zone in {each["attack"] for each in (order, *order.get("else", ()))}:
            facts = {zone: {"most": 0}, name: {"in": zone, "least": least}}
            orders.append({"land": 1, "at": zone, "from": name, "if": facts})
    return orders


def sailors_to_land(outlook: Outlook, port: str, crew: int, cargo: Cargo) -> int:
    """How many sailors to land: none, one, or two of a large crew."""
    if outlook.view.ports[port].owner == outlook.me:
        return 1 if crew > 2 or (crew == 2 and outlook.left == 0) else 0
    if outlook.landing(port, crew, cargo) <= outlook.stay(port, crew, cargo):
        return 0
    if crew == 1:
        return 1
    return 2 if crew >= 4 or (outlook.left == 0 and crew >= 3) else 1


def sales(outlook: Outlook) -> list[dict[str, Any]]:
    """MED-6.1: sells the goods that bring more here than they are likely to bring elsewhere."""
    view, me, now = outlook.view, outlook.me, outlook.view.ports
    orders: list[dict[str, Any]] = []
    for name, galley in view.galleys_of(me).items():
        # By then the warehouse holds the goods of those who sell before.
        others = {good for rival in earlier(view, me, galley.zone) for good in rival.cargo}
        goods = [good for good in galley.cargo if good not in others]
        if not goods:
            continue
        if outlook.view is not view:
            outlook = Outlook(view, me)
        sold = outlook.sales(galley.zone, galley.sailors, counted(goods))
        if sold:
            # No `at`: a galley that wasn't allowed to go on sells where it lies.
            slots = BOARD.slots_of(galley.zone)[len(now[galley.zone].warehouse) :]
            orders.append({"sell": list(sold), "from": name, "least": A_SLOT * min(slots[: len(sold)])})
            stored = view.ports[galley.zone].warehouse
            view = changed(view, "ports", galley.zone, warehouse=(*stored, *sold))
    return orders
