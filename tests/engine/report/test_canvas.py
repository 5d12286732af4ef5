"""The canvas of maps: where places are on it, how pieces find room, and the lines between places."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from adjudicator.engine.report.canvas import Canvas, width
from adjudicator.engine.report.coast import lands
from adjudicator.engine.report.paths import arrow_head, curve_path, shortened_line
from adjudicator.engine.report.room import Box


def crossing(boxes: list[Box]) -> list[tuple[Box, Box]]:
    """Boxes that lie on each other by more than the width of a line."""
    return [
        (one, other)
        for at, one in enumerate(boxes)
        for other in boxes[:at]
        if min(one.x + one.w, other.x + other.w) - max(one.x, other.x) > 1
        and min(one.y + one.h, other.y + other.h) - max(one.y, other.y) > 1
    ]


def canvas() -> Canvas:
    return Canvas([(-5.0, 30.0), (35.0, 46.0)])


def test_east_is_right_and_north_is_above() -> None:
    chart = canvas()
    assert chart.at((9, 44))[0] < chart.at((12, 45))[0]
    assert chart.at((9, 44))[1] > chart.at((9, 45))[1]


def test_a_degree_is_as_wide_as_it_is_high_where_it_lies() -> None:
    """Mercator's projection keeps shapes: a degree of longitude shrinks as it does on the earth."""
    chart = canvas()
    across = chart.at((10.5, 40))[0] - chart.at((9.5, 40))[0]
    up = chart.at((10, 39.5))[1] - chart.at((10, 40.5))[1]
    assert across / up == pytest.approx(0.766, abs=0.01)  # the cosine of 40 degrees


def boxes(chart: Canvas) -> Iterator[Box]:
    for _ in range(40):
        yield chart.put((700, 400), 80, 20)


def test_what_is_put_finds_room_near_by() -> None:
    found = list(boxes(canvas()))
    assert crossing(found) == []
    assert not found[0].far
    assert found[-1].far


def test_a_stack_goes_into_rows_where_a_column_has_no_room() -> None:
    chart = canvas()
    column = chart.stacks((700, 400), [50, 60, 40], 20, 7)[0]
    assert [box.x for box in column.boxes] == [column.whole.x] * 3
    assert (column.whole.w, column.whole.h) == (60, 64)
    chart.book(0, 0, chart.w, 300)
    chart.book(0, 330, chart.w, 400)
    row = chart.stacks((300, 315), [50, 60, 40], 20, 7)[0]
    assert [box.y for box in row.boxes] == [row.whole.y] * 3
    assert crossing([*row.boxes, *column.boxes]) == []


def test_a_stack_without_room_lies_in_parts() -> None:
    chart = canvas()
    chart.book(0, 0, chart.w, chart.h)
    for at in (300, 500):
        chart.rows[at // 3 : at // 3 + 10] = [0] * 10  # two strips are free
    found = chart.stacks((700, 415), [400, 400, 400, 400], 20, 7)
    assert [len(each.boxes) for each in found] == [2, 2]
    assert crossing([box for each in found for box in each.boxes]) == []


def test_a_copy_keeps_what_is_taken_and_gives_nothing_back() -> None:
    chart = canvas()
    copy = chart.copy()
    copy.put((700, 400), 80, 20)
    copy.mark("genova", (9, 44), 10, 10)
    copy.mark("pisa", (10, 43), 10, 10)
    copy.join("genova", "pisa")
    copy.along(["genova", "pisa"])
    assert chart.rows != copy.rows
    assert (chart.points, chart.ways, chart.legs) == ({}, {}, {})
    assert chart.put((700, 400), 80, 20) == canvas().put((700, 400), 80, 20)


def test_the_coast_is_rings_of_places() -> None:
    assert len(lands()) == 50
    assert all(len(ring) >= 3 and all(-11 < x < 48 and 27 < y < 50 for x, y in ring) for ring in lands())
    assert canvas().coast().count("M") == canvas().coast().count("z") > 40


def test_a_sign_that_is_drawn_as_text_has_no_width_itself() -> None:
    assert width("♥\ufe0e", 10) == width("♥", 10)
    assert width("Wien", 20) == 2 * width("Wien", 10) > width("ill", 20)


def test_lines_go_through_their_points() -> None:
    assert curve_path([(0, 0), (10, 0)]) == "M0 0l10 0"
    assert curve_path([(0, 0), (10, 0), (10, 10)]).endswith(" 0 10")
    assert shortened_line([(0, 0), (10, 0)], 4) == [(0, 0), (6, 0)]
    assert arrow_head([(0, 0), (10, 0)]).startswith("M10 0L")
