"""The facts that an order's `if:` may name: about pieces, cities, and the cards of the player who orders."""

from __future__ import annotations

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Name
from adjudicator.engine.table.facts import (
    About,
    condition,
    counted,
    enemies,
    holding,
    lies_in,
    of_me,
    owned_by,
    there,
)
from adjudicator.rulebooks.rome_carthage.board import BOARD, KINDS, STATES, City, Piece
from adjudicator.rulebooks.rome_carthage.standing import CARD, CITY
from adjudicator.rulebooks.rome_carthage.state import State, Unit, friends, hand_of, owner, pieces_at


def piece(view: State, me: Player, name: Piece) -> Unit | None:
    """A piece, if it is on the board."""
    return view.pieces.get(name)


def owners(view: State, me: Player, city: City) -> tuple[list[Player], list[Player]]:
    """The players of the pieces in a city, and which of them are enemies."""
    found = [owner(view, name) for name in pieces_at(view, city)]
    return found, [player for player in found if player not in friends(view, me)]


PIECES = About(
    Name("piece", f"({'|'.join(STATES)})-({'|'.join(KINDS)})"),
    piece,
    {**lies_in(CITY, lambda piece: piece.at), **there()},
)
CITIES = About(
    Name("city", "|".join(BOARD.cities)),
    owners,
    {**owned_by(STATES, lambda owners: owners[0]), **enemies(lambda owners: [1 for _ in owners[1]])},
)
ME = of_me(hand_of, {**holding(CARD, lambda hand: hand), **counted(len)})
CONDITION = condition(PIECES, CITIES, ME)
