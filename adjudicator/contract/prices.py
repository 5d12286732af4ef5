"""Promise 8, the prices: what an order costs is told before it is chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.contract.order_search import find_order
from adjudicator.engine.bots import sheet_of
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.play.trying import OrderTrial
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import names_now
from adjudicator.engine.report.orderpage import prompts
from adjudicator.engine.report.page_scripts import prices_now
from adjudicator.engine.table.condition import ME
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook

TRIED = 8
"""How many orders of each verb are sought in a position."""
MOST = 1 << 20
"""More money than anybody has."""


def prices_not_told(rulebook: Rulebook[Any], state: Any, me: Player, chance: Chance) -> Iterator[str]:
    """Orders that cost money which neither they nor a price name, and prices that have no words."""
    view, phase = position_for(rulebook, state, me), rulebook.phase(state.phase.name)
    told, said = prices_now(phase, view, me), prompts(texts_of(rulebook)).get("prices", {})
    for name, costs in told.items():
        for part in costs:
            if not {f"{phase.name}.{name}.{part}", f"{name}.{part}", f"{phase.name}.{name}", name} & {*said}:
                yield f"{state.phase}: the price {part or 'of'} {name} has no words in prompts.yaml"
    called = names_now(rulebook, view, me)
    for name, verb in phase.verbs.items():
        for _ in range(0 if name in told else TRIED):
            order = find_order(name, verb.rule, view, me, chance)
            cost = cost_of_order(rulebook, view, me, order) if order is not None else 0
            if order is not None and cost > 0 and cost not in sums_named(order, called):
                yield f"{state.phase} {me}: {order} costs {cost}, and no price of {name} is told"


def cost_of_order(rulebook: Rulebook[Any], view: Any, me: Player, order: Mapping[str, Any]) -> int:
    """How much less money a player has with an order than without, as far as the player can know."""
    with_it, without = (left(rulebook, view, me, orders) for orders in ([order], []))
    return without - with_it


def left(rulebook: Rulebook[Any], view: Any, me: Player, orders: Sequence[Mapping[str, Any]]) -> int:
    """The money that a player has after these orders."""
    trial = OrderTrial(rulebook, view, sheet_of(me, {"orders": [*orders]}))
    trial.course()
    return purse(rulebook, trial.state, me)


def purse(rulebook: Rulebook[Any], view: Any, me: Player) -> int:
    """A player's money, as an `if` asks for it; 0 in a game without."""
    condition = rulebook.condition
    if condition is None or "treasury" not in str(condition.shape.schema()):
        return 0
    least, most = 0, MOST
    while least < most:
        middle = (least + most + 1) // 2
        holds = condition.holds(view, me, ME, {"treasury": {"least": middle}})
        least, most = (middle, most) if holds else (least, middle - 1)
    return least


def sums_named(order: Mapping[str, Any], called: Mapping[str, str]) -> set[int]:
    """Every number that an order names, all of them together, how often it lists a card, and the numbers in what pages
    call the things that it names, such as an offer."""
    numbers, lists = [each for each in within(order) if type(each) is int], [*lists_in(order)]
    often = {each.count(item) for each in lists for item in each}
    words = " ".join(called.get(each, "") for each in within(order) if isinstance(each, str))
    return {*numbers, sum(numbers), *often, *map(int, re.findall(r"\d+", words))}


def within(value: Any) -> Iterator[Any]:
    """Every single value of an order."""
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else None
    if parts is None:
        yield value
    else:
        for each in parts:
            yield from within(each)


def lists_in(order: Mapping[str, Any]) -> Iterator[list[Any]]:
    """The lists in an order's fields."""
    return (value for value in order.values() if isinstance(value, list))
