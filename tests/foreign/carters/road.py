"""CAR-2 Road: weather, drives, leave to enter, and the coins of the first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from adjudicator.engine.table.dice import D6
from adjudicator.engine.table.domain import Domain, Many, OneOf, Walk
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.table import FieldReader, Instruction, Question, Table, Verb
from adjudicator.engine.table.uses import once

from .board import BOARD, CART, FLAG, MOST_ROADS, MUDDY, PLAYER, ROADS, TOWN
from .events import Asked, Drove, Earned, Weather
from .state import Leave, State


class Enter(Question[State, bool], frozen=True):
    """CAR-2.3: may the cart of `player` enter the town, where yours stands?"""

    verb = "enter"
    rule = "CAR-2.3"
    needed = ("grant",)
    shapes: ClassVar[Mapping[str, Domain[Any]]] = {"enter": TOWN, "for": PLAYER, "grant": FLAG}

    town: str
    player: Player

    def names(self) -> Mapping[str, Any]:
        """The town, and who wants to enter it."""
        return {"enter": self.town, "for": self.player}

    def answer(self, entry: FieldReader, state: State) -> bool:
        """Yes or no."""
        return entry.pick("grant", FLAG, rule="CAR-2.3")

    def standing(self, state: State, asked: Player) -> bool | None:
        """The first entry that fits."""
        for entry in state.players[asked].standing.value.leave:
            if entry.for_ in ("", self.player) and entry.in_ in ("", self.town):
                return entry.grant
        return None

    def default(self, state: State) -> bool:
        """Nothing said: no leave."""
        return False


def leave(entry: FieldReader, state: State, me: Player) -> Leave:
    """CAR-2.3: `{for: green, in: cluj, grant: true}`."""
    return Leave(
        grant=entry.pick("grant", FLAG, rule="CAR-2.3"),
        for_=entry.pick("for", PLAYER, rule="CAR-2.3", default=None) or "",
        in_=entry.pick("in", TOWN, rule="CAR-2.3", default=None) or "",
    )


def begin(t: Table[State]) -> None:
    """CAR-2.1: the weather of the turn."""
    muddy = t.throw(D6, "weather", rule="CAR-2.1") <= BOARD.roads
    t.play(Weather(rule="CAR-2.1", roads=MUDDY if muddy else MOST_ROADS))


def drive(t: Table[State]) -> None:
    """CAR-2.2 to 2.4: from town to town, by leave where another's cart stands, and the coins of the last town."""
    mine = {name: cart for name, cart in t.state.carts.items() if cart.owner == t.me}
    name = t.pick("drive", OneOf(tuple(mine)), rule="CAR-2.2")
    way = t.pick("via", Walk(mine[name].town, ROADS, t.state.roads), rule="CAR-2.2")
    t.require(name not in t.state.driven, "CAR-2.2", "driven-already", value=name)
    here = mine[name].town
    for town in way:
        if not enters(t, town):
            break
        here = town
        t.play(Drove(rule="CAR-2.2", player=t.me, cart=name, town=town))
    if here != mine[name].town and here not in t.state.paid:
        t.play(Earned(rule="CAR-2.4", player=t.me, town=here, coins=BOARD.towns[here].pays))


def enters(t: Table[State], town: str) -> bool:
    """CAR-2.3: do all whose carts stand there give leave?"""
    for cart in t.state.carts.values():
        if cart.town == town and cart.owner != t.me:
            given = t.ask(cart.owner, Enter(town, t.me))
            t.play(Asked(rule="CAR-2.3", player=t.me, asked=cart.owner, town=town, given=given))
            if not given:
                return False
    return True


VERBS = {
    "drive": Verb(
        drive,
        {"drive": CART, "via": Many(TOWN, least=1, most=MOST_ROADS)},
        ("via",),
        # Without leave to enter the first town the cart stays, and can drive again.
        uses=(once("drive {drive}", "CAR-2.2", "driven-already", decide=True, perhaps=True),),
        subject=("drive",),
    )
}
STANDING = {"leave": Instruction(leave, {"for": PLAYER, "in": TOWN, "grant": FLAG}, "CAR-2.3")}
