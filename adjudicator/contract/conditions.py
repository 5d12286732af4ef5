"""Promise 6, the facts of `if:`: each can be asked in every position, and tells its player nothing hidden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.contract.legality import sample_value
from adjudicator.contract.secrets import varied
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.conditions import words_of
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.table.condition import ANY, NOT, Condition, why_not
from adjudicator.engine.table.domain import ByName, Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook

TRIED = 12
"""How many random conditions are asked in a position."""


def leaky_conditions(rulebook: Rulebook[Any], state: Any, me: Player, chance: Chance) -> Iterator[str]:
    """Random conditions that fail, or whose truth for `me` changes with what is hidden from `me`."""
    condition = rulebook.condition
    if condition is None:
        return
    view = position_for(rulebook, state, me)
    other = position_for(rulebook, varied(rulebook, state, state, me), me)
    for _ in range(TRIED):
        facts = random_condition(condition, view, chance)
        try:
            first, second = (why_not(condition, seen, me, facts) for seen in (view, other))
        except Exception as error:  # no condition may raise anything
            yield f"{state.phase} {me} if: {facts}: {type(error).__name__} {error}"
            continue
        if (first is None) != (second is None):
            yield f"{state.phase} {me} if: {facts} tells what is hidden"


def random_condition(condition: Condition, view: Any, chance: Chance) -> dict[str, Any]:
    """A few facts about existing things, some of them under `not` or `any`."""
    found: dict[str, Any] = {}
    for _ in range(1 + chance(2)):
        found |= random_facts(condition, view, chance)
    match chance(4):
        case 0:
            return {NOT: found}
        case 1:
            return {ANY: [found, random_facts(condition, view, chance)]}
    return found


def random_facts(condition: Condition, view: Any, chance: Chance) -> dict[str, Any]:
    """Facts about one thing; for a shape of the rulebook's own, a random condition of that shape."""
    shape = condition.shape
    if not isinstance(shape, ByName):
        return dict(sample_value(shape, chance) or {})
    names, each = shape.kinds[chance(len(shape.kinds))]
    fitting = [name for name in names_on_board(view) if names.fits(name)]
    fitting += words_of(names.schema()["pattern"])
    return {fitting[chance(len(fitting))]: each.sample(chance)} if fitting else {}
