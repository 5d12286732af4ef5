"""ROM-0 Set-up, ROM-6: states, alliances, hands and cards; who begins, the talon, and placing the pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from adjudicator.engine.table import Head, Hindrances, Player, Reason, Refused, Secret, Table, Verb, once
from adjudicator.engine.table.domain import OneOf, allowed
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.rome_carthage import board
from adjudicator.rulebooks.rome_carthage.events import Placed, SeatsTaken, TurnEnded
from adjudicator.rulebooks.rome_carthage.standing import CITY, PIECE
from adjudicator.rulebooks.rome_carthage.state import RULES, Options, Seat, State, not_yours
from adjudicator.rulebooks.rome_carthage.turn import lay

Pair = tuple[board.StateName, board.StateName]
ALLIANCES: Mapping[str, tuple[Pair, Pair]] = {
    "north-south": (("rome", "constantinople"), ("alexandria", "carthage")),
    "east-west": (("constantinople", "alexandria"), ("rome", "carthage")),
    "crossed": (("rome", "alexandria"), ("constantinople", "carthage")),
}


def start(match: str, options: Options, players: tuple[Player, ...]) -> State:
    """ROM-0.1, ROM-0.3, ROM-0.4, ROM-6: states, hands and special cards; the talon is shuffled later, when the box is
    opened.

    Raises Refused if two players would share an alliance, so that nobody plays their enemies (ROM-6.1).
    """
    owners = owners_of_states(options, players)
    seated = tuple(player for player in board.STATES if player in players)
    alone = [player for player in seated if len(players) == 3 and list(owners.values()).count(player) == 2]
    if alone:
        one, other = (player for player in seated if player not in alone)
        seated = (one, alone[0], other)
    alliances = tuple(
        tuple(player for player in seated if player in {owners[state] for state in states})
        for states in ALLIANCES[options.alliance]
    )
    check_options(options, seated, alliances)
    states = {player: tuple(state for state in board.STATES if owners[state] == player) for player in seated}
    hands = {player: first_hand(states[player]) for player in seated}
    talon = [card for player in seated for card in first_talon(states[player])]
    special = special_cards(options, alliances)
    return State(
        match=match,
        rulebook="rome-carthage",
        rules=RULES,
        phase=Head(0, "start", 1),
        options=options,
        players={
            player: Seat(states[player], tuple(Secret(card) for card in hands[player]), special[player])
            for player in seated
        },
        seats=seated,
        alliances=alliances,
        pieces={},
        talon=tuple(Secret(card) for card in talon),
    )


def possible_first_players(
    seated: tuple[Player, ...], alliances: tuple[tuple[Player, ...], ...]
) -> tuple[Player, ...]:
    """ROM-0.5, ROM-6.2: the players who may play first:
    all, but with three players not the lone player, who plays second."""
    if len(seated) != 3:
        return seated
    return next(alliance for alliance in alliances if len(alliance) == 2)


def check_options(
    options: Options, seated: tuple[Player, ...], alliances: tuple[tuple[Player, ...], ...]
) -> None:
    """ROM-0.4, ROM-0.5: checks that the options name players of this match. Raises Refused."""
    for player in options.betrayal:
        if player not in seated:
            raise Refused(Reason("ROM-0.4", "no-betrayer", {"value": player, "possible": list(seated)}))
    if options.first and options.first not in possible_first_players(seated, alliances):
        known = list(possible_first_players(seated, alliances))
        raise Refused(Reason("ROM-0.5", "not-first", {"value": options.first, "possible": known}))
    for alliance in alliances:
        named = [player for player in options.betrayal if player in alliance]
        if options.betrayal and len(alliance) == 2 and len(named) != 1:
            facts = {"alliance": list(alliance), "named": named}
            raise Refused(Reason("ROM-0.4", "one-betrayal-each", facts))


def owners_of_states(options: Options, players: tuple[Player, ...]) -> dict[board.StateName, Player]:
    """ROM-0.1, ROM-6.1, ROM-6.2: who plays each state: the player of that name, or else its partner."""
    partner = {one: other for pair in ALLIANCES[options.alliance] for one, other in (pair, pair[::-1])}
    for state in board.STATES:
        if state not in players and partner[state] not in players:
            pair = [state, partner[state]]
            raise Refused(Reason("ROM-6.1", "no-enemy", {"states": pair, "alliance": options.alliance}))
    return {state: state if state in players else partner[state] for state in board.STATES}


@cache
def first_hand(states: tuple[board.StateName, ...]) -> tuple[board.Card, ...]:
    """ROM-0.3, ROM-6.1: the even cards and the court cards of the player's suit; with two states 14 cards."""
    if len(states) == 1:
        return board.cards_of_suit(states[0], (*board.EVEN, "jack", "queen", "king"))
    courts = [card for state in states for card in board.cards_of_suit(state, ("jack", "king"))]
    return (*board.cards_of_suit(states[0], board.PIPS), *courts)


def first_talon(states: tuple[board.StateName, ...]) -> tuple[board.Card, ...]:
    """ROM-0.3, ROM-6.1, ROM-6.2: the odd cards of the player's suit; with two states all ten of the second suit."""
    return (
        board.cards_of_suit(states[0], board.ODD)
        if len(states) == 1
        else board.cards_of_suit(states[1], board.PIPS)
    )


def special_cards(
    options: Options, alliances: tuple[tuple[Player, ...], ...]
) -> dict[Player, tuple[str, ...]]:
    """ROM-0.4, ROM-6.1: each alliance has one betrayal and one sedition; a lone player holds both."""
    found: dict[Player, tuple[str, ...]] = {}
    for alliance in alliances:
        if len(alliance) == 1:
            found[alliance[0]] = ("betrayal", "sedition")
            continue
        chosen = [player for player in alliance if player in options.betrayal] or [alliance[0]]
        for player in alliance:
            found[player] = ("betrayal",) if player == chosen[0] else ("sedition",)
    return found


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
    done = dict.fromkeys(t.state.pieces_of(t.me), Reason("ROM-0.6", "placed-already"))
    piece = t.pick("place", OneOf(mine, but=not_yours(t.state, t.me) | done), rule="ROM-0.6")
    place_piece(t, piece, t.pick("at", places(t.state, piece), rule="ROM-0.6"))


def place_by_lot(t: Table[State]) -> None:
    """ROM-0.6: pieces that no order has placed go by lot on legal cities, ships first."""
    for state in t.state.players[t.me].states:
        left = [piece for piece in to_place(t.state, t.me) if piece.startswith(f"{state}-")]
        if not left:
            continue
        cities = [city for city in board.BOARD.cities if board.BOARD.cities[city].state == state]
        lot = t.shuffle(cities, "placement", state, rule="ROM-0.6")
        for piece in sorted(left, key=lambda name: "ship" not in name):
            free = places(t.state, piece).among
            place_piece(t, piece, next(city for city in lot if city in free), by_lot=True)


def place_piece(t: Table[State], piece: board.Piece, city: board.City, *, by_lot: bool = False) -> None:
    """ROM-0.6: places the piece."""
    state, _, name = piece.partition("-")
    t.play(Placed(t.me, piece, state, board.KINDS[name], city, by_lot, rule="ROM-0.6"))


def close(t: Table[State]) -> None:
    """ROM-0.6: when all have placed their pieces, the second round begins."""
    if not next_to_place(t.state):
        begins = TurnEnded(rule="ROM-0.6", player=t.me, following=t.state.seats[0], round=2, quiet_rounds=0)
        t.play(begins)


def all_pieces(states: Sequence[board.StateName]) -> list[board.Piece]:
    """ROM-0.2: the seven pieces of each state, by name."""
    return [f"{state}-{name}" for state in states for name in board.KINDS]


def to_place(state: State, player: Player) -> list[board.Piece]:
    """ROM-0.6: the player's pieces that are not on the board yet."""
    return [piece for piece in all_pieces(state.players[player].states) if piece not in state.pieces]


@remembered
def places(state: State, piece: board.Piece) -> OneOf[board.City]:
    """ROM-0.6: the cities where the piece may be placed, and why not on the others of its state."""
    own, _, name = piece.partition("-")
    taken = {unit.at for unit in state.pieces.values()}

    def hindrances(city: board.City) -> Hindrances:
        town = board.BOARD.cities[city]
        yield town.state != own and Reason("ROM-0.6", "other-state", {"state": own})
        yield city in taken and Reason("ROM-0.6", "city-taken")
        yield board.KINDS[name] == "ship" and not town.port and Reason("ROM-0.6", "no-port")

    return allowed(board.BOARD.cities, hindrances)


def next_to_place(state: State) -> Sequence[Player]:
    """ROM-0.6: the player who places next, in the order of the round."""
    return [player for player in state.seats if not state.pieces_of(player)][:1]


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
