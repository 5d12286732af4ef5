"""SER-8 Scoring and end."""

from __future__ import annotations

from adjudicator.engine.table import Line, Player, Table
from adjudicator.engine.table.points import show
from adjudicator.rulebooks.serenissima import events
from adjudicator.rulebooks.serenissima.board import BOARD, PortId
from adjudicator.rulebooks.serenissima.state import State

BASILICA = 5
"""SER-8.1: ducats for a basilica."""


def hold_scoring(t: Table[State]) -> None:
    """SER-8.1: each port pays its owner for its filled slots, each basilica 5 ducats."""
    t.play(events.ScoringHeld(rule="SER-7.3", number=t.state.scorings + 1))
    for player in t.state.seats:
        ports, basilicas = paying(t.state, player)
        sum_ = sum(ports.values()) + BASILICA * len(basilicas)
        t.play(events.PortsPaid(rule="SER-8.1", player=player, ports=ports, basilicas=basilicas, sum=sum_))


def paying(state: State, player: Player) -> tuple[dict[PortId, int], tuple[PortId, ...]]:
    """SER-8.1: what each port of a player pays for its slots, and the ports with a basilica."""
    ports = {port: yields(state, port) for port in state.ports_of(player)}
    return ports, tuple(port for port in ports if state.ports[port].basilica)


def held_now(state: State) -> dict[Player, tuple[Line, ...]]:
    """SER-8.1: what a scoring now would bring each player."""
    found: dict[Player, tuple[Line, ...]] = {}
    for player in state.players:
        ports, basilicas = paying(state, player)
        slots = Line("SER-8.1", "ports", len(ports), sum(ports.values()))
        found[player] = (slots, Line("SER-8.1", "basilicas", len(basilicas), BASILICA * len(basilicas)))
    return found


def yields(state: State, port: PortId) -> int:
    """SER-8.1: what the port's filled slots pay at a scoring."""
    return BOARD.scoring[BOARD.ports[port].size][len(state.ports[port].warehouse)]


def points(state: State) -> dict[Player, tuple[Line, ...]]:
    """SER-8.2: each player's ducats (None: secret), and ports, which decide between equally rich players."""
    found: dict[Player, tuple[Line, ...]] = {}
    for player, seat in state.players.items():
        ducats, ports = seat.ducats.value if seat.ducats.known else None, len(state.ports_of(player))
        found[player] = (Line("SER-8.2", "ducats", ducats, ducats), Line("SER-8.2", "ports", ports, 0))
    return found


def winners(state: State) -> tuple[Player, ...]:
    """SER-8.2: the richest player wins, of several the one with most ports;
    those still tied share the victory (Ruling)."""
    fortunes = {player: (state.purse(player), len(state.ports_of(player))) for player in state.seats}
    return tuple(player for player in state.seats if fortunes[player] == max(fortunes.values()))


def finish(t: Table[State]) -> None:
    """SER-8.2: after the third scoring the match is over, and every purse is shown."""
    for player in t.state.seats:
        t.reveal(t.state.players[player].ducats)
    show(t, points(t.state), rule="SER-8.2")
    won = winners(t.state)
    ducats = t.state.purse(won[0])
    tied = sum(t.state.purse(player) == ducats for player in t.state.seats)
    t.play(events.Finished(rule="SER-8.2", players=won, ducats=ducats, by_ports=tied > len(won)))
