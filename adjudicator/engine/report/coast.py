"""The coasts of the Mediterranean: as rings of places on earth, as path data, and as land in a picture's squares.

Lands with outlines: where two of them touch, and each as path data for its colour.

Neighbours share every point of their border, so whatever two lands have between the same two points is border, and what
only one has is coast.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import hypot
from operator import itemgetter
from pathlib import Path

from adjudicator.engine.report.paths import Point, in_whole_units, path_of_points, ring_path, rounded_steps
from adjudicator.engine.report.room import CELL, Room, squares_as_bits

LonLat = Sequence[float]
"""Longitude and latitude in degrees."""
Projected = Callable[[LonLat], Point]
"""From a place on earth to a point of a picture."""

WEST, SOUTH, EAST, NORTH = -10.5, 27.5, 47.5, 49
"""The bounds of what is known; beyond them a coast goes straight on."""
BEYOND = 12
"""How many degrees further."""
FINEST, LONGEST = 0.8, 40
"""A point of a coast is drawn if it lies so far off the line between those around it, or they so far apart."""
OUTSIDE = 50
"""How far outside the picture, in its units, coasts needn't be right."""
LEAST = 7
"""Islands smaller than this, in square units, aren't drawn."""


@cache
def lands() -> list[list[LonLat]]:
    """The coasts, a ring of places for each land: Natural Earth, public domain, reduced."""
    text = Path(__file__).with_name("coast.json").read_text(encoding="utf-8")
    found: list[list[LonLat]] = json.loads(text)
    return found


@cache
def coasts_beyond_bounds() -> list[list[LonLat]]:
    """The coasts; the ones that touch the bounds go on beyond them."""
    return [
        [(degree_beyond_bounds(x, WEST, EAST), degree_beyond_bounds(y, SOUTH, NORTH)) for x, y in ring]
        for ring in lands()
    ]


def degree_beyond_bounds(at: float, least: float, most: float) -> float:
    """A degree; if it lies on a bound, one beyond it."""
    return at - BEYOND if at <= least else at + BEYOND if at >= most else at


def coast(at: Projected, w: float, h: float) -> str:
    """The land as path data in whole units."""
    rings = [
        [in_whole_units(on_margin(at(place), w, h)) for place in ring] for ring in coasts_beyond_bounds()
    ]
    return "".join(ring_path(simplified(ring), w, h) for ring in rings if ring_area(ring) >= LEAST)


def on_margin(point: Point, w: float, h: float) -> Point:
    """A point; if it lies outside the picture by more than a margin, one on the margin."""
    return min(max(point[0], -OUTSIDE), w + OUTSIDE), min(max(point[1], -OUTSIDE), h + OUTSIDE)


def mark_land(at: Projected, room: Room) -> None:
    """Marks the squares of a picture's room that are land."""
    crossings: list[list[float]] = [[] for _ in room.land]
    for ring in coasts_beyond_bounds():
        points = [at(place) for place in ring]
        for one, other in pairwise([*points, points[0]]):
            (x, y), (to_x, to_y) = sorted((one, other), key=itemgetter(1))
            first, last = max(int(y / CELL + 0.5), 0), min(int(to_y / CELL + 0.5), len(crossings))
            for row in range(first, last):
                crossings[row].append(x + ((row + 0.5) * CELL - y) / (to_y - y) * (to_x - x))
    for row, found in enumerate(crossings):
        found.sort()
        for left, right in zip(found[::2], found[1::2], strict=False):
            if right > 0 and left < room.w:
                room.land[row] |= squares_as_bits(max(left, 0), min(right, room.w) - max(left, 0))


def simplified(ring: Sequence[Point]) -> list[Point]:
    """A ring without the points that lie nearly on the line between those around them."""
    found = [ring[0]]
    for point, after in zip(ring[1:], [*ring[2:], ring[0]], strict=True):
        (x, y), (to_x, to_y) = found[-1], after
        long = hypot(to_x - x, to_y - y) or 1
        away = abs((to_x - x) * (point[1] - y) - (to_y - y) * (point[0] - x)) / long
        if away > FINEST or (away and long > LONGEST):
            found.append(point)
    return found


def ring_area(ring: Sequence[Point]) -> float:
    """The area inside a ring."""
    return abs(sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in pairwise([*ring, ring[0]]))) / 2


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
