"""Stops: at which phases a match waits for mail, which phases one sheet covers there, and who has been asked.

What comes next: the next seat of a phase played in seat order, the next phase, or the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Protocol

from adjudicator.engine.sheets.sheet import Order, order_from_position
from adjudicator.engine.table.event import (
    END,
    Due,
    Event,
    Head,
    Opened,
    OrderRefused,
    Player,
    Remarked,
    owner_of,
)
from adjudicator.engine.table.rulebook import Pace, Phase, Rulebook
from adjudicator.engine.table.table import Table


def asked_at(rulebook: Rulebook[Any], options: Any, name: str) -> tuple[Phase[Any], ...]:
    """The phases that a sheet of the phase `name` covers: itself, and those that follow up to the next stop.

    Phases before the very first stop belong to it: a match opens with a sheet for all of them.
    """
    if options.stops == "all":
        return (rulebook.phase(name),)
    phases = [phase for phase in rulebook.phases if phase.verbs]
    names = [phase.name for phase in phases]
    if name not in names:
        return (rulebook.phase(name),)
    at, first = names.index(name), first_stop(rulebook, options)
    found = [phases[at]]
    for index in range(at + 1, len(names)):
        if names[index] in options.stops and not at < first == index:
            break
        found.append(phases[index])
    return tuple(found)


def is_stop(rulebook: Rulebook[Any], options: Any, name: str) -> bool:
    """Does a match wait at the phase for whoever is due? At a phase before the first stop it does too."""
    if options.stops == "all" or name in options.stops:
        return True
    names = [phase.name for phase in rulebook.phases if phase.verbs]
    return name in names and names.index(name) < first_stop(rulebook, options)


def first_stop(rulebook: Rulebook[Any], options: Any) -> int:
    """The number of the first stop among the phases with orders."""
    names = [phase.name for phase in rulebook.phases if phase.verbs]
    return min((names.index(stop) for stop in options.stops if stop in names), default=0)


def asked_before(rulebook: Rulebook[Any], options: Any, heads: Sequence[Head], player: Player) -> bool:
    """Was the player already asked, at an earlier phase of the turn, for orders of the last of these phases?

    `heads` are the phases so far, each with its due players. A player who was asked and sent nothing passes.
    """
    if options.stops == "all":
        return False
    now = heads[-1]
    for head in reversed(heads[:-1]):
        if head.turn != now.turn:
            return False
        again = head.name == now.name and is_stop(rulebook, options, now.name)
        if (
            player in head.due
            and not again
            and now.name in [each.name for each in asked_at(rulebook, options, head.name)]
        ):
            return True
    return False


# -- standing orders for phases ----------------------------------------------------------------------------------------


def standing_orders(state: Any, player: Player, name: str) -> tuple[Order, ...] | None:
    """The player's standing orders for a phase, used if nothing else came for it; None if there are none."""
    standing = state.players[player].standing
    held = standing.value.phases.get(name) if standing.known else None
    return None if held is None else tuple(order_from_position(each.order, each.at) for each in held)


def stands_in(
    rulebook: Rulebook[Any],
    state: Any,
    player: Player,
    before: Head,
    events: Iterable[Event[Any]],
    sent: Collection[str] = (),
) -> bool:
    """Do standing orders say what the player does up to the next stop, so that no sheet is needed at the open phase?

    Phases whose orders were `sent` ahead need no standing orders.
    """
    if was_in_vain(state.phase, player, before, events):
        return False
    phases = asked_at(rulebook, state.options, state.phase.name)
    if not is_stop(rulebook, state.options, state.phase.name):
        phases = phases[:1]
    return all(
        phase.name in sent or standing_orders(state, player, phase.name) is not None for phase in phases
    )


def was_in_vain(head: Head, player: Player, before: Head, events: Iterable[Event[Any]]) -> bool:
    """Does a phase open again because an order of the player was refused in it, or led to nothing?

    That is so if the same phase was open `before`, with the player due and these `events`. The same standing orders
    would open it again and again.
    """
    if (before.name, before.turn) != (head.name, head.turn) or player not in before.due:
        return False
    own = [event for event in events if event.by and owner_of(event.by) == player]
    refused = any(isinstance(event, OrderRefused) for event in own)
    return refused or all(isinstance(event, Remarked) for event in own)


def number_of_stops(rulebook: Rulebook[Any], options: Any, heads: Sequence[Head]) -> int:
    """How many phases of a match with these options wait for mail if nobody sends ahead. `heads` are all its phases."""
    return sum(
        any(not asked_before(rulebook, options, heads[: index + 1], player) for player in head.due)
        for index, head in enumerate(heads)
    )


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
