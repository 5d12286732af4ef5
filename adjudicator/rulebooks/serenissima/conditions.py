"""The facts that an order's `if:` may name: about galleys, ports, the open sea, and the player who orders."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Player, facts
from adjudicator.engine.table.domain import Name, Part, Record
from adjudicator.rulebooks.serenissima.board import BOARD, COLOURS, GalleyId, ZoneId
from adjudicator.rulebooks.serenissima.fields import GOOD, NUMBER, PLAYER, ZONE
from adjudicator.rulebooks.serenissima.movement import afloat
from adjudicator.rulebooks.serenissima.state import Port, State

SEAS = tuple(zone for zone in BOARD.zones if zone not in BOARD.ports)
"""The zones without a port."""
NO_PORT = Port(None, 0)


class Waters(facts.Place, frozen=True):
    """A sea zone with its port, if there is one, and the total of sailors on each player's galleys there."""

    afloat: dict[Player, int]


def waters(view: State, me: Player, zone: ZoneId) -> Waters:
    """A zone and its port."""
    port, size = view.ports.get(zone, NO_PORT), BOARD.ports[zone].size if zone in BOARD.ports else 0
    others = [galley.sailors for galley in view.galleys_in(zone).values() if galley.owner != me]
    free, fleets = size - len(port.warehouse), afloat(view, zone)
    return Waters(port.owner or "", port.garrison, port.warehouse, free, others, fleets)


def galley(view: State, me: Player, name: GalleyId) -> facts.Piece | None:
    """A galley, if there is one of that number."""
    there = view.galleys.get(name)
    return facts.Piece(there.zone, there.owner, there.sailors, there.cargo) if there else None


FLEET: Record[Any] = Record(dict, {"of": Part(PLAYER, needed=True), **facts.LEAST_AND_MOST})
FLEETS = {"fleet": facts.Fact(FLEET, lambda at, wanted: facts.within(wanted, at.afloat.get(wanted["of"], 0)))}
"""`fleet: {of: red, least: 1, most: 3}`: the total of sailors on a player's galleys there (SER-3.2)."""
NUMBERS = Name("galley", "|".join(str(number) for number in NUMBER.among))
GALLEYS = facts.About(NUMBERS, galley, facts.of_pieces(ZONE, COLOURS, GOOD))
OF_PORTS = {**facts.of_places(COLOURS, GOOD, "sailors"), **FLEETS}
PORTS = facts.About(Name("port", "|".join(BOARD.ports)), waters, OF_PORTS)
AT_SEA = {name: OF_PORTS[name] for name in ("enemies", "fleet")}
ZONES = facts.About(Name("sea zone", "|".join(SEAS)), waters, AT_SEA)
ME = facts.of_me(State.purse, facts.purse(lambda ducats: ducats))
CONDITION = facts.condition(GALLEYS, PORTS, ZONES, ME)
