"""What a player can't know: others' cards, in hand and laid."""

from __future__ import annotations

from msgspec.structs import replace

from adjudicator.engine.table.boxes import Box, UnseenCards, with_values_where_hidden, without_standing
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player

from .board import DECK
from .state import Standing, State


def boxes(state: State) -> tuple[Box, ...]:
    """CAR-0.2, CAR-1.1: the cards, in hand and laid."""
    return (Box(DECK, state.gone, hands=(("players", "*", "hand"), ("laid", "*"))),)


def guess(view: State, me: Player, chance: Chance) -> State:
    """CAR-0.2, CAR-1.1: hidden cards are any of those that aren't seen."""
    (box,) = boxes(view)
    unseen = UnseenCards.of(box, view, chance)
    players = {name: replace(seat, hand=unseen.fill(seat.hand)) for name, seat in view.players.items()}
    laid = with_values_where_hidden(view.laid, lambda player: unseen.take())
    found: State = without_standing(replace(view, players=players, laid=laid), Standing)
    return found
