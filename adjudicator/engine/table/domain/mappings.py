"""Mappings: counts by name, records with named parts, one domain for all names; and a choice of types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from adjudicator.engine.table.domain.base import Chance, Domain, Mapped, Schema, Whole, between
from adjudicator.engine.table.domain.names import OneOf
from adjudicator.engine.table.reason import Reason, Refused, unfit

RENAMED = {word: f"{word}_" for word in ("for", "from", "in", "with", "if", "else")}
"""Fields' names that Python doesn't allow, and what they become: `for` becomes `for_`."""
T = TypeVar("T")
R = TypeVar("R", bound=Struct)


class Counts(Mapped[Mapping[str, int]], frozen=True):
    """How many of each: `{sailors: 1, wine: 2}`; at least `least` in all. Each name has its own limits."""

    each: Mapping[str, Whole]
    least: int = 1
    but: Mapping[str, Reason] = {}

    def read(self, plain: Any) -> Mapping[str, int]:
        if type(plain) is not dict:
            raise unfit("not-a-mapping", value=plain)
        found: dict[str, int] = {}
        for name, count in plain.items():
            if name not in self.each:
                OneOf(tuple(self.each), self.but).read(name)
            try:
                number = self.each[name].read(count)
            except Refused as refused:
                raise refused.within(name) from None
            if number:
                found[name] = number
        if self.least and sum(found.values()) < self.least:
            raise unfit("too-few", value=sum(found.values()), least=self.least)
        return {name: found[name] for name in self.each if name in found}

    def sample(self, chance: Chance) -> Any:
        names = [name for name, whole in self.each.items() if self._most(name) >= max(whole.least, 1)]
        found = {name: self.each[name].sample(chance) for name in names if not chance(2)}
        for name in names:  # the first names make up what is missing in all
            missing = max(self.least, 1) - sum(found.values())
            if missing > 0:
                found[name] = min(max(found.get(name, 0) + missing, self.each[name].least), self._most(name))
        found = {name: found[name] for name in names if found.get(name)}
        if sum(found.values()) < max(self.least, 1):
            raise unfit("none-possible")
        return found

    def at_most(self, most: int, least: int = 1) -> Counts:
        """The same with no more than `most` of each, and at least `least` in all: for what is only offered."""
        each = {name: between(0, min(most, self._most(name))) for name in self.each}
        return Counts(each, max(least, 1))

    def _most(self, name: str) -> int:
        """The most of a name there can be; if nothing limits it, as many as are required in all."""
        whole = self.each[name]
        return max(self.least, whole.least, 1) if whole.most is None else whole.most

    def schema(self) -> Schema:
        return {
            "type": "object",
            "properties": {name: whole.schema() for name, whole in self.each.items() if whole.most != 0},
            "additionalProperties": False,
        }

    def shape(self) -> Schema:
        return {
            "type": "object",
            "patternProperties": {f"^({'|'.join(self.each)})$": {"type": "integer", "minimum": 0}},
            "additionalProperties": False,
        }


class Part(Struct, Generic[T], frozen=True):
    """A field of a record: its domain, and its value when it is left out (`needed`: it can't be left out)."""

    domain: Domain[T]
    default: Any = None
    needed: bool = False


class Record(Mapped[T], frozen=True):
    """A mapping with named parts, made into a value by `make(**parts)` (`for` and the like come as `for_`).

    `least`: so many of its parts, whichever, must be named; the first ones are offered.
    """

    make: Callable[..., T]
    parts: Mapping[str, Part[Any]]
    least: int = 0

    @property
    def spare(self) -> bool:
        return any(part.domain.spare for part in self.parts.values())

    def read(self, plain: Any) -> T:
        if type(plain) is not dict:
            raise unfit("not-a-mapping", value=plain)
        for name in plain:
            if name not in self.parts:
                raise unfit("unknown-field", (name,), value=name, possible=list(self.parts))
        if len(plain) < self.least:
            raise unfit("too-few-parts", least=self.least, possible=list(self.parts))
        found: dict[str, Any] = {}
        for name, part in self.parts.items():
            value = part.default
            if name in plain:
                try:
                    value = part.domain.read(plain[name])
                except Refused as refused:
                    raise refused.within(name) from None
            elif part.needed:
                raise unfit("missing", field=name)
            found[f"{name}_" if name in RENAMED else name] = value
        return self.make(**found)

    def sample(self, chance: Chance) -> Any:
        kept = {name: part for name, part in self.offered.items() if part.needed or chance(2)}
        found = {name: part.domain.sample(chance) for name, part in kept.items()}
        for name, part in self.parts.items():
            if len(found) < self.least and name not in found:
                with suppress(Refused):  # this part may have no value, while another has one
                    found[name] = part.domain.sample(chance)
        if len(found) < self.least:
            raise unfit("none-possible")
        return found

    @property
    def offered(self) -> Mapping[str, Part[T]]:
        """The parts without those that may be left out and of which no value is possible now."""
        return {name: part for name, part in self.parts.items() if part.needed or some(part.domain.schema())}

    def schema(self) -> Schema:
        return self._schema_with({name: part.domain.schema() for name, part in self.offered.items()})

    def shape(self) -> Schema:
        return self._schema_with({name: part.domain.shape() for name, part in self.parts.items()})

    def _schema_with(self, properties: Schema) -> Schema:
        needed = [name for name, part in self.parts.items() if part.needed]
        schema = {"type": "object", "properties": properties, "additionalProperties": False}
        return {**schema, "required": needed} if needed else schema


def some(schema: Schema) -> bool:
    """Does a schema admit anything but an empty list or mapping?"""
    if "anyOf" in schema:
        return any(map(some, schema["anyOf"]))
    if schema.get("type") == "array":
        return some(schema["items"])
    if schema.get("type") == "object":
        return bool(schema["properties"] or "patternProperties" in schema)
    return schema.get("enum") != []


def record(make: type[R], parts: Mapping[str, Domain[Any]]) -> Record[R]:
    """A record that becomes a struct: fields with a default may be left out, and then have it."""
    fields = fields_of(make)
    return Record(make, {name: Part(domain, *fields[name]) for name, domain in parts.items()})


@cache
def fields_of(kind: type[Struct]) -> Mapping[str, tuple[Any, bool]]:
    """The default of each field of a struct, and whether it is needed; worked out once, since each order's records
    need them.
    """
    plain = {renamed: name for name, renamed in RENAMED.items()}
    fields = msgspec.structs.fields(kind)
    return {plain.get(field.name, field.name): (field.default, field.required) for field in fields}


class MapOf(Mapped[Mapping[str, T]], frozen=True):
    """A mapping from names of one kind to values of one domain."""

    names: Domain[str]
    each: Domain[T]

    @property
    def spare(self) -> bool:
        return self.names.spare or self.each.spare

    def read(self, plain: Any) -> Mapping[str, T]:
        if type(plain) is not dict:
            raise unfit("not-a-mapping", value=plain)
        found: dict[str, T] = {}
        for name, value in plain.items():
            try:
                found[self.names.read(name)] = self.each.read(value)
            except Refused as refused:
                raise refused.within(name) from None
        return found

    def sample(self, chance: Chance) -> Any:
        return {self.names.sample(chance): self.each.sample(chance)}

    def schema(self) -> Schema:
        return self._schema_with(self.names.schema(), self.each.schema())

    def shape(self) -> Schema:
        return self._schema_with(self.names.shape(), self.each.shape())

    def _schema_with(self, names: Schema, each: Schema) -> Schema:
        if "enum" in names:
            return {
                "type": "object",
                "properties": dict.fromkeys(names["enum"], each),
                "additionalProperties": False,
            }
        return {
            "type": "object",
            "patternProperties": {names["pattern"]: each},
            "additionalProperties": False,
        }


class Either(Domain[Any], frozen=True):
    """A value of one of several domains, told apart by type: a number, the word `all`, `{leave: 1}`."""

    options: tuple[Domain[Any], ...]

    @property
    def listed(self) -> bool:
        return all(option.listed for option in self.options)

    @property
    def spare(self) -> bool:
        return any(option.spare for option in self.options)

    def takes(self, plain: Any) -> bool:
        return any(option.takes(plain) for option in self.options)

    def read(self, plain: Any) -> Any:
        refused: Refused | None = None
        for option in self.options:
            if option.takes(plain):
                try:
                    return option.read(plain)
                except Refused as why:  # the reason of the last one counts
                    refused = why
        raise refused or unfit("wrong-kind", value=plain, need={"kind": "other"})

    def values(self) -> Iterator[Any]:
        for option in self.options:
            yield from option.values()

    def sample(self, chance: Chance) -> Any:
        first = chance(len(self.options)) if self.options else 0
        for option in (*self.options[first:], *self.options[:first]):
            with suppress(Refused):  # this type may have no value, while another has one
                return option.sample(chance)
        raise unfit("none-possible")

    def schema(self) -> Schema:
        return {"anyOf": [option.schema() for option in self.options]}

    def shape(self) -> Schema:
        return {"anyOf": [option.shape() for option in self.options]}
