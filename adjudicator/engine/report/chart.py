"""The chart of everybody's points from turn to turn, as one reader may know them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.texts import texts_of, words
from adjudicator.engine.report.filters import table
from adjudicator.engine.report.template import colours, macros
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.points import Total
from adjudicator.engine.table.rulebook import Rulebook

OWN = "chart.svg.j2"
MOST_LINES = 6
"""The most lines across the chart, each at a round number."""
MOST_LABELS = 12
"""The most turns named below the chart."""
APART = 20
"""The least distance between the names at the ends of the lines."""
ASIDE = 4
"""The distance between dots of one turn, so that none hides another."""


class Field(Struct, frozen=True):
    """The area of the chart's lines: its edges, in the picture's units."""

    left: int
    right: int
    top: int
    bottom: int


FIELD = Field(40, 380, 16, 284)


class Count(Struct, frozen=True):
    """All players' points at the end of a turn; `now`: as they stand during that turn."""

    turn: int
    now: bool
    totals: Mapping[Player, Total]


class Label(Struct, frozen=True):
    """A number or a name beside the chart, and its position along the edge."""

    at: float
    text: str


class Dot(Struct, frozen=True):
    """A player's points in the chart."""

    x: float
    y: float
    total: Total


class PlayerLine(Struct, frozen=True):
    """A player's line: its dots, and the height of the name beside the last one."""

    player: Player
    dots: Sequence[Dot]
    name_at: float


class Chart(Struct, frozen=True):
    """The points turn by turn, as a picture, in words, and as a Markdown table; `unsure`: some aren't known."""

    title: str
    svg: str
    text: str
    table: str
    unsure: bool


def chart(rulebook: Rulebook[Any], counts: Sequence[Count]) -> Chart | None:
    """The chart of several counts; None if there are too few for a line."""
    if len(counts) < 2:
        return None
    known = texts_of(rulebook)
    own, texts = macros(known, OWN), words(known)
    labels = [str(own.label(each)).strip() for each in counts]
    levels = round_numbers([total.points for each in counts for total in each.totals.values()])
    every = -(-len(counts) // MOST_LABELS)
    svg = own.picture(
        counts,
        [Label(x_of(at, len(counts)), label) for at, label in enumerate(labels) if at % every == 0],
        [Label(y_of(level, levels), str(level)) for level in levels],
        player_lines(rulebook, counts, levels),
        FIELD,
    )
    heads = [
        texts["terms"]["turn"].capitalize(),
        *(f">{texts['names'].get(player, player)}" for player in counts[0].totals),
    ]
    rows = [[label, *each.totals.values()] for label, each in zip(labels, counts, strict=True)]
    said = " ".join(str(own.text(counts[-1])).split())
    unsure = any(total.more for each in counts for total in each.totals.values())
    return Chart(str(own.title), str(svg).strip() + "\n", said, table(heads, rows), unsure)


def player_lines(rulebook: Rulebook[Any], counts: Sequence[Count], levels: Sequence[int]) -> list[PlayerLine]:
    """Every player's line; the names beside them are kept apart, from the top down."""
    lines: dict[Player, list[Dot]] = {}
    for player in counts[0].totals:
        aside = ASIDE * (colours(rulebook.key)[player] - 2)
        lines[player] = [
            Dot(x_of(at, len(counts)) + aside, y_of(each.totals[player].points, levels), each.totals[player])
            for at, each in enumerate(counts)
        ]
    order = sorted(lines, key=lambda player: lines[player][-1].y)
    heights = dict(zip(order, spread([lines[player][-1].y for player in order]), strict=True))
    return [PlayerLine(player, dots, heights[player]) for player, dots in lines.items()]


def spread(heights: Sequence[float]) -> list[float]:
    """The rising heights, moved so that they keep apart and stay on the chart."""
    found: list[float] = []
    for height in heights:
        found.append(max(height, found[-1] + APART) if found else height)
    lowest = float(FIELD.bottom)
    for at in range(len(found) - 1, -1, -1):
        found[at] = min(found[at], lowest)
        lowest = found[at] - APART
    return found


def round_numbers(values: Sequence[int]) -> list[int]:
    """Round numbers at even distances, from 0 or the lowest value up to the highest."""
    low, high = min(0, *values), max(1, *values)
    step = next(
        step
        for power in range(20)
        for base in (1, 2, 5)
        if (high - low) <= (step := base * 10**power) * (MOST_LINES - 1)
    )
    first = low // step * step
    return list(range(first, high + step, step))


def x_of(at: int, many: int) -> float:
    """The horizontal place of count number `at` of `many`."""
    return round(FIELD.left + 16 + (FIELD.right - FIELD.left - 32) * at / (many - 1), 1)


def y_of(points: int, levels: Sequence[int]) -> float:
    """The height of so many points, on a chart from the first of the levels to the last."""
    return round(
        FIELD.bottom - (FIELD.bottom - FIELD.top) * (points - levels[0]) / (levels[-1] - levels[0]), 1
    )
