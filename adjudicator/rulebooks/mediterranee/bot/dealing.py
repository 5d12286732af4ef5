"""The market sheet: crews, buildings, garrisons and goods, in that sequence."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.event import Player
from adjudicator.rulebooks.mediterranee.board import BOARD, CAPITAL, Good, PortId
from adjudicator.rulebooks.mediterranee.bot.outlook import Outlook
from adjudicator.rulebooks.mediterranee.bot.routes import DISTANCES
from adjudicator.rulebooks.mediterranee.bot.voyages import affordable, best_voyage, by_cargo, claim
from adjudicator.rulebooks.mediterranee.bot.worth import price_at, turns_left, worth_of_port
from adjudicator.rulebooks.mediterranee.building import COST, NEEDS, PAY, new_name
from adjudicator.rulebooks.mediterranee.events import Bought, Built, Enlisted, Fortified, Jettisoned, Shifted
from adjudicator.rulebooks.mediterranee.state import (
    State,
    galleys_of,
    has,
    ports_of,
    room,
    supply_of_fortresses,
    supply_of_galleys,
    supply_of_sailors,
)

FLEET = 6
"""Galleys that a trader wants at the most."""
WORKING = 600
"""Ducats kept for goods while galleys are built and garrisons enlisted."""


class Draft:
    """A market sheet in the making: the orders so far, and the view as it will be when they have been carried out."""

    def __init__(self, view: State, me: Player) -> None:
        self.view, self.me = view, me
        self.orders: list[dict[str, Any]] = []

    @property
    def purse(self) -> int:
        """The ducats left."""
        return self.view.players[self.me].treasury.value

    def recruits(self, port: PortId) -> int:
        """MED-2.9: the sailors that can still be enlisted in an own port this turn."""
        stored = len(self.view.ports[port].warehouse) - self.view.enlisted.get(port, 0)
        return max(0, min(stored, self.purse // PAY, supply_of_sailors(self.view)))

    def enlist(self, sailors: int, port: PortId, place: str) -> None:
        """Enlists sailors into the garrison or a galley."""
        if sailors > 0:
            to = {} if place == port else {"to": place}
            self.orders.append({"enlist": sailors, "at": port, **to})
            event = Enlisted(rule="MED-2.9", player=self.me, sailors=sailors, port=port, place=place)
            self.view = event.apply(self.view)

    def jettison(self, good: Good, galley: str) -> None:
        """Throws a piece overboard."""
        self.orders.append({"jettison": {good: 1}, "from": galley})
        event = Jettisoned(rule="MED-2.11", player=self.me, goods={good: 1}, galley=galley)
        self.view = event.apply(self.view)

    def shift(self, sailors: int, source: str, target: str) -> None:
        """Moves sailors between a garrison and a galley."""
        if sailors > 0:
            self.orders.append({"transfer": {"sailors": sailors}, "from": source, "to": target})
            event = Shifted(
                rule="MED-2.10", player=self.me, sailors=sailors, goods={}, source=source, target=target
            )
            self.view = event.apply(self.view)

    def build(self, port: PortId, crew: dict[str, int]) -> None:
        """Builds a galley and mans it."""
        name = new_name(self.view, self.me)
        self.orders.append({"build": "galley", "at": port, "crew": crew})
        self.view = Built(rule="MED-2.7", player=self.me, port=port, galley=name).apply(self.view)
        for source, sailors in crew.items():
            if source == "enlist":
                enlisted = Enlisted(rule="MED-2.9", player=self.me, sailors=sailors, port=port, place=name)
                self.view = enlisted.apply(self.view)
            else:
                shifted = Shifted(
                    rule="MED-2.7", player=self.me, sailors=sailors, goods={}, source=source, target=name
                )
                self.view = shifted.apply(self.view)

    def fortify(self, port: PortId) -> None:
        """Builds a fortress."""
        self.orders.append({"build": "fortress", "at": port})
        self.view = Fortified(rule="MED-2.8", player=self.me, port=port).apply(self.view)

    def buy(self, quantity: int, port: PortId, galley: str) -> None:
        """Buys the port's good; in another player's port it offers the least first (MED-2.5)."""
        good, price = BOARD.ports[port].good, price_at(self.view, self.me, port)
        order: dict[str, Any] = {"buy": good, "quantity": quantity, "at": port, "to": galley}
        if self.view.ports[port].owner not in (None, self.me):
            order["price"] = {"offer": 100, "limit": price}
        self.orders.append(order)
        event = Bought(
            rule="MED-2.1", player=self.me, good=good, quantity=quantity, port=port, galley=galley, price=price
        )
        self.view = event.apply(self.view)


def market(view: State, me: Player) -> list[dict[str, Any]]:
    """The orders of the market phase."""
    draft = Draft(view, me)
    man_galleys(draft)
    build_galleys(draft)
    guard_ports(draft)
    load_galleys(draft)
    spend_the_rest(draft)
    return draft.orders


def man_galleys(draft: Draft) -> None:
    """Sailors for the galleys that lie in an own port: three are enough to trade, four to take ports as well.

    A lone sailor's galley that is laden to the brim throws its commonest good overboard to take a second.
    """
    left = turns_left(draft.view)
    for name in galleys_of(draft.view, draft.me):
        galley = draft.view.galleys[name]
        port = galley.zone
        if port not in draft.view.ports or draft.view.ports[port].owner != draft.me:
            continue
        if galley.sailors == 1 and not room(galley) and draft.recruits(port):
            draft.jettison(galley.cargo[-1], name)
            galley = draft.view.galleys[name]
        wanted = 4 if left and len(galley.cargo) < 2 else 3
        lacking = min(wanted - galley.sailors, room(galley))
        enlisted = min(lacking, draft.recruits(port), max(0, draft.purse - 300) // PAY)
        draft.enlist(enlisted, port, name)
        spare = draft.view.ports[port].garrison - guard(draft.view, draft.me, port)
        draft.shift(min(lacking - max(0, enlisted), spare), port, name)


def guard(view: State, me: Player, port: PortId) -> int:
    """The garrison that a port should have: more where more can be lost, and where rivals' galleys are near."""
    threat = max(
        (
            galley.sailors
            for galley in view.galleys.values()
            if galley.owner != me and DISTANCES[galley.zone][port] <= galley.sailors
        ),
        default=0,
    )
    if port == CAPITAL[me]:
        return max(3, min(threat, 5))
    full = len(view.ports[port].warehouse) == len(BOARD.slots_of(port))
    return min(threat, 3 if full else 2) if threat > 1 else 1


def build_galleys(draft: Draft) -> None:
    """A galley in each port that has wood and iron, while there are turns to use it and ducats to load it."""
    left = turns_left(draft.view)
    for port, place in ports_of(draft.view, draft.me).items():
        fleet = len(galleys_of(draft.view, draft.me))
        if left < 2 or fleet >= FLEET or port in draft.view.built or not supply_of_galleys(draft.view):
            continue
        if not all(has(port, place.warehouse, good) for good in NEEDS["galley"]):
            continue
        purse = draft.purse - COST - WORKING
        enlisted = min(3, draft.recruits(port), max(0, purse) // PAY)
        spare = max(0, min(3 - enlisted, place.garrison - guard(draft.view, draft.me, port)))
        crew = {source: count for source, count in (("enlist", enlisted), (port, spare)) if count}
        if purse >= 0 and sum(crew.values()) >= 2:
            draft.build(port, crew)


def guard_ports(draft: Draft) -> None:
    """Garrisons where they are too small: the capital first, then the ports with most to lose."""
    mine = ports_of(draft.view, draft.me)
    for port in sorted(mine, key=lambda port: (port != CAPITAL[draft.me], -worth_of_port(draft.view, draft.me, port))):
        lacking = guard(draft.view, draft.me, port) - draft.view.ports[port].garrison
        keep = 200 if port == CAPITAL[draft.me] else WORKING
        draft.enlist(min(lacking, draft.recruits(port), max(0, draft.purse - keep) // PAY), port, port)


def load_galleys(draft: Draft) -> None:
    """Goods for the voyages that pay best."""
    outlook = Outlook(draft.view, draft.me)
    for name in by_cargo(galleys_of(draft.view, draft.me)):
        galley = draft.view.galleys[name]
        voyage = best_voyage(outlook, galley, affordable(outlook, galley, draft.purse))
        claim(outlook, galley, voyage)
        if voyage.quantity:
            draft.buy(voyage.quantity, galley.zone, name)


def spend_the_rest(draft: Draft) -> None:
    """A fortress for the capital, when there are ducats to spare and something to defend."""
    capital = CAPITAL[draft.me]
    place = draft.view.ports[capital]
    if place.owner != draft.me or place.fortress or capital in draft.view.built:
        return
    ready = all(has(capital, place.warehouse, good) for good in NEEDS["fortress"])
    if ready and draft.purse >= 2500 and supply_of_fortresses(draft.view) and turns_left(draft.view):
        draft.fortify(capital)
