"""What adorns a chart and means nothing: the winds of a rose, and lines between roses over the sea; as path data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin

from msgspec import Struct

from adjudicator.engine.report.paths import Point, path_of_points, rounded_steps, tenths

WINDS = 16
"""The points that rhumb lines join, as on a portolan."""
SPIKES = ((32, 0.7, 0.46), (16, 0.86, 0.36), (8, 0.94, 0.25), (4, 1.14, 0.17))
"""The rings of a rose of radius 1, the lowest first. For each: how many winds this ring and those above it have
together, the length of its spikes, and how far out the spikes are widest.
"""
STATION, STEP = 44, 3.5
"""How far apart a road's stations are, and how far it steps aside at each."""


class Spike(Struct, frozen=True):
    """A spike of a rose that points north: path data of its light half and its dark half, and by how many degrees it is
    turned each time it is drawn.
    """

    light: str
    dark: str
    turns: Sequence[float]


def rhumbs(centre: Point, across: float, up: float, step: int) -> str:
    """Lines between sixteen points on an ellipse, each joined to those `step` further, and so on to its opposite."""
    points = [point_on_ellipse(centre, turn / WINDS * 2 * pi, across, up) for turn in range(WINDS)]
    drawn = []
    for at, one in enumerate(points):
        for further in range(step, WINDS // 2 + 1, 2):
            if further < WINDS // 2 or at < WINDS // 2:
                drawn.append(f"M{whole_point(one)}L{whole_point(points[(at + further) % WINDS])}")
    return "".join(drawn)


def winds(centre: Point, start: float, end: float, count: int = 32) -> str:
    """The lines of a rose's winds, from one distance to another."""
    return "".join(
        f"M{whole_point(point_on_ellipse(centre, turn / count * 2 * pi, start, start))}"
        f"L{whole_point(point_on_ellipse(centre, turn / count * 2 * pi, end, end))}"
        for turn in range(count)
    )


def rose(radius: float) -> Sequence[Spike]:
    """A rose's spikes, the lowest first."""
    found: list[Spike] = []
    for count, length, widest in SPIKES:
        x, y = point_on_ellipse((0, 0), pi / count - pi / 2, widest * radius, widest * radius)
        tip = point((0, -length * radius))
        turns = range(count) if count == 4 else range(1, count, 2)
        light, dark = (f"M0 0L{point((side * x, y))}L{tip}z" for side in (-1, 1))
        found.append(Spike(light, dark, [360 / count * turn for turn in turns]))
    return found


def stepped(line: Sequence[Point]) -> str:
    """A road as on the maps of the ancients: straight, with a step at each station."""
    points = [line[0]]
    for (x, y), (to_x, to_y) in pairwise(line):
        long = hypot(to_x - x, to_y - y) or 1
        stations = int(long / STATION)
        for station in range(1, stations + 1):
            share, side = station / (stations + 1), station % 2
            for at, aside in ((share, 1 - side), (share + STEP / long, side)):
                points.append(
                    (
                        x + (to_x - x) * at - (to_y - y) / long * STEP * aside,
                        y + (to_y - y) * at + (to_x - x) / long * STEP * aside,
                    )
                )
        points.append((to_x, to_y))
    return f"M{path_of_points(points[:1])}l{path_of_points(list(rounded_steps(points)))}"


def point_on_ellipse(centre: Point, way: float, across: float, up: float) -> Point:
    """The point of an ellipse in a direction, as an angle."""
    return centre[0] + across * cos(way), centre[1] + up * sin(way)


def point(at: Point) -> str:
    """A point as path data."""
    return f"{tenths(at[0])} {tenths(at[1])}"


def whole_point(at: Point) -> str:
    """A point as path data in whole units."""
    return f"{at[0]:.0f} {at[1]:.0f}"
