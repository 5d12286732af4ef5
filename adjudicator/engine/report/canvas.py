"""What a map is drawn on: places on earth as points of a picture, lines between them, and room for names.

Where a chart's names go, and how wide they are: inland from their port, off the ways, tilted with the coast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import asinh, atan2, ceil, cos, degrees, hypot, pi, radians, sin, tan
from typing import Any

from msgspec import Struct
from msgspec.msgpack import encode as packed

from adjudicator.engine.library.texts import OfMatch
from adjudicator.engine.report import coast
from adjudicator.engine.report.coast import LonLat, Pair, Rings
from adjudicator.engine.report.paths import Point, arrow_head, curve_path, moved_point, shortened_line
from adjudicator.engine.report.room import AROUND, Box, Room, Size

SERIF = {
    **dict.fromkeys("ijl.,:;'’|!", 0.33),
    **dict.fromkeys("ftr -()[]", 0.37),
    **dict.fromkeys("cesz", 0.47),
    **dict.fromkeys("mwM", 0.9),
    **dict.fromkeys("W@%&", 1.0),
}
"""How wide letters are in a bold Palatino, in ems; other capitals and small letters as below."""
CAPITAL, SMALL_LETTER = 0.73, 0.57
TURNS = 24
"""The directions in which room for a name is sought."""
STEEPEST = 34
"""The most degrees by which a name is tilted."""
FAR = 58
"""So far around a port land is looked for, to tell where inland is."""
TAKEN, AT_SEA, AWAY, CROSSED, TILTED, FURTHER = 400.0, 22.0, 0.12, 14.0, -5.0, 0.35
"""What counts against a place for a name: a share of it that is taken, at sea, or crossed by ways; degrees away from
inland; that it isn't tilted with the
coast; and each unit further off."""


class Lettering(Struct, frozen=True):
    """A place for a text: its middle, its tilt in degrees, and whether it lies `far` from its point."""

    x: float
    y: float
    tilt: float = 0
    far: bool = False

    @property
    def turned(self) -> str:
        """The tilt as an attribute of SVG; empty for a level text."""
        from markupsafe import Markup

        return Markup(f' transform="rotate({self.tilt:g} {self.x:g} {self.y:g})"') if self.tilt else ""


def serif(text: str, size: float, spacing: float = 0) -> float:
    """About how wide a text is in the bold serif of names, with a spacing between letters in ems."""
    ems = sum(SERIF.get(letter) or (CAPITAL if letter.isupper() else SMALL_LETTER) for letter in text)
    return round((ems + spacing * len(text)) * size, 1)


def inland(chart: Room, point: Point, w: float, h: float, gap: float, *, tilts: bool = True) -> Lettering:
    """Books the best room for a text beside a point of the coast."""
    best, least = None, TAKEN / 8
    for start, way, reach, tilt in places_around((w, h), gap, direction_inland(chart, point), tilts=tilts):
        if start >= least:
            break
        x, y = point[0] + reach * cos(way), point[1] + reach * sin(way)
        found = Lettering(round(x, 1), round(y, 1), tilt)
        boxes = list(rectangles_of(found, w, h))
        if start + (taken := chart.share_taken(boxes) * TAKEN) < least:
            cost = start + taken + chart.wet(boxes) * AT_SEA + chart.share_on_ways(boxes) * CROSSED
            if cost < least:
                best, least = found, cost
    if best is None:
        box = chart.put(point, w, h, gap)
        return Lettering(round(box.x + w / 2, 1), round(box.y + h / 2, 1), far=box.far)
    for x, y, wide, high in rectangles_of(best, w, h):
        chart.shade(x, y, wide, high)
    return best


def places_around(
    size: Point, gap: float, home: float | None, *, tilts: bool
) -> list[tuple[float, float, float, float]]:
    """Places for a text around a point, the best first.

    For each: what counts against it, apart from what lies there; its direction; the distance of the text's middle; its
    tilt.
    """
    (w, h), found = size, []
    for turn in range(TURNS):
        way = turn / TURNS * 2 * pi
        away = 0 if home is None else AWAY * angle_between(way, home)
        reach = gap + min(w / 2 / (abs(cos(way)) or 1e-9), h / 2 / (abs(sin(way)) or 1e-9))
        found += [(away + further * FURTHER, way, reach + further, 0.0) for further in (0, 7, 15)]
        slope = degrees(atan2(sin(way), cos(way)))
        tilt = slope if abs(slope) < 90 else slope - 180 if slope > 0 else slope + 180
        if tilts and 8 < abs(tilt) <= STEEPEST:
            found.append((away + TILTED, way, gap + 6 + w / 2, round(tilt)))
    return sorted(found)


def rectangles_of(at: Lettering, w: float, h: float) -> Iterator[tuple[float, float, float, float]]:
    """Level rectangles that cover a text, tilted or not."""
    if not at.tilt:
        yield at.x - w / 2, at.y - h / 2, w, h
        return
    parts = ceil(w / h)
    for part in range(parts):
        along = (part + 0.5) / parts * w - w / 2
        x, y = at.x + along * cos(radians(at.tilt)), at.y + along * sin(radians(at.tilt))
        side = h * 1.15
        yield x - side / 2, y - side / 2, side, side


def direction_inland(chart: Room, point: Point) -> float | None:
    """The direction inland, the mean of all directions to land near by; None where there is land or sea all around."""
    x = y = 0.0
    for turn in range(TURNS):
        way = turn / TURNS * 2 * pi
        for out in (FAR / 3, FAR * 2 / 3, FAR):
            dx, dy = out * cos(way), out * sin(way)
            share = 0.5 if chart.is_land(point[0] + dx, point[1] + dy) else -0.5
            x, y = x + share * dx / out, y + share * dy / out
    return atan2(y, x) if hypot(x, y) > 4 else None


def angle_between(one: float, other: float) -> float:
    """The degrees between two directions."""
    turn = degrees(one - other) % 360
    return min(turn, 360 - turn)


WIDTH, HEIGHT = 1400, 900
"""The width of every map, in its units, and the height of one with a window."""
MARGIN = 62
"""The space left free around the outermost places of a map without a window."""
NARROW, SLIM, WIDE = frozenset("ijlI|!.,:;'’"), frozenset("frt()[]- "), frozenset("mwMWG@%&—")
BESIDE = 5.5
"""The distance between ways that share a line."""
MOST_DRAWN, MOST_FOUND = 512, 256
"""How many drawings are kept, and how many places of boxes: some more than the reports of a phase need."""
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
        self._forget()

    def _forget(self) -> None:
        """Begins with empty caches, which all copies share: what macros draw, and the room found for boxes."""
        self._drawn: OfMatch[tuple[Any, ...], tuple[Any, tuple[tuple[Any, ...], ...]]] = OfMatch(MOST_DRAWN)
        self._found: OfMatch[tuple[Any, ...], Box | None] = OfMatch(MOST_FOUND)

    def __getstate__(self) -> dict[str, Any]:
        """What is kept of a canvas for later commands: everything but the caches, which belong to one match."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_drawn", "_found")}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._forget()

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
        """What a macro draws here, given the canvas and some plain values: `chart.once(drawn, state.galleys)`.

        It is drawn once for all readers and steps with equal values and the same booked room, and books the same room
        again. The macro must depend only on its arguments, mark no place, and be the only one of its name.
        """
        key = macro.name, packed(given), *self._booked()
        if key not in self._drawn:
            drawn = macro(self, *given)
            self._drawn.keep(key, (drawn, self._booked()))
        drawn, (rows, lines, legs) = self._drawn[key]
        self.rows, self.lines, self.legs = list(rows), list(lines), dict(legs)
        return drawn

    def _booked(self) -> tuple[tuple[Any, ...], ...]:
        """The room taken, the ways drawn, and how many went along each."""
        return tuple(self.rows), tuple(self.lines), tuple(self.legs.items())

    def best_room(
        self, point: Point, sizes: Sequence[Size], gap: float, rise: float, *, afloat: bool
    ) -> Box | None:
        """As in any room; looked for once for all readers and steps with the same booked room."""
        key = point, tuple(sizes), gap, rise, afloat, tuple(self.rows), tuple(self.lines)
        if key not in self._found:
            self._found.keep(key, super().best_room(point, sizes, gap, rise, afloat=afloat))
        return self._found[key]

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

    def area(self, land: Rings) -> str:
        """A land with an outline as path data in whole units: for its colour, under its coast and its borders."""
        return coast.area(land, self.at)

    def borders(self, lands: Mapping[str, Rings]) -> Mapping[Pair, str]:
        """The lines along which lands touch, as path data."""
        return {pair: coast.path_data(lines, self.at) for pair, lines in coast.borders(lands).items()}

    # -- names ----------------------------------------------------------------------------------------------------

    def width(self, text: str, size: float) -> float:
        """About how wide a text is at most, in a sans-serif font of that size."""
        return width(text, size)

    def serif(self, text: str, size: float, spacing: float = 0) -> float:
        """About how wide a name is, in the bold serif of maps, with a spacing between letters in ems."""
        return serif(text, size, spacing)

    def inland(self, point: Point, w: float, h: float, gap: float = 15, *, tilts: bool = True) -> Lettering:
        """Books the best room for a text beside a place on a coast: inland, off the ways, tilted where the coast is."""
        return inland(self, point, w, h, gap, tilts=tilts)


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
