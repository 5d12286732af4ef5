"""Validates a sheet by its published schema: jsonschema, with a short cut to the part for the order's verb."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

OF_KEYS = frozenset({"title", "description", "errorMessage", "type", "required"})
"""The keywords of a schema that asks for some keys of a mapping and for nothing else."""


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
