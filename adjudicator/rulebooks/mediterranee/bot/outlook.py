"""A player's outlook on a position: what goods can bring within reach, and what a galley's arrival in a zone is worth.

Everything is reckoned anew from the view: a bot remembers nothing from one phase to the next.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from adjudicator.rulebooks.mediterranee.board import BOARD, GOODS, HOLD, Good, PortId, ZoneId
from adjudicator.rulebooks.mediterranee.bot.odds import fight
from adjudicator.rulebooks.mediterranee.bot.routes import DISTANCES
from adjudicator.rulebooks.mediterranee.bot.worth import (
    CREWS,
    SAILOR,
    SHIP,
    price_at,
    turns_left,
    worth_in,
    worth_of_port,
)
from adjudicator.rulebooks.mediterranee.state import State, galleys_of

if TYPE_CHECKING:
    from adjudicator.engine.table import Player

PATIENCE = (1.0, 0.72, 0.5, 0.33, 0.2)
"""What is left of a gain that comes so many turns later: others may be there first."""
Hopes = dict[Good, list[float]]
ENOUGH = 0.75
"""The least odds of success that a trader fights at."""
PEACE = 300
"""Ducats that a fight must promise beyond staying quiet, and as many again for each two turns of revenge left."""


class Prospect(Struct, frozen=True):
    """What an attack promises: the odds of success, and the worth of the position after it, in ducats."""

    odds: float
    worth: float

    @property
    def sensible(self) -> bool:
        """Are the odds good enough?"""
        return self.odds >= ENOUGH


@cache
def within_reach(zone: ZoneId, crew: int, left: int) -> tuple[tuple[PortId, float], ...]:
    """The other ports that a galley gets to in the turns that are left, and what is left of a gain by then."""
    turns = {port: -(-DISTANCES[zone][port] // crew) for port in BOARD.ports if port != zone}
    return tuple((port, PATIENCE[number]) for port, number in turns.items() if number <= min(left, 4))


class Outlook:
    """What the position offers to one player; plans take from it what they claim, so that no two want the same."""

    def __init__(self, view: State, me: Player) -> None:
        self.view, self.me = view, me
        self.left = turns_left(view)
        self.ports: dict[PortId, float] = {}
        self.worth: dict[PortId, dict[Good, int]] = {}
        self.worth_mine: dict[PortId, dict[Good, int]] = {}
        for port, place in view.ports.items():
            goods = {good: worth_in(view, me, port, good, place.owner) for good in GOODS}
            own = place.owner == me
            self.worth[port] = goods
            self.worth_mine[port] = goods
            if not own:
                self.worth_mine[port] = {good: worth_in(view, me, port, good, me) for good in GOODS}
                self.ports[port] = worth_of_port(view, me, port)
        fleet = [good for galley in galleys_of(view, me).values() for good in galley.cargo]
        self.aboard = {good: fleet.count(good) for good in GOODS}
        self._hopes: dict[tuple[ZoneId, int], Hopes] = {}
        self._landings: dict[tuple[ZoneId, int], float] = {}

    @property
    def scruples(self) -> int:
        """The ducats that a fight must promise beyond staying quiet."""
        return PEACE + PEACE * self.left // 2

    def claim(self, zone: ZoneId, goods: list[Good]) -> None:
        """Another galley of the player goes there, with these goods to sell: they, and the port, are spoken for."""
        for good in goods:
            self.worth[zone] = {**self.worth[zone], good: 0}
            self.worth_mine[zone] = {**self.worth_mine[zone], good: 0}
        self.ports.pop(zone, None)
        self._hopes.clear()
        self._landings.clear()

    # -- later turns ---------------------------------------------------------------------------------------------

    def hopes(self, zone: ZoneId, crew: int) -> Hopes:
        """What each good could bring in later turns to a galley in the zone: the best three ports, best first."""
        key = (zone, crew)
        if key not in self._hopes:
            near = [(self.worth[port], share) for port, share in within_reach(zone, crew, self.left)]
            found = {good: [worth[good] * share for worth, share in near] for good in GOODS}
            self._hopes[key] = {good: sorted(gains, reverse=True)[:3] for good, gains in found.items()}
        return self._hopes[key]

    def landings(self, zone: ZoneId, crew: int) -> float:
        """The best landing that a galley in the zone can hope for in later turns."""
        key = (zone, crew)
        if key not in self._landings:
            ports = self.view.ports
            reached = within_reach(zone, crew, self.left)
            open_ = [each for each in reached if each[0] in self.ports and not ports[each[0]].garrison]
            hopes = [self.ports[port] * share for port, share in open_]
            self._landings[key] = max(hopes, default=0.0)
        return self._landings[key]

    def future(self, zone: ZoneId, crew: int, cargo: list[Good]) -> float:
        """What a galley in the zone with this crew and cargo can still bring in after this turn."""
        if self.left == 0 or crew == 0:
            return 0.0
        hopes = self.hopes(zone, crew)
        worth: float = CREWS[crew] * min(self.left, 3) / 3
        aboard = {good: cargo.count(good) for good in cargo}
        for good, count in aboard.items():
            worth += sum(hopes[good][:count]) * self.uncrowded(good, count)
        if crew > 1:
            worth += 0.6 * self.landings(zone, crew)
        if zone in self.view.ports:
            worth += self.purchases(zone, hopes, aboard, HOLD - crew - len(cargo)) + self.recruits(zone, crew)
        return worth

    def purchases(self, port: PortId, hopes: Hopes, aboard: dict[Good, int], room: int) -> float:
        """What can be gained by next turn's purchases in the port."""
        good = BOARD.ports[port].good
        already, price = aboard.get(good, 0), price_at(self.view, self.me, port)
        gains = [max(0.0, hope - price) for hope in hopes[good][already : already + room]]
        return 0.8 * sum(gains) * self.uncrowded(good, already)

    def uncrowded(self, good: Good, count: int) -> float:
        """What is left of a hope when the player's other galleys have the same good aboard: a port takes one."""
        return 0.7 ** max(0, self.aboard[good] - count)

    def recruits(self, port: PortId, crew: int) -> float:
        """What it is worth that sailors can be enlisted in an own port for a small crew (MED-2.9)."""
        place = self.view.ports[port]
        return 220.0 * min(len(place.warehouse), max(0, 4 - crew)) if place.owner == self.me else 0.0

    # -- this turn -----------------------------------------------------------------------------------------------

    def sales(self, zone: ZoneId, crew: int, cargo: list[Good], *, mine: bool = False) -> dict[Good, float]:
        """The goods to sell in the zone's port, best first, with what each brings; `mine`: once it is taken."""
        if zone not in self.view.ports or not cargo:
            return {}
        worth = (self.worth_mine if mine else self.worth)[zone]
        hopes = self.hopes(zone, crew) if self.left and crew else {}
        better = {good: gains[0] for good, gains in hopes.items() if gains}
        over = {good: worth[good] - better.get(good, 0.0) for good in cargo if worth[good]}
        free = len(BOARD.slots_of(zone)) - len(self.view.ports[zone].warehouse)
        wanted = sorted((good for good in over if over[good] >= 0), key=lambda good: -over[good])[:free]
        return {good: worth[good] + 100.0 * place for place, good in enumerate(wanted)}

    def stay(self, zone: ZoneId, crew: int, cargo: list[Good], *, mine: bool = False) -> float:
        """What it is worth to be in the zone, to sell there and go on later."""
        sold = self.sales(zone, crew, cargo, mine=mine)
        rest = list(cargo)
        for good in sold:
            rest.remove(good)
        return sum(sold.values()) + self.future(zone, crew, rest)

    def landing(self, zone: ZoneId, crew: int, cargo: list[Good]) -> float:
        """What it is worth to land a sailor there and take the port; nothing where that can't be done."""
        if zone not in self.ports or self.view.ports[zone].garrison or crew < (2 if self.left else 1):
            return 0.0
        if crew == 1:
            return self.ports[zone]  # the galley sinks with its cargo (MED-5.3); the match is over
        return self.ports[zone] + self.stay(zone, crew - 1, cargo, mine=True)

    def storm(self, zone: ZoneId, crew: int, cargo: list[Good]) -> Prospect | None:
        """What it is worth to attack the garrison there and land (MED-4.9, MED-5.1); None: there is none to attack.

        Success is a sailor left to land and, before the last turn, one to sail on.
        """
        if zone not in self.ports or not self.view.ports[zone].garrison:
            return None
        place = self.view.ports[zone]
        least = 2 if self.left else 1
        odds, worth = 0.0, 0.0
        for (crew_left, enemy), likely in fight(crew, place.garrison, place.fortress).items():
            if enemy == 0 and crew_left >= least:
                odds += likely
                rest = self.stay(zone, crew_left - 1, cargo, mine=True) if crew_left > 1 else 0.0
                worth += likely * (self.ports[zone] + rest)
            elif crew_left:
                worth += likely * self.stay(zone, crew_left, cargo)
            worth -= likely * SAILOR * (crew - crew_left)
            worth -= likely * SHIP if not crew_left and self.left else 0.0
        return Prospect(odds, worth - self.scruples)

    def peace(self, zone: ZoneId, crew: int, cargo: list[Good]) -> float:
        """What it is worth to be in the zone without a fight: landing or not, selling, going on later."""
        return max(self.stay(zone, crew, cargo), self.landing(zone, crew, cargo))

    def arrival(self, zone: ZoneId, crew: int, cargo: list[Good]) -> float:
        """What it is worth to a galley to be in the zone after this turn's movement, doing the best it can there."""
        quiet = self.peace(zone, crew, cargo)
        assault = self.storm(zone, crew, cargo) if crew >= 3 else None
        return max(quiet, assault.worth) if assault is not None and assault.sensible else quiet
