"""The facts of an order's `if:`, asked about what its player may know of the position when the order's turn comes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.sheet import Order
from adjudicator.engine.table.condition import why_not
from adjudicator.engine.table.event import Event, Player, owner_of
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Pace, Phase, Rulebook, seat_by_seat
from adjudicator.engine.table.secret import Unknown


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
