"""SER-1 The round: galleys act in the order of their numbers, whoever's they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudicator.engine.table.event import Player, Remarked
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Hearing
from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.serenissima.action import SAIL
from adjudicator.rulebooks.serenissima.doge import end_of_round
from adjudicator.rulebooks.serenissima.events import Called, Paused
from adjudicator.rulebooks.serenissima.investment import INVEST
from adjudicator.rulebooks.serenissima.state import State, on_call, to_come


def callers(state: State) -> Sequence[Player]:
    """SER-1.1: the owners of galleys to come, in their order; in live pacing whoever owns the next run of numbers."""
    return tuple(dict.fromkeys(state.galleys[name].owner for name in on_call(state)))


def by_number(hearing: Hearing) -> None:
    """SER-1.1: galley after galley, one bought in the round too; of two orders for one the first carried out counts."""
    heard: list[Any] = []
    afloat = {(galley.owner, name) for name, galley in hearing.state.galleys.items()}
    while names := to_come(hearing.state):
        name, owner = names[0], hearing.state.galleys[names[0]].owner
        if owner not in hearing.due:
            break
        done = False
        for order in hearing.orders(owner):
            if number_of(order) == name and not done:
                heard.append(order)
                done = hearing.carry_out(owner, order)
        hearing.finish(owner)
        if not done:
            hearing.play(Called(rule="SER-1.1", player=owner, galley=name))
    for player in hearing.due:
        for order in hearing.orders(player):
            if any(order is other for other in heard):
                continue
            if (player, number_of(order)) in afloat and number_of(order) not in hearing.state.galleys:
                pass_over(hearing, player, order)
            else:
                hearing.carry_out(player, order)


def number_of(order: Any) -> str:
    """The galley that an order is for."""
    return str(order.fields.get(order.verb))


def pass_over(hearing: Hearing, player: Player, order: Any) -> None:
    """SER-1.1: an order for a galley that is gone is passed over, and its player told so."""
    why = Reason("SER-1.1", "gone", {"galley": number_of(order)})
    place = hearing.hold(order).at
    hearing.play(Remarked(rule="SER-1.1", to=(player,), player=player, reason=why, place=place))


def close(t: Table[State]) -> None:
    """SER-1.1, SER-7: when all have had their turns the round ends with the Doge."""
    if to_come(t.state):
        t.play(Paused(rule="SER-1.1"))
    else:
        end_of_round(t)


VERBS = {"sail": SAIL, "invest": INVEST}
