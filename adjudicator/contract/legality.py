"""Promises 1 and 4: listed if and only if accepted, whatever is hidden; an `else`; what an order uses up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.bots import Step, random_order, sheet_of
from adjudicator.engine.play.account import is_meant
from adjudicator.engine.play.attempts import possible_values
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.listing import Probe, QuestionAsked, is_listed
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.form_schema import sheet_schema
from adjudicator.engine.sheets.published import committed_sheet
from adjudicator.engine.sheets.reading import expected_in, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.condition import ANY
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.domain import Chance, Domain
from adjudicator.engine.table.event import Event, OrderRefused, Player, Remarked
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Verb
from adjudicator.engine.table.uses import EACH, Limits, Use
from adjudicator.engine.text.writing import write


def is_accepted(verb: Verb[Any], state: Any, me: Player, order: Mapping[str, Any]) -> bool:
    """Would the referee accept the order now?"""
    try:
        verb.rule(Probe(state, me, order))
    except Refused:
        return False
    except (Unknown, QuestionAsked):
        pass
    return True


def candidates(
    verb_name: str, verb: Verb[Any], view: Any, me: Player, chance: Chance
) -> Iterator[dict[str, Any]]:
    """Orders to try: a legal one, and the same one with a field changed, left out or added."""
    order = random_order(verb_name, verb, view, me, chance) or {
        verb_name: sample_value(verb.fields[verb_name], chance)
    }
    yield order
    names = list(verb.fields)
    for _ in range(4):
        field = names[chance(len(names))]
        changed = {**order, field: sample_value(verb.fields[field], chance)}
        yield changed
        yield {name: value for name, value in changed.items() if name == verb_name or chance(4)}


def sample_value(domain: Domain[Any], chance: Chance) -> Any:
    """A value of the field's type; for a name given by a pattern, a word that names nothing."""
    try:
        return domain.sample(chance)
    except Refused:
        return "somebody" if domain.takes("") else None


def disagreements(rulebook: Rulebook[Any], state: Any, me: Player, chance: Chance) -> Iterator[str]:
    """Orders on which the listing, the referee with the whole position, and the player's own view disagree."""
    view = position_for(rulebook, state, me)
    phase = rulebook.phase(state.phase.name)
    for name, verb in phase.verbs.items():
        for order in candidates(name, verb, view, me, chance):
            found = is_accepted(verb, state, me, order)
            if is_listed(verb, view, me, order) != found:
                yield f"{state.phase} {me} {order}: accepted {found}, listed {not found}"
            if is_accepted(verb, view, me, order) != found:
                yield f"{state.phase} {me} {order}: accepted {found}, on the own view {not found}"


def schema_rejections(
    rulebook: Rulebook[Any], phase: Phase[Any], state: Any, me: Player, orders: Sequence[Any]
) -> Iterator[str]:
    """Accepted orders that the published schema or the form's own schema rejects."""
    from jsonschema.validators import Draft7Validator

    view = position_for(rulebook, state, me)
    sheet = {"player": me, "orders": list(orders)}
    form = sheet_schema(rulebook, phase, possible_values(phase, view, me))
    for schema in (committed_sheet(rulebook.key, phase.name), form):
        for error in Draft7Validator(schema).iter_errors(sheet):
            yield f"{phase.name} {me} {list(error.absolute_path)}: {error.message}"


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


FIELD = re.compile(r"\{([^{}]*)\}")


def faults_of_declarations(rulebook: Rulebook[Any]) -> Iterator[str]:
    """What a verb doesn't declare, and what it declares about fields that it doesn't have."""
    for phase in rulebook.phases:
        for name, verb in phase.verbs.items():
            yield from (f"phase {phase.name}, verb {name}: {fault}" for fault in faults_of_verb(verb))


def faults_of_verb(verb: Verb[Any]) -> Iterator[str]:
    """What one verb doesn't declare, or declares about fields that it doesn't have."""
    if verb.uses is None:
        yield "`uses` must say what an order takes from those below it: () if it takes nothing"
    if verb.subject is None:
        yield "`subject` must say which fields an order is about: () if it is about its player"
    named = [*(verb.subject or ()), *verb.changes, *verb.names, *([verb.ranks] if verb.ranks else [])]
    for use in verb.uses or ():
        named += [*fields_in(use), *([use.by.partition(".")[0]] if use.by else [])]
        named += [use.gone] if use.gone not in ("", EACH) else []
        if EACH in FIELD.findall(use.what) and not use.by:
            yield f"`{use.what}` is used by each of nothing: `by` must say which field has the names"
    for field in dict.fromkeys(named):
        if field not in verb.fields:
            yield f"`{field}` is named in what is said of it, but isn't among its fields"


def fields_in(use: Use) -> list[str]:
    """The fields in the name of a limit."""
    return [field for names in FIELD.findall(use.what) for field in names.split("|") if field != EACH]


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
    for phase, player, view in views_of_due(rulebook, states):
        for name in (name for name, verb in phase.verbs.items() if verb.uses == ()):
            orders = [random_order(name, phase.verbs[name], view, player, chance) for _ in range(TRIES)]
            found = [order for order in orders if order is not None]
            tried[phase.name, name] = tried.get((phase.name, name), False) or bool(found)
            once = next(
                (order for order in found if not can_be_given_twice(rulebook, view, player, order)), None
            )
            if once is not None:
                yield f"{view.phase}: `uses` of {name} is (), but {once} can't be given twice"
    for (phase_name, name), found_any in tried.items():
        if not found_any:
            yield f"{phase_name}: no order of {name} was found, whose `uses` is ()"


def views_of_due(rulebook: Rulebook[Any], states: Iterable[Any]) -> Iterator[tuple[Phase[Any], Player, Any]]:
    """The open phase of each position, with each due player and that player's view."""
    for state in states:
        phase = rulebook.phase(state.phase.name)
        for player in state.phase.due:
            yield phase, player, position_for(rulebook, state, player)


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
    for phase, player, view in views_of_due(rulebook, states):
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
                    yield f"{view.phase}: after {first}, {second} is {said}; its `uses` name {sorted(known)}"


def repeated_untold(rulebook: Rulebook[Any], states: Iterable[Any], chance: Chance) -> Iterator[str]:
    """Orders that by their `uses` can have their effect once, where the player's check neither plainly refuses the same
    order directly below nor warns of it."""
    for phase, player, view in views_of_due(rulebook, states):
        limits = limits_known(phase, view, player)
        for name, verb in phase.verbs.items():
            order = random_order(name, verb, view, player, chance)
            if order is None:
                continue
            once = {use.limit_of(order) for use in verb.uses or () if use.once and not use.perhaps}
            if once - limits.keys() - {""} and is_good_twice(rulebook, view, player, order):
                yield f"{view.phase}: nothing is said of {order} a second time"


def is_good_twice(rulebook: Rulebook[Any], view: Any, player: Player, order: Mapping[str, Any]) -> bool:
    """Does a check find an order good, and nothing odd about the same order below it?"""
    text = write({"player": player, "orders": [dict(order), dict(order)]}).encode()
    sheet = read_sheet(text, expected_in(rulebook, view, player))
    assert isinstance(sheet, Sheet), sheet
    checked = check_sheet(rulebook, view, sheet)
    tried = {each.place: each for each in checked.understood}
    first, second = (tried[each.place()] for each in sheet.orders or ())
    warned = any(each.severity == "warning" and each.order == second.place for each in checked.said)
    return is_meant(first) and is_meant(second) and not (second.waits or warned)


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
        if use.alone and (what := use.limit_of(order)):
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
