"""The facts that an order's `if:` may hold: of galleys, of ports and the open sea, and of the player who orders."""

from __future__ import annotations

from msgspec import Struct

from adjudicator.engine.table.domain import Name, Part, Record
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.facts import (
    LEAST_AND_MOST,
    About,
    Fact,
    condition,
    counted,
    enemies,
    free_for,
    holding,
    lies_in,
    of_me,
    owned_by,
    there,
    within,
)
from adjudicator.engine.table.facts import purse as treasury
from adjudicator.rulebooks.serenissima.board import BOARD, COLOURS, MOST_NUMBER, GalleyId, ZoneId
from adjudicator.rulebooks.serenissima.fields import GOOD, PLAYER, ZONE
from adjudicator.rulebooks.serenissima.movement import afloat
from adjudicator.rulebooks.serenissima.state import Galley, Port, State, galleys_in, purse, slots

SEAS = tuple(zone for zone in BOARD.zones if zone not in BOARD.ports)
"""The zones without a port."""
NUMBERS = tuple(str(number) for number in range(1, MOST_NUMBER + 1))


class Waters(Struct, frozen=True):
    """A sea zone: its name, the port on it, if there is one, the sailors on each player's galleys there together, and
    those of each galley of others."""

    zone: ZoneId
    port: Port | None
    afloat: dict[Player, int]
    others: tuple[int, ...]

    @property
    def there(self) -> Port:
        """The port, where one is asked about."""
        assert self.port is not None
        return self.port


def galley(view: State, me: Player, name: GalleyId) -> Galley | None:
    """A galley, while there is one of that number."""
    return view.galleys.get(name)


def waters(view: State, me: Player, zone: ZoneId) -> Waters:
    """A zone and its port."""
    others = tuple(each.sailors for each in galleys_in(view, zone).values() if each.owner != me)
    return Waters(zone, view.ports.get(zone), afloat(view, zone), others)


AFLOAT = {
    **enemies(lambda waters: waters.others, "sailors"),
    "fleet": Fact(
        Record(dict, {"of": Part(PLAYER, needed=True), **LEAST_AND_MOST}),
        lambda waters, wanted: within(wanted, waters.afloat.get(wanted["of"], 0)),
    ),
}
"""`fleet: {of: red, least: 1, most: 3}`: the sailors on a player's galleys there together (SER-3.2)."""
GALLEYS = About(
    Name("galley", "|".join(NUMBERS)),
    galley,
    {
        **lies_in(ZONE, lambda galley: galley.zone),
        **owned_by(COLOURS, lambda galley: [galley.owner]),
        **counted(lambda galley: galley.sailors),
        **holding(GOOD, lambda galley: galley.cargo),
        **there(),
    },
)
PORTS = About(
    Name("port", "|".join(BOARD.ports)),
    waters,
    {
        **owned_by(COLOURS, lambda waters: [waters.there.owner] if waters.there.owner else []),
        **counted(lambda waters: waters.there.garrison),
        **holding(GOOD, lambda waters: waters.there.warehouse),
        **free_for(lambda waters: slots(waters.zone) - len(waters.there.warehouse)),
        **AFLOAT,
    },
)
ZONES = About(Name("sea zone", "|".join(SEAS)), waters, AFLOAT)
CONDITION = condition(GALLEYS, PORTS, ZONES, of_me(purse, treasury(lambda ducats: ducats)))
