"""SER-3 Action, second part: movement, and blockades."""

from __future__ import annotations

from adjudicator.engine.table.domain import Walk
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.serenissima.board import BORDERS, GalleyId, ZoneId
from adjudicator.rulebooks.serenissima.events import Blockaded, Entered
from adjudicator.rulebooks.serenissima.questions import Blockade
from adjudicator.rulebooks.serenissima.state import Act, State, galleys_in

RULES: dict[Act, str] = {"move": "SER-3.2", "sale": "SER-4.3", "landing": "SER-5.6"}
"""The rule of a blockade, by what it is against."""


def move(t: Table[State], name: GalleyId) -> None:
    """SER-3.1: up to as many zones as there are sailors aboard; a blockade ends it where it is declared."""
    galley = t.state.galleys[name]
    way = t.pick("via", Walk(galley.zone, BORDERS, galley.sailors), rule="SER-3.1")
    for left, zone in enumerate(way, start=1 - len(way)):
        t.play(Entered(rule="SER-3.1", player=t.me, galley=name, zone=zone))
        if left and blockader(t, name, "move"):
            return


def blockader(t: Table[State], name: GalleyId, against: Act) -> Player | None:
    """SER-3.2, SER-4.3, SER-5.6: who declares a blockade there: those who may are asked until one does."""
    galley = t.state.galleys[name]
    strengths = afloat(t.state, galley.zone)
    for player in may_blockade(t.state, name):
        declared = t.ask(player, Blockade(name, t.me, galley.zone, against, galley.sailors))
        answer = Blockaded(
            rule=RULES[against],
            player=player,
            galley=name,
            zone=galley.zone,
            against=against,
            declared=declared,
            sailors=strengths[player],
            against_sailors=galley.sailors,
        )
        t.play(answer)
        if declared:
            return player
    return None


def may_blockade(state: State, name: GalleyId) -> list[Player]:
    """SER-3.2, SER-4.3: players with strictly more sailors on galleys in the zone, the most first, then the smallest
    number; nobody where the galley began its turn."""
    galley = state.galleys[name]
    if state.acting is not None and state.acting.start == galley.zone:
        return []
    strengths = afloat(state, galley.zone)  # in the order of the smallest numbers, which sorting keeps
    stronger = [
        player for player, sailors in strengths.items() if player != galley.owner and sailors > galley.sailors
    ]
    return sorted(stronger, key=lambda player: -strengths[player])


def afloat(state: State, zone: ZoneId) -> dict[Player, int]:
    """SER-3.2: the sailors on each player's galleys in a zone together, whoever has the smallest number first."""
    found: dict[Player, int] = {}
    for galley in galleys_in(state, zone).values():
        found[galley.owner] = found.get(galley.owner, 0) + galley.sailors
    return found
