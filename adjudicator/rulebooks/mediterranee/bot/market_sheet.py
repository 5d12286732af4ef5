"""A market sheet in the making: each order is tried on the view,
so that the next one takes it into account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.rulebooks.mediterranee.board import BOARD, Good, PortId
from adjudicator.rulebooks.mediterranee.bot.instructions import ASK, FLOOR
from adjudicator.rulebooks.mediterranee.bot.worth import price_at
from adjudicator.rulebooks.mediterranee.building import COST, PAY, enlistment, new_name
from adjudicator.rulebooks.mediterranee.events import (
    Bought,
    Built,
    Dealt,
    Fortified,
    Jettisoned,
    Shifted,
)
from adjudicator.rulebooks.mediterranee.purchase import PRICE
from adjudicator.rulebooks.mediterranee.state import Galley, GalleyId, State, supply_of_sailors

if TYPE_CHECKING:
    from adjudicator.engine.table import Player


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
        return max(0, min(most, supply_of_sailors(self.view))) if most > 0 else 0

    def enlist(self, sailors: int, port: PortId, place: str) -> None:
        """Enlists sailors into the garrison or a galley."""
        if sailors > 0:
            to = {} if place == port else {"to": place}
            self.orders.append({"enlist": sailors, "at": port, **to})
            self.view = enlistment(self.me, sailors, port, place).apply(self.view)

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
        self.view = Built(rule="MED-2.7", player=self.me, port=port, galley=name, sum=COST).apply(self.view)
        for source, sailors in crew.items():
            if source == "enlist":
                self.view = enlistment(self.me, sailors, port, name).apply(self.view)
            else:
                shifted = Shifted(
                    rule="MED-2.7", player=self.me, sailors=sailors, goods={}, source=source, target=name
                )
                self.view = shifted.apply(self.view)

    def fortify(self, port: PortId) -> None:
        """Builds a fortress."""
        self.orders.append({"build": "fortress", "at": port})
        self.view = Fortified(rule="MED-2.8", player=self.me, port=port, sum=COST).apply(self.view)

    def deal(self, good: Good, seller: Galley, unloads: GalleyId, galley: GalleyId) -> None:
        """Buys a piece from another player's galley (MED-2.13), or from the port if no deal is made."""
        price = {"offer": FLOOR, "limit": ASK}
        order: dict[str, Any] = {"buy": good, "from": seller.owner, "to": galley, "price": price}
        port = self.view.galleys[galley].zone
        if port in self.view.ports and self.view.ports[port].owner in (None, self.me):
            order["else"] = [{"buy": BOARD.ports[port].good, "at": port, "to": galley}]
        self.orders.append(order)
        event = Dealt(
            rule="MED-2.13",
            seller=seller.owner,
            buyer=self.me,
            good=good,
            quantity=1,
            loads=galley,
            unloads=unloads,
            price=ASK,
            back={},
        )
        self.view = event.apply(self.view)

    def buy(self, quantity: int, port: PortId, galley: str) -> None:
        """Buys the port's good; in another player's port it offers the least first (MED-2.5)."""
        good, price = BOARD.ports[port].good, price_at(self.view, self.me, port)
        order: dict[str, Any] = {"buy": good, "quantity": quantity, "at": port, "to": galley}
        if self.view.ports[port].owner not in (None, self.me):
            order["price"] = {"offer": PRICE, "limit": price}
        self.orders.append(order)
        bought = Bought(
            rule="MED-2.1",
            player=self.me,
            good=good,
            quantity=quantity,
            port=port,
            galley=galley,
            price=price,
        )
        self.view = bought.apply(self.view)
