"""The worth of things to a merchant, in ducats by the end of the match; and the shortest routes."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from adjudicator.engine.table import Player
from adjudicator.rulebooks.serenissima.board import BOARD, BORDERS, HOLD, Good, PortId, ZoneId, track
from adjudicator.rulebooks.serenissima.investment import COST
from adjudicator.rulebooks.serenissima.scoring import BASILICA
from adjudicator.rulebooks.serenissima.selling import BONUS, SPICE
from adjudicator.rulebooks.serenissima.state import State

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


def ways_from(start: ZoneId) -> Mapping[ZoneId, tuple[ZoneId, ...]]:
    """The shortest route to each zone, as far as a full crew can go."""
    found: dict[ZoneId, tuple[ZoneId, ...]] = {start: ()}
    rim = deque([start])
    while rim:
        here = rim.popleft()
        for there in BORDERS[here]:
            if there not in found and len(found[here]) < HOLD:
                found[there] = (*found[here], there)
                rim.append(there)
    return found


WAYS: Mapping[ZoneId, Mapping[ZoneId, tuple[ZoneId, ...]]] = {zone: ways_from(zone) for zone in BORDERS}


def scorings_left(view: State) -> int:
    """The number of scorings still to come."""
    return len(track(len(view.players)).scorings) - view.scorings


def worth_in_warehouse(view: State, port: PortId, filled: int) -> float:
    """The worth of one more cube to the port's owner at the scorings to come."""
    pays = BOARD.scoring[BOARD.ports[port].size]
    return float((pays[min(filled + 1, len(pays) - 1)] - pays[filled]) * scorings_left(view))


def worth_in_slot(view: State, me: Player, port: PortId, filled: int) -> float:
    """The worth of a sale, whatever the good is: ducats now, and what the cube brings the port's owner later."""
    owner, later = view.ports[port].owner, worth_in_warehouse(view, port, filled)
    if owner == me:
        return later
    now = BOARD.slots_of(port)[filled]
    return now - GIVEN_AWAY * later if owner else float(now)


def worth_on_top(view: State, me: Player, port: PortId, good: Good) -> float:
    """The worth of this good on top: a bonus for spice, and in the player's own port the second good of a basilica."""
    if good == SPICE:
        return float(BONUS)
    if good not in PAIR or view.ports[port].owner != me or view.ports[port].basilica:
        return 0.0
    return float(BASILICA * scorings_left(view) - COST) if view.has(port, PAIR[good]) else 0.0


def conquest(view: State, port: PortId) -> float:
    """The worth of owning the port from now on."""
    place = view.ports[port]
    each = (
        BOARD.scoring[BOARD.ports[port].size][len(place.warehouse)]
        + PROMISE
        + (BASILICA if place.basilica else 0)
    )
    return float(each * scorings_left(view)) + (WINE if view.has(port, "wine") else 0) - SAILOR
