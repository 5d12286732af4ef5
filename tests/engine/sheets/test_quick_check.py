"""A glance at a value and its schema: it says right or wrong only if jsonschema agrees,
and otherwise doesn't decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as some
from jsonschema.validators import Draft7Validator

from adjudicator.engine.library import registry
from adjudicator.engine.sheets.flaws import LOOKS, UNASKED, quick_verdict
from adjudicator.engine.sheets.published import published_schemas

NAMES = some.sampled_from(["buy", "sell", "galley-1", "galley-12"])
SCALARS = some.one_of(
    some.none(),
    some.booleans(),
    some.integers(-2, 12),
    some.sampled_from([0.0, 1.0, 1.5, 4.0, 1e30]),
    NAMES,
    some.just(""),
)
VALUES = some.recursive(
    SCALARS,
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
TYPES = some.sampled_from(["object", "array", "string", "boolean", "integer", "number", "null"])
PATTERNS = some.sampled_from(["^galley", "1$", "^(buy|sell)$", "l"])


def schemas(inner: some.SearchStrategy[Any]) -> some.SearchStrategy[Any]:
    """All keywords that a glance knows, and some that it doesn't."""
    few = some.lists(inner, min_size=1, max_size=3)
    by_name = some.dictionaries(NAMES, inner, max_size=3)
    numbers = some.integers(-1, 10) | some.just(2.5)
    return some.fixed_dictionaries(
        {},
        optional={
            "type": TYPES | some.lists(TYPES, min_size=1, max_size=2),
            "enum": some.lists(SCALARS, min_size=1, max_size=4),
            "const": VALUES,
            "properties": by_name,
            "required": some.lists(NAMES, max_size=2),
            "patternProperties": some.dictionaries(PATTERNS, inner, max_size=2),
            "additionalProperties": inner,
            "propertyNames": inner,
            "items": inner | few,
            "minItems": some.integers(0, 3),
            "maxItems": some.integers(0, 3),
            "pattern": PATTERNS,
            "minimum": numbers,
            "maximum": numbers,
            "multipleOf": some.sampled_from([1, 2, 3, 0.5, 0.1]),
            "allOf": few,
            "anyOf": few,
            "if": inner,
            "then": inner,
            "else": inner,
            "not": inner,
            "oneOf": few,
            "uniqueItems": some.booleans(),
            "$ref": some.just("#/definitions/one"),
            "title": NAMES,
        },
    )


SCHEMAS = some.recursive(some.booleans() | some.just({}), schemas, max_leaves=8)


@pytest.mark.ci
@given(SCHEMAS.filter(lambda each: isinstance(each, dict)), SCHEMAS, VALUES)
def test_what_a_glance_tells_jsonschema_says_too(schema: dict[str, Any], one: Any, value: Any) -> None:
    whole = {**schema, "definitions": {"one": one}}
    try:
        found = quick_verdict(value, whole)
    except RecursionError:  # a schema that leads back to itself does so for jsonschema as well
        return
    if found is not None:
        assert Draft7Validator(whole).is_valid(value) is found


def test_of_parts_of_one_a_glance_does_not_tell() -> None:
    """What 0.1 leaves of 3 is a matter of how numbers are kept, and jsonschema says none."""
    schema = {"if": {"multipleOf": 0.1}, "then": False}
    assert not Draft7Validator(schema).is_valid(3)
    assert quick_verdict(3, schema) is None


@pytest.mark.parametrize("where", ["#/definitions/none", "#", "elsewhere.json", "#/definitions/one/of"])
def test_where_a_reference_leads_nowhere_a_glance_does_not_tell(where: str) -> None:
    assert quick_verdict(1, {"$ref": where, "definitions": {"one": True}}) is None


def keywords(schema: Any) -> Iterator[str]:
    """Those of a schema and of all that lie in it."""
    for name, asked in schema.items() if isinstance(schema, dict) else ():
        yield name
        inner = asked.values() if name in ("properties", "patternProperties", "definitions") else ()
        inner = asked if name in ("allOf", "anyOf") else inner
        inner = [asked] if name in ("items", "additionalProperties", "if", "then", "else") else inner
        for each in inner:
            yield from keywords(each)


@pytest.mark.parametrize("game", registry.OWN)
def test_a_glance_knows_every_keyword_of_the_published_schemas(game: str) -> None:
    """Else every sheet would be left to jsonschema, unseen: to load it takes a third of a `check`."""
    for name, schema in published_schemas(registry.rulebook(game)).items():
        assert {*keywords(schema)} <= {*LOOKS, *UNASKED, "$ref"}, name
