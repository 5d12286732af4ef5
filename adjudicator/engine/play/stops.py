"""Stops: at which phases a match waits for mail, which phases one sheet covers there, and who has been asked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from adjudicator.engine.sheets.sheet import Order, order_from_position
from adjudicator.engine.table.event import Event, Head, OrderRefused, Player, Remarked, owner_of
from adjudicator.engine.table.rulebook import Phase, Rulebook


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
