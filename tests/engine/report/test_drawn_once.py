"""Map parts drawn once for all readers are the same as in each reader's own map, and take the same room."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.report.canvas import Canvas

WORLD = [(0.0, 30.0), (40.0, 45.0)]


class Signs:
    """A macro: draws a sign for each value beside one point, and counts how often it draws."""

    name = "signs"

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self, chart: Canvas, values: tuple[int, ...]) -> str:
        self.drawn += 1
        chart.legs[tuple(map(str, values))] = 1
        return " ".join(str(chart.put((300, 300), 20 + value, 20)) for value in values)


def left(chart: Canvas) -> Any:
    """The room that is taken, where lines run, and the ways gone."""
    return chart.rows, chart.lines, chart.legs


def test_the_same_values_on_the_same_room_are_drawn_once() -> None:
    ground, signs, values = Canvas(WORLD), Signs(), (1, 2)
    alone = ground.copy()
    told = signs(alone, values)
    charts = [ground.copy() for _ in range(3)]
    assert [chart.once(signs, values) for chart in charts] == [told] * 3
    assert all(left(chart) == left(alone) for chart in charts)
    assert signs.drawn == 2
    charts[0].book(0, 0, 99, 99)
    charts[0].draw([(0, 0), (99, 99)])
    assert left(charts[1]) == left(alone) != left(charts[0])
    assert ground.rows == Canvas(WORLD).rows


def test_other_values_or_other_room_are_drawn_anew() -> None:
    ground, signs, values = Canvas(WORLD), Signs(), (1, 2)
    first = ground.copy().once(signs, values)
    crowded = ground.copy()
    crowded.book(290, 290, 80, 20)
    assert crowded.once(signs, values) != first
    assert ground.copy().once(signs, (3, 4)) != first
    gone = ground.copy()
    gone.legs["genova", "pisa"] = 0
    gone.once(signs, values)
    assert gone.legs == {("genova", "pisa"): 0, ("1", "2"): 1}
    assert signs.drawn == 4
