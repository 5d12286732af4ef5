"""The facts that an order's `if:` may hold: of galleys, of ports and other sea zones, and of the player who orders."""

from __future__ import annotations

from msgspec import Struct

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Name
from adjudicator.engine.table.facts import (
    About,
    condition,
    counted,
    enemies,
    free_for,
    holding,
    lies_in,
    of_me,
    owned_by,
    purse,
    seated,
    there,
)
from adjudicator.rulebooks.mediterranee.board import BOARD, POWERS, ZoneId
from adjudicator.rulebooks.mediterranee.standing import GALLEY, GOOD, ZONE
from adjudicator.rulebooks.mediterranee.state import Galley, GalleyId, Port, State, galleys_in

SEAS = tuple(zone for zone in BOARD.zones if zone not in BOARD.ports)
"""The zones without a port."""


class Waters(Struct, frozen=True):
    """A sea zone: its name, the port on it, if there is one, and the sailors of each galley of others there."""

    zone: ZoneId
    port: Port | None
    others: tuple[int, ...]

    @property
    def free(self) -> int:
        """The free slots of the port's warehouse (MED-6.2)."""
        return len(BOARD.slots_of(self.zone)) - len(self.there.warehouse)

    @property
    def there(self) -> Port:
        """The port, where one is asked about."""
        assert self.port is not None
        return self.port


def galley(view: State, me: Player, name: GalleyId) -> Galley | None:
    """A galley, while there is one of that name."""
    return view.galleys.get(name)


def waters(view: State, me: Player, zone: ZoneId) -> Waters:
    """A zone and its port."""
    others = tuple(each.sailors for each in galleys_in(view, zone).values() if each.owner != me)
    return Waters(zone, view.ports.get(zone), others)


GALLEYS = About(
    GALLEY,
    galley,
    {
        **lies_in(ZONE, lambda galley: galley.zone),
        **owned_by(POWERS, lambda galley: [galley.owner]),
        **counted(lambda galley: galley.sailors),
        **holding(GOOD, lambda galley: galley.cargo),
        **there(),
    },
)
OTHERS_THERE = enemies(lambda waters: waters.others, "sailors")
PORTS = About(
    Name("port", "|".join(BOARD.ports)),
    waters,
    {
        **lies_in(ZONE, lambda waters: waters.zone),
        **owned_by(POWERS, lambda waters: [waters.there.owner] if waters.there.owner else []),
        **counted(lambda waters: waters.there.garrison),
        **holding(GOOD, lambda waters: waters.there.warehouse),
        **free_for(lambda waters: waters.free),
        **OTHERS_THERE,
    },
)
ZONES = About(Name("sea zone", "|".join(SEAS)), waters, OTHERS_THERE)
ME = of_me(
    lambda view, me: (view, me),
    {
        **seated(lambda mine: mine[0].order.index(mine[1]) + 1),
        **purse(lambda mine: mine[0].players[mine[1]].treasury.value),
    },
)
CONDITION = condition(GALLEYS, PORTS, ZONES, ME)
