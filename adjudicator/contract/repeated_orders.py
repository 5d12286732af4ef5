"""Promise 1, what orders use up: an order that can't be given twice takes something that `uses` names; and what `uses`
says can be done once is refused the second time, by the rule that it names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from adjudicator.contract.declarations import FIELD
from adjudicator.engine.bots import random_order, sheet_of
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.domain.names import NAME
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Verb
from adjudicator.engine.table.uses import Limits, Use

TRIES = 3
"""So many orders of each verb are looked for."""


def has_verb_without_uses(rulebook: Rulebook[Any]) -> bool:
    """Has the game a verb whose `uses` is `()`? Else there is nothing to try."""
    return any(verb.uses == () for phase in rulebook.phases for verb in phase.verbs.values())


def undeclared_uses(rulebook: Rulebook[Any], states: Iterable[Any], chance: Chance) -> Iterator[str]:
    """Verbs whose `uses` is `()`, with an order that the player's check accepts once and refuses the second time; and
    those of which no order was found in any of the positions, so that nothing is known of them.
    """
    tried: dict[tuple[str, str], bool] = {}
    for state in states:
        phase = rulebook.phase(state.phase.name)
        for player in state.phase.due:
            view = position_for(rulebook, state, player)
            for name in (name for name, verb in phase.verbs.items() if verb.uses == ()):
                orders = [random_order(name, phase.verbs[name], view, player, chance) for _ in range(TRIES)]
                found = [order for order in orders if order is not None]
                tried[phase.name, name] = tried.get((phase.name, name), False) or bool(found)
                once = next(
                    (order for order in found if not can_be_given_twice(rulebook, view, player, order)), None
                )
                if once is not None:
                    yield f"{state.phase}: `uses` of {name} is (), but {once} can't be given twice"
    for (phase_name, name), found_any in tried.items():
        if not found_any:
            yield f"{phase_name}: no order of {name} was found, whose `uses` is ()"


def can_be_given_twice(rulebook: Rulebook[Any], view: Any, player: Player, order: Mapping[str, Any]) -> bool:
    """Can the player give the order twice, if it can be given at all?"""
    checked = check_sheet(rulebook, view, sheet_of(player, {"orders": [order, order]}))
    first, second = checked.understood
    return second.good or not first.good


# -- what can be done once ---------------------------------------------------------------------------------------------


def false_reasons(rulebook: Rulebook[Any], states: Iterable[Any], chance: Chance) -> Iterator[str]:
    """Pairs of orders that by their `uses` can't both be done, where the player's check calls the second good, or
    refuses it by a rule that neither `uses` nor a limit names.
    """
    for state in states:
        phase = rulebook.phase(state.phase.name)
        for player in state.phase.due:
            view = position_for(rulebook, state, player)
            limits = limits_known(phase, view, player)
            orders = [
                (name, order)
                for name in phase.verbs
                for _ in range(TRIES)
                if (order := random_order(name, phase.verbs[name], view, player, chance)) is not None
            ]
            for (_, first), (name, second) in product(orders, orders):
                shared = done_once(phase, first).keys() & done_once(phase, second).keys() - limits.keys()
                if shared and (rule := rule_of_refusal(rulebook, view, player, first, second)) is not None:
                    known = rules_named(phase.verbs[name], limits)
                    if rule not in known:
                        said = f"refused by {rule}" if rule else "called good"
                        yield f"{state.phase}: after {first}, {second} is {said}; its `uses` name {sorted(known)}"


def limits_known(phase: Phase[Any], view: Any, player: Player) -> Limits:
    """What is limited in the phase, as far as its player can know."""
    try:
        return phase.limits(view, player)
    except Unknown:
        return {}


def done_once(phase: Phase[Any], order: Mapping[str, Any]) -> dict[str, Use]:
    """By name: what an order does that can be done once, where fields that are names say what it is."""
    found: dict[str, Use] = {}
    for use in phase.verbs[next(iter(order))].uses or ():
        if use.once is None or use.perhaps or use.ends:
            continue
        what = use.what
        for names in FIELD.findall(use.what):
            value = next((order[field] for field in names.split("|") if field in order), None)
            if type(value) not in NAME:
                break
            what = what.replace(f"{{{names}}}", str(value), 1)
        else:
            found[what] = use
    return found


def rules_named(verb: Verb[Any], limits: Limits) -> set[str]:
    """The rules by which a page says that an order of the verb is too much."""
    words = {use.what.partition(" ")[0] for use in verb.uses or ()}
    named = {limit.rule for name, limit in limits.items() if name.partition(" ")[0] in words}
    return named | {use.once.rule for use in verb.uses or () if use.once is not None}


def rule_of_refusal(
    rulebook: Rulebook[Any], view: Any, player: Player, first: Mapping[str, Any], second: Mapping[str, Any]
) -> str | None:
    """The rule by which the second order is refused after the first; empty if it is good, None if the first isn't."""
    checked = check_sheet(rulebook, view, sheet_of(player, {"orders": [first, second]}))
    before, *rest = checked.understood
    if not (before.good and rest) or rest[0].unsure:
        return None
    after = rest[0]
    said = [
        each.reason.rule for each in checked.said if each.order == after.place and each.severity != "warning"
    ]
    return "" if after.good else next(iter(said), "")
