"""The game's own bot: it trades, fills its own ports, takes others, builds, and fights where it pays."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Chance
from adjudicator.rulebooks.serenissima.board import BOARD, BORDERS
from adjudicator.rulebooks.serenissima.bot.outlook import Outlook
from adjudicator.rulebooks.serenissima.bot.spending import CREW, investment
from adjudicator.rulebooks.serenissima.bot.voyages import best
from adjudicator.rulebooks.serenissima.investment import PAY
from adjudicator.rulebooks.serenissima.setup import free_starts
from adjudicator.rulebooks.serenissima.state import State


def merchant(view: State, me: Player, chance: Chance) -> dict[str, Any]:
    """The sheet for the open phase.

    It depends only on the player's own view and on `chance(below)`, a whole number under `below`.
    """
    match view.phase.name:
        case "ports":
            return {"orders": start(view, chance)}
        case "galleys":
            return {"orders": [{"galley": number} for number in some_numbers(view, chance)[:1]]}
        case "round":
            return {"orders": programme(view, me), "standing": {"blockade": blockades(view, me)}}
        case "refit":
            return {"orders": refit(view, me)}
    return {"orders": []}


def start(view: State, chance: Chance) -> list[dict[str, Any]]:
    """A start port with many neighbours, with others as an `else`; and a free number."""
    ports = sorted(free_starts(view), key=lambda port: -len(BORDERS[port]) - chance(3))
    wishes = [
        {"start": port, "galley": number}
        for port, number in zip(ports, some_numbers(view, chance), strict=False)
    ]
    for first, second in zip(wishes[-2::-1], wishes[:0:-1], strict=False):
        first["else"] = [second]
    return wishes[:1]


def some_numbers(view: State, chance: Chance) -> list[int]:
    """The free numbers, beginning anywhere."""
    free = [int(name) for name in view.free_numbers()]
    first = chance(len(free))
    return [*free[first:], *free[:first]]


def programme(view: State, me: Player) -> list[dict[str, Any]]:
    """An order for each galley: the best voyage; but one galley invests if that is worth more than its voyage."""
    outlook = Outlook(view, me)
    mine = [name for name in view.on_call() if view.galleys[name].owner == me]
    orders: list[dict[str, Any]] = []
    invested = False
    for name in mine:
        plan = best(outlook, name)
        spending = None if invested else investment(outlook, name)
        if spending and spending.worth > plan.worth:
            plan, invested = spending, True
        outlook.claim(plan)
        orders.append(plan.order)
    return orders


def blockades(view: State, me: Player) -> list[dict[str, Any]]:
    """Lets others sell to the bot's own ports, and blockades everything else."""
    welcome = [{"in": port, "against": "sale", "declare": False} for port in view.ports_of(me)]
    return [*welcome, {"declare": True}]


def refit(view: State, me: Player) -> list[dict[str, Any]]:
    """Buys galleys up to two, with as many sailors as there is money for."""
    ports = sorted(view.ports_of(me), key=lambda port: BOARD.ports[port].size, reverse=True)
    left, stock, owned = view.purse(me), view.stock_of_sailors(me), len(view.galleys_of(me))
    orders: list[dict[str, Any]] = []
    for number in view.free_numbers()[: 2 - owned]:
        crew = min(CREW, stock, left - PAY * owned)
        if ports and crew > 0:
            orders.append({"refit": int(number), "at": ports[0], "crew": crew})
            left, stock, owned = left - PAY * (owned + crew), stock - crew, owned + 1
    return orders
