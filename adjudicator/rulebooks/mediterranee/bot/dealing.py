"""The market sheet: crews, buildings, garrisons and goods, in that sequence; and standing instructions."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Event, Player
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.secret import plain_of
from adjudicator.rulebooks.mediterranee.board import BOARD, CAPITAL, GOODS, PRODUCERS, Good, PortId
from adjudicator.rulebooks.mediterranee.bot.galleys import affordable, best, claim, galleys_by_cargo, voyages
from adjudicator.rulebooks.mediterranee.bot.outlook import Outlook
from adjudicator.rulebooks.mediterranee.bot.worth import (
    DISTANCES,
    leader,
    price_at,
    standing_of,
    turns_left,
    worth_of_port,
)
from adjudicator.rulebooks.mediterranee.building import COST, NEEDS, PAY, enlistment, new_name
from adjudicator.rulebooks.mediterranee.events import Bought, Built, Dealt, Fortified, Jettisoned, Shifted
from adjudicator.rulebooks.mediterranee.purchase import PRICE
from adjudicator.rulebooks.mediterranee.state import Galley, GalleyId, State

DEAR: tuple[Good, ...] = ("gems", "gold", "spices")
ASK, FLOOR = 400, 300
"""The ducats asked for a piece aboard in a deal, and the least taken."""
CREW_OF_A_TRADER = 3
"""The sailors that a galley needs to trade; with more it takes ports."""
AHEAD = 8
"""A rival who leads by so many public points is refused leave."""


def instructions(view: State, me: Player) -> dict[str, Any]:
    """The standing instructions to replace, by kind."""
    wanted = {
        "prices": prices(view, me),
        "deals": deals(view, me),
        "passage": passage(view, me),
        "defence": [{"keep": list(DEAR)}],
    }
    held = plain_of(view.players[me].standing.value)
    return {key: entries for key, entries in wanted.items() if held.get(key, []) != entries}


RARE, COMMON = {"ask": 300, "floor": 200}, {"ask": 200, "floor": 100}
"""The ducats asked first for a piece in the player's ports, and the least taken: for rare goods, and for others."""


def prices(view: State, me: Player) -> list[dict[str, Any]]:
    """MED-2.3: rare goods are dear, common ones cheap, and a buyer who makes an offer pays less."""
    rare = [{"good": good, **RARE} for good in DEAR]
    mine = [good for good, ports in PRODUCERS.items() if any(view.ports[port].owner == me for port in ports)]
    return [*[entry for entry in rare if entry["good"] in mine], {**COMMON}]


def deals(view: State, me: Player) -> list[dict[str, Any]]:
    """MED-2.13: players in the same zone may buy goods of which the galley has two."""
    cargoes = [galley.cargo for galley in view.galleys_of(me).values()]
    spare = {good for cargo in cargoes for good in goods_to_spare(cargo)}
    return [{"sell": good, "ask": ASK, "floor": FLOOR} for good in GOODS if good in spare]


def goods_to_spare(cargo: tuple[Good, ...]) -> list[Good]:
    """The goods that a trader offers for sale: those aboard more than once, since a port takes only one piece."""
    return [good for good in dict.fromkeys(cargo) if cargo.count(good) > 1]


def passage(view: State, me: Player) -> list[dict[str, Any]]:
    """MED-3.3: gives leave to all except crews large enough to take ports and, in the second half,
    a rival who is well ahead."""
    first = leader(view, me)
    best = max(standing_of(view, player) for player in view.order if player != first)
    late = turns_left(view) * 2 < view.options.turns
    refused = [{"for": first, "grant": False}] if late and standing_of(view, first) >= best + AHEAD else []
    return [*refused, {"most": CREW_OF_A_TRADER, "grant": True}, {"grant": False}]


class MarketSheet:
    """A market sheet in the making: the orders so far, and the view as it will be when they have been carried out."""

    def __init__(self, view: State, me: Player) -> None:
        self.view, self.me = view, me
        self.orders: list[dict[str, Any]] = []

    @property
    def purse(self) -> int:
        """The ducats left."""
        return self.view.players[self.me].treasury.value

    def recruits(self, port: PortId) -> int:
        """MED-2.9: the number of sailors that can still be enlisted in one of the player's ports this turn."""
        stored = len(self.view.ports[port].warehouse) - self.view.enlisted.get(port, 0)
        most = min(stored, self.purse // PAY)
        return max(0, min(most, self.view.supply_of_sailors())) if most > 0 else 0

    def add(self, order: dict[str, Any], *events: Event[State]) -> None:
        """Adds an order, and what happens when it is carried out."""
        self.orders.append(order)
        for event in events:
            self.view = event.apply(self.view)

    def enlist(self, sailors: int, port: PortId, place: str) -> None:
        """Enlists sailors into the garrison or a galley."""
        if sailors > 0:
            to = {} if place == port else {"to": place}
            self.add({"enlist": sailors, "at": port, **to}, enlistment(self.me, sailors, port, place))

    def jettison(self, good: Good, galley: str) -> None:
        """Throws a piece overboard."""
        goods = {good: 1}
        self.add({"jettison": goods, "from": galley}, Jettisoned(self.me, goods, galley, rule="MED-2.11"))

    def shift(self, sailors: int, source: str, target: str) -> None:
        """Moves sailors between a garrison and a galley."""
        if sailors > 0:
            order = {"transfer": {"sailors": sailors}, "from": source, "to": target}
            self.add(order, Shifted(self.me, sailors, {}, source, target, rule="MED-2.10"))

    def build(self, port: PortId, crew: dict[str, int]) -> None:
        """Builds a galley and mans it."""
        name = new_name(self.view, self.me)
        manned = [
            enlistment(self.me, sailors, port, name)
            if source == "enlist"
            else Shifted(self.me, sailors, {}, source, name, rule="MED-2.7")
            for source, sailors in crew.items()
        ]
        built = Built(self.me, port, name, COST, rule="MED-2.7")
        self.add({"build": "galley", "at": port, "crew": crew}, built, *manned)

    def fortify(self, port: PortId) -> None:
        """Builds a fortress."""
        self.add({"build": "fortress", "at": port}, Fortified(self.me, port, COST, rule="MED-2.8"))

    def deal(self, good: Good, seller: Galley, unloads: GalleyId, galley: GalleyId) -> None:
        """Buys a piece from another player's galley (MED-2.13), or from the port if no deal is made."""
        price = {"offer": FLOOR, "limit": ASK}
        order: dict[str, Any] = {"buy": good, "from": seller.owner, "to": galley, "price": price}
        port = self.view.galleys[galley].zone
        if port in self.view.ports and self.view.ports[port].owner in (None, self.me):
            order["else"] = [{"buy": BOARD.ports[port].good, "at": port, "to": galley}]
        self.add(order, Dealt(seller.owner, self.me, good, 1, galley, unloads, ASK, {}, rule="MED-2.13"))

    def buy(self, quantity: int, port: PortId, galley: str) -> None:
        """Buys the port's good; in another player's port it offers the least first (MED-2.5)."""
        good, price = BOARD.ports[port].good, price_at(self.view, self.me, port)
        order: dict[str, Any] = {"buy": good, "quantity": quantity, "at": port, "to": galley}
        if self.view.ports[port].owner not in (None, self.me):
            order["price"] = {"offer": PRICE, "limit": price}
        self.add(order, Bought(self.me, good, quantity, port, galley, price, rule="MED-2.1"))


FLEET = 6
"""The most galleys that a trader wants."""
WORKING = 600
"""Ducats kept for goods while galleys are built and garrisons enlisted."""
FIRST_LOAD = 300
"""Ducats kept for goods while galleys are manned."""
LAST_DUCATS = 200
"""Ducats kept while sailors are enlisted for the capital."""
DEALS = 4
"""In one market of so many a trader makes no deal, so that rivals can't count on it."""
WEALTH = 2500
"""Ducats with which a trader can afford a fortress for the capital."""


def market(view: State, me: Player, chance: Chance) -> list[dict[str, Any]]:
    """The orders of the market phase."""
    sheet = MarketSheet(view, me)
    man_galleys(sheet)
    build_galleys(sheet)
    guard_ports(sheet)
    if chance(DEALS):
        deal(sheet)
    load_galleys(sheet)
    spend_the_rest(sheet)
    return sheet.orders


def man_galleys(sheet: MarketSheet) -> None:
    """Enlists sailors for the galleys in the player's ports: three are enough to trade, four to take ports as well.

    A full galley with one sailor throws its commonest good overboard to take a second sailor.
    """
    left = turns_left(sheet.view)
    for name in sheet.view.galleys_of(sheet.me):
        galley = sheet.view.galleys[name]
        port = galley.zone
        if port not in sheet.view.ports or sheet.view.ports[port].owner != sheet.me:
            continue
        if galley.sailors == 1 and not galley.room() and sheet.recruits(port):
            sheet.jettison(galley.cargo[-1], name)
            galley = sheet.view.galleys[name]
        wanted = 4 if left and len(galley.cargo) < 2 else 3
        lacking = min(wanted - galley.sailors, galley.room())
        enlisted = min(lacking, sheet.recruits(port), max(0, sheet.purse - FIRST_LOAD) // PAY)
        sheet.enlist(enlisted, port, name)
        spare = sheet.view.ports[port].garrison - guard(sheet.view, sheet.me, port)
        sheet.shift(min(lacking - max(0, enlisted), spare), port, name)


LEAST_AT_HOME, MOST_AT_HOME = 3, 5
"""The least and the most sailors that guard the capital."""


def guard(view: State, me: Player, port: PortId) -> int:
    """The garrison that a port should have: larger if more can be lost, and if rivals' galleys are near."""
    rivals = [galley for galley in view.galleys.values() if galley.owner != me]
    near = [each.sailors for each in rivals if DISTANCES[each.zone][port] <= each.sailors]
    threat = max(near, default=0)
    if port == CAPITAL[me]:
        return max(LEAST_AT_HOME, min(threat, MOST_AT_HOME))
    full = len(view.ports[port].warehouse) == len(BOARD.slots_of(port))
    return min(threat, 3 if full else 2) if threat > 1 else 1


def build_galleys(sheet: MarketSheet) -> None:
    """Builds a galley in each port with wood and iron, while turns are left to use it and ducats to load it."""
    left = turns_left(sheet.view)
    for port, place in sheet.view.ports_of(sheet.me).items():
        if left < 2 or not all(sheet.view.has(port, good) for good in NEEDS["galley"]):
            continue
        fleet = len(sheet.view.galleys_of(sheet.me))
        if fleet >= FLEET or port in sheet.view.built or not sheet.view.supply_of_galleys():
            continue
        purse = sheet.purse - COST - WORKING
        enlisted = min(3, sheet.recruits(port), max(0, purse) // PAY)
        spare = max(0, min(3 - enlisted, place.garrison - guard(sheet.view, sheet.me, port)))
        crew = {source: count for source, count in (("enlist", enlisted), (port, spare)) if count}
        if purse >= 0 and sum(crew.values()) >= 2:
            sheet.build(port, crew)


def guard_ports(sheet: MarketSheet) -> None:
    """Enlists garrisons where they are too small: in the capital first, then in the ports with most to lose."""
    mine, left = sheet.view.ports_of(sheet.me), turns_left(sheet.view)

    def worth(port: PortId) -> int:
        return worth_of_port(port, sheet.me, sheet.me, len(mine[port].warehouse), left)

    for port in sorted(mine, key=lambda port: (port != CAPITAL[sheet.me], -worth(port))):
        lacking = guard(sheet.view, sheet.me, port) - sheet.view.ports[port].garrison
        keep = LAST_DUCATS if port == CAPITAL[sheet.me] else WORKING
        sheet.enlist(min(lacking, sheet.recruits(port), max(0, sheet.purse - keep) // PAY), port, port)


def deal(sheet: MarketSheet) -> None:
    """MED-2.13: buys a piece that a rival in the same zone can spare, if it is worth twice the price; one a turn."""
    outlook = Outlook(sheet.view, sheet.me)
    if sheet.purse < ASK + WORKING:
        return
    for name, galley in sheet.view.galleys_of(sheet.me).items():
        if BOARD.zones[galley.zone].kind == "open" or not galley.room():
            continue
        for other, rival in sheet.view.galleys_in(galley.zone).items():
            for good in goods_to_spare(rival.cargo) if rival.owner != sheet.me else ():
                hope = outlook.markets[good].hopes[galley.zone, galley.sailors][0]
                if good not in galley.cargo and hope >= 2 * ASK:
                    sheet.deal(good, rival, other, name)
                    return


def load_galleys(sheet: MarketSheet) -> None:
    """Buys goods for the voyages that pay best."""
    outlook = Outlook(sheet.view, sheet.me)
    for name in galleys_by_cargo(sheet.view.galleys_of(sheet.me)):
        galley = sheet.view.galleys[name]
        voyage = best(voyages(outlook, galley, affordable(sheet.view, sheet.me, galley)))
        claim(outlook, galley, voyage)
        if voyage.quantity:
            sheet.buy(voyage.quantity, galley.zone, name)


def spend_the_rest(sheet: MarketSheet) -> None:
    """Builds a fortress in the capital, if there are ducats to spare and something to defend."""
    capital = CAPITAL[sheet.me]
    place = sheet.view.ports[capital]
    if place.owner != sheet.me or place.fortress or capital in sheet.view.built:
        return
    ready = all(sheet.view.has(capital, good) for good in NEEDS["fortress"])
    if ready and sheet.purse >= WEALTH and sheet.view.supply_of_fortresses() and turns_left(sheet.view):
        sheet.fortify(capital)
