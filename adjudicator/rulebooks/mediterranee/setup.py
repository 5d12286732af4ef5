"""MED-0 Set-up: where the ten sailors go."""

from __future__ import annotations

from adjudicator.engine.domain import Limit, OneOf, Whole
from adjudicator.engine.event import Player
from adjudicator.engine.table import Table, Verb
from adjudicator.rulebooks.mediterranee.board import CAPITAL
from adjudicator.rulebooks.mediterranee.events import Placed, Shifted
from adjudicator.rulebooks.mediterranee.standing import COUNT, PLACE
from adjudicator.rulebooks.mediterranee.state import State, galleys_of, not_yours, room

CREW_OF_THE_START = 10


def place(t: Table[State]) -> None:
    """MED-0.3: sailors go aboard a galley, 1 to 5 of them, or into the capital."""
    galleys = galleys_of(t.state, t.me)
    to = t.pick("to", OneOf((*galleys, CAPITAL[t.me]), but=not_yours(t.state, t.me)), rule="MED-0.3")
    limits = [Limit(left(t.state, t.me), "MED-0.3", "sailors-left")]
    if to in galleys:
        limits.insert(0, Limit(room(galleys[to]), "MED-0.6", "room", {"galley": to}))
    sailors = t.pick("place", Whole(1, limits), rule="MED-0.3")
    t.play(Placed(rule="MED-0.3", player=t.me, sailors=sailors, place=to))


def left(state: State, player: Player) -> int:
    """The sailors that the player has still to place."""
    aboard = sum(galley.sailors for galley in galleys_of(state, player).values())
    return CREW_OF_THE_START - aboard - state.ports[CAPITAL[player]].garrison


def settle(t: Table[State]) -> None:
    """MED-0.3: all ten are placed: the rest goes to the capital, but first one to a galley without any.

    **Ruling**: a capital that has all ten gives one to each empty galley.
    """
    capital = CAPITAL[t.me]
    for name, galley in galleys_of(t.state, t.me).items():
        if galley.sailors == 0 and left(t.state, t.me):
            t.play(Placed(rule="MED-0.3", player=t.me, sailors=1, place=name))
        elif galley.sailors == 0:
            t.play(Shifted(rule="MED-0.3", player=t.me, sailors=1, goods={}, source=capital, target=name))
    rest = left(t.state, t.me)
    if rest:
        t.play(Placed(rule="MED-0.3", player=t.me, sailors=rest, place=capital))


def default(t: Table[State]) -> None:
    """MED-0.3: without a sheet four sailors go aboard each galley, two into the capital."""
    for name in galleys_of(t.state, t.me):
        t.play(Placed(rule="MED-0.3", player=t.me, sailors=4, place=name))


VERBS = {"place": Verb(place, {"place": COUNT, "to": PLACE}, ("to",))}
