"""The worth of goods, ports, galleys and sailors to a player, in ducats: estimates, not rules."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from adjudicator.rulebooks.mediterranee.board import BOARD, CAPITAL, GOODS, Good, PortId, ZoneId
from adjudicator.rulebooks.mediterranee.ending import A_POINT, FULL, lines
from adjudicator.rulebooks.mediterranee.purchase import ASK, PRICE
from adjudicator.rulebooks.mediterranee.sale import A_SLOT
from adjudicator.rulebooks.mediterranee.state import Galley, State, has

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudicator.engine.table import Player

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
    it is.
    """
    slots, gain = len(BOARD.slots[size]), POINT * (FULL[size] - 1)
    if slots - stored > 1 + FILLED * left:
        return gain // (UNFILLED * slots)
    return gain * 2 * (stored + 1) // (slots * (slots + 1))


def building_use(view: State, port: PortId, good: Good) -> int:
    """MED-2.7: with wood and iron galleys can be built there."""
    if good not in TIMBER or turns_left(view) < 3:
        return 0
    return SHIPYARD if has(port, view.ports[port].warehouse, TIMBER[good]) else HALF_A_SHIPYARD


@cache
def worth_of_slot(port: PortId, stored: int, left: int, owner: Player | None, me: Player) -> int:
    """What a player gets for the next piece, whatever it is, in an owner's port with so many in its warehouse, when
    `left` turns follow (MED-6.1, MED-6.2); 0 if the warehouse is full.
    """
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
    `left` turns follow: points now and later, its good for 100, no rival there.
    """
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
