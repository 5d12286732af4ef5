"""The worth of goods, ports, galleys and sailors to a player, in ducats: estimates, not rules; and what lies within
reach."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from operator import mul

from adjudicator.engine.table import Player
from adjudicator.engine.table.board import routes
from adjudicator.engine.table.remembered import Answers
from adjudicator.rulebooks.mediterranee.board import BOARD, BORDERS, CAPITAL, GOODS, Good, PortId, ZoneId
from adjudicator.rulebooks.mediterranee.purchase import ASK, PRICE
from adjudicator.rulebooks.mediterranee.sale import A_POINT, A_SLOT, FULL, lines
from adjudicator.rulebooks.mediterranee.state import Galley, State

POINT = A_POINT
"""A point at the end is worth the ducats that make one (MED-7.1)."""
SAILOR = 130
SHIP = 600
"""The worth of a lost sailor, and of a lost empty galley."""
CREWS = (0, 0, 380, 640, 780, 840)
"""The worth of a galley's sailors by their number: the second and third carry it far enough to trade."""
SHIPYARD, HALF_A_SHIPYARD = 400, 120
"""The worth of wood and iron in the player's port, and of the first of the two."""
TIMBER: Mapping[Good, Good] = {"wood": "iron", "iron": "wood"}
"""MED-2.7: the goods that a galley is built of, each with the other one."""
ENLISTED_LATER = 80
"""The worth of a piece in the player's warehouse for the sailor that it allows to enlist (MED-2.9)."""
UNOWNED = 30
"""A sale to a neutral port is worth its price and so much more: no rival gains by it."""
BEGRUDGED = 4
"""One part in so many of the points that a sale gives a rival counts against it."""
FILLED = 2
"""The pieces that a trader expects to come to a warehouse each turn."""
UNFILLED = 4
"""If the warehouse can't be filled any more, a piece counts for one part in so many of its share."""
MARGIN = 4
"""A rival's port is worth one part in so many more than another one: the rival loses it."""
HOME = 10
"""The points that the player's own capital is worth on top: income, a safe harbour, and the rivals' prize."""
DEAREST, STEP_DOWN = 350, 25
"""The worth of a piece of the rarest good aboard, and by how much each commoner good is worth less."""
TRADE = 20
"""A port's worth to its owner for each turn left, and again for each of its first three pieces."""


def turns_left(view: State) -> int:
    """The turns after this one."""
    return view.options.turns - view.phase.turn


def price_at(view: State, me: Player, port: PortId) -> int:
    """The most that a player pays there for a piece: 100 to the bank (MED-2.2), 300 to an owner (MED-2.3)."""
    return PRICE if view.ports[port].owner in (None, me) else ASK


def warehouse_share(size: str, stored: int, left: int) -> int:
    """What the next piece in a warehouse is worth to the owner: a share of the points for a full one, larger the fuller
    it is."""
    slots, gain = len(BOARD.slots[size]), POINT * (FULL[size] - 1)
    if slots - stored > 1 + FILLED * left:
        return gain // (UNFILLED * slots)
    return gain * 2 * (stored + 1) // (slots * (slots + 1))


def building_use(view: State, port: PortId, good: Good) -> int:
    """MED-2.7: with wood and iron galleys can be built there."""
    if good not in TIMBER or turns_left(view) < 3:
        return 0
    return SHIPYARD if view.has(port, TIMBER[good]) else HALF_A_SHIPYARD


@cache
def worth_of_slot(port: PortId, stored: int, left: int, owner: Player | None, me: Player) -> int:
    """What a player gets for the next piece, whatever it is, in an owner's port with so many in its warehouse, when
    `left` turns follow (MED-6.1, MED-6.2); 0 if the warehouse is full."""
    slots = BOARD.slots_of(port)
    if stored == len(slots):
        return 0
    money = A_SLOT * slots[stored]
    if owner is None:
        return money + UNOWNED
    share = warehouse_share(BOARD.ports[port].size, stored, left)
    if owner == me:
        return money + share + (ENLISTED_LATER if stored < 3 and left > 1 else 0)
    return money - share // BEGRUDGED


@cache
def worth_of_port(port: PortId, me: Player, owner: Player | None, stored: int, left: int) -> int:
    """The worth to a player of controlling a port that is its owner's now, with so many pieces in its warehouse, when
    `left` turns follow: points now and later, its good for 100, no rival there."""
    slots = len(BOARD.slots_of(port))
    gain = POINT * (FULL[BOARD.ports[port].size] - 1)
    to_come = slots if stored == slots else (stored + min(left, slots - stored) // 2) / 2
    held = POINT + int(gain * to_come / slots)
    trade = TRADE * left * (1 + min(stored, 3))
    if CAPITAL[me] == port:
        return held + trade + HOME * POINT
    rival = owner is not None
    capital = 2 * POINT if rival and CAPITAL.get(owner or "") == port else 0
    return held + trade + (held // MARGIN if rival else 0) + capital


def worth_of_cargo(cargo: tuple[Good, ...]) -> int:
    """The rough worth of a cargo to a player who may take it."""
    return sum(DEAREST - STEP_DOWN * GOODS.index(good) for good in cargo)


def earlier(view: State, me: Player, zone: ZoneId) -> list[Galley]:
    """Rivals' galleys in the zone whose owners act in this phase before `me`."""
    due = view.phase.due
    before = due[: due.index(me)] if me in due else ()
    return [galley for galley in view.galleys.values() if galley.zone == zone and galley.owner in before]


def standing_of(view: State, player: Player) -> int:
    """The player's points so far, as far as they are public."""
    return sum(line.points or 0 for line in lines(view, player) if line.what != "treasury")


def leader(view: State, me: Player) -> Player:
    """The rival with the most public points; the first of them in the order of play."""
    rivals = [player for player in view.order if player != me]
    return max(rivals, key=lambda player: standing_of(view, player))


DISTANCES: Mapping[ZoneId, Mapping[ZoneId, int]] = {
    zone: {there: len(way) for there, way in routes(zone, BORDERS).items()} for zone in BORDERS
}
"""The number of zones to enter from each zone to each other one, the nearest first."""


@cache
def within(start: ZoneId, most: int) -> tuple[ZoneId, ...]:
    """The zones that a galley with `most` sailors can reach in a turn (MED-3.1), its own first."""
    return tuple(zone for zone, distance in DISTANCES[start].items() if distance <= most)


@cache
def ends(start: ZoneId, most: int) -> tuple[ZoneId, ...]:
    """The zones in which a galley with `most` sailors plans to end a turn: its own, ports, and the open sea only if it
    can reach no port."""
    zones = within(start, most)
    ports = tuple(zone for zone in zones if zone in BOARD.ports and zone != start)
    return (start, *ports) if ports else zones


def way(view: State, me: Player, start: ZoneId, goal: ZoneId, most: int) -> list[ZoneId]:
    """The zones to enter from `start` to `goal`, at most `most`:
    as few leaves as possible (MED-3.3), then as few zones."""
    guarded = {galley.zone for galley in view.galleys.values() if galley.owner != me}
    rim: dict[ZoneId, tuple[int, tuple[ZoneId, ...]]] = {start: (0, ())}
    best: tuple[int, tuple[ZoneId, ...]] | None = None
    for left in reversed(range(most)):
        onward: dict[ZoneId, tuple[int, tuple[ZoneId, ...]]] = {}
        for here, (leaves, path) in rim.items():
            asked = leaves + (here in guarded and path != ())
            for there in BORDERS[here]:
                if DISTANCES[there][goal] > left:
                    continue
                reached = (asked, (*path, there))
                if there not in onward or reached < onward[there]:
                    onward[there] = reached
        rim = onward
        if goal in rim and (best is None or rim[goal][0] < best[0]):
            best = rim[goal]
    return list(best[1]) if best else []


PORTS = tuple(BOARD.ports)
PATIENCE = (1.0, 0.72, 0.5, 0.33, 0.2)
"""The part of a gain that counts if it comes so many turns later: others may be there first."""
MOST_HOPES = 3
"""A galley hopes for so many ports at most: then its goods are sold, or others have been there."""


@cache
def within_reach(zone: ZoneId, crew: int, left: int) -> tuple[float, ...]:
    """The part of a gain in each port that counts when a galley can be there, in the board's order: 0 for its own zone,
    and for ports that it can't reach in the turns left."""
    turns = [-(-DISTANCES[zone][port] // crew) for port in PORTS]
    return tuple(PATIENCE[number] if 0 < number <= min(left, 4) else 0.0 for number in turns)


class Goals:
    """Ports for one purpose, with the ducats that each is worth, when `left` turns follow this one.

    `row` has the worth of every port in the board's order, 0 for those that don't serve the purpose. `hopes` says what
    a galley can gain in later turns at the best other ports, the best first, by its zone and crew; 0 if it can't reach
    any in the turns left. `profits` says how much it gains above a price: by its zone and crew, the price, the hopes to
    pass over, and the number of pieces.
    """

    def __init__(self, row: tuple[float, ...], left: int) -> None:
        self.row, self.left = row, left
        self.worths = dict(zip(PORTS, row, strict=True))
        self.hopes = Answers(self._hopes)
        self.profits = Answers(self._profits)

    def without(self, port: PortId) -> Goals:
        """The goals that are left when one is taken."""
        place = PORTS.index(port)
        return goals((*self.row[:place], 0, *self.row[place + 1 :]), self.left)

    def _hopes(self, place: tuple[ZoneId, int]) -> list[float]:
        zone, crew = place
        gains = map(mul, self.row, within_reach(zone, crew, self.left))
        return sorted(gains, reverse=True)[:MOST_HOPES]

    def _profits(self, pieces: tuple[ZoneId, int, int, int, int]) -> float:
        zone, crew, price, past, count = pieces
        return sum([hope - price for hope in self.hopes[zone, crew][past : past + count] if hope > price])


goals = lru_cache(256)(Goals)
"""The same worths come up again in a turn, so their goals are worked out once."""
