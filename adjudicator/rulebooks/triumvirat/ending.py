"""TRI-9 End, and TRI-5.2: who has won, or that all have lost."""

from __future__ import annotations

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.points import highest
from adjudicator.engine.table.rulebook import Hearing
from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.triumvirat.board import MOST_POINTS
from adjudicator.rulebooks.triumvirat.events.ending import Ended
from adjudicator.rulebooks.triumvirat.state import State, free_sites, points, score


def look_at_italy(t: Table[State]) -> None:
    """TRI-5.2: all seven sites of Italy held by barbarians: all lose at once."""
    if not free_sites(t.state) and not t.state.result.by:
        t.play(Ended(rule="TRI-5.2", winners=(), by_rule="TRI-5.2"))


def look_at_points(t: Table[State], player: Player) -> None:
    """TRI-9.1: more than 10 points of influence: perpetual dictator, at once."""
    count = score(t.state, player)
    if count > MOST_POINTS and not t.state.result.by:
        t.play(Ended(rule="TRI-9.1", winners=(player,), by_rule="TRI-9.1", points=count))


def look_at_turn(t: Table[State]) -> None:
    """TRI-9.2: an Emperor who holds to the end of the next turn. TRI-9.3: after the last turn the most points win."""
    emperor, turn = t.state.emperor, t.state.phase.turn
    if emperor.player and turn > emperor.turn:
        t.play(Ended(rule="TRI-9.2", winners=(emperor.player,), by_rule="TRI-9.2"))
    elif turn >= t.state.options.max_turns:
        winners = highest(points(t.state))
        count = score(t.state, winners[0])
        t.play(Ended(rule="TRI-9.3", winners=winners, by_rule="TRI-9.3", points=count))


def until_over(hearing: Hearing) -> None:
    """TRI-9.1: one player after another, each with all orders, until somebody wins."""
    for player in hearing.due:
        for order in hearing.orders(player):
            if hearing.state.result.by:
                return
            hearing.carry_out(player, order)
        if not hearing.state.result.by:
            hearing.finish(player)


def winners(state: State) -> tuple[Player, ...]:
    """Who has won a match that is over; nobody where all have lost."""
    return state.result.winners or ()
