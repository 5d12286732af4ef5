"""ROM-0 Set-up: who begins, the talon, and placing the pieces."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.table import Hindrances, Player, Reason, Table, Verb, once
from adjudicator.engine.table.domain import OneOf, allowed
from adjudicator.rulebooks.rome_carthage.board import BOARD, KINDS, City, Piece, StateName
from adjudicator.rulebooks.rome_carthage.events import Placed, SeatsTaken, TurnEnded
from adjudicator.rulebooks.rome_carthage.standing import CITY, PIECE
from adjudicator.rulebooks.rome_carthage.start import possible_first_players
from adjudicator.rulebooks.rome_carthage.state import State, not_yours, pieces_of
from adjudicator.rulebooks.rome_carthage.talon import lay


def open_the_box(t: Table[State]) -> None:
    """ROM-0.5, ROM-0.3: draws the first player by lot (or takes the one of option `first`), and shuffles the talon."""
    seats = t.state.seats
    begins = [player for player in seats if player in possible_first_players(seats, t.state.alliances)]
    first = t.state.options.first
    if first not in begins:
        first = begins[t.throw(tuple(range(1, len(begins) + 1)), "first", rule="ROM-0.5") - 1]
    t.play(SeatsTaken(rule="ROM-0.5", seats=round_from(seats, first)))
    lay(t, [card.value for card in t.state.talon])


def round_from(seats: tuple[Player, ...], first: Player) -> tuple[Player, ...]:
    """ROM-0.5, ROM-6.2: the seats, clockwise from the first player; with three players the lone player stays second."""
    if len(seats) == 3:
        return seats if first == seats[0] else seats[::-1]
    index = seats.index(first)
    return seats[index:] + seats[:index]


def place(t: Table[State]) -> None:
    """ROM-0.6: a player puts a piece on a free city of its own state, a ship in a port."""
    mine = to_place(t.state, t.me)
    done = dict.fromkeys(pieces_of(t.state, t.me), Reason("ROM-0.6", "placed-already"))
    piece = t.pick("place", OneOf(mine, but=not_yours(t.state, t.me) | done), rule="ROM-0.6")
    place_piece(t, piece, t.pick("at", places(t.state, piece), rule="ROM-0.6"))


def place_by_lot(t: Table[State]) -> None:
    """ROM-0.6: pieces that no order has placed go by lot on legal cities, ships first."""
    for state in t.state.players[t.me].states:
        left = [piece for piece in to_place(t.state, t.me) if piece.startswith(f"{state}-")]
        if not left:
            continue
        cities = [city for city in BOARD.cities if BOARD.cities[city].state == state]
        lot = t.shuffle(cities, "placement", state, rule="ROM-0.6")
        for piece in sorted(left, key=lambda name: "ship" not in name):
            free = places(t.state, piece).among
            place_piece(t, piece, next(city for city in lot if city in free), by_lot=True)


def place_piece(t: Table[State], piece: Piece, city: City, *, by_lot: bool = False) -> None:
    """ROM-0.6: places the piece."""
    state, _, name = piece.partition("-")
    t.play(
        Placed(
            rule="ROM-0.6", player=t.me, piece=piece, state=state, kind=KINDS[name], city=city, by_lot=by_lot
        )
    )


def close(t: Table[State]) -> None:
    """ROM-0.6: when all have placed their pieces, the second round begins."""
    if not next_to_place(t.state):
        begins = TurnEnded(rule="ROM-0.6", player=t.me, following=t.state.seats[0], round=2, quiet_rounds=0)
        t.play(begins)


def all_pieces(states: Sequence[StateName]) -> list[Piece]:
    """ROM-0.2: the seven pieces of each state, by name."""
    return [f"{state}-{name}" for state in states for name in KINDS]


def to_place(state: State, player: Player) -> list[Piece]:
    """ROM-0.6: the player's pieces that are not on the board yet."""
    return [piece for piece in all_pieces(state.players[player].states) if piece not in state.pieces]


def places(state: State, piece: Piece) -> OneOf[City]:
    """ROM-0.6: the cities where the piece may be placed, and why not on the others of its state."""
    own, _, name = piece.partition("-")
    taken = {unit.at for unit in state.pieces.values()}

    def hindrances(city: City) -> Hindrances:
        town = BOARD.cities[city]
        yield town.state != own and Reason("ROM-0.6", "other-state", {"state": own})
        yield city in taken and Reason("ROM-0.6", "city-taken")
        yield KINDS[name] == "ship" and not town.port and Reason("ROM-0.6", "no-port")

    return allowed(BOARD.cities, hindrances)


def next_to_place(state: State) -> Sequence[Player]:
    """ROM-0.6: the player who places next, in the order of the round."""
    return [player for player in state.seats if not pieces_of(state, player)][:1]


VERBS = {
    "place": Verb(
        place,
        {"place": PIECE, "at": CITY},
        ("at",),
        uses=(
            once("piece {place}", "ROM-0.6", "placed-already", decide=True),
            once("city {at}", "ROM-0.6", "city-taken"),
        ),
        subject=("place", "at"),
    )
}
