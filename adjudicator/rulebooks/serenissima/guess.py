"""Fills in by chance what a player can't know: purses with option `money: hidden`, the order of the Doge's cards."""

from __future__ import annotations

from msgspec.structs import replace

from adjudicator.engine.table import Player, Secret
from adjudicator.engine.table.boxes import Box
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.guess import UnseenCards, without_standing
from adjudicator.rulebooks.serenissima.board import BOARD
from adjudicator.rulebooks.serenissima.state import Standing, State

MOST = 60
"""A guessed purse holds no more than so many ducats."""


def boxes(state: State) -> tuple[Box, ...]:
    """SER-7.1: the Doge's cards."""
    return (Box(BOARD.doge, state.doge_out, piles=(("doge",),)),)


def guess(view: State, me: Player, chance: Chance) -> State:
    """SER-0.2, SER-7.1: any sum in a hidden purse, the Doge's cards in any order."""
    (box,) = boxes(view)
    unseen = UnseenCards.of(box, view, chance)
    players = {
        name: seat if seat.ducats.known else replace(seat, ducats=Secret(chance(MOST + 1)))
        for name, seat in view.players.items()
    }
    found: State = without_standing(replace(view, players=players, doge=unseen.fill(view.doge)), Standing)
    return found
