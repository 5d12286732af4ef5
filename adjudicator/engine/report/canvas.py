"""What a map is drawn on: places on earth as points of a picture, lines between them, and room for names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import asinh, hypot, radians, tan
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.caches import OfMatch
from adjudicator.engine.report import coast, lettering, outline
from adjudicator.engine.report.coast import LonLat
from adjudicator.engine.report.paths import Point, arrow_head, curve_path, moved_point, shortened_line
from adjudicator.engine.report.room import AROUND, Room

WIDTH, HEIGHT = 1400, 900
"""The width of every map, in its units, and the height of one with a window."""
MARGIN = 62
"""The space left free around the outermost places of a map without a window."""
NARROW, SLIM, WIDE = frozenset("ijlI|!.,:;'’"), frozenset("frt()[]- "), frozenset("mwMWG@%&—")
BESIDE = 5.5
"""The distance between ways that share a line."""
MOST_DRAWN = 16
"""How many drawings are kept: more than one match needs at a time."""
NOTHING = "\ufe0e"
"""Put after a sign that is to be drawn as text; has no width itself."""


class Window(Struct, frozen=True):
    """The part of the earth that a picture shows: its western, eastern and northern bounds in degrees, and how far from
    the edge, in units, the frame lets anything stand.
    """

    west: float
    east: float
    north: float
    inset: int = 26


class Arrow(Struct, frozen=True):
    """An arrow: the path data of its line and of its head."""

    line: str
    head: str


SMALL = 10.5
"""The size of a person's name in a legend."""


class Canvas(Room):
    """A picture of the part of the earth in a window, or that holds some places, in Mercator's projection, north at the
    top.

    `points` are the marked places by name, `ways` the lines between them, and `legs` counts the ways along each.
    `players` are those whose colours the legend explains, `people` the names of those who play them.
    """

    def __init__(self, places: Iterable[LonLat], window: Window | None = None) -> None:
        if window is not None:
            self.west, self.north, self.margin = radians(window.west), mercator(window.north), 0
            self.scale = WIDTH / (radians(window.east) - self.west)
            super().__init__(WIDTH, HEIGHT, window.inset)
        else:
            flat = [(radians(place[0]), mercator(place[1])) for place in places]
            self.west, self.north, self.margin = min(x for x, _ in flat), max(y for _, y in flat), MARGIN
            self.scale = (WIDTH - 2 * MARGIN) / (max(x for x, _ in flat) - self.west)
            super().__init__(WIDTH, round((self.north - min(y for _, y in flat)) * self.scale + 2 * MARGIN))
        coast.mark_land(self.at, self)
        self.points: dict[str, Point] = {}
        self.ways: dict[tuple[str, str, str], list[Point]] = {}
        self.legs: dict[tuple[str, ...], int] = {}
        self.players: Sequence[str] = ()
        self.people: Mapping[str, str] = {}
        self._drawn = drawings()  # shared by all copies

    def __getstate__(self) -> dict[str, Any]:
        """What is kept of a canvas for later commands: everything but the cache of drawings, which belongs to one
        match.
        """
        return {name: value for name, value in self.__dict__.items() if name != "_drawn"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._drawn = drawings()

    def person(self, player: str, room: float) -> str:
        """Who plays, in as many letters as there is room for; empty where no name is known."""
        name = whole = self.people.get(player, "")
        while name and width(name, SMALL) > room:
            name = f"{whole[: len(name.rstrip('…')) - 1].rstrip()}…" if len(name) > 2 else ""
        return name

    def copy(self) -> Canvas:
        """Another canvas with the same places and the same booked room."""
        other = Canvas.__new__(Canvas)
        other.__dict__.update(self.__dict__)
        other.points, other.ways = dict(self.points), dict(self.ways)
        other.rows, other.lines, other.legs = list(self.rows), list(self.lines), {}
        return other

    def once(self, macro: Any, *given: Any) -> Any:
        """What a macro draws here, given the canvas and some values: `chart.once(drawn, state.galleys)`.

        It is drawn once for all readers with the same values and the same booked room, and books the same room again.
        The macro must depend only on its arguments, and be the only one of its name. Values are compared by identity,
        so they are kept as long as their drawing.
        """
        taken = tuple(self.rows), tuple(self.lines), tuple(self.legs.items())
        key = (macro.name, *map(id, given), taken)
        if key not in self._drawn:
            drawn = macro(self, *given)
            self._drawn.keep(key, (given, drawn, self._template()))
        _, drawn, after = self._drawn[key]
        self.__dict__.update(after._template().__dict__)
        return drawn

    def _template(self) -> Canvas:
        other = self.copy()
        other.legs = dict(self.legs)
        return other

    # -- places and lines -----------------------------------------------------------------------------------------

    def at(self, place: LonLat) -> Point:
        """The point of the picture for a place on earth."""
        x = (radians(place[0]) - self.west) * self.scale + self.margin
        y = (self.north - mercator(place[1])) * self.scale + self.margin
        return round(x, 1), round(y, 1)

    def mark(self, name: str, place: LonLat, w: float, h: float) -> Point:
        """Marks a place: returns the point where it is drawn, with room of its own, and stores it under the name.

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
        asides = [self.side_step(one, other, kind) for one, other in pairwise(names)]
        found = [moved_point(self.points[names[0]], asides[0])]
        for (one, other), here, there in zip(pairwise(names), asides, [*asides[1:], asides[-1]], strict=True):
            line = self.ways.get((one, other, kind), [self.points[one], self.points[other]])
            found += [moved_point(point, here) for point in line[1:-1]]
            found.append(moved_point(line[-1], ((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)))
        return found

    def side_step(self, one: str, other: str, kind: str) -> Point:
        """How far the next way between two places goes beside the line between them: the more ways, the farther."""
        leg = (*sorted((one, other)), kind)
        nth = self.legs[leg] = self.legs.get(leg, -1) + 1
        far = (nth + 1) // 2 * (BESIDE if nth % 2 else -BESIDE)
        (x, y), (to_x, to_y) = self.points[leg[0]], self.points[leg[1]]
        long = hypot(to_x - x, to_y - y) or 1
        return -(to_y - y) / long * far, (to_x - x) / long * far

    def curve(self, line: Sequence[Point]) -> str:
        """A smooth line as path data."""
        return curve_path(line)

    def arrow(self, line: Sequence[Point], short_by: float = 0) -> Arrow:
        """An arrow along a line, ending `short_by` before the line's end."""
        line = shortened_line(line, short_by)
        return Arrow(curve_path(shortened_line(line, 9)), arrow_head(line))

    def coast(self) -> str:
        """The land as path data."""
        return coast.coast(self.at, self.w, self.h)

    def area(self, land: outline.Rings) -> str:
        """A land with an outline as path data in whole units: for its colour, under its coast and its borders."""
        return outline.area(land, self.at)

    def borders(self, lands: Mapping[str, outline.Rings]) -> Mapping[outline.Pair, str]:
        """The lines along which lands touch, as path data."""
        return {pair: outline.path_data(lines, self.at) for pair, lines in outline.borders(lands).items()}

    # -- names ----------------------------------------------------------------------------------------------------

    def width(self, text: str, size: float) -> float:
        """About how wide a text is at most, in a sans-serif font of that size."""
        return width(text, size)

    def serif(self, text: str, size: float, spacing: float = 0) -> float:
        """About how wide a name is, in the bold serif of maps, with a spacing between letters in ems."""
        return lettering.serif(text, size, spacing)

    def inland(
        self, point: Point, w: float, h: float, gap: float = 15, *, tilts: bool = True
    ) -> lettering.Lettering:
        """Books the best room for a text beside a place on a coast: inland, off the ways, tilted where the coast is."""
        return lettering.inland(self, point, w, h, gap, tilts=tilts)


def drawings() -> OfMatch[tuple[Any, ...], tuple[tuple[Any, ...], Any, Canvas]]:
    """An empty cache for what macros draw (`Canvas.once`)."""
    return OfMatch(MOST_DRAWN)


def mercator(latitude: float) -> float:
    """Mercator's projection of a latitude in degrees."""
    return asinh(tan(radians(latitude)))


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
