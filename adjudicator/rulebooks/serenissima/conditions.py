"""The facts that an order's `if:` may hold: of galleys, of ports and the open sea, and of the player who orders."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from adjudicator.engine.table import facts
from adjudicator.engine.table.domain import Name, Part, Record
from adjudicator.engine.table.event import Player
from adjudicator.rulebooks.serenissima.board import BOARD, COLOURS, ZoneId
from adjudicator.rulebooks.serenissima.fields import GOOD, NUMBER, PLAYER, ZONE
from adjudicator.rulebooks.serenissima.movement import afloat
from adjudicator.rulebooks.serenissima.state import Port, State

SEAS = tuple(zone for zone in BOARD.zones if zone not in BOARD.ports)
"""The zones without a port."""


class Waters(Struct, frozen=True):
    """A sea zone: its name, the port on it, if there is one, the sailors on each player's galleys there together, and
    those of each galley of others."""

    zone: ZoneId
    port: Port | None
    afloat: dict[Player, int]
    others: tuple[int, ...]


def waters(view: State, me: Player, zone: ZoneId) -> Waters:
    """A zone and its port."""
    others = tuple(each.sailors for each in view.galleys_in(zone).values() if each.owner != me)
    return Waters(zone, view.ports.get(zone), afloat(view, zone), others)


FLEET: Record[Any] = Record(dict, {"of": Part(PLAYER, needed=True), **facts.LEAST_AND_MOST})
AFLOAT = {
    **facts.enemies(lambda waters: waters.others, "sailors"),
    "fleet": facts.Fact(FLEET, lambda at, wanted: facts.within(wanted, at.afloat.get(wanted["of"], 0))),
}
"""`fleet: {of: red, least: 1, most: 3}`: the sailors on a player's galleys there together (SER-3.2)."""
OF_GALLEYS = {
    **facts.lies_in(ZONE, lambda galley: galley.zone),
    **facts.owned_by(COLOURS, lambda galley: [galley.owner]),
    **facts.counted(lambda galley: galley.sailors),
    **facts.holding(GOOD, lambda galley: galley.cargo),
    **facts.there(),
}
OF_PORTS = {
    **facts.owned_by(COLOURS, lambda waters: [waters.port.owner] if waters.port.owner else []),
    **facts.counted(lambda waters: waters.port.garrison),
    **facts.holding(GOOD, lambda waters: waters.port.warehouse),
    **facts.free_for(lambda waters: BOARD.ports[waters.zone].size - len(waters.port.warehouse)),
    **AFLOAT,
}
NUMBERS = Name("galley", "|".join(str(number) for number in NUMBER.among))
GALLEYS = facts.About(NUMBERS, lambda view, me, name: view.galleys.get(name), OF_GALLEYS)
PORTS = facts.About(Name("port", "|".join(BOARD.ports)), waters, OF_PORTS)
ZONES = facts.About(Name("sea zone", "|".join(SEAS)), waters, AFLOAT)
ME = facts.of_me(State.purse, facts.purse(lambda ducats: ducats))
CONDITION = facts.condition(GALLEYS, PORTS, ZONES, ME)
