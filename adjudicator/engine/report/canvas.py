"""What a map is drawn on: places on earth as points of a picture, lines between them, and room for names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import asinh, hypot, radians, tan
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.kept import OfMatch
from adjudicator.engine.report.paths import Point, closed, curve, head, moved, shortened

LonLat = Sequence[float]
"""Longitude and latitude in degrees."""

WIDTH = 1400
"""The width of every map, in its units."""
MARGIN = 62
"""The space left free around the outermost places."""
CELL = 3
"""Room is booked in squares with sides of this length."""
SIDES: tuple[Point, ...] = ((1, 0), (-1, 0), (0, -1), (0, 1))
CORNERS: tuple[Point, ...] = ((1, -1), (1, 1), (-1, -1), (-1, 1))
AROUND = SIDES + CORNERS
"""Where a box is put beside a point: right, left, above, below, and in the corners."""
BETWEEN = tuple((dx, dy / 2) for dx, dy in CORNERS) + tuple((dx / 2, dy) for dx, dy in CORNERS)
"""Where else, if none of these has room."""
NARROW, SLIM, WIDE = frozenset("ijlI|!.,:;'’"), frozenset("frt()[]- "), frozenset("mwMWG@%&—")
BESIDE = 5.5
"""The distance between ways that share a line."""
MOST_DRAWN = 16
"""How many drawings are kept: more than one match needs at a time."""
SEAM = 2
"""The gap between rectangles that stand together."""
NOTHING = "\ufe0e"
"""Put after a sign that is to be drawn as text; has no width itself."""


class Box(Struct, frozen=True):
    """A rectangle: its upper left corner, its size, and whether it had to be put `far` from its point."""

    x: float
    y: float
    w: float
    h: float
    far: bool = False


class Stack(Struct, frozen=True):
    """Rectangles that stand together: the whole, and each one."""

    whole: Box
    boxes: Sequence[Box]


class Arrow(Struct, frozen=True):
    """An arrow: the path data of its line and of its head."""

    line: str
    head: str


class Canvas:
    """A picture of the part of the earth that holds some places, in Mercator's projection, north at the top.

    `points` are the marked places by name, `ways` the lines between them, and `legs` counts the ways along each. `tags`
    is what one layer leaves for a later one to write. `players` are those whose colours the legend explains.
    """

    def __init__(self, places: Iterable[LonLat]) -> None:
        flat = [(radians(place[0]), northing(place[1])) for place in places]
        self.west, self.north = min(x for x, _ in flat), max(y for _, y in flat)
        self.scale = (WIDTH - 2 * MARGIN) / (max(x for x, _ in flat) - self.west)
        self.w = WIDTH
        self.h = round((self.north - min(y for _, y in flat)) * self.scale + 2 * MARGIN)
        self.points: dict[str, Point] = {}
        self.ways: dict[tuple[str, str, str], list[Point]] = {}
        self.legs: dict[tuple[str, ...], int] = {}
        self.tags: list[Any] = []
        self.players: Sequence[str] = ()
        self.rows = [0] * (self.h // CELL + 1)
        self._drawn: OfMatch[tuple[Any, ...], tuple[tuple[Any, ...], Any, Canvas]] = OfMatch(
            MOST_DRAWN
        )  # shared by all copies

    def copy(self) -> Canvas:
        """Another canvas with the same places and the same booked room."""
        other = Canvas.__new__(Canvas)
        other.__dict__.update(self.__dict__)
        other.points, other.ways = dict(self.points), dict(self.ways)
        other.rows, other.legs, other.tags = list(self.rows), {}, []
        return other

    def once(self, macro: Any, *given: Any) -> Any:
        """What a macro draws here, given the canvas and some values: `chart.once(drawn, state.galleys)`.

        It is drawn once for all readers with the same values and the same booked room, and books the same room again.
        The macro must depend only on its arguments, and be the only one of its name. Values are compared by identity,
        so they are kept as long as their drawing.
        """
        taken = tuple(self.rows), tuple(self.legs.items()), tuple(self.tags)
        key = (macro.name, *map(id, given), taken)
        if key not in self._drawn:
            drawn = macro(self, *given)
            self._drawn.keep(key, (given, drawn, self._as_it_is()))
        _, drawn, after = self._drawn[key]
        self.__dict__.update(after._as_it_is().__dict__)
        return drawn

    def _as_it_is(self) -> Canvas:
        other = self.copy()
        other.legs, other.tags = dict(self.legs), list(self.tags)
        return other

    # -- places and lines -----------------------------------------------------------------------------------------

    def at(self, place: LonLat) -> Point:
        """The point of the picture for a place on earth."""
        x = (radians(place[0]) - self.west) * self.scale + MARGIN
        y = (self.north - northing(place[1])) * self.scale + MARGIN
        return round(x, 1), round(y, 1)

    def found(self, name: str, place: LonLat, w: float, h: float) -> Point:
        """The point where a place is drawn, with room of its own, stored under its name.

        A place too near to another is moved aside, as little as possible.
        """
        x, y = self.at(place)
        for step in range(0, 40, 2):
            for dx, dy in AROUND:
                if self.free(x + dx * step - w / 2, y + dy * step - h / 2, w, h):
                    self.book(x + dx * step - w / 2, y + dy * step - h / 2, w, h)
                    return self.points.setdefault(name, (x + dx * step, y + dy * step))
        self.book(x - w / 2, y - h / 2, w, h)
        return self.points.setdefault(name, (x, y))

    def join(self, one: str, other: str, bends: Iterable[LonLat] = (), kind: str = "") -> list[Point]:
        """The line between two marked places, stored under them and its kind."""
        line = [self.points[one], *(self.at(bend) for bend in bends), self.points[other]]
        self.ways[one, other, kind], self.ways[other, one, kind] = line, line[::-1]
        return line

    def along(self, names: Sequence[str], kind: str = "") -> list[Point]:
        """A way through marked places, along the lines between them; beside all other ways on the same line."""
        asides = [self.aside(one, other, kind) for one, other in pairwise(names)]
        found = [moved(self.points[names[0]], asides[0])]
        for (one, other), here, there in zip(pairwise(names), asides, [*asides[1:], asides[-1]], strict=True):
            line = self.ways.get((one, other, kind), [self.points[one], self.points[other]])
            found += [moved(point, here) for point in line[1:-1]]
            found.append(moved(line[-1], ((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)))
        return found

    def aside(self, one: str, other: str, kind: str) -> Point:
        """How far the next way between two places goes beside the line between them: the more ways, the farther."""
        leg = (*sorted((one, other)), kind)
        nth = self.legs[leg] = self.legs.get(leg, -1) + 1
        far = (nth + 1) // 2 * (BESIDE if nth % 2 else -BESIDE)
        (x, y), (to_x, to_y) = self.points[leg[0]], self.points[leg[1]]
        long = hypot(to_x - x, to_y - y) or 1
        return -(to_y - y) / long * far, (to_x - x) / long * far

    def curve(self, line: Sequence[Point]) -> str:
        """A smooth line as path data."""
        return curve(line)

    def arrow(self, line: Sequence[Point], short_by: float = 0) -> Arrow:
        """An arrow along a line, ending `short_by` before the line's end."""
        line = shortened(line, short_by)
        return Arrow(curve(shortened(line, 9)), head(line))

    def coast(self) -> str:
        """The land as path data."""
        return "".join(
            ring for land in lands() if (ring := closed([self.at(place) for place in land], self.w, self.h))
        )

    # -- room -----------------------------------------------------------------------------------------------------

    def width(self, text: str, size: float) -> float:
        """About how wide a text is at most, in a sans-serif font of that size."""
        return width(text, size)

    def book(self, x: float, y: float, w: float, h: float) -> Box:
        """Books the room of a rectangle, free or not."""
        bits = span(x, w)
        for row in range(max(int(y) // CELL, 0), min(int(y + h) // CELL + 1, len(self.rows))):
            self.rows[row] |= bits
        return Box(x, y, w, h)

    def free(self, x: float, y: float, w: float, h: float) -> bool:
        """Is the room of a rectangle free and inside the picture?"""
        if x < 2 or y < 2 or x + w > self.w - 2 or y + h > self.h - 2:
            return False
        bits = span(x, w)
        return not any(self.rows[row] & bits for row in range(int(y) // CELL, int(y + h) // CELL + 1))

    def put(self, point: Point, w: float, h: float, gap: float = 4, rise: float | None = None) -> Box:
        """Books room for a rectangle beside a point, as near to it as possible.

        `gap` is the distance to the point at the sides, `rise` above and below (default: the same).
        """
        return self.fit(point, [(w, h)], gap, rise)

    def fit(
        self, point: Point, sizes: Sequence[tuple[float, float]], gap: float = 4, rise: float | None = None
    ) -> Box:
        """Books room for a rectangle of one of several sizes, the first that fits equally near to the point."""
        for step in range(40):
            across, up = gap + 5 * step, (gap if rise is None else rise) + 5 * step
            for w, h in sizes:
                for dx, dy in AROUND + BETWEEN if step else AROUND:
                    slant = 0.75 if dx and dy else 1
                    x = point[0] - w / 2 + dx * (w / 2 + across * slant)
                    y = point[1] - h / 2 + dy * (h / 2 + up * slant)
                    if self.free(x, y, w, h):
                        self.book(x, y, w, h)
                        return Box(round(x, 1), round(y, 1), w, h, far=step > 0)
        w, h = sizes[0]
        return self.book(point[0] - w / 2, point[1] - h / 2, w, h)

    def stack(self, point: Point, widths: Sequence[float], h: float, gap: float) -> Stack:
        """Books room together for rectangles of several widths and one height: below each other, or, if that doesn't
        fit so near to the point, in rows of two or three.
        """
        ways: dict[tuple[float, float], list[Sequence[float]]] = {}
        for abreast in range(1, min(len(widths), 3) + 1):
            rows = [widths[at : at + abreast] for at in range(0, len(widths), abreast)]
            size = max(sum(row) + SEAM * (len(row) - 1) for row in rows), (h + SEAM) * len(rows) - SEAM
            ways.setdefault(size, rows)
        whole = self.fit(point, list(ways), gap)
        found = [
            Box(whole.x + sum(row[:at]) + SEAM * at, whole.y + (h + SEAM) * down, w, h)
            for down, row in enumerate(ways[whole.w, whole.h])
            for at, w in enumerate(row)
        ]
        return Stack(whole, found)


@cache
def lands() -> list[list[LonLat]]:
    """The coasts of the Mediterranean, a ring of places for each land: Natural Earth, public domain, reduced."""
    text = files(__package__).joinpath("coast.json").read_text(encoding="utf-8")
    found: list[list[LonLat]] = json.loads(text)
    return found


def northing(latitude: float) -> float:
    """Mercator's projection of a latitude in degrees."""
    return asinh(tan(radians(latitude)))


def span(x: float, w: float) -> int:
    """The squares of a row that a stretch of it covers, as bits."""
    first, last = max(int(x) // CELL, 0), max(int(x + w) // CELL, 0)
    return (1 << last + 1) - (1 << first)


def width(text: str, size: float) -> float:
    """About how wide a text is at most, in a sans-serif font of that size."""
    ems = 0.0
    for letter in text:
        if letter in NARROW:
            ems += 0.25
        elif letter in SLIM:
            ems += 0.34
        elif letter in WIDE:
            ems += 0.86
        elif letter != NOTHING:
            ems += 0.69 if letter.isupper() else 0.56
    return round(ems * size, 1)
