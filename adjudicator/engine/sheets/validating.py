"""Validation of a sheet by its published schema: jsonschema, with a short cut to the part that is the order's verb."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

FACED = frozenset({"title", "description", "errorMessage", "type", "required"})
"""What stands in a schema that asks for some keys of a mapping and nothing else."""


@cache
def validator() -> Any:
    """The class of validators for sheets: draft 7. (Made when it is needed: loading jsonschema takes a while.)"""
    from jsonschema.validators import Draft7Validator, extend

    return extend(Draft7Validator, {"allOf": _all_of, "anyOf": _any_of, "enum": _enum})  # type: ignore[no-untyped-call]


# An order has an alternative for each verb of its phase, told apart by the key that it has. Going into every one of
# them took nine tenths of the time of reading a sheet; what a look at the keys tells is passed over, all else is left
# to jsonschema, so that nothing is judged otherwise (tests/engine/sheets/test_validating.py).


def _has(schema: Any, instance: Any) -> bool | None:
    """Does the mapping have the keys that the schema asks for? None if it asks for anything else."""
    if not isinstance(schema, Mapping) or not schema.keys() <= FACED or "required" not in schema:
        return None
    if not isinstance(instance, dict) or schema.get("type", "object") != "object":
        return None
    return all(name in instance for name in schema["required"])


def _all_of(validator: Any, parts: Sequence[Any], instance: Any, schema: Any) -> Iterator[Any]:
    """The errors of all parts; of those that begin with `if` and ask it for keys alone, of what follows then."""
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
    """The error of `enum`; a name that is on the list isn't compared with each that stands there."""
    from jsonschema.validators import Draft7Validator

    if not (isinstance(instance, str) and instance in options):
        yield from Draft7Validator.VALIDATORS["enum"](validator, options, instance, schema) or ()
