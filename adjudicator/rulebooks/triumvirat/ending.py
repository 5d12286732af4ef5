"""TRI-9 End, and TRI-5.2: who has won, or that all have lost."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.table import Hearing, Line, Player, Table, highest
from adjudicator.rulebooks.triumvirat import events
from adjudicator.rulebooks.triumvirat.board import MOST_POINTS
from adjudicator.rulebooks.triumvirat.state import State


def points(state: State) -> Mapping[Player, tuple[Line, ...]]:
    """TRI-9.1: each player's points of influence: the general's, medals, senators."""
    return {player: state.points(player) for player in state.seats}


def end(t: Table[State], rule: str, *winners: Player, points: int = 0) -> None:
    """TRI-9: the match is over, at once."""
    t.play(events.Ended(rule=rule, winners=winners, points=points))


def look_at_italy(t: Table[State]) -> None:
    """TRI-5.2: all seven sites of Italy held by barbarians: all lose at once."""
    if not t.state.free_sites():
        end(t, "TRI-5.2")


def look_at_points(t: Table[State], player: Player) -> None:
    """TRI-9.1: more than 10 points of influence: perpetual dictator, at once."""
    count = t.state.score(player)
    if count > MOST_POINTS:
        end(t, "TRI-9.1", player, points=count)


def look_at_turn(t: Table[State]) -> None:
    """TRI-9.2: an Emperor who holds to the end of the next turn. TRI-9.3: after the last turn the most points win."""
    emperor, turn = t.state.emperor, t.state.phase.turn
    if emperor.player and turn > emperor.turn:
        end(t, "TRI-9.2", emperor.player)
    elif turn >= t.state.options.max_turns:
        best = highest(points(t.state))
        end(t, "TRI-9.3", *best, points=t.state.score(best[0]))


def until_over(hearing: Hearing) -> None:
    """TRI-9.1: one player after another, each with all orders, until somebody wins."""
    for player in hearing.due:
        for order in hearing.orders(player):
            if hearing.state.result.by:
                return
            hearing.carry_out(player, order)
        if not hearing.state.result.by:
            hearing.finish(player)
