"""How a player values a position: the price of goods within reach, and the worth of a galley's arrival in a zone.

Everything is worked out from the view: a bot remembers nothing from one phase to the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from adjudicator.rulebooks.mediterranee.board import BOARD, GOODS, HOLD, Good, PortId, ZoneId
from adjudicator.rulebooks.mediterranee.bot.goals import Goals, goals
from adjudicator.rulebooks.mediterranee.bot.odds import fight, success
from adjudicator.rulebooks.mediterranee.bot.worth import (
    CREWS,
    SAILOR,
    SHIP,
    price_at,
    turns_left,
    worth_of_good,
    worth_of_port,
    worth_of_slot,
)
from adjudicator.rulebooks.mediterranee.state import State, galleys_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudicator.engine.table import Player

LATER_LANDING = 0.6
"""The part of the best landing of a later turn that counts: a rival may land there first."""
LATER_PURCHASE = 0.8
"""The part of the gain of next turn's purchases that counts: others may buy, or the price may rise."""
CROWDED = 0.7
"""The part of a hope that counts for each piece of the same good aboard the player's other galleys."""
CREW = 4
"""Sailors that a trader wants aboard."""
RECRUIT = 220.0
"""The worth in ducats of being able to enlist a sailor for a smaller crew than that."""
EARNING = 3
"""A crew is worth its full price while there are so many turns left; less in the last ones."""
ENOUGH = 0.75
"""The least odds of success at which a trader fights."""
PEACE = 300
"""The ducats that a fight must gain over not fighting,
and again for each two turns left in which the rival can hit back."""

Cargo = Mapping[Good, int]
"""How many pieces of each good are aboard."""


class Prospect(Struct, frozen=True):
    """An attack's odds of success, and the worth of the position after it in ducats."""

    odds: float
    worth: float

    @property
    def sensible(self) -> bool:
        """Are the odds good enough?"""
        return self.odds >= ENOUGH


def counted(goods: Sequence[Good]) -> Cargo:
    """These pieces, counted."""
    return {good: goods.count(good) for good in goods}


class Outlook:
    """What the position offers to one player.

    A plan claims what it uses, so that no two plans want the same. Values that are needed repeatedly are worked out
    once between claims.
    """

    def __init__(self, view: State, me: Player) -> None:
        self.view, self.me = view, me
        self.left = turns_left(view)
        self.crews = [each * min(self.left, EARNING) / EARNING for each in CREWS]
        self.foreign = {port for port, place in view.ports.items() if place.owner != me}
        fleet = [good for galley in galleys_of(view, me).values() for good in galley.cargo]
        self.aboard = {good: fleet.count(good) for good in GOODS}
        self.unsaleable = {
            name: {BOARD.ports[name].good, *port.warehouse} for name, port in view.ports.items()
        }
        """What can't be sold in each port (MED-6.1), or is claimed by another plan."""
        self._prizes: dict[PortId, float] = {}
        self._markets: dict[Good, Goals] = {}

    @property
    def scruples(self) -> int:
        """The ducats that a fight must promise beyond the gain of staying quiet."""
        return PEACE + PEACE * self.left // 2

    def claim(self, zone: ZoneId, goods: list[Good]) -> None:
        """Claims the goods and the port of a plan: a galley of the player's goes there to sell these goods."""
        self.unsaleable[zone].update(goods)
        if zone in self.foreign:
            self.foreign.remove(zone)
            self.open = self.open.without(zone)
        for good in goods:
            self._markets[good] = self.market(good).without(zone)

    @cached_property
    def slots(self) -> dict[PortId, int]:
        """The ports with room in their warehouses, and what the next piece brings there, whatever it is."""
        worths = {
            name: self.slot(name, None if port.owner is None else port.owner == self.me)
            for name, port in self.view.ports.items()
        }
        return {port: worth for port, worth in worths.items() if worth}

    def slot(self, port: PortId, mine: bool | None) -> int:
        """What the next piece brings in the port, if it were the player's own, or a rival's; None: neutral."""
        return worth_of_slot(BOARD.ports[port].size, len(self.view.ports[port].warehouse), self.left, mine)

    def price_once_mine(self, port: PortId, good: Good) -> int:
        """The price of a piece of the good in the port after the player has taken it; 0 if it can't be sold there."""
        if port not in self.slots or good in self.unsaleable[port]:
            return 0
        return self.slot(port, mine=True) + worth_of_good(self.view, self.me, port, self.me, good)

    def prize(self, port: PortId) -> float:
        """The worth of taking the port."""
        if port not in self._prizes:
            self._prizes[port] = worth_of_port(self.view, self.me, port)
        return self._prizes[port]

    # -- later turns ---------------------------------------------------------------------------------------------

    def market(self, good: Good) -> Goals:
        """The ports in which a piece of the good can be sold now, and its price there."""
        if good not in self._markets:
            view, me = self.view, self.me
            worths = {
                port: worth + worth_of_good(view, me, port, view.ports[port].owner, good)
                for port, worth in self.slots.items()
                if good not in self.unsaleable[port]
            }
            self._markets[good] = goals(worths, self.left)
        return self._markets[good]

    @cached_property
    def open(self) -> Goals:
        """The foreign ports without a garrison that no plan claims, with the worth of taking each."""
        ports = self.view.ports
        open_ = [port for port in ports if port in self.foreign and not ports[port].garrison]
        return goals({port: self.prize(port) for port in open_}, self.left)

    def future(self, zone: ZoneId, crew: int, cargo: Cargo) -> float:
        """The income still to come after this turn from a galley in the zone with this crew and cargo."""
        if self.left == 0 or crew == 0:
            return 0.0
        worth = self.crews[crew]
        for good, count in cargo.items():
            worth += sum(self.market(good).hopes(zone, crew)[:count]) * self.uncrowded(good, count)
        if crew > 1:
            worth += LATER_LANDING * self.open.hope(zone, crew)
        if zone in self.view.ports:
            own = self.view.ports[zone].owner == self.me
            worth += self.purchases(zone, crew, cargo) + (self.recruits(zone, crew) if own else 0.0)
        return worth

    def purchases(self, port: PortId, crew: int, cargo: Cargo) -> float:
        """The gain of next turn's purchases in the port."""
        room = HOLD - crew - sum(cargo.values())
        if not room:
            return 0.0
        good = BOARD.ports[port].good
        already, price = cargo.get(good, 0), price_at(self.view, self.me, port)
        hopes = self.market(good).hopes(port, crew)
        gains = [hope - price for hope in hopes[already : already + room] if hope > price]
        return LATER_PURCHASE * sum(gains) * self.uncrowded(good, already)

    def uncrowded(self, good: Good, count: int) -> float:
        """The part of a hope that counts if the player's other galleys have the same good aboard: a port takes one."""
        return CROWDED ** max(0, self.aboard[good] - count)

    def recruits(self, port: PortId, crew: int) -> float:
        """The worth of being able to enlist sailors for a small crew in a port of the player's own (MED-2.9)."""
        return RECRUIT * min(len(self.view.ports[port].warehouse), max(0, CREW - crew))

    # -- this turn -----------------------------------------------------------------------------------------------

    def sales(self, zone: ZoneId, crew: int, cargo: Cargo, *, mine: bool = False) -> dict[Good, float]:
        """The goods to sell in the zone's port, the best first, with their prices;
        with `mine`, after the player has taken it."""
        if zone not in self.slots:
            return {}
        worth: dict[Good, float] = {}
        over: dict[Good, float] = {}
        for good in cargo:
            price = self.price_once_mine(zone, good) if mine else self.market(good).worths.get(zone, 0)
            if price:
                hope = self.market(good).hope(zone, crew) if crew else 0.0
                if price >= hope:
                    worth[good], over[good] = price, price - hope
        if not over:
            return {}
        free = len(BOARD.slots_of(zone)) - len(self.view.ports[zone].warehouse)
        wanted = sorted(over, key=over.__getitem__, reverse=True)[:free]
        return {good: worth[good] + 100.0 * place for place, good in enumerate(wanted)}

    def stay(self, zone: ZoneId, crew: int, cargo: Cargo, *, mine: bool = False) -> float:
        """The worth of being in the zone: sales there, and going on later."""
        sold = self.sales(zone, crew, cargo, mine=mine)
        if not sold:
            return self.future(zone, crew, cargo)
        rest = {good: count - (good in sold) for good, count in cargo.items() if count > (good in sold)}
        return sum(sold.values()) + self.future(zone, crew, rest)

    def landing(self, zone: ZoneId, crew: int, cargo: Cargo) -> float:
        """The worth of landing a sailor there and taking the port; nothing if that is impossible."""
        if zone not in self.open.worths or crew < (2 if self.left else 1):
            return 0.0
        if crew == 1:
            return self.open.worths[zone]  # the galley sinks with its cargo (MED-5.3); the match is over
        return self.open.worths[zone] + self.stay(zone, crew - 1, cargo, mine=True)

    def storm(self, zone: ZoneId, crew: int, cargo: Cargo) -> float | None:
        """The worth of attacking the garrison there and landing (MED-4.9, MED-5.1).

        None if there is no garrison, or if the odds aren't good enough. Success leaves a sailor to land and, before the
        last turn, one to sail on.
        """
        if zone not in self.foreign or zone in self.open.worths:
            return None
        place = self.view.ports[zone]
        least = 2 if self.left else 1
        if success(crew, place.garrison, place.fortress, least) < ENOUGH:
            return None
        worth = 0.0
        for (crew_left, enemy), likely in fight(crew, place.garrison, place.fortress).items():
            if enemy == 0 and crew_left >= least:
                rest = self.stay(zone, crew_left - 1, cargo, mine=True) if crew_left > 1 else 0.0
                worth += likely * (self.prize(zone) + rest)
            elif crew_left:
                worth += likely * self.stay(zone, crew_left, cargo)
            worth -= likely * SAILOR * (crew - crew_left)
            worth -= likely * SHIP if not crew_left and self.left else 0.0
        return worth - self.scruples

    def peace(self, zone: ZoneId, crew: int, cargo: Cargo) -> float:
        """The worth of being in the zone without a fight: landing or not, selling, going on later."""
        return max(self.stay(zone, crew, cargo), self.landing(zone, crew, cargo))

    def arrival(self, zone: ZoneId, crew: int, cargo: Cargo) -> float:
        """The worth of a galley's being in the zone after this turn's movement, with its best actions there."""
        quiet = self.peace(zone, crew, cargo)
        assault = self.storm(zone, crew, cargo) if crew >= 3 else None
        return quiet if assault is None else max(quiet, assault)
