"""The short cut of validation judges every sheet as jsonschema alone would."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema.validators import Draft7Validator

from adjudicator.contract import hostile, matches
from adjudicator.engine.library import registry
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.sheets.flaws import quick_verdict, validator
from adjudicator.engine.sheets.published import committed_sheet
from adjudicator.engine.text.source import Source, read
from tests.engine.match_folders import SOME_GAMES


def said(errors: Iterator[Any]) -> list[Any]:
    """All that is used of errors: where, what was asked, and the same of the options of `anyOf`."""
    return [
        (list(each.absolute_path), each.validator, each.validator_value, each.instance, said(each.context))
        for each in errors
    ]


@pytest.mark.ci
@pytest.mark.parametrize("game", SOME_GAMES)
def test_sheets_of_all_kinds_are_judged_alike(game: str) -> None:
    rulebook, chance, faulty = registry.rulebook(game), SeededChance("validating"), 0
    seen: dict[str, int] = {}
    for step in matches.steps(rulebook, rulebook.tables[min(rulebook.tables)][0], "validating", sensible=1):
        name = step.before.phase.name
        seen[name] = seen.get(name, 0) + 1
        if not step.before.phase.due or not rulebook.phase(name).verbs or seen[name] > 2:
            continue
        schema, player = committed_sheet(game, name), step.before.phase.due[0]
        for _ in range(5):
            source = read(hostile.hostile_sheet(rulebook, step.before, player, chance).encode(), "sheet.yaml")
            if isinstance(source, Source):
                whole = said(Draft7Validator(schema).iter_errors(source.plain))
                assert said(validator()(schema).iter_errors(source.plain)) == whole
                assert (quick_verdict(source.plain, schema) is True) == (not whole)
                faulty += bool(whole)
    assert faulty > 10, "the sheets were too good to tell anything"


TOLD_BY_KEYS = {
    "if": {"type": "object", "required": ["buy"]},
    "then": {"properties": {"buy": {"type": "integer"}}},
}
SCHEMAS = {
    "an alternative": {"allOf": [TOLD_BY_KEYS]},
    "one with else": {"allOf": [{**TOLD_BY_KEYS, "else": {"required": ["sell"]}}]},
    "one that asks for more": {
        "allOf": [{**TOLD_BY_KEYS, "if": {"required": ["buy"], "properties": {"buy": {"const": 1}}}}]
    },
    "not an alternative": {"allOf": [{"required": ["sell"]}]},
    "options": {"anyOf": [{"required": ["buy"]}, {"required": ["sell"], "properties": {"sell": {"type": "integer"}}}]},
    "options of no mapping": {"anyOf": [{"type": "string"}, {"type": "object", "required": ["buy"]}]},
    "one that begins otherwise": {
        "if": {"required": ["buy"]}, "then": {"minProperties": 2}, "else": {"not": {"type": "string"}}
    },
    "what stands elsewhere": {
        "$ref": "#/definitions/order", "type": "null",
        "definitions": {"order": {"oneOf": [{"required": ["buy"]}, {"required": ["sell"]}]}},
    },
    "things in a list": {"items": {"type": ["string", "integer"]}, "uniqueItems": True, "maxItems": 1},
    "true and false": {"anyOf": [False, {"required": ["buy"]}], "allOf": [True]},
}  # fmt: skip


@pytest.mark.parametrize(
    "plain", [{}, {"buy": 1}, {"buy": "x"}, {"sell": "x"}, {"buy": "x", "sell": 1}, "buy", ["buy"], 3, None]
)
@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_only_what_the_keys_tell_is_passed_over(schema: Any, plain: Any) -> None:
    whole = said(Draft7Validator(schema).iter_errors(plain))
    assert said(validator()(schema).iter_errors(plain)) == whole
