"""Promise 11: what a random search finds legal, no form and no page shows as impossible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from adjudicator.contract.order_search import find_order
from adjudicator.engine.play.choices import Choices, choices_now
from adjudicator.engine.play.nodes import OPEN
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import example
from adjudicator.engine.table.domain import Chance, Schema
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.table import Verb

TRIED = 8
"""How many orders of each verb are sought in a position."""


def hidden_choices(rulebook: Rulebook[Any], state: Any, me: Player, chance: Chance) -> Iterator[str]:
    """Legal orders that a form or a page shows as impossible."""
    view, phase = position_for(rulebook, state, me), rulebook.phase(state.phase.name)
    legal: dict[str, list[dict[str, Any]]] = {}
    for name, verb in phase.verbs.items():
        tries = (find_order(name, verb.rule, view, me, chance) for _ in range(TRIED))
        legal[name] = [order for order in tries if order is not None]
    choices = choices_now(phase, view, me)
    for name, orders in legal.items():
        if orders and example(name, phase.verbs[name], view, me) is None:
            yield f"{state.phase} {me} {orders[0]}: the form has no example of {name}"
        for order in orders:
            for flaw in denied_parts(name, phase.verbs[name], order, choices):
                yield f"{state.phase} {me} {order}: {flaw}"


def denied_parts(name: str, verb: Verb[Any], order: Mapping[str, Any], choices: Choices) -> Iterator[str]:
    """The parts of a legal order that the form's schema or the page denies."""
    if not choices.possible.get(name):
        yield f"the form says of {name} that it isn't possible"
    if name not in choices.verbs:
        yield f"the page says of {name} that it isn't possible"
    else:
        yield from denied_field(verb, order, choices, choices.verbs[name])


def denied_field(verb: Verb[Any], order: Mapping[str, Any], choices: Choices, at: int) -> Iterator[str]:
    """The field whose value in the order the page calls impossible now."""
    while at > OPEN:
        node = choices.nodes[at]
        field = node["field"]
        if field not in order:
            if "skip" not in node:
                yield f"the page says that {field} is needed"
                return
            at = node["skip"]
            continue
        value = order[field]
        if not is_in_other_form(verb, field, value) and not is_possible(choices, node, value):
            yield f"the page says that {field} can't be {value}"
            return
        at = node_after(node, value)


def node_after(node: Schema, value: Any) -> int:
    """The node that comes after a value."""
    then = node["then"]
    if "values" not in node:
        return int(then)
    if value not in node["values"]:
        return OPEN
    return int(then[node["values"].index(value)] if isinstance(then, list) else then)


def is_possible(choices: Choices, node: Schema, value: Any) -> bool:
    """Does the page call the value possible at a node?"""
    if "values" in node:
        return value in node["values"]
    if "spare" not in node and not fits(value, node["schema"]):
        return False
    always = node.get("always", {})
    if isinstance(value, list) and always.get("uniqueItems") and len({*map(repr, value)}) < len(value):
        return False
    if isinstance(value, dict) and sum(each for each in value.values() if isinstance(each, int)) < always.get(
        "total", 0
    ):
        return False
    if "from" not in node:
        return True
    borders, here = choices.borders[node["borders"]], node["from"]
    for there in value:
        if there not in borders[here]:
            return False
        here = there
    return "ways" not in node or len(value) > node["longest"] or value in node["ways"]


def is_in_other_form(verb: Verb[Any], field: str, value: Any) -> bool:
    """Is the value written in another form than the one offered?"""
    return any(
        fits(value, each) for each in verb.fields[field].shape().get("anyOf", ()) if each.get("otherForm")
    )


def fits(value: Any, schema: Schema) -> bool:
    """Does the schema admit the value?"""
    return bool(validator(msgspec.json.encode(schema)).is_valid(value))


@lru_cache(maxsize=2048)
def validator(schema: bytes) -> Any:
    """The validator of a schema."""
    from jsonschema.validators import Draft7Validator

    return Draft7Validator(msgspec.json.decode(schema))
