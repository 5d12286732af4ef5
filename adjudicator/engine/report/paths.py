"""Lines of a picture as SVG path data: smooth lines, rings, and arrow heads.

What adorns a chart and means nothing: the winds of a rose, and lines between roses over the sea; as path data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin

from msgspec import Struct

LONG = 13
"""How long the head of an arrow is."""
LEADING_ZERO = re.compile(r"(?<![\d.])0\.")
"""What path data does without: the 0 of 0.5."""
Point = tuple[float, float]
"""A point of the picture, in its units: from the left, from the top."""


def ring_path(ring: Sequence[Point], w: float, h: float) -> str:
    """A ring as path data; empty if it lies wholly to one side. A ring around the picture fills it."""
    left, right = min(x for x, _ in ring), max(x for x, _ in ring)
    top, bottom = min(y for _, y in ring), max(y for _, y in ring)
    if right <= -40 or left >= w + 40 or bottom <= -40 or top >= h + 40:
        return ""
    return "M" + path_of_points(ring[:1]) + "l" + path_of_points(list(rounded_steps(ring))) + "z"


def rounded_steps(line: Sequence[Point]) -> Iterator[Point]:
    """From each point of a line to the next; rounded so that no error adds up."""
    for one, other in pairwise(line):
        (x, y), (to_x, to_y) = rounded(one), rounded(other)
        yield to_x - x, to_y - y


def rounded(point: Point) -> Point:
    """A point as path data has it."""
    return round(point[0], 1), round(point[1], 1)


def in_whole_units(point: Point) -> Point:
    """A point in whole units."""
    return round(point[0]), round(point[1])


def path_of_points(points: Sequence[Point]) -> str:
    """Points as path data, in as few letters as they need."""
    text = " ".join(f"{tenths(x)} {tenths(y)}" for x, y in points)
    return LEADING_ZERO.sub(".", text).replace(" -", "-")


def curve_path(line: Sequence[Point]) -> str:
    """A smooth line through points, as path data."""
    start = f"M{path_of_points(line[:1])}"
    if len(line) == 2:
        return f"{start}l{path_of_points(list(rounded_steps(line)))}"
    parts = [start]
    whole = [line[0], *line, line[-1]]
    for before, here, there, after in zip(whole, whole[1:], whole[2:], whole[3:], strict=False):
        (x, y), (to_x, to_y) = rounded(here), rounded(there)
        first = ((there[0] - before[0]) / 6, (there[1] - before[1]) / 6)
        second = (to_x - x - (after[0] - here[0]) / 6, to_y - y - (after[1] - here[1]) / 6)
        parts.append("c" + path_of_points((first, second, (to_x - x, to_y - y))))
    return "".join(parts)


def arrow_head(line: Sequence[Point]) -> str:
    """The head of an arrow at the end of a line, as path data."""
    (x, y), way = line[-1], last_direction(line)
    left, right = ((x - LONG * cos(way + turn), y - LONG * sin(way + turn)) for turn in (pi / 7, -pi / 7))
    return (
        f"M{tenths(x)} {tenths(y)}L{tenths(left[0])} {tenths(left[1])}L{tenths(right[0])} {tenths(right[1])}z"
    )


def shortened_line(line: Sequence[Point], by: float) -> list[Point]:
    """A line that ends earlier by some length; its last stretch keeps a little of its length."""
    (x, y), way = line[-1], last_direction(line)
    by = min(by, hypot(x - line[-2][0], y - line[-2][1]) * 0.7)
    return [*line[:-1], (round(x - by * cos(way), 1), round(y - by * sin(way), 1))]


def moved_point(point: Point, by: Point) -> Point:
    """A point moved aside."""
    return round(point[0] + by[0], 1), round(point[1] + by[1], 1)


def last_direction(line: Sequence[Point]) -> float:
    """The direction of the last stretch of a line, as an angle."""
    return atan2(line[-1][1] - line[-2][1], line[-1][0] - line[-2][0])


def tenths(number: float) -> str:
    """A number rounded to a tenth, as path data has it."""
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text in ("", "-0") else text


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
