"""MED-7 End: prosperity points, and who has won."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.table import Line, Player, Table
from adjudicator.engine.table.points import count as counted
from adjudicator.rulebooks.mediterranee.board import BOARD, CAPITAL
from adjudicator.rulebooks.mediterranee.state import State, ports_of

A_POINT = 500
"""MED-7.1: ducats for a point; only full sums count."""
FULL = {"small": 2, "medium": 5, "capital": 10}
"""MED-7.1: the points of a port with a full warehouse, by its size."""


def points(state: State) -> Mapping[Player, tuple[Line, ...]]:
    """MED-7.1: each player's points line by line; the treasury's points are None if
    the reader can't see it."""
    return {player: lines(state, player) for player in state.players}


def lines(state: State, player: Player) -> tuple[Line, ...]:
    """MED-7.1: 10 points for the player's own capital, 1 for each full 500 ducats,
    and those of ports by their warehouses."""
    rule = "MED-7.1"
    own = int(state.ports[CAPITAL[player]].owner == player)
    treasury = state.players[player].treasury
    ducats = treasury.value // A_POINT if treasury.known else None
    found = [Line(rule, "own-capital", own, 10 * own), Line(rule, "treasury", ducats, ducats)]
    ports = ports_of(state, player)
    full = [port for port in ports if len(ports[port].warehouse) == len(BOARD.slots_of(port))]
    found.append(Line(rule, "not-full", len(ports) - len(full), len(ports) - len(full)))
    for size, worth in FULL.items():
        count = sum(BOARD.ports[port].size == size for port in full)
        found.append(Line(rule, f"full-{size}", count, worth * count))
    return tuple(found)


def count(t: Table[State]) -> None:
    """MED-7.1, MED-7.2: the points are counted; the highest total wins, a tie is a shared victory (Ruling)."""
    for player in t.state.order:
        t.reveal(t.state.players[player].treasury)
    found = {player: lines(t.state, player) for player in t.state.order}
    counted(t, found, rule="MED-7.1", won="MED-7.2")
