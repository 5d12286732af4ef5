"""The voyage of a merchant's galley, and its actions at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from adjudicator.rulebooks.serenissima.board import BOARD, HOLD, GalleyId, Good, PortId, ZoneId
from adjudicator.rulebooks.serenissima.bot.outlook import Outlook, Plan
from adjudicator.rulebooks.serenissima.bot.worth import SAILOR, WAYS
from adjudicator.rulebooks.serenissima.state import Galley

EDGE = 1
"""A merchant fights only with at least so many more dice than the enemy."""
PRIZE = 2
"""The worth of a rival's loss of a galley."""
HAUL = 0.4
"""The part of the worth of goods that counts if they could be loaded next."""
KEPT = 0.9
"""The part of the later worth of goods aboard that counts: a galley can be lost before."""
SPENT = 1.1
"""The worth of a ducat that is spent now: a merchant keeps some in hand."""
ZONE = 0.05
"""The cost of each zone of a route: of two routes to the same gain the shorter is taken."""
HOLD_BACK = 0.6
"""A good is sold only for more than this part of its likely price elsewhere."""
TAKEN = 0.7
"""The part of a conquest's worth that counts if it is won without a fight: others will want it back."""
MOST_LOADED = 3
"""The most cubes of one good that a merchant loads: few ports near by want more."""
LATER_LOAD = 2
"""The number of cubes that the bot expects to load in the turn after."""


class Voyage(Struct, frozen=True):
    """What a galley can do in its turn, and its worth: cubes to load where it lies, the way, then goods to sell, or
    galleys to fight and a port to take.
    """

    worth: float
    load: int = 0
    way: tuple[ZoneId, ...] = ()
    sells: tuple[Good, ...] = ()
    fights: tuple[GalleyId, ...] = ()
    takes: PortId = ""
    costs: int = 0


def best(outlook: Outlook, name: GalleyId) -> Plan:
    """The best plan for a galley: to stay, if nothing is better."""
    galley = outlook.view.galleys[name]
    found = Voyage(0.0)
    for voyage in voyages(outlook, galley):
        if voyage.worth > found.worth + 1e-9:
            found = voyage
    return plan(name, galley, found)


def plan(name: GalleyId, galley: Galley, voyage: Voyage) -> Plan:
    """The order for a voyage, and its claims."""
    order: dict[str, Any] = {"sail": int(name)}
    end = voyage.way[-1] if voyage.way else galley.zone
    if voyage.load:
        order["load"] = [{"goods": {BOARD.ports[galley.zone].good: voyage.load}}]
    if voyage.way:
        order["via"] = list(voyage.way)
    if voyage.sells:
        order["sell"] = {end: list(voyage.sells)}
    fights: list[dict[str, Any]] = [{"galley": int(other)} for other in voyage.fights]
    if voyage.takes:
        fights.append({"port": voyage.takes, "land": 1})
    if fights:
        order["fight"] = fights
    sells = (end if voyage.sells else "", voyage.sells)
    return Plan(voyage.worth, order, sells, voyage.takes, voyage.costs)


def voyages(outlook: Outlook, galley: Galley) -> Iterator[Voyage]:
    """What to load, where to go, what to do there."""
    for load, cost in loads(outlook, galley):
        cargo = [*galley.cargo, *[BOARD.ports[galley.zone].good] * load] if load else list(galley.cargo)
        for zone, way in WAYS[galley.zone].items():
            if len(way) > galley.sailors:
                break
            yield from at(outlook, galley, zone, way, cargo, load, cost)


def loads(outlook: Outlook, galley: Galley) -> Iterator[tuple[int, int]]:
    """How many cubes of the port's good to load, and their price."""
    ports = outlook.view.ports
    yield 0, 0
    if galley.zone in ports and not ports[galley.zone].closed:
        free, stock = int(galley.zone in outlook.mine), outlook.box[BOARD.ports[galley.zone].good]
        most = min(galley.room(), outlook.ducats + free, stock, MOST_LOADED)
        for count in range(1, most + 1):
            yield count, count - free


def at(
    outlook: Outlook,
    galley: Galley,
    zone: ZoneId,
    way: tuple[ZoneId, ...],
    cargo: list[Good],
    load: int,
    cost: int,
) -> list[Voyage]:
    """The voyages that end in a zone: to sell there, to take the port, or just to lie there; `cargo` is what is then
    aboard, `load` how much of it was loaded first, `cost` the ducats for that.
    """
    sailors = galley.sailors
    hopes = {good: outlook.hopes[zone, good, sailors] for good in cargo}
    keeps = sum([hopes[good] for good in cargo]) * KEPT - cost * SPENT - ZONE * len(way)
    pull, room = outlook.pulls[zone, sailors], HOLD - sailors - len(cargo)
    found = [Voyage(keeps + next_load(pull, room), load, way, costs=cost)]
    if zone in outlook.rivals:
        found += raids(outlook, galley, zone, way, load, keeps)
    if zone not in outlook.stock:
        return found
    goods = goods_to_sell(outlook, zone, hopes) if hopes else {}
    if goods:
        gain = sum(goods.values())
        left = keeps - sum([hopes[good] for good in goods]) * KEPT
        worth = gain + left + next_load(pull, room + len(goods))
        found.append(Voyage(worth, load, way, tuple(goods), costs=cost))
    if sailors > 1 and zone not in outlook.taken and zone not in outlook.mine:
        found += conquests(outlook, galley, zone, way, load, keeps)
    return found


def goods_to_sell(outlook: Outlook, port: PortId, hopes: dict[Good, float]) -> dict[Good, float]:
    """The goods aboard to sell there, with their worth: those that are worth less elsewhere."""
    found: dict[Good, float] = {}
    filled = len(outlook.stock[port])
    for good, hope in hopes.items():
        worth = outlook.worth_of(port, good, filled + len(found))
        if worth > hope * HOLD_BACK:
            found[good] = worth
    return found


def next_load(pull: float, room: int) -> float:
    """The worth of a zone for the turn after: goods that could be loaded there and sold near by."""
    return min(room, LATER_LOAD) * pull * HAUL


def raids(
    outlook: Outlook, galley: Galley, zone: ZoneId, way: tuple[ZoneId, ...], load: int, keeps: float
) -> Iterator[Voyage]:
    """A voyage to sink a rival's galley for its goods."""
    for name, other in outlook.rivals[zone].items():
        if galley.sailors - len(way) > other.sailors:
            spoils = sorted((outlook.hopes[zone, good, galley.sailors] for good in other.cargo), reverse=True)
            gain = keeps + PRIZE + sum(spoils[: galley.room()]) - SAILOR * other.sailors
            yield Voyage(gain, load, way, fights=(name,))


def conquests(
    outlook: Outlook, galley: Galley, port: PortId, way: tuple[ZoneId, ...], load: int, keeps: float
) -> Iterator[Voyage]:
    """A voyage to land in a neutral port, or to fight for a foreign one if the odds are good."""
    place, sailors = outlook.view.ports[port], galley.sailors
    if place.closed:
        return
    gain = outlook.prizes[port] + keeps
    if place.owner is None:
        if not any(other.sailors > sailors for other in outlook.rivals.get(port, {}).values()):
            yield Voyage(gain, load, way, takes=port)
        return
    defence = outlook.defences[port]
    if defence and sailors - len(way) >= defence.dice + EDGE:
        yield Voyage(gain * TAKEN - defence.dice, load, way, fights=defence.galleys, takes=port)
