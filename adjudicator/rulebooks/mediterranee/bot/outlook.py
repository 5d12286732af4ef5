"""How a player values a position: the price of goods within reach, and the worth of a galley's arrival in a zone.

Everything is worked out from the view: a bot remembers nothing from one phase to the next.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from adjudicator.rulebooks.mediterranee.board import BOARD, GOODS, HOLD, Good, PortId, ZoneId
from adjudicator.rulebooks.mediterranee.bot.odds import fight, success
from adjudicator.rulebooks.mediterranee.bot.routes import DISTANCES
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
from adjudicator.rulebooks.mediterranee.state import State, galleys_of, has

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudicator.engine.table import Player

PATIENCE = (1.0, 0.72, 0.5, 0.33, 0.2)
"""The part of a gain that counts if it comes so many turns later: others may be there first."""
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


class Prospect(Struct, frozen=True):
    """An attack's odds of success, and the worth of the position after it in ducats."""

    odds: float
    worth: float

    @property
    def sensible(self) -> bool:
        """Are the odds good enough?"""
        return self.odds >= ENOUGH


@cache
def within_reach(zone: ZoneId, crew: int, left: int) -> Mapping[PortId, float]:
    """The other ports that a galley can reach in the turns left, and the part of a gain that counts by then."""
    turns = {port: -(-DISTANCES[zone][port] // crew) for port in BOARD.ports if port != zone}
    return {port: PATIENCE[number] for port, number in turns.items() if number <= min(left, 4)}


class Outlook:
    """What the position offers to one player.

    A plan claims what it uses, so that no two plans want the same. Values that are needed repeatedly are worked out
    once between claims.
    """

    def __init__(self, view: State, me: Player) -> None:
        self.view, self.me = view, me
        self.left = turns_left(view)
        self.foreign = {port for port, place in view.ports.items() if place.owner != me}
        fleet = [good for galley in galleys_of(view, me).values() for good in galley.cargo]
        self.aboard = {good: fleet.count(good) for good in GOODS}
        self.claimed: set[tuple[PortId, Good]] = set()
        self._slots: dict[tuple[PortId, Player | None], int] = {}
        self._prizes: dict[PortId, float] = {}
        self._markets: dict[Good, dict[PortId, int]] = {}
        self._hopes: dict[Good, dict[tuple[ZoneId, int], list[float]]] = {good: {} for good in GOODS}
        self._open: dict[PortId, float] | None = None
        self._landings: dict[tuple[ZoneId, int], float] = {}

    @property
    def scruples(self) -> int:
        """The ducats that a fight must promise beyond the gain of staying quiet."""
        return PEACE + PEACE * self.left // 2

    def claim(self, zone: ZoneId, goods: list[Good]) -> None:
        """Claims the goods and the port of a plan: a galley of the player's goes there to sell these goods."""
        self.claimed |= {(zone, good) for good in goods}
        if zone in self.foreign:
            self.foreign.remove(zone)
            self._open = None
            self._landings.clear()
        for good in goods:
            self._markets.pop(good, None)
            self._hopes[good].clear()

    def worth(self, port: PortId, owner: Player | None, good: Good) -> int:
        """The price of a piece of a good in the port, if it were `owner`'s; 0 if it can't be sold there (MED-6.1) or
        another plan claims that sale."""
        if (port, owner) not in self._slots:
            self._slots[port, owner] = worth_of_slot(self.view, self.me, port, owner)
        slot = self._slots[port, owner]
        if not slot or (port, good) in self.claimed or has(port, self.view.ports[port].warehouse, good):
            return 0
        return slot + worth_of_good(self.view, self.me, port, owner, good)

    def prize(self, port: PortId) -> float:
        """The worth of taking the port."""
        if port not in self._prizes:
            self._prizes[port] = worth_of_port(self.view, self.me, port)
        return self._prizes[port]

    # -- later turns ---------------------------------------------------------------------------------------------

    def markets(self, good: Good) -> dict[PortId, int]:
        """The ports in which a piece of the good can be sold now, and its price there."""
        if good not in self._markets:
            worths = {port: self.worth(port, place.owner, good) for port, place in self.view.ports.items()}
            self._markets[good] = {port: worth for port, worth in worths.items() if worth}
        return self._markets[good]

    def hopes(self, zone: ZoneId, crew: int, good: Good) -> list[float]:
        """The prices that a galley in the zone could get for the good in later turns:
        at the best three ports, the best first."""
        found, key = self._hopes[good], (zone, crew)
        if key not in found:
            shares, markets = within_reach(zone, crew, self.left), self.markets(good)
            gains = [worth * shares[port] for port, worth in markets.items() if port in shares]
            found[key] = sorted(gains, reverse=True)[:3]
        return found[key]

    def open_ports(self) -> dict[PortId, float]:
        """The foreign ports without a garrison, with the worth of taking each."""
        if self._open is None:
            ports = self.view.ports
            open_ = [port for port in ports if port in self.foreign and not ports[port].garrison]
            self._open = {port: self.prize(port) for port in open_}
        return self._open

    def landings(self, zone: ZoneId, crew: int) -> float:
        """The best landing that a galley in the zone can hope for in later turns."""
        key = (zone, crew)
        if key not in self._landings:
            shares, open_ = within_reach(zone, crew, self.left), self.open_ports()
            gains = [worth * shares[port] for port, worth in open_.items() if port in shares]
            self._landings[key] = max(gains, default=0.0)
        return self._landings[key]

    def future(self, zone: ZoneId, crew: int, cargo: list[Good]) -> float:
        """The income still to come after this turn from a galley in the zone with this crew and cargo."""
        if self.left == 0 or crew == 0:
            return 0.0
        worth: float = CREWS[crew] * min(self.left, EARNING) / EARNING
        aboard = {good: cargo.count(good) for good in cargo}
        for good, count in aboard.items():
            worth += sum(self.hopes(zone, crew, good)[:count]) * self.uncrowded(good, count)
        if crew > 1:
            worth += LATER_LANDING * self.landings(zone, crew)
        if zone in self.view.ports:
            worth += self.purchases(zone, crew, aboard, HOLD - crew - len(cargo)) + self.recruits(zone, crew)
        return worth

    def purchases(self, port: PortId, crew: int, aboard: dict[Good, int], room: int) -> float:
        """The gain of next turn's purchases in the port."""
        if not room:
            return 0.0
        good = BOARD.ports[port].good
        already, price = aboard.get(good, 0), price_at(self.view, self.me, port)
        hopes = self.hopes(port, crew, good)
        gains = [max(0.0, hope - price) for hope in hopes[already : already + room]]
        return LATER_PURCHASE * sum(gains) * self.uncrowded(good, already)

    def uncrowded(self, good: Good, count: int) -> float:
        """The part of a hope that counts if the player's other galleys have the same good aboard: a port takes one."""
        return CROWDED ** max(0, self.aboard[good] - count)

    def recruits(self, port: PortId, crew: int) -> float:
        """The worth of being able to enlist sailors for a small crew in a port of the player's own (MED-2.9)."""
        place = self.view.ports[port]
        return RECRUIT * min(len(place.warehouse), max(0, CREW - crew)) if place.owner == self.me else 0.0

    # -- this turn -----------------------------------------------------------------------------------------------

    def sales(self, zone: ZoneId, crew: int, cargo: list[Good], *, mine: bool = False) -> dict[Good, float]:
        """The goods to sell in the zone's port, the best first, with their prices;
        with `mine`, after the player has taken it."""
        if zone not in self.view.ports or not cargo:
            return {}
        free = len(BOARD.slots_of(zone)) - len(self.view.ports[zone].warehouse)
        if not free:
            return {}
        worth: dict[Good, int] = {}
        over: dict[Good, float] = {}
        for good in dict.fromkeys(cargo):
            price = self.worth(zone, self.me, good) if mine else self.markets(good).get(zone, 0)
            hope = sum(self.hopes(zone, crew, good)[:1]) if price and self.left and crew else 0.0
            if price and price >= hope:
                worth[good], over[good] = price, price - hope
        wanted = sorted(over, key=over.__getitem__, reverse=True)[:free]
        return {good: worth[good] + 100.0 * place for place, good in enumerate(wanted)}

    def stay(self, zone: ZoneId, crew: int, cargo: list[Good], *, mine: bool = False) -> float:
        """The worth of being in the zone: sales there, and going on later."""
        sold = self.sales(zone, crew, cargo, mine=mine)
        rest = list(cargo)
        for good in sold:
            rest.remove(good)
        return sum(sold.values()) + self.future(zone, crew, rest)

    def landing(self, zone: ZoneId, crew: int, cargo: list[Good]) -> float:
        """The worth of landing a sailor there and taking the port; nothing if that is impossible."""
        if zone not in self.foreign or self.view.ports[zone].garrison or crew < (2 if self.left else 1):
            return 0.0
        if crew == 1:
            return self.prize(zone)  # the galley sinks with its cargo (MED-5.3); the match is over
        return self.prize(zone) + self.stay(zone, crew - 1, cargo, mine=True)

    def storm(self, zone: ZoneId, crew: int, cargo: list[Good]) -> float | None:
        """The worth of attacking the garrison there and landing (MED-4.9, MED-5.1).

        None if there is no garrison, or if the odds aren't good enough. Success leaves a sailor to land and, before the
        last turn, one to sail on.
        """
        if zone not in self.foreign or not self.view.ports[zone].garrison:
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

    def peace(self, zone: ZoneId, crew: int, cargo: list[Good]) -> float:
        """The worth of being in the zone without a fight: landing or not, selling, going on later."""
        return max(self.stay(zone, crew, cargo), self.landing(zone, crew, cargo))

    def arrival(self, zone: ZoneId, crew: int, cargo: list[Good]) -> float:
        """The worth of a galley's being in the zone after this turn's movement, with its best actions there."""
        quiet = self.peace(zone, crew, cargo)
        assault = self.storm(zone, crew, cargo) if crew >= 3 else None
        return quiet if assault is None else max(quiet, assault)
