"""The room of a picture: what is taken, where land lies and ways run, in squares; and where something still fits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import hypot

from msgspec import Struct

from adjudicator.engine.report.paths import Point

CELL = 3
"""Room is booked in squares with sides of this length."""
SIDES: tuple[Point, ...] = ((1, 0), (-1, 0), (0, -1), (0, 1))
CORNERS: tuple[Point, ...] = ((1, -1), (1, 1), (-1, -1), (-1, 1))
AROUND = SIDES + CORNERS
"""Where a box is put beside a point: right, left, above, below, and in the corners."""
BETWEEN = tuple((dx, dy / 2) for dx, dy in CORNERS) + tuple((dx / 2, dy) for dx, dy in CORNERS)
"""Where else, if none of these has room."""
FINER = tuple(
    (x / 4, y / 4)
    for x in range(-4, 5)
    for y in range(-4, 5)
    if max(abs(x), abs(y)) == 4 and (x % 2 or y % 2)
)
"""Still further places, for what should lie at sea."""
SEAM = 2
"""The gap between rectangles that stand together."""
STEP = 5
"""By so much further from its point room is sought when there is none nearer."""
ASHORE, CROSSING = 9, 4
"""How many steps further off a ship lies rather than on land, and rather than on the ways that others have gone."""

REACH = 40
"""After so many steps there is no room within reach."""

Size = tuple[float, float]
"""Width, height."""
Rectangle = tuple[float, float, float, float]
"""Left, top, width, height."""


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

    def nearest(self, point: Point) -> Box:
        """The rectangle that lies nearest to a point."""

        def off(box: Box) -> float:
            return hypot(
                distance_to_stretch(point[0], box.x, box.w), distance_to_stretch(point[1], box.y, box.h)
            )

        return min(self.boxes, key=off)


class Room:
    """A picture's room. `rows` are the squares taken, `land` those on land, `lines` those under a way, row by row as
    bits; nothing is put nearer to the picture's edge than `inset`.
    """

    def __init__(self, w: int, h: int, inset: int = 2) -> None:
        self.w, self.h, self.inset = w, h, inset
        self.rows = [0] * (h // CELL + 1)
        self.lines = [0] * (h // CELL + 1)
        self.land = [0] * (h // CELL + 1)

    # -- taking it ------------------------------------------------------------------------------------------------

    def book(self, x: float, y: float, w: float, h: float) -> Box:
        """Books the room of a rectangle, free or not."""
        self.shade(x, y, w, h)
        return Box(x, y, w, h)

    def shade(self, x: float, y: float, w: float, h: float) -> None:
        """Takes room that several things may share, such as ways that cross."""
        bits = squares_as_bits(x, w)
        for row in self.rows_covered(y, h):
            self.rows[row] |= bits

    def draw(self, line: Sequence[Point], half: float = 5) -> None:
        """Marks the room along a line: something may lie on it, where there is no better place."""
        for (x, y), (to_x, to_y) in pairwise(line):
            parts = max(round(hypot(to_x - x, to_y - y) / CELL), 1)
            for part in range(parts + 1):
                at_x, at_y = x + (to_x - x) * part / parts, y + (to_y - y) * part / parts
                bits = squares_as_bits(at_x - half, 2 * half)
                for row in self.rows_covered(at_y - half, 2 * half):
                    self.lines[row] |= bits

    # -- asking ---------------------------------------------------------------------------------------------------

    def rows_covered(self, y: float, h: float) -> range:
        """The rows of squares that a stretch from above to below covers."""
        return range(max(int(y) // CELL, 0), min(int(y + h) // CELL + 1, len(self.rows)))

    def is_inside(self, x: float, y: float, w: float, h: float) -> bool:
        """Does a rectangle lie in the picture?"""
        inset = self.inset
        return x >= inset and y >= inset and x + w <= self.w - inset and y + h <= self.h - inset

    def free(self, x: float, y: float, w: float, h: float) -> bool:
        """Is the room of a rectangle free and inside the picture?"""
        if not self.is_inside(x, y, w, h):
            return False
        taken = 0
        for row in self.rows[int(y) // CELL : int(y + h) // CELL + 1]:
            taken |= row
        return not taken & squares_as_bits(x, w)

    def share_taken(self, boxes: Iterable[Rectangle]) -> float:
        """The share of rectangles that is taken or outside."""
        return self.share(self.rows, boxes, outside=True)

    def share_on_ways(self, boxes: Iterable[Rectangle]) -> float:
        """The share of rectangles that lies where ways may run."""
        return self.share(self.lines, boxes)

    def is_land(self, x: float, y: float) -> bool:
        """Is a point of the picture on land?"""
        row = int(y) // CELL
        return x >= 0 and 0 <= row < len(self.land) and bool(self.land[row] >> int(x) // CELL & 1)

    def share_on_land(self, boxes: Iterable[Rectangle]) -> float:
        """The share of rectangles that lies on land."""
        return self.share(self.land, boxes)

    def wet(self, boxes: Iterable[Rectangle]) -> float:
        """The share of rectangles that lies at sea."""
        return 1 - self.share_on_land(boxes)

    def share(self, rows: Sequence[int], boxes: Iterable[Rectangle], *, outside: bool = False) -> float:
        """The part of some rectangles that is taken; `outside`: what lies outside the picture counts as taken."""
        found = whole = 0
        for x, y, w, h in boxes:
            if outside and not self.is_inside(x, y, w, h):
                return 1
            bits = squares_as_bits(x, w)
            covered = self.rows_covered(y, h)
            whole += bits.bit_count() * len(covered)
            found += sum((rows[row] & bits).bit_count() for row in covered)
        return found / whole if whole else 0

    # -- finding it -----------------------------------------------------------------------------------------------

    def put(self, point: Point, w: float, h: float, gap: float = 4, rise: float | None = None) -> Box:
        """Books room for a rectangle beside a point, as near to it as possible.

        `gap` is the distance to the point at the sides, `rise` above and below (default: the same).
        """
        return self.fit(point, [(w, h)], gap, rise)

    def fit(
        self,
        point: Point,
        sizes: Sequence[Size],
        gap: float = 4,
        rise: float | None = None,
        *,
        afloat: bool = False,
    ) -> Box:
        """Books room for a rectangle of one of several sizes, the first that fits equally near to the point; `afloat`
        if it should lie at sea. Where there is no room at all it lies on the point.
        """
        found = self.best_room(point, sizes, gap, gap if rise is None else rise, afloat=afloat)
        return self.book_box(found or rectangle_on(point, sizes[0]))

    def book_box(self, box: Box) -> Box:
        """Books the room of a box."""
        self.book(box.x, box.y, box.w, box.h)
        return box

    def best_room(
        self, point: Point, sizes: Sequence[Size], gap: float, rise: float, *, afloat: bool
    ) -> Box | None:
        """The best room for a rectangle of one of several sizes; None if there is none within reach."""
        best, least = None, float("inf")
        for step in range(REACH):
            if least <= step:
                break
            sides = AROUND + BETWEEN + FINER if afloat else AROUND + BETWEEN if step else AROUND
            for w, h in sizes:
                for dx, dy in sides:
                    slant = 0.75 if dx and dy else 1
                    x = point[0] - w / 2 + dx * (w / 2 + (gap + STEP * step) * slant)
                    y = point[1] - h / 2 + dy * (h / 2 + (rise + STEP * step) * slant)
                    if least > step and self.free(x, y, w, h):
                        cost = step + (self.penalty_at_sea((x, y, w, h)) if afloat else 0)
                        if cost < least:
                            best, least = Box(round(x, 1), round(y, 1), w, h, far=step > 0), cost
        return best

    def penalty_at_sea(self, box: Rectangle) -> float:
        """What counts against a rectangle that should lie at sea and off the ways, in steps."""
        return self.share_on_land([box]) * ASHORE + self.share_on_ways([box]) * CROSSING

    def stacks(
        self, point: Point, widths: Sequence[float], h: float, gap: float, *, afloat: bool = False
    ) -> list[Stack]:
        """Books room together for rectangles of several widths and one height: below each other, or, if that doesn't
        fit so near to the point, in rows of two or three. Where there is no room for all, half of them lie apart.
        """
        ways: dict[Size, list[Sequence[float]]] = {}
        for abreast in range(1, min(len(widths), 3) + 1):
            rows = [widths[at : at + abreast] for at in range(0, len(widths), abreast)]
            size = max(sum(row) + SEAM * (len(row) - 1) for row in rows), (h + SEAM) * len(rows) - SEAM
            ways.setdefault(size, rows)
        found, half = self.best_room(point, list(ways), gap, gap, afloat=afloat), (len(widths) + 1) // 2
        if found is None and len(widths) > 1:
            parts = widths[:half], widths[half:]
            return [each for part in parts for each in self.stacks(point, part, h, gap, afloat=afloat)]
        whole = self.book_box(found or rectangle_on(point, next(iter(ways))))
        boxes = [
            Box(whole.x + sum(row[:at]) + SEAM * at, whole.y + (h + SEAM) * down, w, h)
            for down, row in enumerate(ways[whole.w, whole.h])
            for at, w in enumerate(row)
        ]
        return [Stack(whole, boxes)]


def distance_to_stretch(at: float, start: float, long: float) -> float:
    """How far a number lies from a stretch; 0 within it."""
    return max(start - at, at - start - long, 0)


def rectangle_on(point: Point, size: Size) -> Box:
    """A rectangle on a point."""
    return Box(point[0] - size[0] / 2, point[1] - size[1] / 2, *size)


def squares_as_bits(x: float, w: float) -> int:
    """The squares of a row that a stretch of it covers, as bits."""
    first, last = max(int(x) // CELL, 0), max(int(x + w) // CELL, 0)
    return (1 << last + 1) - (1 << first)
