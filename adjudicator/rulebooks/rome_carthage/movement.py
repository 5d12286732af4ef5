"""ROM-2 Movement: along roads and lanes, past friends but not past enemies, and the forced march.

Where each piece can go, and whom it would meet there: for forms, and for bots.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from adjudicator.engine.table import Limits, Player, Reason, Secret, Table, Use, Verb, once
from adjudicator.engine.table.board import routes
from adjudicator.engine.table.domain import Either, Limit, Many, Offering, OneOf, Walk
from adjudicator.engine.table.reason import when_named
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.rome_carthage.board import (
    BOARD,
    CAPITALS,
    CARDS,
    LANES,
    ROADS,
    ROADS_AND_STRAITS,
    Card,
    City,
    Piece,
    worth,
)
from adjudicator.rulebooks.rome_carthage.events import FightBegan, MarchOffered, MarchPaid, Moved
from adjudicator.rulebooks.rome_carthage.standing import CARD, CITY, PIECE
from adjudicator.rulebooks.rome_carthage.state import Fight, State, Unit, not_yours

MARCH = 3
"""ROM-2.5: the least points of cards that a forced march costs."""


def move(t: Table[State]) -> None:
    """ROM-1.3, ROM-2.1, ROM-2.2: one piece moves, or two infantry; twice as much by a forced march."""
    free, bound = movable(t.state, t.me)
    name = t.pick("move", OneOf(free, but=not_yours(t.state, t.me) | bound), rule="ROM-1.3")
    unit = free[name]
    way = t.pick("via", Walk(unit.at, ways(t.state, unit), 2 * reach(unit)), rule=rule_of(unit))
    check_way(t, name, way, t.me)
    steps = -(-len(way) // reach(unit))
    needed = number_of_moves({**t.state.steps, name: t.state.steps.get(name, 0) + steps}, t.state)
    t.require(needed <= 2, "ROM-2.5", "too-many-moves")
    if needed == 2 and not t.state.marched:
        # Two cities of one cavalry are one simple move, if they stand in one order.
        apart = unit.kind == "cavalry" and len(way) == 1 and t.state.steps.get(name) == 1
        why = "needs-march-or-one-way" if apart else "needs-march"
        t.prepared(bool(t.state.march), "ROM-1.3", why, least=MARCH)
        cards = tuple(card.value for card in t.state.march)
        # a fight by betrayal may have taken some meanwhile
        gone = [card for card in cards if card not in t.state.hand_of(t.me)]
        t.require(not gone, "ROM-2.5", "march-cards-gone", cards=gone)
        t.play(MarchPaid(rule="ROM-2.5", player=t.me, cards=cards))
    go(t, name, way, steps)


def march(t: Table[State]) -> None:
    """ROM-2.5: a player lays cards of at least 3 points ready for a march, none of them a zero; they are spent once a
    turn, when a move needs them.

    **Ruling**: cards are laid ready once, but again if some of them were spent in a fight meanwhile.
    """
    held = t.state.hand_of(t.me)
    paying = OneOf([card for card in held if worth(card)], but=not_paying(held))
    offered = Offering(Many(paying, least=1, most=10, distinct=True), partial(enough_cards, held))
    cards = t.pick("march", offered, rule="ROM-2.5")
    t.require(not t.state.marched, "ROM-2.5", "marched-already")
    laid = [card.value for card in t.state.march]
    t.require(not laid or not set(laid) <= set(held), "ROM-2.5", "march-laid-already", cards=laid)
    points = sum(worth(card) for card in cards)
    t.require(points >= MARCH, "ROM-2.5", "march-too-cheap", points=points, least=MARCH)
    t.play(MarchOffered(rule="ROM-2.5", to=(t.me,), player=t.me, cards=Secret(cards)))


def enough_cards(held: Sequence[Card]) -> Either:
    """ROM-2.5: cards that each pay for a march, or so many that whichever they are pay for it together."""
    paying = [card for card in held if worth(card)]
    lowest = sorted(map(worth, paying))
    least = next((count for count in range(1, len(lowest) + 1) if sum(lowest[:count]) >= MARCH), 0)
    each = Many(OneOf([card for card in paying if worth(card) >= MARCH]), least=1, most=10, distinct=True)
    return Either((each, Many(OneOf(paying if least else ()), least=max(least, 1), most=10, distinct=True)))


@when_named
def not_paying(held: Sequence[Card]) -> dict[Card, Reason]:
    """ROM-2.5: why the other cards can't pay for a march."""
    others = dict.fromkeys(CARDS, Reason("ROM-2.5", "not-in-hand"))
    return others | {card: Reason("ROM-2.5", "zero-pays-nothing") for card in held if not worth(card)}


@remembered
def movable(state: State, player: Player) -> tuple[dict[Piece, Unit], dict[Piece, Reason]]:
    """ROM-2.3, ROM-2.4: the pieces of a player that can move, and why the others can't."""
    fighting = [fight.attacker for fight in state.fights]
    free: dict[Piece, Unit] = {}
    bound: dict[Piece, Reason] = {}
    for name, unit in state.pieces_of(player).items():
        if unit.kind != "ship" and BOARD.cities[unit.at].island:
            bound[name] = Reason("ROM-2.4", "on-island", {"city": unit.at})
        elif name in fighting:
            bound[name] = Reason("ROM-2.3", "fighting", {"city": unit.at})
        else:
            free[name] = unit
    return free, bound


def reach(unit: Unit) -> int:
    """ROM-2.1, ROM-2.2: the number of cities in a simple move."""
    return 2 if unit.kind == "cavalry" else 1


def rule_of(unit: Unit) -> str:
    """The number of the rule about moves of this kind of piece."""
    return "ROM-2.2" if unit.kind == "ship" else "ROM-2.1"


def ways(state: State, unit: Unit) -> Mapping[City, tuple[City, ...]]:
    """ROM-2.1, ROM-2.2: land pieces use roads (with option `straits` also straits), ships use lanes."""
    if unit.kind == "ship":
        return LANES
    return ROADS_AND_STRAITS if state.options.straits else ROADS


def check_way(t: Table[State], name: Piece, way: tuple[City, ...], mine: Player) -> None:
    """ROM-2.3, ROM-2.6: a route passes friends but never an enemy; it doesn't end at a friend or where a fight's way
    back must stay free.

    **Ruling**: a piece doesn't end in the city where it began its turn.
    """
    side = t.state.friends(mine)
    for city in way[:-1]:
        enemy = [other for other in t.state.pieces_at(city) if t.state.owner(other) not in side]
        t.require(not enemy, "ROM-2.3", "past-enemy", city=city, pieces=enemy)
    end = way[-1]
    friend = [other for other in t.state.pieces_at(end) if other != name and t.state.owner(other) in side]
    leaving = movable(t.state, mine)[0] if friend else {}  # earlier orders may move the friend away first
    staying = [other for other in friend if other not in leaving]
    t.require(not staying, "ROM-2.3", "friend-there", city=end, pieces=friend)
    t.prepared(not friend, "ROM-2.3", "friend-there", city=end, pieces=friend)
    backs = [fight.came_from for fight in t.state.fights]
    t.require(end not in backs, "ROM-2.6", "way-back", city=end)
    start = t.state.begun.get(name, t.state.pieces[name].at)
    t.require(end != start, "ROM-2.3", "back-again", city=end)
    blocked = [other for other in t.state.pieces_at(start) if other != name]
    attacks = bool(t.state.pieces_at(end).keys() - {name})
    t.require(not (attacks and blocked), "ROM-2.6", "way-back-taken", city=start, pieces=blocked)


def number_of_moves(steps: Mapping[Piece, int], state: State) -> int:
    """ROM-1.3, ROM-2.5: the number of moves, each of one piece or of a pair of infantry, that these simple moves make
    up.

    **Ruling**: the pairs of a march's two moves may differ, so that one of three infantry moves twice. One is an
    ordinary turn, two is a forced march. With option `march: strict` a march is one piece twice or two pieces once, and
    a pair of infantry counts as one only without a march.
    """
    infantry = [count for name, count in steps.items() if state.pieces[name].kind == "infantry"]
    others = sum(steps.values()) - sum(infantry)
    pairs = max([*infantry, -(-sum(infantry) // 2)], default=0)
    if state.options.march == "strict" and others + pairs > 1:
        return others + sum(infantry)
    return others + pairs


def go(t: Table[State], name: Piece, way: tuple[City, ...], steps: int, *, betrayal: bool = False) -> None:
    """ROM-1.4: the piece moves; if it meets an enemy piece a fight is pending."""
    unit, mine = t.state.pieces[name], t.state.owner(name)
    side = t.state.friends(mine)
    enemy = [other for other in t.state.pieces_at(way[-1]) if t.state.owner(other) not in side]
    start = t.state.begun.get(name, unit.at)
    capital = not enemy and takes_capital(t.state, mine, way[-1])
    t.play(Moved(mine, name, unit.at, way, steps, capital, betrayal, rule=rule_of(unit)))
    if enemy:
        t.play(FightBegan(rule="ROM-1.4", fight=Fight(way[-1], name, enemy[0], start, betrayal=betrayal)))


def takes_capital(state: State, player: Player, city: City) -> bool:
    """ROM-5.3: is the city a capital of an enemy's?"""
    side = state.friends(player)
    own = [CAPITALS[name] for friend in side for name in state.players[friend].states]
    return BOARD.cities[city].capital and city not in own


def limits(state: State, player: Player) -> Limits:
    """ROM-1.3, ROM-1.2: a turn has one move, and more only by a march or for infantry; special cards come before."""
    return {
        "moves": Limit(1 - min(1, len(state.steps)), "ROM-1.3", "needs-march", {"least": MARCH}),
        "unmoved": Limit(int(not state.steps), "ROM-4.1", "before-moving"),
    }


VERBS = {
    "march": Verb(
        march,
        {"march": Many(CARD, least=1, most=10, distinct=True)},
        uses=(once("march", "ROM-2.5", "marched-already"),),
        changes=("march",),
        subject=(),
        prices=lambda state, player: {"": MARCH},
    ),
    "move": Verb(
        move,
        {"move": PIECE, "via": Many(CITY, least=1, most=4)},
        ("via",),
        uses=(Use("moves", perhaps=True), Use("unmoved", ends=True)),
        changes=("move", "via"),
        subject=("move",),
    ),
}


def destinations(state: State, piece: Piece, moves: int = 1) -> Mapping[City, tuple[City, ...]]:
    """ROM-2.1: the cities where a piece may end after this number of simple moves, each with a shortest route, nearest
    first.

    Two moves are a forced march (ROM-2.5). Ways back of fights stay free (ROM-2.6).
    """
    unit = state.pieces[piece]
    side = state.friends(state.owner(piece))
    found = ends(unit, moves * reach(unit), ways(state, unit), enemies(state, side), own(state, side))
    backs = [fight.came_from for fight in state.fights]
    return {city: way for city, way in found.items() if city not in backs}


def once_left(state: State, piece: Piece) -> Mapping[City, Piece]:
    """ROM-2.6: the cities within a simple move that another piece of the same player can leave first."""
    unit, player = state.pieces[piece], state.owner(piece)
    side = state.friends(player)
    able = {name: other for name, other in movable(state, player)[0].items() if name != piece}
    leaving = {other.at: name for name, other in able.items() if destinations(state, name)}
    staying = own(state, side).keys() - leaving.keys()
    found = ends(unit, reach(unit), ways(state, unit), enemies(state, side), staying)
    return {city: leaving[city] for city in found if city in leaving}


def enemies(state: State, side: Collection[Player]) -> dict[City, Piece]:
    """The pieces of all other players, by city."""
    return {unit.at: name for name, unit in state.pieces.items() if state.owner(name) not in side}


def own(state: State, side: Collection[Player]) -> dict[City, Piece]:
    """The pieces of a side, by city."""
    return {unit.at: name for name, unit in state.pieces.items() if state.owner(name) in side}


def ends(
    unit: Unit,
    most: int,
    ways: Mapping[City, tuple[City, ...]],
    enemies: Mapping[City, Piece],
    friends: Collection[City],
) -> dict[City, tuple[City, ...]]:
    """ROM-2.3: the cities where a piece can end within `most` steps, each with a shortest route."""
    found = reached(unit.at, most, ways, enemies)
    return {city: way for city, way in found.items() if city not in friends}


def reached(
    start: City, most: int, ways: Mapping[City, tuple[City, ...]], enemies: Collection[City]
) -> dict[City, tuple[City, ...]]:
    """ROM-2.3: the cities within `most` steps, each with a shortest route: past friends, not past enemies."""
    found = routes(start, ways, most, enemies)
    del found[start]
    return found
