"""What comes next: the next seat of a phase played in seat order, the next phase, or the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from adjudicator.engine.play.stops import asked_at, is_stop
from adjudicator.engine.sheets.sheet import Order
from adjudicator.engine.table.event import END, Due, Head, Opened, Player
from adjudicator.engine.table.rulebook import Pace, Phase, Rulebook
from adjudicator.engine.table.table import Table


class PhaseTable(Table[Any], Protocol):
    """The table with a method to turn to a player: phases close and open at it."""

    rulebook: Rulebook[Any]

    def turn_to(self, player: Player, order: Order | None) -> None:
        """Sets whose turn it is, and the order to be carried out."""


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
    """Opens the folder of the next player, if there is one, where each has a folder (in live pacing, in seat order).

    Returns whether one was opened.
    """
    head = table.state.phase
    if not head.due or not seat_after_seat(table.state, phase):
        return False
    seats = list(phase.seats(table.state))
    if head.due[-1] not in seats:
        return False  # the match was won in the phase, and nobody has a seat in it any more
    rest = players_who_can_order(table.rulebook, table.state, phase, seats[seats.index(head.due[-1]) + 1 :])
    if rest:
        table.play(Opened(rule=phase.chapter, phase=Head(head.number + 1, head.name, head.turn)))
        table.play(Due(rule=phase.chapter, players=rest[:1]))
    return bool(rest)


def due_in(rulebook: Rulebook[Any], state: Any, phase: Phase[Any]) -> tuple[Player, ...]:
    """The players due when the phase opens; in live pacing, for a phase in seat order, the first seat."""
    due = players_who_can_order(rulebook, state, phase, phase.seats(state))
    return due[:1] if seat_after_seat(state, phase) else due


def seat_after_seat(state: Any, phase: Phase[Any]) -> bool:
    """Does the phase open a folder for each player in turn?"""
    return state.options.pacing == "live" and phase.pace is Pace.IN_ORDER


def players_who_can_order(
    rulebook: Rulebook[Any], state: Any, phase: Phase[Any], players: Sequence[Player]
) -> tuple[Player, ...]:
    """The players who have a possible order, as far as the public knows; with `skip` off, all.

    At a stop, an order for any phase that its sheet covers is enough.
    """
    if not state.options.skip:
        return tuple(players)
    stop = is_stop(rulebook, state.options, phase.name)
    if not stop:
        return tuple([player for player in players if phase.can(state, player)])
    phases = asked_at(rulebook, state.options, phase.name)
    return tuple([player for player in players if any(each.can(state, player) for each in phases)])
