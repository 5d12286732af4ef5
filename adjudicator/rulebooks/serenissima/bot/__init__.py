"""The game's own bot: it trades, fills its own ports, takes others, builds, and fights where it pays.

Here are the merchant's investments, and the voyage of a galley with its actions at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Chance
from adjudicator.rulebooks.serenissima.board import (
    BOARD,
    BORDERS,
    FLEET,
    HOLD,
    Building,
    GalleyId,
    Good,
    PortId,
    ZoneId,
)
from adjudicator.rulebooks.serenissima.bot.outlook import SAILOR, WAYS, Outlook, Plan, scorings_left
from adjudicator.rulebooks.serenissima.investment import COST, NEEDS, PAY
from adjudicator.rulebooks.serenissima.scoring import BASILICA
from adjudicator.rulebooks.serenissima.setup import free_starts
from adjudicator.rulebooks.serenissima.state import Galley, State


def merchant(view: State, me: Player, chance: Chance) -> dict[str, Any]:
    """The sheet for the open phase.

    It depends only on the player's own view and on `chance(below)`, a whole number under `below`.
    """
    match view.phase.name:
        case "ports":
            return {"orders": start(view, chance)}
        case "galleys":
            return {"orders": [{"galley": number} for number in some_numbers(view, chance)[:1]]}
        case "round":
            return {"orders": programme(view, me), "standing": {"blockade": blockades(view, me)}}
        case "refit":
            return {"orders": refit(view, me)}
    return {"orders": []}


def start(view: State, chance: Chance) -> list[dict[str, Any]]:
    """A start port with many neighbours, with others as an `else`; and a free number."""
    ports = sorted(free_starts(view), key=lambda port: -len(BORDERS[port]) - chance(3))
    numbered = zip(ports, some_numbers(view, chance), strict=False)
    wishes: list[dict[str, Any]] = [{"start": port, "galley": number} for port, number in numbered]
    for first, second in zip(wishes[-2::-1], wishes[:0:-1], strict=False):
        first["else"] = [second]
    return wishes[:1]


def some_numbers(view: State, chance: Chance) -> list[int]:
    """The free numbers, beginning anywhere."""
    free = [int(name) for name in view.free_numbers()]
    first = chance(len(free))
    return [*free[first:], *free[:first]]


def programme(view: State, me: Player) -> list[dict[str, Any]]:
    """An order for each galley: the best voyage; but one galley invests if that is worth more than its voyage."""
    outlook = Outlook(view, me)
    mine = [name for name in view.on_call() if view.galleys[name].owner == me]
    orders: list[dict[str, Any]] = []
    invested = False
    for name in mine:
        plan = best(outlook, name)
        spending = None if invested else investment(outlook, name)
        if spending and spending.worth > plan.worth:
            plan, invested = spending, True
        outlook.claim(plan)
        orders.append(plan.order)
    return orders


def blockades(view: State, me: Player) -> list[dict[str, Any]]:
    """Lets others sell to the bot's own ports, and blockades everything else."""
    welcome = [{"in": port, "against": "sale", "declare": False} for port in view.ports_of(me)]
    return [*welcome, {"declare": True}]


def refit(view: State, me: Player) -> list[dict[str, Any]]:
    """Buys galleys up to two, with as many sailors as there is money for."""
    ports = sorted(view.ports_of(me), key=lambda port: BOARD.ports[port].size, reverse=True)
    left, stock, owned = view.purse(me), view.stock_of_sailors(me), len(view.galleys_of(me))
    orders: list[dict[str, Any]] = []
    for number in view.free_numbers()[: 2 - owned]:
        crew = min(CREW, stock, left - PAY * owned)
        if ports and crew > 0:
            orders.append({"refit": int(number), "at": ports[0], "crew": crew})
            left, stock, owned = left - PAY * (owned + crew), stock - crew, owned + 1
    return orders


GALLEY = 5
"""The ducats that one more galley earns until the next scoring."""
ENOUGH = 4
"""The number of galleys that a merchant wants."""
RICH = 20
"""A port that pays so much at the scorings to come is worth a fort or a stronger garrison."""
CREW = 3
"""The number of sailors that the bot wants on a galley; this leaves room for goods."""


def investment(outlook: Outlook, name: str) -> Plan:
    """The best investment in place of this galley's action."""
    view, me, left = outlook.view, outlook.me, outlook.ducats
    stock = view.stock_of_sailors(me)
    order: dict[str, Any] = {"invest": int(name)}
    worth, ports = 0.0, outlook.mine
    gains: Mapping[Building, int] = {"basilica": BASILICA * scorings_left(view), "fort": RICH // HOLD}
    for what, each in gains.items():
        sites = building_sites(outlook, what)[: left // COST]
        if sites and each > COST:
            order[what], left = sites, left - COST * len(sites)
            worth += (each - COST) * len(sites)
    owned = len(view.galleys_of(me))
    free = view.free_numbers()
    if ports and free and owned < min(ENOUGH, FLEET) and left >= owned + CREW and stock >= CREW:
        home = max(ports, key=lambda port: (BOARD.ports[port].size, -list(ports).index(port)))
        crew = min(CREW, left - owned)
        order["galley"] = {"number": int(free[0]), "at": home, "crew": crew}
        left, stock = left - owned - crew, stock - crew
        worth += GALLEY * scorings_left(view) - owned
    sailors: dict[str, int] = {}
    for place, wanted, gain in wishes(outlook):
        count = min(wanted, left, stock)
        if count > 0:
            sailors[place], left, stock = count, left - count, stock - count
            worth += gain * count
    if sailors:
        order["sailors"] = sailors
    return Plan(worth, order, costs=outlook.ducats - left)


def building_sites(outlook: Outlook, what: Building) -> list[PortId]:
    """The player's ports in which a basilica can be built, or a fort that guards something."""
    view, found = outlook.view, []
    for name, port in outlook.mine.items():
        rich = what == "basilica" or outlook.pays[name] >= RICH
        built = port.basilica if what == "basilica" else port.fort
        if rich and not built and all(view.has(name, good) for good in NEEDS[what]):
            found.append(name)
    return found[: outlook.box[what]]


def wishes(outlook: Outlook) -> list[tuple[str, int, float]]:
    """The places that need sailors: galleys with few, rich ports with a thin garrison; how many, and their worth."""
    view = outlook.view
    found: list[tuple[str, int, float]] = []
    for name, galley in view.galleys_of(outlook.me).items():
        if galley.zone in outlook.mine and galley.sailors < CREW:
            found.append((name, min(CREW - galley.sailors, galley.room()), SAILOR))
    for name, port in outlook.mine.items():
        rich = outlook.pays[name]
        if rich >= HOLD and port.garrison < CREW:
            found.append((name, min(2, BOARD.ports[name].size - port.garrison), rich / RICH))
    return sorted(found, key=lambda wish: -wish[2])


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
    galleys to fight and a port to take."""

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
    aboard, `load` how much of it was loaded first, `cost` the ducats for that."""
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
