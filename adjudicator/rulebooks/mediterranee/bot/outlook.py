"""How a player values a position: the price of goods within reach, and the worth of a galley's arrival in a zone.

Everything is worked out from the view: a bot remembers nothing from one phase to the next.

The exact odds of a fight (MED-4.2, MED-4.3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from operator import itemgetter

from msgspec import Struct

from adjudicator.engine.table import D6, Player
from adjudicator.engine.table.remembered import Answers
from adjudicator.rulebooks.mediterranee.board import BOARD, GOODS, HOLD, PRODUCERS, Good, PortId, ZoneId
from adjudicator.rulebooks.mediterranee.bot.worth import (
    CREWS,
    PORTS,
    SAILOR,
    SHIP,
    TIMBER,
    Goals,
    building_use,
    goals,
    price_at,
    turns_left,
    worth_of_port,
    worth_of_slot,
)
from adjudicator.rulebooks.mediterranee.combat import SHARE, SHARE_OF_A_FORTRESS
from adjudicator.rulebooks.mediterranee.sale import new_markets
from adjudicator.rulebooks.mediterranee.state import State

ROUNDS = 4
"""The most attacks of one order."""


@cache
def success(own: int, enemy: int, fortress: bool, least: int) -> float:
    """The probability, 0 to 1, that the enemy is beaten and at least `least` of the player's sailors are left."""
    outcomes = fight(own, enemy, fortress).items()
    return sum(odds for (left, other), odds in outcomes if other == 0 and left >= least)


@cache
def fight(own: int, enemy: int, fortress: bool, rounds: int = ROUNDS) -> Mapping[tuple[int, int], float]:
    """The probability of each outcome (own sailors, enemy's), if the attacker goes on while more than one is left."""
    found: dict[tuple[int, int], float] = {}
    for mine in D6:
        for theirs in D6:
            left = max(0, own - (theirs + enemy) // SHARE)
            other = max(0, enemy - (mine + own) // (SHARE_OF_A_FORTRESS if fortress else SHARE))
            over = rounds == 1 or left <= 1 or other == 0
            outcomes = {(left, other): 1.0} if over else fight(left, other, fortress, rounds - 1)
            for outcome, odds in outcomes.items():
                found[outcome] = found.get(outcome, 0.0) + odds / len(D6) ** 2
    return found


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
CREWS_LATE = [[each * left / EARNING for each in CREWS] for left in range(EARNING + 1)]
"""The worth of a crew by the turns left, up to that many, and its number."""
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
    """How often each good occurs among these goods."""
    return {good: goods.count(good) for good in goods}


class Outlook:
    """What the position offers to one player.

    A plan claims what it uses, so that no two plans want the same. Values that are needed repeatedly are worked out
    once between claims: `markets`, the ports in which a piece of a good can be sold now, with its price there;
    `weak`, the garrisoned ports that a crew is likely to take; `idle`, the income still to come from an empty galley,
    by its zone and crew; `uncrowded`, the part of a hope that counts for a galley's pieces of a good, by the good and
    their number.
    """

    def __init__(self, view: State, me: Player) -> None:
        self.view, self.me = view, me
        self.left = turns_left(view)
        self.crews = CREWS_LATE[min(self.left, EARNING)]
        self.own = view.ports_of(me)
        self.foreign = view.ports.keys() - self.own.keys()
        fleet = [good for galley in view.galleys_of(me).values() for good in galley.cargo]
        self.aboard = {good: fleet.count(good) for good in GOODS}
        self.closed = {good: set(ports) for good, ports in PRODUCERS.items()}
        """The ports in which each good can't be sold (MED-6.1), or in which another plan sells it."""
        for name, port in view.ports.items():
            for good in port.warehouse:
                self.closed[good].add(name)
        self.markets = Answers(self._market)
        self.weak = Answers(self._weak)
        self.idle = Answers(self._idle)
        self.uncrowded = Answers(self._share_uncrowded)

    @property
    def scruples(self) -> int:
        """The ducats that a fight must promise beyond the gain of staying quiet."""
        return PEACE + PEACE * self.left // 2

    def claim(self, zone: ZoneId, goods: list[Good]) -> None:
        """Claims the goods and the port of a plan: a galley of the player's goes there to sell these goods."""
        if zone in self.foreign:
            self.foreign.remove(zone)
            self.open = self.open.without(zone)
            self.weak.clear()
            self.idle.clear()
        for good in goods:
            self.closed[good].add(zone)
            self.markets[good] = self.markets[good].without(zone)

    @cached_property
    def slots(self) -> dict[PortId, int]:
        """What the next piece brings in each port, whatever it is; 0 if the warehouse is full."""
        me, left, ports = self.me, self.left, self.view.ports
        return {
            name: worth_of_slot(name, len(ports[name].warehouse), left, ports[name].owner, me)
            for name in PORTS
        }

    def price_once_mine(self, port: PortId, good: Good) -> int:
        """The price of a piece of the good in the port after the player has taken it; 0 if it can't be sold there."""
        if not self.slots[port] or port in self.closed[good]:
            return 0
        stored = len(self.view.ports[port].warehouse)
        slot = worth_of_slot(port, stored, self.left, self.me, self.me)
        return slot + building_use(self.view, port, good)

    def prize(self, port: PortId) -> float:
        """The worth of taking the port."""
        place = self.view.ports[port]
        return worth_of_port(port, self.me, place.owner, len(place.warehouse), self.left)

    # -- later turns ---------------------------------------------------------------------------------------------

    def _market(self, good: Good) -> Goals:
        """The ports in which a piece of the good can be sold now, and its price there."""
        prices = self.slots | dict.fromkeys(self.closed[good], 0)
        extras = new_markets(self.view, self.me, good)
        if good in TIMBER:
            extras |= {port: building_use(self.view, port, good) for port in self.own}
        for port, extra in extras.items():
            if prices[port]:
                prices[port] += extra
        return goals(tuple(prices.values()), self.left)

    @cached_property
    def open(self) -> Goals:
        """The foreign ports without a garrison that no plan claims, with the worth of taking each."""
        ports = self.view.ports
        open_ = {port for port in self.foreign if not ports[port].garrison}
        return goals(tuple([self.prize(port) if port in open_ else 0 for port in PORTS]), self.left)

    def future(self, zone: ZoneId, crew: int, cargo: Cargo) -> float:
        """The income still to come after this turn from a galley in the zone with this crew and cargo."""
        if self.left == 0 or crew == 0:
            return 0.0
        worth = self.idle[zone, crew]
        for good, count in cargo.items():
            worth += sum(self.markets[good].hopes[zone, crew][:count]) * self.uncrowded[good, count]
        return worth + self.purchases(zone, crew, cargo) if zone in BOARD.ports else worth

    def purchases(self, port: PortId, crew: int, cargo: Cargo) -> float:
        """The gain of next turn's purchases in the port."""
        room = HOLD - crew - sum(cargo.values())
        if not room:
            return 0.0
        good = BOARD.ports[port].good
        already = cargo.get(good, 0)
        price = price_at(self.view, self.me, port)
        profit = self.markets[good].profits[port, crew, price, already, room]
        return LATER_PURCHASE * profit * self.uncrowded[good, already]

    def _share_uncrowded(self, aboard: tuple[Good, int]) -> float:
        """The part of a hope that counts if the player's other galleys have the same good aboard: a port takes one."""
        good, count = aboard
        return CROWDED ** max(0, self.aboard[good] - count)

    def _idle(self, place: tuple[ZoneId, int]) -> float:
        """A crew can land later, and enlist sailors in a port of the player's own (MED-2.9)."""
        zone, crew = place
        worth = self.crews[crew]
        if crew > 1:
            worth += LATER_LANDING * self.open.hopes[zone, crew][0]
        if zone in self.own:
            worth += RECRUIT * min(len(self.view.ports[zone].warehouse), max(0, CREW - crew))
        return worth

    # -- this turn -----------------------------------------------------------------------------------------------

    def sales(self, zone: ZoneId, crew: int, cargo: Cargo, *, mine: bool = False) -> dict[Good, float]:
        """The goods to sell in the zone's port, the best first, with their prices;
        with `mine`, after the player has taken it."""
        if not self.slots.get(zone):
            return {}
        offers: list[tuple[float, Good, float]] = []
        for good in cargo:
            market = self.markets[good]
            price = self.price_once_mine(zone, good) if mine else market.worths.get(zone, 0)
            if price:
                over = price - (market.hopes[zone, crew][0] if crew else 0.0)
                if over >= 0:
                    offers.append((over, good, price))
        if not offers:
            return {}
        free = len(BOARD.slots_of(zone)) - len(self.view.ports[zone].warehouse)
        offers.sort(key=itemgetter(0), reverse=True)
        return {good: price + 100.0 * place for place, (_, good, price) in enumerate(offers[:free])}

    def stay(self, zone: ZoneId, crew: int, cargo: Cargo, *, mine: bool = False) -> float:
        """The worth of being in the zone: sales there, and going on later."""
        sold = self.sales(zone, crew, cargo, mine=mine) if cargo and self.slots.get(zone) else {}
        if not sold:
            return self.future(zone, crew, cargo)
        rest = {good: count - (good in sold) for good, count in cargo.items() if count > (good in sold)}
        return sum(sold.values()) + self.future(zone, crew, rest)

    def landing(self, zone: ZoneId, crew: int, cargo: Cargo) -> float:
        """The worth of landing a sailor there and taking the port; nothing if that is impossible."""
        prize = self.open.worths.get(zone, 0)
        if not prize or crew < (2 if self.left else 1):
            return 0.0
        if crew == 1:
            return prize  # the galley sinks with its cargo (MED-5.3); the match is over
        return prize + self.stay(zone, crew - 1, cargo, mine=True)

    def _weak(self, crew: int) -> set[PortId]:
        """MED-4.9, MED-5.1: the ports whose garrison such a crew can beat: success leaves a sailor to land and, before
        the last turn, one to sail on."""
        least, ports = 2 if self.left else 1, self.view.ports
        guarded = {port: ports[port] for port in self.foreign if ports[port].garrison}
        return {
            port
            for port, place in guarded.items()
            if success(crew, place.garrison, place.fortress, least) >= ENOUGH
        }

    def storm(self, zone: ZoneId, crew: int, cargo: Cargo) -> float | None:
        """The worth of attacking the garrison there and landing (MED-4.9, MED-5.1).

        None if there is no garrison, or if the odds aren't good enough.
        """
        if zone not in self.weak[crew]:
            return None
        place = self.view.ports[zone]
        least = 2 if self.left else 1
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
        worth = self.stay(zone, crew, cargo)
        return max(worth, self.landing(zone, crew, cargo)) if self.open.worths.get(zone) else worth

    def arrival(self, zone: ZoneId, crew: int, cargo: Cargo) -> float:
        """The worth of a galley's being in the zone after this turn's movement, with its best actions there."""
        worth = self.peace(zone, crew, cargo)
        assault = self.storm(zone, crew, cargo) if crew >= 3 and zone in self.weak[crew] else None
        return worth if assault is None else max(worth, assault)
