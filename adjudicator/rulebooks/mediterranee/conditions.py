"""The facts that an order's `if:` may name: about galleys, ports and other sea zones, and the ordering player."""

from __future__ import annotations

from adjudicator.engine.table import Player, facts
from adjudicator.engine.table.domain import Name
from adjudicator.rulebooks.mediterranee.board import BOARD, POWERS, ZoneId
from adjudicator.rulebooks.mediterranee.standing import GALLEY, GOOD, ZONE
from adjudicator.rulebooks.mediterranee.state import GalleyId, Port, State, galleys_in

SEAS = tuple(zone for zone in BOARD.zones if zone not in BOARD.ports)
"""The zones without a port."""
NO_PORT = Port(None, 0, fortress=False, warehouse=())


class Waters(facts.Place, frozen=True):
    """A sea zone with its port, if there is one: of a port the owner, garrison, warehouse and free slots (MED-6.2)."""

    zone: ZoneId


def galley(view: State, me: Player, name: GalleyId) -> facts.Piece | None:
    """A galley, if there is one of that name."""
    there = view.galleys.get(name)
    return facts.Piece(there.zone, there.owner, there.sailors, there.cargo) if there else None


def waters(view: State, me: Player, zone: ZoneId) -> Waters:
    """A zone and its port."""
    port, slots = view.ports.get(zone, NO_PORT), BOARD.slots_of(zone) if zone in BOARD.ports else ()
    others = [each.sailors for each in galleys_in(view, zone).values() if each.owner != me]
    free = len(slots) - len(port.warehouse)
    return Waters(port.owner or "", port.garrison, port.warehouse, free, others, zone)


OF_PORTS = facts.of_places(POWERS, GOOD, "sailors")
GALLEYS = facts.About(GALLEY, galley, facts.of_pieces(ZONE, POWERS, GOOD))
PORTS = facts.About(
    Name("port", "|".join(BOARD.ports)),
    waters,
    {**facts.lies_in(ZONE, lambda waters: waters.zone), **OF_PORTS},
)
ZONES = facts.About(Name("sea zone", "|".join(SEAS)), waters, {"enemies": OF_PORTS["enemies"]})
ME = facts.of_me(
    lambda view, me: (view, me),
    {
        **facts.seated(lambda mine: mine[0].order.index(mine[1]) + 1),
        **facts.purse(lambda mine: mine[0].players[mine[1]].treasury.value),
    },
)
CONDITION = facts.condition(GALLEYS, PORTS, ZONES, ME)
