"""SER-3 Action, second part: movement, and blockades."""

from __future__ import annotations

from typing import Any, ClassVar

from adjudicator.engine.table import FieldReader, Instruction, Player, Table, YesNo, warn_of_player
from adjudicator.engine.table.domain import FirstOf, Flag, Forms, Many, OneOf, Walk
from adjudicator.engine.table.table import When, struct_from
from adjudicator.rulebooks.serenissima.board import BORDERS, GalleyId, ZoneId
from adjudicator.rulebooks.serenissima.events import Blockaded, Entered
from adjudicator.rulebooks.serenissima.fields import NUMBER, OTHER, ZONE, Fields
from adjudicator.rulebooks.serenissima.state import Act, Declaring, State

RULES: dict[Act, str] = {"move": "SER-3.2", "sale": "SER-4.3", "landing": "SER-5.6"}
"""The rule of a blockade, by the act that it is against."""
AGAINST = OneOf(tuple(RULES))
FITS: Fields = {"for": OTHER, "in": ZONE, "against": AGAINST}
"""The keys by which a standing instruction fits; a key that it leaves out fits everything."""
DECLARING: Fields = {**FITS, "declare": Flag()}


class Blockade(YesNo[State], frozen=True):
    """SER-3.2, SER-4.3, SER-5.6: does the player declare a blockade against a galley that moves on, sells or lands?"""

    verb = "blockade"
    needed = ("declare",)
    rule = "SER-3.2"
    shapes: ClassVar[Fields] = {"blockade": NUMBER, "in": ZONE, "against": AGAINST, "declare": Flag()}

    galley: GalleyId
    owner: Player
    zone: ZoneId
    against: Act
    sailors: int

    def names(self) -> dict[str, Any]:
        return {"blockade": int(self.galley), "in": self.zone, "against": self.against}

    def standing(self, state: State, asked: Player) -> bool | None:
        entries = state.players[asked].standing.value.blockade
        fitting = (entry.declare for entry in entries if entry.fits(self.owner, self.zone, self.against))
        return next(fitting, None)


def declaring(entry: FieldReader, state: State, me: Player) -> Declaring:
    """SER-3.2: a standing instruction, `{for: red, in: alger, against: move, declare: true}`."""
    found = struct_from(entry, Declaring, DECLARING, "SER-3.2")
    warn_of_player(entry, found.for_, "for", state=state, me=me, rule="SER-3.2")
    return found


STANDING = Instruction(declaring, DECLARING, "SER-3.2", dict.fromkeys(FITS, When.ALL))


WAY = Many(ZONE, least=1)
VIA = Forms(WAY, (FirstOf(WAY),))
"""SER-3.1: the type of a route, or of several in order of preference."""


def move(t: Table[State]) -> None:
    """SER-3.1: a galley moves up to as many zones as it has sailors; a blockade ends the move where it is declared.

    Of several routes it takes the first that it can go (**Ruling**).
    """
    name = t.state.turn().galley
    galley = t.state.galleys[name]
    ways = Walk(galley.zone, BORDERS, galley.sailors)
    way = t.pick("via", Forms(ways, (FirstOf(ways),)), rule="SER-3.1")
    for count, zone in enumerate(way, start=1):
        t.play(Entered(rule="SER-3.1", player=t.me, galley=name, zone=zone))
        if count < len(way) and blockader(t, "move"):
            return


def blockader(t: Table[State], against: Act) -> Player | None:
    """SER-3.2, SER-4.3, SER-5.6: the player who declares a blockade;
    those who may are asked one after another until one does."""
    name = t.state.turn().galley
    zone, crew = t.state.galleys[name].zone, t.state.galleys[name].sailors
    for player, sailors in may_blockade(t.state):
        declared = t.ask(player, Blockade(name, t.me, zone, against, crew))
        t.play(Blockaded(player, name, zone, against, declared, sailors, crew, rule=RULES[against]))
        if declared:
            return player
    return None


def may_blockade(state: State) -> list[tuple[Player, int]]:
    """SER-3.2, SER-4.3: players with more sailors on galleys in the zone than the galley has, with their number.

    Most sailors come first, then the smallest galley number; nobody may where the galley began its turn.
    """
    turn = state.turn()
    galley = state.galleys[turn.galley]
    if turn.start == galley.zone:
        return []
    crews = afloat(state, galley.zone).items()  # in the order of the smallest numbers, which sorting keeps
    stronger = [crew for crew in crews if crew[0] != galley.owner and crew[1] > galley.sailors]
    return sorted(stronger, key=lambda crew: -crew[1])


def afloat(state: State, zone: ZoneId) -> dict[Player, int]:
    """SER-3.2: the total of sailors on each player's galleys in a zone,
    in the order of the players' smallest numbers."""
    there = state.galleys_in(zone).values()
    found: dict[Player, int] = {galley.owner: 0 for galley in there}
    for galley in there:
        found[galley.owner] += galley.sailors
    return found
