"""OLT-3.5 and OLT-8.2: the ship sails, takes markers, and follows a compass."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from adjudicator.engine.table.domain import OneOf, Walk
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.oltremare import events
from adjudicator.rulebooks.oltremare.board import PORTS, ROUTES, PortId, symbols
from adjudicator.rulebooks.oltremare.state import State, active

Way = tuple[PortId, ...]


def course(t: Table[State]) -> tuple[Way, PortId]:
    """OLT-3.5: the route of an order, as many ports as there are ship symbols; and the port of a compass (OLT-8.2).

    Left out, the first route in the board's order is sailed.
    """
    count, start = symbols(t.state.in_play, "ship"), active(t.state).ship
    way: Way = ()
    if count:
        found = t.pick("via", Walk(start, ROUTES, count), rule="OLT-3.5", default=None)
        if found is None:
            t.warn("OLT-3.5", "no-route", count=count)
        way = first_way(start, count) if found is None else found
        t.require(len(way) == count, "OLT-3.5", "not-far-enough", value=len(way), count=count)
        t.require(not twice(start, way), "OLT-3.5", "route-twice")
    goals = jumps(t.state, way)
    closed = dict.fromkeys(PORTS, Reason("OLT-8.2", "no-jump-there" if goals else "no-compass"))
    return way, t.pick("jump", OneOf(goals, closed), rule="OLT-8.2", default=None) or ""


def twice(start: PortId, way: Way) -> bool:
    """OLT-3.5: does a way take a route twice?"""
    taken = [frozenset(route) for route in pairwise((start, *way))]
    return len(set(taken)) < len(taken)


def ways(start: PortId, count: int, way: Way = ()) -> Iterator[Way]:
    """OLT-3.5: every way of so many ports that begins so, in the board's order."""
    if len(way) == count:
        yield way
        return
    for there in ROUTES[way[-1] if way else start]:
        if not twice(start, (*way, there)):
            yield from ways(start, count, (*way, there))


def first_way(start: PortId, count: int) -> Way:
    """The first of these ways. From every port of the board there is one for four symbols, the most there can be."""
    return next(ways(start, count), ())


def jumps(state: State, way: Way) -> tuple[PortId, ...]:
    """OLT-8.2: the ports to which a compass at the end of the way leads: those with a marker that isn't a compass."""
    if not way or state.markers.get(way[-1]) != "compass":
        return ()
    return tuple(port for port, marker in state.markers.items() if marker != "compass")


def sail(t: Table[State], way: Way, jump: PortId) -> None:
    """OLT-3.5, OLT-8.2: the ship goes to the end of the way, and takes the marker there, or turns its own."""
    player, start = t.state.turn_of, active(t.state).ship
    t.play(events.Sailed(rule="OLT-3.5", player=player, start=start, way=way))
    marker, held = t.state.markers.get(way[-1]), active(t.state).active
    if marker is not None:
        t.play(events.MarkerTaken(rule="OLT-3.5", player=player, port=way[-1], marker=marker))
    elif held is not None:
        t.play(events.MarkerTurned(rule="OLT-3.5", player=player, marker=held))
    if jump:
        t.play(events.Jumped(rule="OLT-8.2", player=player, start=way[-1], port=jump))
        t.play(events.MarkerTaken(rule="OLT-8.2", player=player, port=jump, marker=t.state.markers[jump]))
