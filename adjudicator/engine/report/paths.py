"""Lines of a picture as SVG path data: smooth lines, rings, and arrow heads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin

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


def arrow_head(line: Sequence[Point], long: float = 13) -> str:
    """The head of an arrow at the end of a line, as path data."""
    (x, y), way = line[-1], last_direction(line)
    left, right = ((x - long * cos(way + turn), y - long * sin(way + turn)) for turn in (pi / 7, -pi / 7))
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
