"""Promise 4, the `else`: an order of an `else` does what it would do in place of the refused order, or nothing. So
nobody can use it to get round a phase that carries orders out in a fixed order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.bots import Step, random_order, sheet_of
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.condition import ANY
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Event, OrderRefused, Player, Remarked
from adjudicator.engine.table.rulebook import Rulebook

NEVER: Mapping[str, Any] = {ANY: []}
"""An `if` that is never true."""


def wrong_else_orders(rulebook: Rulebook[Any], step: Step, chance: Chance) -> Iterator[str]:
    """Orders of an `else` that do something else than they would do in place of the refused order."""
    for player in step.before.phase.due:
        orders = [order.plain for order in step.sheets[player].orders or ()]
        orders += legal_orders(rulebook, step.before, player, chance)
        orders = [order for order in orders if isinstance(order, dict)]
        if not orders:
            continue
        at, other = chance(len(orders)), orders[chance(len(orders))]
        before, refused, after = orders[:at], {**orders[at], "if": NEVER}, orders[at + 1 :]
        wholes = ([*before, each, *after] for each in ({**refused, "else": [other]}, other, refused))
        in_else, in_place, without = (
            events_of_one_player(rulebook, step.before, player, orders) for orders in wholes
        )
        if events_without_sources(in_else) in (
            events_without_sources(in_place),
            events_without_sources(without),
        ):
            continue
        if number_of_refusals(without) > number_of_refusals(
            events_of_one_player(rulebook, step.before, player, [*before, *after])
        ):
            yield f"{step.before.phase} {player}: {other} in the place of {refused}, number {at + 1} of {orders}"


def legal_orders(
    rulebook: Rulebook[Any], state: Any, player: Player, chance: Chance
) -> list[Mapping[str, Any]]:
    """An order of each verb that has a legal one."""
    phase, view = rulebook.phase(state.phase.name), position_for(rulebook, state, player)
    tried = (random_order(name, verb, view, player, chance) for name, verb in phase.verbs.items())
    return [order for order in tried if order is not None]


def events_of_one_player(
    rulebook: Rulebook[Any], state: Any, player: Player, orders: Sequence[Mapping[str, Any]]
) -> Sequence[Event[Any]]:
    """The events if only this player sends orders."""
    dice = SeededDice(seed_from("else"), "else", state.phase.number)
    return advance(rulebook, state, Inbox({player: sheet_of(player, {"orders": orders})}), dice).events


def number_of_refusals(events: Sequence[Event[Any]]) -> int:
    """How many orders were refused. An order whose `if` is never true counts too, unless the order waits."""
    return sum(isinstance(event, OrderRefused) for event in events)


def events_without_sources(events: Sequence[Event[Any]]) -> list[Event[Any]]:
    """The events without the lines that caused them, and without remarks on lines that caused none."""
    return [replace(event, by="") for event in events if not isinstance(event, OrderRefused | Remarked)]
