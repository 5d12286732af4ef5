"""Distances between zones, and the routes that need the fewest leaves."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from adjudicator.rulebooks.mediterranee.board import BOARD, BORDERS, ZoneId

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudicator.engine.table import Player
    from adjudicator.rulebooks.mediterranee.state import State


def distances_from(start: ZoneId) -> dict[ZoneId, int]:
    """The number of zones to enter from `start` to each other zone, the nearest first."""
    found = {start: 0}
    rim = [start]
    while rim:
        rim = list(dict.fromkeys(there for here in rim for there in BORDERS[here] if there not in found))
        found.update(dict.fromkeys(rim, 1 + max(found.values())))
    return found


DISTANCES: Mapping[ZoneId, Mapping[ZoneId, int]] = {zone: distances_from(zone) for zone in BORDERS}


@cache
def within(start: ZoneId, most: int) -> tuple[ZoneId, ...]:
    """The zones that a galley with `most` sailors can reach in a turn (MED-3.1), its own first."""
    return tuple(zone for zone, distance in DISTANCES[start].items() if distance <= most)


@cache
def ends(start: ZoneId, most: int) -> tuple[ZoneId, ...]:
    """The zones in which a galley with `most` sailors plans to end a turn: its own, ports, and the open sea only if it
    can reach no port.
    """
    zones = within(start, most)
    ports = tuple(zone for zone in zones if zone in BOARD.ports and zone != start)
    return (start, *ports) if ports else zones


def way(view: State, me: Player, start: ZoneId, goal: ZoneId, most: int) -> list[ZoneId]:
    """The zones to enter from `start` to `goal`, at most `most`:
    as few leaves as possible (MED-3.3), then as few zones."""
    guarded = {galley.zone for galley in view.galleys.values() if galley.owner != me}
    rim: dict[ZoneId, tuple[int, tuple[ZoneId, ...]]] = {start: (0, ())}
    best: tuple[int, tuple[ZoneId, ...]] | None = None
    for left in reversed(range(most)):
        onward: dict[ZoneId, tuple[int, tuple[ZoneId, ...]]] = {}
        for here, (leaves, path) in rim.items():
            asked = leaves + (here in guarded and path != ())
            for there in BORDERS[here]:
                if DISTANCES[there][goal] > left:
                    continue
                reached = (asked, (*path, there))
                if there not in onward or reached < onward[there]:
                    onward[there] = reached
        rim = onward
        if goal in rim and (best is None or rim[goal][0] < best[0]):
            best = rim[goal]
    return list(best[1]) if best else []
