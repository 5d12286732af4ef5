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


# Most sheets have no fault at all, and that is told in a third of the time in which faults are named: by the same
# keywords, each asked until one finds something.


def is_valid(instance: Any, schema: Mapping[str, Any]) -> bool:
    """Does a schema find nothing wrong? Just when `validator()` yields no error."""
    return not Judge(schema).descend(instance, schema)


class Judge:
    """As much of a validator as the keywords of draft 7 ask of one; it names no fault, and stops at the first."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root, self.keywords = root, {**validator().VALIDATORS, "$ref": _referred}
        self.is_type = validator().TYPE_CHECKER.is_type

    def descend(self, instance: Any, schema: Any, **where: Any) -> Sequence[Any]:
        """The first error; none if the value is as the schema says."""
        if isinstance(schema, bool):
            return () if schema else _nothing_is_right()
        # What stands beside a reference counts for nothing.
        asked = {"$ref": schema["$ref"]} if "$ref" in schema else schema
        for name, value in asked.items():
            keyword = self.keywords.get(name)
            if keyword is not None:
                for error in keyword(self, value, instance, schema) or ():
                    return (error,)
        return ()

    def evolve(self, schema: Any) -> Judged:
        """The judge of one schema within the whole."""
        return Judged(self, schema)

    def referred(self, reference: str) -> Any:
        """What a reference within the schema leads to: `#/definitions/market`."""
        found: Any = self.root
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]
        return found


class Judged:
    """What `if` and the like ask: would this schema do?"""

    def __init__(self, judge: Judge, schema: Any) -> None:
        self.judge, self.schema = judge, schema

    def is_valid(self, instance: Any) -> bool:
        """Is the value as the schema says?"""
        return not self.judge.descend(instance, self.schema)


def _nothing_is_right() -> Sequence[Any]:
    from jsonschema.exceptions import ValidationError

    return (ValidationError("nothing is right here"),)


def _referred(judge: Judge, reference: str, instance: Any, schema: Any) -> Sequence[Any]:
    return judge.descend(instance, judge.referred(reference))
