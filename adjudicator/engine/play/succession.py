"""What comes next: the next seat of a phase in order of playing, the next phase, or the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from adjudicator.engine.play.stops import asked_at, is_stop
from adjudicator.engine.sheets.sheet import Order
from adjudicator.engine.table.event import END, Due, Head, Opened, Player
from adjudicator.engine.table.rulebook import Pace, Phase, Rulebook
from adjudicator.engine.table.table import Table


class PhaseTable(Table[Any], Protocol):
    """The table, and what turns it to a player: phases close and open at it."""

    rulebook: Rulebook[Any]

    def turn_to(self, player: Player, order: Order | None) -> None:
        """Whose turn it is, and the order that is to be carried out."""


def open_next(table: PhaseTable, phase: Phase[Any]) -> None:
    """Goes on with the next seat, or closes the phase and opens the one that follows."""
    if next_seat(table, phase):
        return
    phase.closes(table)
    phase.clears(table)
    table.turn_to("", None)
    head, following = table.state.phase, table.rulebook.after(table.state)
    if following is None:
        table.play(Opened(rule=phase.chapter, phase=Head(head.number + 1, END, head.turn)))
        return
    opened = table.rulebook.phase(following.phase)
    table.play(Opened(rule=opened.chapter, phase=Head(head.number + 1, following.phase, following.turn)))
    opened.opens(table)
    table.turn_to("", None)
    if due := due_in(table.rulebook, table.state, opened):
        table.play(Due(rule=opened.chapter, players=due))


def next_seat(table: PhaseTable, phase: Phase[Any]) -> bool:
    """In live pacing a phase in order of playing is one folder a player: opens the next, if there is one."""
    head = table.state.phase
    if not head.due or not seat_after_seat(table.state, phase):
        return False
    seats = list(phase.seats(table.state))
    rest = who_can(table.rulebook, table.state, phase, seats[seats.index(head.due[-1]) + 1 :])
    if rest:
        table.play(Opened(rule=phase.chapter, phase=Head(head.number + 1, head.name, head.turn)))
        table.play(Due(rule=phase.chapter, players=rest[:1]))
    return bool(rest)


def due_in(rulebook: Rulebook[Any], state: Any, phase: Phase[Any]) -> tuple[Player, ...]:
    """Who is due when the phase opens; in live pacing the first seat of a phase in order of playing."""
    due = who_can(rulebook, state, phase, phase.seats(state))
    return due[:1] if seat_after_seat(state, phase) else due


def seat_after_seat(state: Any, phase: Phase[Any]) -> bool:
    """Does the phase open a folder for one player after another?"""
    return state.options.pacing == "live" and phase.pace is Pace.IN_ORDER


def who_can(
    rulebook: Rulebook[Any], state: Any, phase: Phase[Any], players: Sequence[Player]
) -> tuple[Player, ...]:
    """Those of the players for whom some order is possible, by what is public; with `skip` off, all.

    At a stop that is an order for any of the phases that one sheet is asked for there.
    """
    if not state.options.skip:
        return tuple(players)
    stop = is_stop(rulebook, state.options, phase.name)
    phases = asked_at(rulebook, state.options, phase.name) if stop else (phase,)
    return tuple(player for player in players if any(each.can(state, player) for each in phases))
