"""What a published schema finds wrong with a file, as flaws in the words of sheets.

Loading jsonschema takes a third of a `check`'s time, so it is used only if a quick look finds a fault or can't tell.
The look knows the keywords in published schemas; what it calls right or wrong, jsonschema calls the same
(tests/engine/sheets/test_quick_check.py). Then jsonschema validates, with a short cut to the part for the order's
verb.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import NoneType
from typing import Any, Protocol, TypeAlias

from adjudicator.engine.sheets.sheet import KEYWORDS, path_of_innermost_order
from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.domain.forms import OTHER_FORM
from adjudicator.engine.table.domain.names import ANOTHER
from adjudicator.engine.table.position import PHASES
from adjudicator.engine.table.reason import Flaw, Reason
from adjudicator.engine.text.source import Path

OF_KEYS = frozenset({"title", "description", "errorMessage", "type", "required"})
"""The keywords of a schema that asks for some keys of a mapping and for nothing else."""
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
        keyword = LOOKS.get(name)
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


def _listed(value: Any, asked: Any, schema: Schema, whole: Schema) -> Verdict:
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


LOOKS: dict[str, Keyword] = {
    "type": _type,
    "enum": _listed,
    "const": lambda value, asked, schema, whole: _listed(value, [asked], schema, whole),
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


@cache
def validator() -> Any:
    """The class of validators for sheets: draft 7. (Made when it is needed: loading jsonschema takes a while.)"""
    from jsonschema.validators import Draft7Validator, extend

    return extend(Draft7Validator, {"allOf": _all_of, "anyOf": _any_of, "enum": _enum})  # type: ignore[no-untyped-call]


# An order has an alternative for each verb of its phase, told apart by their keys. Trying every one of them took nine
# tenths of the time of reading a sheet. A look at the keys rules most of them out, and jsonschema does the rest, so the
# verdict is the same (tests/engine/sheets/test_validating.py).


def _has(schema: Any, instance: Any) -> bool | None:
    """Does the mapping have the keys that the schema asks for? None if it asks for anything else."""
    if not isinstance(schema, Mapping) or not schema.keys() <= OF_KEYS or "required" not in schema:
        return None
    if not isinstance(instance, dict) or schema.get("type", "object") != "object":
        return None
    return all(name in instance for name in schema["required"])


def _all_of(validator: Any, parts: Sequence[Any], instance: Any, schema: Any) -> Iterator[Any]:
    """The errors of all parts; of those whose `if` asks only for keys, the errors of what follows."""
    for index, part in enumerate(parts):
        told_by_keys = isinstance(part, Mapping) and part.keys() == {"if", "then"}
        found = _has(part["if"], instance) if told_by_keys else None
        if found is None:
            yield from validator.descend(instance, part, schema_path=index)
        elif found:
            yield from validator.descend(instance, part["then"], schema_path=index)


def _any_of(validator: Any, options: Sequence[Any], instance: Any, schema: Any) -> Iterator[Any]:
    """The error of `anyOf`, unless a look at the keys shows that an option fits."""
    from jsonschema.validators import Draft7Validator

    if not any(_has(option, instance) for option in options):
        yield from Draft7Validator.VALIDATORS["anyOf"](validator, options, instance, schema)


def _enum(validator: Any, options: Sequence[Any], instance: Any, schema: Any) -> Iterator[Any]:
    """The error of `enum`; a listed name isn't compared with each entry."""
    from jsonschema.validators import Draft7Validator

    if not (isinstance(instance, str) and instance in options):
        yield from Draft7Validator.VALIDATORS["enum"](validator, options, instance, schema) or ()


class MatchNames(Protocol):
    """Knows what a schema admits in this match."""

    def possible(self, schema: Mapping[str, Any]) -> list[Any]:
        """What the schema lists, if it exists in this match."""

    def without_cache(self) -> MatchNames:
        """The same for another schema, with nothing kept: what is kept is known by the identity of a schema's parts."""


def flaws_of(plain: Any, schema: Mapping[str, Any], asked: MatchNames) -> Iterator[Flaw]:
    """The errors of jsonschema as flaws with their places."""
    if quick_verdict(plain, schema):
        return
    asked = asked.without_cache()
    for error in validator()(schema).iter_errors(plain):
        yield from _flaw(error, asked)


def _flaw(error: Any, asked: MatchNames) -> Iterator[Flaw]:
    path: Path = tuple(error.absolute_path)
    value, kind = error.instance, error.validator
    if path and path == order_home(path) and not (isinstance(value, dict) and value):
        yield Flaw(Reason("SCHEMA", "not-an-order", {"value": value}), path)
    elif kind == "additionalProperties":
        known = [*error.schema.get("properties", {}), *asked.possible(error.schema)]
        patterns = error.schema.get("patternProperties", ())
        for name in value:
            if name not in error.schema.get("properties", {}) and not any(
                re.search(each, name) for each in patterns
            ):
                why = "misplaced" if name == "else" else "unknown-key"
                yield Flaw(Reason("SCHEMA", why, {"value": name, "possible": known}), (*path, name), key=True)
    elif kind == "anyOf":
        yield from _none_of(error, path, asked)
    elif kind == "required":
        missing = (name for name in error.validator_value if name not in value)
        yield from (Flaw(Reason("SCHEMA", "missing", {"field": name}), path) for name in missing)
    elif kind == "maxItems":
        yield Flaw(Reason("SCHEMA", "too-long", {"most": error.validator_value}), path)
    elif kind == "minItems":
        yield Flaw(Reason("SCHEMA", "too-short", {"least": error.validator_value}), path)
    elif kind == "enum":
        facts = {"value": value, "possible": asked.possible(error.schema)}
        yield Flaw(Reason("SCHEMA", "unknown-name", facts), path)
    else:
        facts = {"value": value, "need": need_of(error.schema, asked)}
        if kind == "pattern":
            facts["possible"] = asked.possible(error.schema)
        yield Flaw(Reason("SCHEMA", "no-value" if value is None else "wrong-kind", facts), path)


def _none_of(error: Any, path: Path, asked: MatchNames) -> Iterator[Flaw]:
    """An order with an unknown verb; else the fault in the option that fits deepest, or the kinds that exist."""
    value, options = error.instance, error.validator_value
    deepest = max(error.context, key=lambda inner: len(inner.absolute_path))
    if all("required" in option for option in options):
        verbs = [option["required"][0] for option in options]
        name = next(iter(value))
        why = "verb-first" if name in KEYWORDS else "unknown-verb"
        yield Flaw(Reason("SCHEMA", why, {"value": name, "possible": verbs}), (*path, name), key=True)
    elif any(OTHER_FORM in option for option in options) and (meant := _form_meant(error.context)):
        yield from _flaw(max(meant, key=lambda inner: len(inner.absolute_path)), asked)
    elif len(deepest.absolute_path) > len(path):
        yield from _flaw(deepest, asked)
    else:
        names = [name for option in options for name in asked.possible(option)]
        facts = {"value": value, "need": need_of(error.schema, asked), "possible": names}
        yield Flaw(Reason("SCHEMA", "no-value" if value is None else "wrong-kind", facts), path)


def _form_meant(errors: Sequence[Any]) -> list[Any]:
    """The errors of the form that fits best by type; none if the value's type fits no form."""
    forms: dict[int, list[Any]] = {}
    for inner in errors:
        forms.setdefault(inner.relative_schema_path[0], []).append(inner)

    def of_another_kind(found: list[Any]) -> int:
        return sum(
            inner.validator == "type"
            or (inner.validator == "enum" and isinstance(inner.instance, list | dict))
            or (inner.validator == "anyOf" and of_another_kind(inner.context) == len(inner.context))
            for inner in found
        )

    number = min(forms, key=lambda form: of_another_kind(forms[form]))
    top = len(errors[0].parent.absolute_path)
    of_kind = [
        inner for inner in forms[number] if inner.validator != "type" or len(inner.absolute_path) > top
    ]
    return of_kind if len(of_kind) == len(forms[number]) else []


OF_NUMBERS = {"minimum": "least", "maximum": "most", "multipleOf": "step"}


def need_of(schema: Mapping[str, Any], asked: MatchNames | None = None) -> Any:
    """What a schema asks for, as a fact that `facts.need_text` says in a few words; a list says alternatives."""
    if "anyOf" in schema:
        return [need_of(option, asked) for option in schema["anyOf"]]
    if "enum" in schema:
        return {"kind": "among", "possible": asked.possible(schema) if asked else schema["enum"]}
    if "const" in schema:
        return {"kind": "exactly", "value": schema["const"]}
    kind = schema.get("type")
    if isinstance(kind, list):
        return [need_of({"type": each}, asked) for each in kind]
    if kind == "string" and "pattern" in schema:
        return {"kind": "name", "of": schema.get("title", "")}
    if kind == "object" and schema.get("properties"):
        return {"kind": "fields", "fields": dict.fromkeys(schema["properties"], "...")}
    numbers = {OF_NUMBERS[key]: value for key, value in schema.items() if key in OF_NUMBERS}
    return {"kind": kind, **numbers} if kind else {"kind": "other"}


def order_home(path: Path) -> Path:
    """The path of the innermost order that `path` leads into; () if there is none."""
    if path[:1] == ("orders",):
        end = 2
    elif path[:2] == ("standing", PHASES) or (path[:1] == ("later",) and path[2:3] == ("orders",)):
        end = 4
    else:
        return ()
    return path_of_innermost_order(path, end) if len(path) >= end else ()
