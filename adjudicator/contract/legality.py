"""Promise 4: an order is listed if and only if it is accepted, whatever is hidden, and it fits the schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.engine.bots import random_order
from adjudicator.engine.play.attempts import possible_values
from adjudicator.engine.play.listing import Probe, QuestionAsked, is_listed
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.form_schema import sheet_schema
from adjudicator.engine.sheets.published import committed_sheet
from adjudicator.engine.table.domain import Chance, Domain
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Verb


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
            if is_listed(name, verb, view, me, order) != found:
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
    form = sheet_schema(rulebook, phase, possible_values(rulebook, phase, view, me))
    for schema in (committed_sheet(rulebook.key, phase.name), form):
        for error in Draft7Validator(schema).iter_errors(sheet):
            yield f"{phase.name} {me} {list(error.absolute_path)}: {error.message}"
