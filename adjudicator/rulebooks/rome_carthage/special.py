"""ROM-4 Special cards: the betrayal of a general and the popular sedition; once each, before moving (ROM-1.2).

A player who holds both may play both in one turn, in any order (ROM-4.3).
"""

from __future__ import annotations

from adjudicator.engine.table import UNFORESEEN, Player, Reason, Table, Use, Verb, once
from adjudicator.engine.table.domain import Many, OneOf, Walk
from adjudicator.engine.table.reason import when_named
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.rome_carthage.board import CAPITALS, Piece
from adjudicator.rulebooks.rome_carthage.ending import send_out
from adjudicator.rulebooks.rome_carthage.events import Betrayed, Eliminated, Sedition
from adjudicator.rulebooks.rome_carthage.movement import check_way, go, movable, reach, rule_of, ways
from adjudicator.rulebooks.rome_carthage.standing import CITY, PIECE
from adjudicator.rulebooks.rome_carthage.state import State, Unit, not_yours


def betray(t: Table[State]) -> None:
    """ROM-4.1: a player moves a piece of an adversary (or two infantry of one
    adversary) as that adversary could, without a march."""
    free, bound = open_to_betrayal(t.state, t.me)
    name = t.pick("betray", OneOf(free, but=why_not_on_board(t.state, t.me) | bound), rule="ROM-4.1")
    unit = free[name]
    victim = t.state.owner(name)
    way = t.pick("via", Walk(unit.at, ways(t.state, unit), reach(unit)), rule=rule_of(unit))
    t.require(not t.state.steps, "ROM-4.1", "before-moving")
    first, held = not t.state.betrayed, "betrayal" in t.state.players[t.me].special
    t.require(held or not first, "ROM-4.1", "no-special", card="betrayal")
    check_way(t, name, way, victim)
    if first:
        t.play(Betrayed(rule="ROM-4.1", player=t.me, victim=victim))
    go(t, name, way, 1, betrayal=True)


@when_named
def why_not_on_board(state: State, me: Player) -> dict[Piece, Reason]:
    """Why pieces that aren't on the board can't be moved."""
    return {name: why for name, why in not_yours(state, me).items() if name not in state.pieces}


@remembered
def open_to_betrayal(state: State, me: str) -> tuple[dict[Piece, Unit], dict[Piece, Reason]]:
    """ROM-4.1: the adversaries' pieces that can be moved;
    after one infantry only other infantry of the same adversary."""
    free: dict[Piece, Unit] = {}
    bound: dict[Piece, Reason] = {}
    for player in state.seats:
        if player not in state.friends(me):
            more, not_these = movable(state, player)
            free, bound = free | more, bound | not_these
        else:
            bound |= dict.fromkeys(state.pieces_of(player), Reason("ROM-4.1", "on-your-side"))
    if state.betrayed:
        pair = len(state.betrayed) == 1 and "-infantry-" in state.betrayed[0]
        same = state.owner(state.betrayed[0])
        kept = {
            name: unit
            for name, unit in free.items()
            if pair and unit.kind == "infantry" and name not in state.betrayed and state.owner(name) == same
        }
        bound |= {name: Reason("ROM-4.1", "one-betrayal") for name in free if name not in kept}
        free = kept
    return free, bound


def sedition(t: Table[State]) -> None:
    """ROM-4.2: the piece that occupies the player's own capital is eliminated without a fight."""
    own = [CAPITALS[name] for name in t.state.players[t.me].states]
    held = {city: t.state.occupier(city) for city in own}
    free = dict.fromkeys(CAPITALS.values(), Reason("ROM-4.2", "not-your-capital", {"yours": own}))
    free |= dict.fromkeys(own, Reason("ROM-4.2", "not-occupied"))
    city = t.pick("sedition", OneOf([city for city in own if held[city]], but=free), rule="ROM-4.2")
    t.require("sedition" in t.state.players[t.me].special, "ROM-4.2", "no-special", card="sedition")
    t.require(not t.state.steps, "ROM-4.2", "before-moving")
    piece = held[city]
    assert piece is not None
    t.play(Sedition(rule="ROM-4.2", player=t.me, city=city))
    t.play(Eliminated(rule="ROM-4.2", piece=piece, player=t.state.owner(piece), city=city))
    send_out(t)


UNMOVED = Use("unmoved", times=0, keeps=1)
"""ROM-4.1, ROM-4.2: before any move."""
VERBS = {
    "betray": Verb(
        betray,
        {"betray": PIECE, "via": Many(CITY, least=1, most=2)},
        ("via",),
        uses=(UNMOVED, UNFORESEEN),
        subject=("betray",),
    ),
    "sedition": Verb(
        sedition,
        {"sedition": OneOf(tuple(CAPITALS.values()))},
        uses=(once("sedition", "ROM-4.2", "no-special", card="sedition"), UNMOVED, UNFORESEEN),
        subject=("sedition",),
    ),
}
