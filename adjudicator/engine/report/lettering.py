"""Where a chart's names go, and how wide they are: inland from their port, off the ways, tilted with the coast."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, ceil, cos, degrees, hypot, pi, radians, sin

from msgspec import Struct

from adjudicator.engine.report.paths import Point
from adjudicator.engine.report.room import Room

SERIF = {
    **dict.fromkeys("ijl.,:;'’|!", 0.33),
    **dict.fromkeys("ftr -()[]", 0.37),
    **dict.fromkeys("cesz", 0.47),
    **dict.fromkeys("mwM", 0.9),
    **dict.fromkeys("W@%&", 1.0),
}
"""How wide letters are in a bold Palatino, in ems; other capitals and small letters as below."""
CAPITAL, SMALL = 0.73, 0.57
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
    ems = sum(SERIF.get(letter) or (CAPITAL if letter.isupper() else SMALL) for letter in text)
    return round((ems + spacing * len(text)) * size, 1)


def inland(chart: Room, point: Point, w: float, h: float, gap: float, *, tilts: bool = True) -> Lettering:
    """Books the best room for a text beside a point of the coast."""
    best, least = None, TAKEN / 8
    for start, way, reach, tilt in places_around((w, h), gap, direction_inland(chart, point), tilts=tilts):
        if start >= least:
            break
        found = lettering(point, way, reach, tilt)
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


def lettering(point: Point, way: float, reach: float, tilt: float) -> Lettering:
    """The place of a text whose middle lies in a direction from a point."""
    return Lettering(round(point[0] + reach * cos(way), 1), round(point[1] + reach * sin(way), 1), tilt)


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
