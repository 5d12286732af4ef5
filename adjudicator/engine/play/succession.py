"""What comes next: the next seat of a phase in order of playing, the next phase, or the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from adjudicator.engine.sheets.sheet import Order
from adjudicator.engine.table.event import Due, Head, Opened, Player
from adjudicator.engine.table.rulebook import Pace, Phase, Rulebook
from adjudicator.engine.table.table import Table


class Hall(Table[Any], Protocol):
    """The table together with what opens phases at it."""

    rulebook: Rulebook[Any]

    def turn_to(self, player: Player, order: Order | None) -> None:
        """Whose turn it is."""


def open_next(table: Hall, phase: Phase[Any]) -> None:
    """Goes on with the next seat, or closes the phase and opens the one that follows."""
    if next_seat(table, phase):
        return
    phase.closes(table)
    table.turn_to("", None)
    head, following = table.state.phase, table.rulebook.after(table.state)
    if following is None:
        table.play(Opened(rule=phase.chapter, phase=Head(head.number + 1, "end", head.turn)))
        return
    opened = table.rulebook.phase(following.phase)
    table.play(Opened(rule=opened.chapter, phase=Head(head.number + 1, following.phase, following.turn)))
    opened.opens(table)
    table.turn_to("", None)
    due = who_can(table.state, opened, opened.seats(table.state))
    if seat_after_seat(table.state, opened):
        due = due[:1]
    if due:
        table.play(Due(rule=opened.chapter, players=due))


def next_seat(table: Hall, phase: Phase[Any]) -> bool:
    """In live pacing a phase in order of playing is one folder a player: opens the next, if there is one."""
    head = table.state.phase
    if not head.due or not seat_after_seat(table.state, phase):
        return False
    seats = list(phase.seats(table.state))
    rest = who_can(table.state, phase, seats[seats.index(head.due[-1]) + 1 :])
    if rest:
        table.play(Opened(rule=phase.chapter, phase=Head(head.number + 1, head.name, head.turn)))
        table.play(Due(rule=phase.chapter, players=rest[:1]))
    return bool(rest)


def seat_after_seat(state: Any, phase: Phase[Any]) -> bool:
    """Does the phase open a folder for one player after another?"""
    return state.options.pacing == "live" and phase.pace is Pace.IN_ORDER


def who_can(state: Any, phase: Phase[Any], players: Sequence[Player]) -> tuple[Player, ...]:
    """Those of the players for whom some order is possible, by what is public; with `skip` off, all."""
    return tuple(player for player in players if not state.options.skip or phase.can(state, player))
