"""The market sheet: crews, buildings, garrisons and goods, in that sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.rulebooks.mediterranee.board import BOARD, CAPITAL, PortId
from adjudicator.rulebooks.mediterranee.bot.instructions import ASK, goods_to_spare
from adjudicator.rulebooks.mediterranee.bot.market_sheet import MarketSheet
from adjudicator.rulebooks.mediterranee.bot.outlook import Outlook
from adjudicator.rulebooks.mediterranee.bot.routes import DISTANCES
from adjudicator.rulebooks.mediterranee.bot.voyages import affordable, best, claim, galleys_by_cargo, voyages
from adjudicator.rulebooks.mediterranee.bot.worth import turns_left, worth_of_port
from adjudicator.rulebooks.mediterranee.building import COST, NEEDS, PAY
from adjudicator.rulebooks.mediterranee.state import (
    State,
    galleys_in,
    galleys_of,
    has,
    ports_of,
    room,
    supply_of_fortresses,
    supply_of_galleys,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudicator.engine.table import Player

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


def market(view: State, me: Player, chance: Callable[[int], int]) -> list[dict[str, Any]]:
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
    for name in galleys_of(sheet.view, sheet.me):
        galley = sheet.view.galleys[name]
        port = galley.zone
        if port not in sheet.view.ports or sheet.view.ports[port].owner != sheet.me:
            continue
        if galley.sailors == 1 and not room(galley) and sheet.recruits(port):
            sheet.jettison(galley.cargo[-1], name)
            galley = sheet.view.galleys[name]
        wanted = 4 if left and len(galley.cargo) < 2 else 3
        lacking = min(wanted - galley.sailors, room(galley))
        enlisted = min(lacking, sheet.recruits(port), max(0, sheet.purse - FIRST_LOAD) // PAY)
        sheet.enlist(enlisted, port, name)
        spare = sheet.view.ports[port].garrison - guard(sheet.view, sheet.me, port)
        sheet.shift(min(lacking - max(0, enlisted), spare), port, name)


LEAST_AT_HOME, MOST_AT_HOME = 3, 5
"""The least and the most sailors that guard the capital."""


def guard(view: State, me: Player, port: PortId) -> int:
    """The garrison that a port should have: larger if more can be lost, and if rivals' galleys are near."""
    threat = max(
        (
            galley.sailors
            for galley in view.galleys.values()
            if galley.owner != me and DISTANCES[galley.zone][port] <= galley.sailors
        ),
        default=0,
    )
    if port == CAPITAL[me]:
        return max(LEAST_AT_HOME, min(threat, MOST_AT_HOME))
    full = len(view.ports[port].warehouse) == len(BOARD.slots_of(port))
    return min(threat, 3 if full else 2) if threat > 1 else 1


def build_galleys(sheet: MarketSheet) -> None:
    """Builds a galley in each port with wood and iron,
    while turns are left to use it and ducats to load it."""
    left = turns_left(sheet.view)
    for port, place in ports_of(sheet.view, sheet.me).items():
        if left < 2 or not all(has(port, place.warehouse, good) for good in NEEDS["galley"]):
            continue
        fleet = len(galleys_of(sheet.view, sheet.me))
        if fleet >= FLEET or port in sheet.view.built or not supply_of_galleys(sheet.view):
            continue
        purse = sheet.purse - COST - WORKING
        enlisted = min(3, sheet.recruits(port), max(0, purse) // PAY)
        spare = max(0, min(3 - enlisted, place.garrison - guard(sheet.view, sheet.me, port)))
        crew = {source: count for source, count in (("enlist", enlisted), (port, spare)) if count}
        if purse >= 0 and sum(crew.values()) >= 2:
            sheet.build(port, crew)


def guard_ports(sheet: MarketSheet) -> None:
    """Enlists garrisons where they are too small: in the capital first,
    then in the ports with most to lose."""
    mine = ports_of(sheet.view, sheet.me)
    left = turns_left(sheet.view)
    worth = {
        port: worth_of_port(port, sheet.me, place.owner, len(place.warehouse), left)
        for port, place in mine.items()
    }
    for port in sorted(mine, key=lambda port: (port != CAPITAL[sheet.me], -worth[port])):
        lacking = guard(sheet.view, sheet.me, port) - sheet.view.ports[port].garrison
        keep = LAST_DUCATS if port == CAPITAL[sheet.me] else WORKING
        sheet.enlist(min(lacking, sheet.recruits(port), max(0, sheet.purse - keep) // PAY), port, port)


def deal(sheet: MarketSheet) -> None:
    """MED-2.13: buys a piece that a rival in the same zone can spare, if it is worth twice the price; one a turn."""
    outlook = Outlook(sheet.view, sheet.me)
    if sheet.purse < ASK + WORKING:
        return
    for name, galley in galleys_of(sheet.view, sheet.me).items():
        if BOARD.zones[galley.zone].kind == "open" or not room(galley):
            continue
        for other, rival in galleys_in(sheet.view, galley.zone).items():
            for good in goods_to_spare(rival.cargo) if rival.owner != sheet.me else ():
                hope = outlook.markets[good].hopes[galley.zone, galley.sailors][0]
                if good not in galley.cargo and hope >= 2 * ASK:
                    sheet.deal(good, rival, other, name)
                    return


def load_galleys(sheet: MarketSheet) -> None:
    """Buys goods for the voyages that pay best."""
    outlook = Outlook(sheet.view, sheet.me)
    for name in galleys_by_cargo(galleys_of(sheet.view, sheet.me)):
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
    ready = all(has(capital, place.warehouse, good) for good in NEEDS["fortress"])
    if ready and sheet.purse >= WEALTH and supply_of_fortresses(sheet.view) and turns_left(sheet.view):
        sheet.fortify(capital)
