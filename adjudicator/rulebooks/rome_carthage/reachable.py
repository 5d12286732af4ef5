"""Where each piece can go, and whom it would meet there: for forms, and for bots."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from adjudicator.engine.table import Player
from adjudicator.rulebooks.rome_carthage.board import City, Piece
from adjudicator.rulebooks.rome_carthage.movement import movable, reach, ways
from adjudicator.rulebooks.rome_carthage.state import State, Unit, friends, owner


def destinations(state: State, piece: Piece, moves: int = 1) -> Mapping[City, tuple[City, ...]]:
    """ROM-2.1: the cities where a piece may end after this number of simple moves, each with a shortest route, nearest
    first.

    Two moves are a forced march (ROM-2.5). Ways back of fights stay free (ROM-2.6).
    """
    unit = state.pieces[piece]
    side = friends(state, owner(state, piece))
    found = ends(unit, moves * reach(unit), ways(state, unit), enemies(state, side), own(state, side))
    backs = [fight.came_from for fight in state.fights]
    return {city: way for city, way in found.items() if city not in backs}


def once_left(state: State, piece: Piece) -> Mapping[City, Piece]:
    """ROM-2.6: the cities within a simple move that another piece of the same player can leave first."""
    unit, player = state.pieces[piece], owner(state, piece)
    side = friends(state, player)
    able = {name: other for name, other in movable(state, player)[0].items() if name != piece}
    leaving = {other.at: name for name, other in able.items() if destinations(state, name)}
    staying = own(state, side).keys() - leaving.keys()
    found = ends(unit, reach(unit), ways(state, unit), enemies(state, side), staying)
    return {city: leaving[city] for city in found if city in leaving}


def enemies(state: State, side: Collection[Player]) -> dict[City, Piece]:
    """The pieces of all other players, by city."""
    return {unit.at: name for name, unit in state.pieces.items() if owner(state, name) not in side}


def own(state: State, side: Collection[Player]) -> dict[City, Piece]:
    """The pieces of a side, by city."""
    return {unit.at: name for name, unit in state.pieces.items() if owner(state, name) in side}


def ends(
    unit: Unit,
    most: int,
    ways: Mapping[City, tuple[City, ...]],
    enemies: Mapping[City, Piece],
    friends: Collection[City],
) -> dict[City, tuple[City, ...]]:
    """ROM-2.3: the cities where a piece can end within `most` steps, each with a shortest route."""
    found = routes(unit.at, most, ways, enemies)
    return {city: way for city, way in found.items() if city not in friends}


def routes(
    start: City, most: int, ways: Mapping[City, tuple[City, ...]], enemies: Collection[City]
) -> dict[City, tuple[City, ...]]:
    """ROM-2.3: the cities within `most` steps, each with a shortest route: past friends, not past enemies."""
    seen: dict[City, tuple[City, ...]] = {start: ()}
    rim = [start]
    for _ in range(most):
        after: list[City] = []
        for here in rim:
            for there in ways[here]:
                if there not in seen:
                    seen[there] = (*seen[here], there)
                    if there not in enemies:
                        after.append(there)
        rim = after
    del seen[start]
    return seen
