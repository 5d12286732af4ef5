"""Lands with outlines: they touch where the board says so, and cover its places."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from adjudicator.engine.report.coast import LonLat, area, borders
from adjudicator.rulebooks.rome_carthage import board as rome_carthage
from adjudicator.rulebooks.triumvirat import board as triumvirat

SQUARES = {
    "west": [[(10.0, 40.0), (11.0, 40.0), (11.0, 41.0), (10.0, 41.0)]],
    "east": [[(11.0, 41.0), (11.0, 40.0), (12.0, 40.0), (12.0, 41.0)]],
}


def inside(place: LonLat, rings: Sequence[Sequence[LonLat]]) -> bool:
    """Does a place lie in a land?"""
    crossed = False
    for ring in rings:
        for (x, y), (to_x, to_y) in pairwise([*ring, ring[0]]):
            if (y > place[1]) != (to_y > place[1]):
                crossed ^= place[0] < x + (place[1] - y) / (to_y - y) * (to_x - x)
    return crossed


def test_a_border_is_what_two_lands_have_between_the_same_points() -> None:
    assert borders(SQUARES) == {("east", "west"): [[(11.0, 41.0), (11.0, 40.0)]]}
    assert area(SQUARES["west"], lambda place: (place[0] * 10, place[1] * 10)) == "M100 400l10 0 0 10-10 0z"


def test_provinces_touch_where_the_board_of_triumvirat_says_so() -> None:
    """All borders by land; the others cross water on foot."""
    board, lands = triumvirat.BOARD, triumvirat.lands()
    drawn = borders({**lands.places, **lands.beyond})
    by_land = {
        tuple(sorted((one, other)))
        for one, land in board.provinces.items()
        for other in land.borders
        if (one, other) not in board.straits and (other, one) not in board.straits
    }
    assert set(lands.places) == set(board.provinces)
    assert {pair for pair in drawn if set(pair) <= set(lands.places)} == by_land


def test_states_lie_beside_each_other_and_hold_their_cities() -> None:
    lands = rome_carthage.lands()
    drawn = borders({**lands.places, **lands.beyond})
    assert {pair for pair in drawn if set(pair) <= set(lands.places)} == {
        ("constantinople", "rome"),
        ("carthage", "rome"),
        ("alexandria", "constantinople"),
        ("alexandria", "carthage"),
    }
    for name, city in rome_carthage.BOARD.cities.items():
        others = [state for state, rings in lands.places.items() if inside(city.lonlat, rings)]
        assert others in ([], [city.state]), name  # some ports lie a little off the coast that is drawn


@pytest.mark.parametrize("board", [triumvirat, rome_carthage])
def test_no_border_is_drawn_twice(board: object) -> None:
    lands = board.lands()  # type: ignore[attr-defined]
    lines = [line for found in borders({**lands.places, **lands.beyond}).values() for line in found]
    edges = [frozenset(edge) for line in lines for edge in pairwise(map(tuple, line))]
    assert len(edges) == len(set(edges))
