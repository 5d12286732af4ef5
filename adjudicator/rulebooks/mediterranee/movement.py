"""MED-3 Movement."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from adjudicator.engine.table import Player, Reason, Table, Verb, once
from adjudicator.engine.table.domain import FirstOf, Forms, Many, OneOf, Walk
from adjudicator.engine.table.reason import when_named
from adjudicator.rulebooks.mediterranee.board import BORDERS, ZoneId
from adjudicator.rulebooks.mediterranee.events import Entered, LeaveGiven
from adjudicator.rulebooks.mediterranee.questions import Pass
from adjudicator.rulebooks.mediterranee.standing import GALLEY, ZONE
from adjudicator.rulebooks.mediterranee.state import GalleyId, State, not_yours


def move(t: Table[State]) -> None:
    """MED-3.1: a galley moves once a turn, through at most as many zones as it has sailors,
    its whole route before the next galley."""
    mine = t.state.galleys_of(t.me)
    fresh = [name for name in mine if name not in t.state.moved]
    name = t.pick("move", OneOf(fresh, but=not_to_move(t.state, t.me)), rule="MED-3.1")
    galley = mine[name]
    ways = Walk(galley.zone, BORDERS, galley.sailors)
    way = t.pick("via", Forms(ways, (FirstOf(ways),)), rule="MED-3.1")
    # the zone where it began needs no leave
    t.play(Entered(rule="MED-3.2", player=t.me, galley=name, zone=way[0]))
    for here, there in pairwise(way):
        if not leave(t, name, here):
            return
        t.play(Entered(rule="MED-3.1", player=t.me, galley=name, zone=there))


@when_named
def not_to_move(state: State, player: Player) -> Mapping[GalleyId, Reason]:
    """MED-3.1: why galleys can't move: they aren't the player's, or have moved."""
    moved = [name for name in state.galleys_of(player) if name in state.moved]
    return not_yours(state, player) | dict.fromkeys(moved, Reason("MED-3.1", "moved-already"))


def leave(t: Table[State], name: GalleyId, zone: ZoneId) -> bool:
    """MED-3.3, MED-3.4: all other players with galleys there must give leave, asked in the order of play; one refusal
    ends the move. Returns whether all gave leave."""
    owners = {galley.owner for galley in t.state.galleys_in(zone).values()} - {t.me}
    for other in (player for player in t.state.order if player in owners):
        given = t.ask(other, Pass(name, t.me, zone, t.state.galleys[name].sailors))
        t.play(LeaveGiven(rule="MED-3.3", asked=other, player=t.me, galley=name, zone=zone, given=given))
        if not given:
            return False
    return True


def can(state: State, player: Player) -> bool:
    """MED-3.1: does the player have a galley?"""
    return any(galley.owner == player for galley in state.galleys.values())


WAY = Many(ZONE, least=1)
VERBS = {
    "move": Verb(
        move,
        {"move": GALLEY, "via": Forms(WAY, (FirstOf(WAY),))},
        ("via",),
        uses=(once("move {move}", "MED-3.1", "moved-already", decide=True),),
        subject=("move",),
    )
}
