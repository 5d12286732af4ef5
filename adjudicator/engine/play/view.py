"""Views: a position or events as one player, or the public (None), may know them.
Everything that leaves passes through here.

The facts of an order's `if:`, asked about what its player may know of the position when the order's turn comes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.library.texts import OfMatch
from adjudicator.engine.sheets.sheet import A_MARK, Order
from adjudicator.engine.table.condition import why_not
from adjudicator.engine.table.event import Event, Player, owner_of
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Pace, Phase, Rulebook, seat_by_seat
from adjudicator.engine.table.secret import Unknown, view


def position_for(rulebook: Rulebook[Any], state: Any, who: Player | None) -> Any:
    """The position as `who` may know it. No view has the chain, which is a fingerprint of secrets; one that has the
    phase's mark in its place keeps it.
    """
    seen = view(state, rulebook.sees(state, who))
    return replace(seen, chain=state.chain if A_MARK.fullmatch(state.chain) else "")


def events_for(
    rulebook: Rulebook[Any], state: Any, events: Iterable[Event[Any]], who: Player | None
) -> list[Event[Any]]:
    """The events as `who` may know them: without those meant for others, and with sheets' lines only for their owners.

    `state` is the position after the events; the place of an event's secret follows from the event alone.
    """
    found: list[Event[Any]] = []
    sees = rulebook.sees(state, who)
    for event in events:
        if event.to and who not in event.to:
            continue
        own = event if not event.by or owner_of(event.by) == who else without_source(event)
        found.append(view(own, sees, (event,)))
    return found


MOST_KEPT = 512
_UNSIGNED: OfMatch[int, tuple[Event[Any], Event[Any]]] = OfMatch(MOST_KEPT)
"""Unsigned events by the event's identity; the event itself is kept, so that no other gets its identity."""


def without_source(event: Event[Any]) -> Event[Any]:
    """The event without the line of its sheet; always the same object for one event, whoever reads it."""
    if id(event) not in _UNSIGNED:
        _UNSIGNED.keep(id(event), (event, replace(event, by="")))
    return _UNSIGNED[id(event)][1]


class PlayerViews:
    """The players' views of a position, worked out once for each position and player."""

    def __init__(self, rulebook: Rulebook[Any]) -> None:
        self.rulebook = rulebook
        self._views: dict[Player, tuple[Any, Any]] = {}

    def of(self, state: Any, me: Player) -> Any:
        """The position as `me` may know it."""
        known = self._views.get(me)
        if known is None or known[0] is not state:
            known = self._views[me] = (state, position_for(self.rulebook, state, me))
        return known[1]

    def first_untrue(self, state: Any, me: Player, order: Order) -> Refused | None:
        """The first fact of the order's `if:` that isn't true, as a refusal at its place."""
        if not order.conditions:
            return None
        condition = self.rulebook.condition
        if condition is None:
            name, wanted = next(iter(order.conditions.items()))
            return Refused(Reason("SHEET", "if-false", {"name": name, "wanted": wanted}), ("if", name))
        found = why_not(condition, self.of(state, me), me, order.conditions)
        return None if found is None else found.within("if")


def is_unseen(phase: Phase[Any]) -> bool:
    """Do all players act at once, so that nobody sees what others do in the phase?"""
    return phase.pace is Pace.TOGETHER and phase.course is seat_by_seat


def do_others_come_first(phase: Phase[Any], state: Any, me: Player) -> bool:
    """Do others act in the phase before the player, or between the player's orders? Yes, if that isn't known."""
    due = state.phase.due
    if me not in due or len(due) == 1 or (is_unseen(phase) and phase.beforehand is None):
        return False
    if phase.course is not seat_by_seat and phase.pace is not Pace.IN_ORDER:
        return True
    try:
        seats = due if phase.pace is Pace.ONE_BY_ONE else [each for each in phase.seats(state) if each in due]
    except Unknown:
        return True
    return me in seats[1:]


def position_by_own_orders(opened: Any, events: Iterable[Event[Any]], me: Player) -> Any:
    """The position in which the phase opened, changed only by the player's own orders."""
    state = opened
    for event in events:
        if event.by and owner_of(event.by) == me:
            state = event.apply(state)
    return state
