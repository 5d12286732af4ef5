"""How a merchant values a position: what goods bring, what ports are worth, and who defends them.

The worth of things to a merchant, in ducats by the end of the match; and the shortest routes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from operator import itemgetter
from typing import Any

from msgspec import Struct

from adjudicator.engine.table import Player, changed
from adjudicator.engine.table.board import routes
from adjudicator.engine.table.remembered import Answers
from adjudicator.rulebooks.serenissima import board
from adjudicator.rulebooks.serenissima.investment import COST
from adjudicator.rulebooks.serenissima.scoring import BASILICA, yields
from adjudicator.rulebooks.serenissima.selling import BONUS, SPICE
from adjudicator.rulebooks.serenissima.state import Galley, State

GIVEN_AWAY = 0.3
"""The part of a cube's worth to its port's owner that counts against a sale to another player."""
PROMISE = 3
"""The ducats that a port may pay at each scoring beyond those for its goods now."""
WINE = 2
"""The extra worth of a port that has wine."""
SAILOR = 1.5
"""The loss of a sailor who lands, in addition to the ducat."""

PAIR = {"gold": "marble", "marble": "gold"}
"""The goods that a basilica needs, each with the other one."""


WAYS: Mapping[board.ZoneId, Mapping[board.ZoneId, tuple[board.ZoneId, ...]]] = {
    zone: routes(zone, board.BORDERS, board.HOLD) for zone in board.BORDERS
}
"""The shortest route from each zone to each other one, as far as a full crew can go."""


def scorings_left(view: State) -> int:
    """The number of scorings still to come."""
    return len(board.track(len(view.players)).scorings) - view.scorings


def worth_in_slot(view: State, me: Player, port: board.PortId, filled: int) -> float:
    """The worth of a sale, whatever the good is: ducats now, and what the cube brings the port's owner later."""
    owner, pays = view.ports[port].owner, board.BOARD.scoring[board.BOARD.ports[port].size]
    later = float((pays[min(filled + 1, len(pays) - 1)] - pays[filled]) * scorings_left(view))
    if owner == me:
        return later
    now = board.BOARD.slots_of(port)[filled]
    return now - GIVEN_AWAY * later if owner else float(now)


def worth_on_top(view: State, me: Player, port: board.PortId, good: board.Good) -> float:
    """The worth of this good on top: a bonus for spice, and in the player's own port the second good of a basilica."""
    if good == SPICE:
        return float(BONUS)
    if good not in PAIR or view.ports[port].owner != me or view.ports[port].basilica:
        return 0.0
    return float(BASILICA * scorings_left(view) - COST) if view.has(port, PAIR[good]) else 0.0


def conquest(view: State, port: board.PortId) -> float:
    """The worth of owning the port from now on."""
    place = view.ports[port]
    each = yields(view, port) + PROMISE + (BASILICA if place.basilica else 0)
    return float(each * scorings_left(view)) + (WINE if view.has(port, "wine") else 0) - SAILOR


PATIENCE = 0.5
"""The part of a gain that counts if it comes one turn later."""
NEW_GOOD = 2
"""The worth of a port that produces a good which none of the player's ports produces."""


class Plan(Struct, frozen=True):
    """An order for a galley, its worth, and its claims: goods to sell at a port, a port to take, ducats to spend."""

    worth: float
    order: dict[str, Any]
    sells: tuple[board.PortId, tuple[board.Good, ...]] = ("", ())
    takes: board.PortId = ""
    costs: int = 0


class Defence(Struct, frozen=True):
    """Whom a merchant has to beat for a port: the owner's galleys there, and the dice of all defenders."""

    galleys: tuple[board.GalleyId, ...]
    dice: int


@cache
def within_reach(zone: board.ZoneId, sailors: int) -> Mapping[board.PortId, float]:
    """The other ports that a galley can reach, and the part of a gain that counts by then."""
    ways = {port: way for port, way in WAYS[zone].items() if way and port in board.BOARD.ports}
    return {port: PATIENCE ** -(-len(way) // sailors) for port, way in ways.items()}


class Outlook:
    """A position as one player plans in it; a plan for one galley claims what it uses, so that other plans leave it
    alone.

    `mine` are the player's ports. Worked out once between claims: `markets`, the ports for a good, the best first,
    with its worth there; `hopes`, the most that a galley could get for a good in later turns, by its zone,
    the good and its sailors; `pulls`, the most that a galley with so many sailors gains by a cube loaded in a port.
    Worked out once: `slots`, what any cube is worth in a port with so many; `worths`, what a good is worth in each
    port; `prizes`, the worth of taking a port; `defences`, whom to beat for a rival's port; `box`, how many cubes of a
    good, forts or basilicas are left; `pays`, what a port pays for its goods at the scorings to come.
    """

    def __init__(self, view: State, me: Player) -> None:
        self.view, self.me, self.ducats = view, me, view.purse(me)
        self.stock = {name: list(port.warehouse) for name, port in view.ports.items()}
        self.rivals: dict[board.ZoneId, dict[board.GalleyId, Galley]] = {}
        for name in view.in_order():
            if view.galleys[name].owner != me:
                self.rivals.setdefault(view.galleys[name].zone, {})[name] = view.galleys[name]
        self.mine = view.ports_of(me)
        made = [board.BOARD.ports[name].good for name in self.mine]
        self.own_goods = {*made, *(good for port in self.mine.values() for good in port.warehouse)}
        self.owners = Counter([port.owner for port in view.ports.values()])
        self.taken: set[board.PortId] = set()
        self.markets = Answers(self._market)
        self.hopes = Answers(self._hope)
        self.pulls = Answers(self._pull)
        self.slots = Answers(self._slot)
        self.worths = Answers(self._worths)
        self.box = Answers(view.stock_of)
        self.pays = Answers(self._pays)
        self.prizes = Answers(self._prize)
        self.defences = Answers(self._defence)

    def claim(self, plan: Plan) -> None:
        """Marks the plan's goods and ports as used, for the plans of other galleys."""
        port, goods = plan.sells
        if port:
            self.stock[port] += goods
            for good, worths in self.worths.items():
                worths[port] = self.worth_of(port, good, len(self.stock[port]))
            self.markets.clear()
            self.hopes.clear()
            self.pulls.clear()
        self.taken |= {plan.takes}
        self.ducats -= plan.costs
        for place, sailors in plan.order.get("sailors", {}).items():
            if place in self.view.galleys:
                more = self.view.galleys[place].sailors + sailors
                self.view = changed(self.view, "galleys", place, sailors=more)

    def worth_of(self, port: board.PortId, good: board.Good, filled: int) -> float:
        """The worth of selling the good to the port when it has so many cubes; 0 if it can't be sold there."""
        slot = self.slots[port, filled]
        if slot is None or board.BOARD.ports[port].good == good or good in self.stock[port]:
            return 0.0
        return slot + worth_on_top(self.view, self.me, port, good)

    def _slot(self, place: tuple[board.PortId, int]) -> float | None:
        """What any cube is worth in a port that has so many cubes; None if the port buys nothing more."""
        port, filled = place
        if self.view.ports[port].closed or filled >= len(board.BOARD.slots_of(port)):
            return None
        return worth_in_slot(self.view, self.me, port, filled)

    def _worths(self, good: board.Good) -> dict[board.PortId, float]:
        return {port: self.worth_of(port, good, len(held)) for port, held in self.stock.items()}

    def _market(self, good: board.Good) -> list[tuple[board.PortId, float]]:
        return sorted(self.worths[good].items(), key=itemgetter(1), reverse=True)

    def _hope(self, place: tuple[board.ZoneId, board.Good, int]) -> float:
        zone, good, sailors = place
        shares, most = within_reach(zone, sailors), 0.0
        for port, worth in self.markets[good]:
            if worth * PATIENCE <= most:
                break  # the next turn is the soonest: the others are worth less
            if port in shares and (later := worth * shares[port]) > most:
                most = later
        return most

    def _pull(self, place: tuple[board.ZoneId, int]) -> float:
        zone, sailors = place
        if zone not in board.BOARD.ports or self.view.ports[zone].closed:
            return 0.0
        return max(self.hopes[zone, board.BOARD.ports[zone].good, sailors] - 1, 0.0)

    def _pays(self, port: board.PortId) -> int:
        return yields(self.view, port) * scorings_left(self.view)

    def _prize(self, port: board.PortId) -> float:
        return conquest(self.view, port) + (0 if board.BOARD.ports[port].good in self.own_goods else NEW_GOOD)

    def _defence(self, port: board.PortId) -> Defence | None:
        """Whom to beat for a rival's port; None if it can't be taken: more than one galley guards it, or it is the
        rival's only one."""
        place = self.view.ports[port]
        assert place.owner is not None
        there = self.rivals.get(port, {})
        guards = {name: other for name, other in there.items() if other.owner == place.owner}
        if len(guards) > 1 or self.owners[place.owner] == 1:
            return None
        aboard = sum(guard.sailors for guard in guards.values())
        return Defence(tuple(guards), place.garrison + aboard + (1 if place.fort else 0))
