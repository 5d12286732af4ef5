"""Lands with outlines: where two of them touch, and each as path data for its colour.

Neighbours share every point of their border, so whatever two lands have between the same two points is border, and what
only one has is coast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from adjudicator.engine.report.coast import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    LonLat,
    Projected,
    degree_beyond_bounds,
    ring_area,
)
from adjudicator.engine.report.paths import Point, in_whole_units, path_of_points, rounded_steps

Rings = Sequence[Sequence[LonLat]]
"""A land: a ring of places for each of its parts."""
Pair = tuple[str, str]
"""Two lands, the one that comes first in the alphabet before the other."""
Edge = tuple[tuple[float, float], tuple[float, float]]

FINE, COARSE = 4, 7
"""Points of a border, and of a coloured land under it, lie at least so far apart."""
LEAST_COLOURED = 25
"""Islands smaller than this, in square units, have no colour."""


def borders(lands: Mapping[str, Rings]) -> Mapping[Pair, list[list[LonLat]]]:
    """The lines along which lands touch."""
    owners: dict[Edge, str] = {}
    found: dict[Pair, list[list[LonLat]]] = {}
    for land, rings in lands.items():
        for ring in rings:
            last: tuple[str, LonLat] | None = None
            for one, other in pairwise([*ring, ring[0]]):
                edge = edge_between(one, other)
                neighbour = owners.get(edge)
                if neighbour is None:
                    owners[edge] = land
                    last = None
                    continue
                lines = found.setdefault(pair(land, neighbour), [])
                if last == (neighbour, one):
                    lines[-1].append(other)
                else:
                    lines.append([one, other])
                last = neighbour, other
    return {pair: joined_lines(lines) for pair, lines in found.items()}


def edge_between(one: LonLat, other: LonLat) -> Edge:
    """The edge between two places, which is the same in both directions."""
    a, b = (one[0], one[1]), (other[0], other[1])
    return (a, b) if a < b else (b, a)


def pair(one: str, other: str) -> Pair:
    """Two lands as a pair."""
    return (one, other) if one < other else (other, one)


def joined_lines(lines: Sequence[list[LonLat]]) -> list[list[LonLat]]:
    """Lines of which none ends where another begins: a ring may begin in the middle of a border."""
    found = [list(line) for line in lines]
    for line in list(found):
        before = next((other for other in found if other is not line and other[-1] == line[0]), None)
        if before is not None:
            before.extend(line[1:])
            found.remove(line)
    return found


def path_data(lines: Sequence[Sequence[LonLat]], at: Projected) -> str:
    """Lines as path data in whole units."""
    points = [without_near_points([at(place_beyond_bounds(place)) for place in line], FINE) for line in lines]
    return "".join(
        f"M{path_of_points(line[:1])}l{path_of_points(list(rounded_steps(line)))}" for line in points
    )


def area(rings: Rings, at: Projected) -> str:
    """A land's outline for its colour, as path data in whole units: without what a coast and a border over
    it hide.
    """
    points = [[at(place_beyond_bounds(place)) for place in ring] for ring in rings]
    kept = [without_near_points(ring, COARSE) for ring in points if ring_area(ring) >= LEAST_COLOURED]
    return "".join(
        f"M{path_of_points(ring[:1])}l{path_of_points(list(rounded_steps(ring)))}z" for ring in kept
    )


def place_beyond_bounds(place: LonLat) -> LonLat:
    """A place; if it lies on the bounds of what is known, one beyond them."""
    return degree_beyond_bounds(place[0], WEST, EAST), degree_beyond_bounds(place[1], SOUTH, NORTH)


def without_near_points(line: Sequence[Point], least: float) -> list[Point]:
    """A line in whole units, without the points that lie too near to the one before; its last point stays."""
    kept = [in_whole_units(line[0])]
    for x, y in line[1:-1]:
        if abs(x - kept[-1][0]) + abs(y - kept[-1][1]) >= least:
            kept.append(in_whole_units((x, y)))
    return [*kept, in_whole_units(line[-1])]
