"""A quick check that answers for most sheets what their schema would: nothing is wrong.

Loading jsonschema takes a third of a `check`'s time, so it is used only if this check finds a fault or can't tell. It
knows the keywords in published schemas. What it calls right or wrong, jsonschema calls the same
(tests/engine/sheets/test_quick_check.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from types import NoneType
from typing import Any, TypeAlias

from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.domain.names import ANOTHER

Verdict: TypeAlias = bool | None
"""Right, wrong, or (None) beyond the quick check."""

KINDS = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", NoneType: "null"}
"""What schemas call the types of values; a number with a point may be an integer too, as 1.0 is."""


def quick_verdict(value: Any, schema: Mapping[str, Any]) -> Verdict:
    """Whether the value fits the schema; None if a look at the keys can't tell."""
    return _verdict(value, schema, dict(schema))


def _verdict(value: Any, schema: Any, whole: Schema) -> Verdict:
    """The verdict on a value by a part of the whole schema."""
    if isinstance(schema, bool):
        return schema
    if "$ref" in schema:  # keywords beside it are ignored
        return _verdict_by_reference(value, schema["$ref"], whole)
    for name, asked in schema.items():
        if name in UNASKED:
            continue
        keyword = KEYWORDS.get(name)
        found = None if keyword is None else keyword(value, asked, schema, whole)
        if not found:
            return found
    return True


def _verdict_by_reference(value: Any, reference: str, whole: Schema) -> Verdict:
    schema: Any = whole
    for step in reference.removeprefix("#/").split("/"):
        if not isinstance(schema, Mapping) or step not in schema:
            return None
        schema = schema[step]
    return _verdict(value, schema, whole)


def _all_verdicts(found: Iterable[Verdict]) -> Verdict:
    for each in found:
        if not each:
            return each
    return True


def _any_verdict(found: Iterable[Verdict]) -> Verdict:
    untold = False
    for each in found:
        if each:
            return True
        untold = untold or each is None
    return None if untold else False


# -- keywords: of a value, what the keyword asks, the schema it stands in, and the whole one ---------------------------

Keyword: TypeAlias = Callable[[Any, Any, Schema, Schema], Verdict]


def _type(value: Any, asked: Any, schema: Schema, whole: Schema) -> Verdict:
    kind, kinds = KINDS.get(type(value)), asked if isinstance(asked, list) else [asked]
    return None if kind is None else kind in kinds or (kind == "integer" and "number" in kinds)


def _enum(value: Any, asked: Any, schema: Schema, whole: Schema) -> Verdict:
    if isinstance(value, str):
        return value in asked
    if isinstance(value, dict | list):  # [1] equals [True] in Python, not in a schema
        return None
    return any(type(each) is type(value) and each == value for each in asked) or None


def _properties(value: Any, asked: Any, schema: Schema, whole: Schema) -> Verdict:
    if not isinstance(value, dict):
        return True
    return _all_verdicts(_verdict(value[name], part, whole) for name, part in asked.items() if name in value)


def _pattern_properties(value: Any, asked: Any, schema: Schema, whole: Schema) -> Verdict:
    if not isinstance(value, dict):
        return True
    fitting = ((name, part) for pattern, part in asked.items() for name in value if re.search(pattern, name))
    return _all_verdicts(_verdict(value[name], part, whole) for name, part in fitting)


def _other_properties(value: Any, asked: Any, schema: Schema, whole: Schema) -> Verdict:
    if not isinstance(value, dict):
        return True
    known, patterns = schema.get("properties", ()), schema.get("patternProperties", ())
    others = (name for name in value if name not in known)
    return _all_verdicts(
        _verdict(value[name], asked, whole)
        for name in others
        if not any(re.search(each, name) for each in patterns)
    )


def _items(value: Any, asked: Any, schema: Schema, whole: Schema) -> Verdict:
    if not isinstance(value, list):
        return True
    return None if isinstance(asked, list) else _all_verdicts(_verdict(each, asked, whole) for each in value)


def _if(value: Any, asked: Any, schema: Schema, whole: Schema) -> Verdict:
    found = _verdict(value, asked, whole)
    return None if found is None else _verdict(value, schema.get("then" if found else "else", True), whole)


def _of_numbers(holds: Callable[[int, Any], Verdict]) -> Keyword:
    def keyword(value: Any, asked: Any, schema: Schema, whole: Schema) -> Verdict:
        if isinstance(value, int) and not isinstance(value, bool):
            return holds(value, asked)
        return None if isinstance(value, float) else True

    return keyword


KEYWORDS: dict[str, Keyword] = {
    "type": _type,
    "enum": _enum,
    "const": lambda value, asked, schema, whole: _enum(value, [asked], schema, whole),
    "properties": _properties,
    "required": lambda value, asked, schema, whole: (
        not isinstance(value, dict) or all(name in value for name in asked)
    ),
    "patternProperties": _pattern_properties,
    "additionalProperties": _other_properties,
    "propertyNames": lambda value, asked, schema, whole: (
        not isinstance(value, dict) or _all_verdicts(_verdict(name, asked, whole) for name in value)
    ),
    "items": _items,
    "minItems": lambda value, asked, schema, whole: not isinstance(value, list) or len(value) >= asked,
    "maxItems": lambda value, asked, schema, whole: not isinstance(value, list) or len(value) <= asked,
    "pattern": lambda value, asked, schema, whole: (
        not isinstance(value, str) or re.search(asked, value) is not None
    ),
    "minimum": _of_numbers(lambda number, least: number >= least),
    "maximum": _of_numbers(lambda number, most: number <= most),
    "multipleOf": _of_numbers(lambda number, unit: number % unit == 0 if isinstance(unit, int) else None),
    "allOf": lambda value, asked, schema, whole: _all_verdicts(
        _verdict(value, part, whole) for part in asked
    ),
    "anyOf": lambda value, asked, schema, whole: _any_verdict(_verdict(value, part, whole) for part in asked),
    "if": _if,
}
UNASKED = frozenset(
    {"$schema", "title", "description", "errorMessage", "default", "definitions", "then", "else"}
    | {"otherForm", "doNotSuggest", ANOTHER}
)
"""Keywords that say nothing of a value by themselves."""
