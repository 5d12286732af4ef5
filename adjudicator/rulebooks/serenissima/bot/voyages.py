"""The voyage of a merchant's galley, and its actions at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from adjudicator.engine.table import Player, changed
from adjudicator.rulebooks.serenissima.board import BOARD, HOLD, GalleyId, Good, PortId, ZoneId
from adjudicator.rulebooks.serenissima.bot.worth import SAILOR, WAYS, conquest, sale
from adjudicator.rulebooks.serenissima.state import Galley, State

PATIENCE = 0.5
"""The part of a gain that counts if it comes one turn later."""
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


NEW_GOOD = 2
"""The worth of a port that produces a good which none of the player's ports produces."""
MOST_LOADED = 3
"""The most cubes of one good that a merchant loads: few ports near by want more."""
LATER_LOAD = 2
"""The number of cubes that it expects to load in the turn after."""


class Plan(Struct, frozen=True):
    """An order for a galley, its worth, and its claims: goods to sell at a port, a port to take."""

    worth: float
    order: dict[str, Any]
    sells: tuple[PortId, tuple[Good, ...]] = ("", ())
    takes: PortId = ""
    costs: int = 0


@cache
def within_reach(zone: ZoneId, sailors: int) -> Mapping[PortId, float]:
    """The other ports that a galley can reach, and the part of a gain that counts by then."""
    ways = {port: way for port, way in WAYS[zone].items() if way and port in BOARD.ports}
    return {port: PATIENCE ** -(-len(way) // sailors) for port, way in ways.items()}


class Outlook:
    """A position as one player plans in it; a plan for one galley claims what it uses,
    so that other plans leave it alone."""

    def __init__(self, view: State, me: Player) -> None:
        self.view, self.me, self.ducats = view, me, view.purse(me)
        self.stock = {name: list(port.warehouse) for name, port in view.ports.items()}
        self.rivals: dict[ZoneId, dict[GalleyId, Galley]] = {}
        for name in view.in_order():
            if view.galleys[name].owner != me:
                self.rivals.setdefault(view.galleys[name].zone, {})[name] = view.galleys[name]
        mine = view.ports_of(me).items()
        self.own_goods = {good for name, port in mine for good in (BOARD.ports[name].good, *port.warehouse)}
        self.taken: set[PortId] = set()
        self._markets: dict[Good, Mapping[PortId, float]] = {}
        self._hopes: dict[tuple[ZoneId, Good, int], float] = {}

    def claim(self, plan: Plan) -> None:
        """Marks the plan's goods and ports as used, for the plans of other galleys."""
        port, goods = plan.sells
        if port:
            self.stock[port] += goods
            self._markets.clear()
            self._hopes.clear()
        self.taken |= {plan.takes}
        self.ducats -= plan.costs
        for place, sailors in plan.order.get("sailors", {}).items():
            if place in self.view.galleys:
                more = self.view.galleys[place].sailors + sailors
                self.view = changed(self.view, "galleys", place, sailors=more)

    def worth_of(self, port: PortId, good: Good, filled: int | None = None) -> float:
        """The worth of selling the good to the port; 0 if it can't be sold there."""
        held = self.stock[port]
        count = len(held) if filled is None else filled
        closed = self.view.ports[port].closed or BOARD.ports[port].good == good or good in held
        return (
            0.0
            if closed or count >= len(BOARD.slots_of(port))
            else sale(self.view, self.me, port, good, count)
        )

    def markets(self, good: Good) -> Mapping[PortId, float]:
        """The ports in which the good can be sold, the best first, with its worth there; worked out once between
        claims.
        """
        if good not in self._markets:
            worths = {port: worth for port in BOARD.ports if (worth := self.worth_of(port, good)) > 0}
            self._markets[good] = dict(sorted(worths.items(), key=lambda each: -each[1]))
        return self._markets[good]

    def hope(self, zone: ZoneId, good: Good, sailors: int) -> float:
        """The most that a galley in the zone could get for the good in later turns."""
        key = (zone, good, sailors)
        if key not in self._hopes:
            shares, most = within_reach(zone, sailors), 0.0
            for port, worth in self.markets(good).items():
                if worth * PATIENCE <= most:
                    break  # the next turn is the soonest: the others are worth less
                most = max(most, worth * shares.get(port, 0))
            self._hopes[key] = most
        return self._hopes[key]

    def best(self, name: GalleyId) -> Plan:
        """The best plan for a galley: to stay, if nothing is better."""
        galley = self.view.galleys[name]
        found = Plan(0.0, {"sail": int(name)})
        for plan in self.plans(name, galley):
            if plan.worth > found.worth + 1e-9:
                found = plan
        return found

    def plans(self, name: GalleyId, galley: Galley) -> Iterator[Plan]:
        """The plans of a galley: what to load, where to go, what to do there."""
        for load, cost in self.loads(galley):
            cargo = list(galley.cargo)
            order: dict[str, Any] = {"sail": int(name)}
            if load:
                cargo += [BOARD.ports[galley.zone].good] * load
                order["load"] = [{"goods": {cargo[-1]: load}}]
            for zone, way in WAYS[galley.zone].items():
                if len(way) > galley.sailors:
                    break
                yield from self.at(
                    galley, zone, way, cargo, cost, {**order, "via": list(way)} if way else order
                )

    def loads(self, galley: Galley) -> Iterator[tuple[int, int]]:
        """How many cubes of the port's good to load, and their price."""
        yield 0, 0
        if galley.zone in BOARD.ports and not self.view.ports[galley.zone].closed:
            free = int(self.view.ports[galley.zone].owner == self.me)
            most = min(
                galley.room(),
                self.ducats + free,
                self.view.stock_of(BOARD.ports[galley.zone].good),
                MOST_LOADED,
            )
            for count in range(1, most + 1):
                yield count, count - free

    def at(
        self,
        galley: Galley,
        zone: ZoneId,
        way: tuple[ZoneId, ...],
        cargo: list[Good],
        cost: int,
        order: dict[str, Any],
    ) -> Iterator[Plan]:
        """The plans that end in a zone: to sell there, to take the port, or just to lie there; `cargo` is what is then
        aboard, `cost` what it has cost, `order` the order so far.
        """
        hopes = {good: self.hope(zone, good, galley.sailors) for good in dict.fromkeys(cargo)}
        keeps = sum(hopes[good] for good in cargo) * KEPT - cost * SPENT - ZONE * len(way)
        yield Plan(keeps + self.next_load(zone, galley, len(cargo)), order, costs=cost)
        yield from self.to_raid(galley, order, keeps, zone, len(way))
        if zone not in BOARD.ports:
            return
        goods = self.to_sell(zone, cargo, hopes)
        if goods:
            gain = sum(goods.values())
            left = keeps - sum(hopes[good] for good in goods) * KEPT
            more = self.next_load(zone, galley, len(cargo) - len(goods))
            sells = {**order, "sell": {zone: list(goods)}}
            yield Plan(gain + left + more, sells, (zone, tuple(goods)), costs=cost)
        if zone not in self.taken and galley.sailors > 1:
            yield from self.to_take(galley, order, keeps, zone, way)

    def to_sell(self, port: PortId, cargo: list[Good], hopes: dict[Good, float]) -> dict[Good, float]:
        """The goods to sell there, with their worth: those that are worth less elsewhere."""
        found: dict[Good, float] = {}
        for good in dict.fromkeys(cargo):
            worth = self.worth_of(port, good, len(self.stock[port]) + len(found))
            if worth > hopes[good] * HOLD_BACK:
                found[good] = worth
        return found

    def next_load(self, zone: ZoneId, galley: Galley, aboard: int) -> float:
        """The worth of the zone for the turn after: goods that could be loaded there and sold near by."""
        if zone not in BOARD.ports or self.view.ports[zone].closed:
            return 0.0
        free = min(HOLD - galley.sailors - aboard, LATER_LOAD)
        return max(free, 0) * max(self.hope(zone, BOARD.ports[zone].good, galley.sailors) - 1, 0) * HAUL

    def to_raid(
        self, galley: Galley, order: dict[str, Any], keeps: float, zone: ZoneId, moved: int
    ) -> Iterator[Plan]:
        """A plan to sink a rival's galley for its goods."""
        for name, other in self.rivals.get(zone, {}).items():
            if galley.sailors - moved > other.sailors:
                spoils = sorted((self.hope(zone, good, galley.sailors) for good in other.cargo), reverse=True)
                gain = keeps + PRIZE + sum(spoils[: galley.room()]) - SAILOR * other.sailors
                yield Plan(gain, {**order, "fight": [{"galley": int(name)}]})

    def to_take(
        self, galley: Galley, order: dict[str, Any], keeps: float, port: PortId, way: tuple[ZoneId, ...]
    ) -> Iterator[Plan]:
        """A plan to land in a neutral port, or to fight for a foreign one if the odds are good."""
        place, sailors = self.view.ports[port], galley.sailors
        if place.closed or place.owner == self.me:
            return
        new = 0 if BOARD.ports[port].good in self.own_goods else NEW_GOOD
        gain = conquest(self.view, port) + new + keeps
        there = self.rivals.get(port, {})
        if place.owner is None:
            if not any(other.sailors > sailors for other in there.values()):
                yield Plan(gain, {**order, "fight": [{"port": port, "land": 1}]}, takes=port)
            return
        guards = {name: other for name, other in there.items() if other.owner == place.owner}
        only = len(self.view.ports_of(place.owner)) == 1
        enemy = place.garrison + sum(guard.sailors for guard in guards.values()) + (1 if place.fort else 0)
        dice = sailors - len(way)
        if not only and dice >= enemy + EDGE and len(guards) <= 1:
            fights: list[dict[str, Any]] = [{"galley": int(other)} for other in guards]
            yield Plan(
                gain * TAKEN - enemy, {**order, "fight": [*fights, {"port": port, "land": 1}]}, takes=port
            )
