"""Where each piece can go, and whom it would meet there: for forms, and for players that are programs."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.event import Player
from adjudicator.rulebooks.rome_carthage.board import City, Piece
from adjudicator.rulebooks.rome_carthage.movement import reach, ways
from adjudicator.rulebooks.rome_carthage.state import State, friends, owner, pieces_at


def destinations(state: State, piece: Piece, moves: int = 1) -> Mapping[City, tuple[City, ...]]:
    """The cities where a piece may end after so many simple moves, each with a shortest way there, nearest first.

    ROM-2.1, ROM-2.2, ROM-2.3: past friends but not past enemies; a city with an enemy is an end, one with a friend
    isn't. Two moves are a forced march (ROM-2.5).
    """
    unit = state.pieces[piece]
    side = friends(state, owner(state, piece))
    borders = ways(state, unit)
    seen: dict[City, tuple[City, ...]] = {unit.at: ()}
    rim = [unit.at]
    for _ in range(moves * reach(unit)):
        after: list[City] = []
        for here in rim:
            if here != unit.at and enemy_at(state, here, side):
                continue
            for there in borders[here]:
                if there not in seen:
                    seen[there] = (*seen[here], there)
                    after.append(there)
        rim = after
    kept = [fight.came_from for fight in state.fights]
    return {
        city: way for city, way in seen.items() if way and city not in kept and open_to(state, city, side)
    }


def open_to(state: State, city: City, side: tuple[Player, ...]) -> bool:
    """ROM-2.3: is there no piece of the side in the city?"""
    return not any(owner(state, name) in side for name in pieces_at(state, city))


def enemy_at(state: State, city: City, side: tuple[Player, ...]) -> Piece | None:
    """The enemy's piece in a city."""
    return next((name for name in pieces_at(state, city) if owner(state, name) not in side), None)
