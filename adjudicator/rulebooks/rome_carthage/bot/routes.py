"""Distances between cities."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from adjudicator.engine.table.remembered import Answers
from adjudicator.rulebooks.rome_carthage.board import BOARD, LANES, ROADS, ROADS_AND_STRAITS, City

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudicator.rulebooks.rome_carthage.state import Options

FAR = 99
"""The distance of a city that can't be reached."""
NEARER = 0.82
"""The part of a goal's worth that counts for each move of distance."""


Goals = tuple[tuple[City, float], ...]
"""Cities that are worth reaching, with their worth, the best first."""


def distances(kind: str, options: Options, goal: City) -> Mapping[City, int]:
    """The number of steps from each city to the goal, for a kind of piece; cities that can't reach it are left out."""
    return _distances(kind == "ship", options.straits, goal)


def lure(goals: Goals, kind: str, options: Options) -> Mapping[City, float]:
    """The worth of each city to a kind of piece: that of the best goal, more if the goal is nearer."""
    return _lure(goals, kind, options.straits)


@lru_cache(64)
def _lure(goals: Goals, kind: str, straits: bool) -> Mapping[City, float]:
    near = _nearness(kind, straits)

    def worth(city: City) -> float:
        best, parts = 0.0, near[city]
        for goal, price in goals:
            if price <= best:
                break
            if (there := price * parts[goal]) > best:
                best = there
        return best

    return Answers(worth)


@cache
def _nearness(kind: str, straits: bool) -> Mapping[City, Mapping[City, float]]:
    ship, reach = kind == "ship", 2 if kind == "cavalry" else 1
    steps = {goal: _distances(ship, straits, goal) for goal in BOARD.cities}
    return {
        city: {goal: NEARER ** -(-steps[goal].get(city, FAR) // reach) for goal in BOARD.cities}
        for city in BOARD.cities
    }


@cache
def _distances(ship: bool, straits: bool, goal: City) -> Mapping[City, int]:
    ways = LANES if ship else ROADS_AND_STRAITS if straits else ROADS
    found = {goal: 0}
    rim = [goal]
    while rim:
        rim = list(dict.fromkeys(there for here in rim for there in ways[here] if there not in found))
        step = found[goal] if len(found) == 1 else max(found.values())
        found.update(dict.fromkeys(rim, step + 1))
    return found
