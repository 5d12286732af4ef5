"""What a field may hold: domains admit, list, sample and describe values, so that no rule says it twice.

A domain with no limits is the field's type alone (`Verb.fields`); the same class with what is possible now is
what a rule picks from. `read` turns what a sheet says into the value that the rule uses, or raises `Fault`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from adjudicator.engine.reason import Fault, Reason

T = TypeVar("T")
Schema = dict[str, Any]


class Chance(Protocol):
    """A source of choices for bots: a whole number from 0 up to, not including, `below`."""

    def __call__(self, below: int) -> int: ...


class Domain(Struct, Generic[T], frozen=True):
    """The base of all: what a domain must be able to do."""

    def takes(self, plain: Any) -> bool:
        """Is the value of the right kind (text, number, list, mapping), whatever else?"""
        raise NotImplementedError

    def read(self, plain: Any) -> T:
        """The value that `plain` stands for. Raises `Fault`."""
        raise NotImplementedError

    def values(self) -> Iterator[Any]:
        """Every admitted value as a sheet writes it, lazily; only where `listed`."""
        raise NotImplementedError

    @property
    def listed(self) -> bool:
        """Are there few enough values to list them? Else the domain is asked."""
        return True

    def sample(self, chance: Chance) -> Any:
        """An admitted value as a sheet writes it; raises `Fault` if there is none."""
        every = list(self.values())
        if not every:
            raise Fault("none-possible")
        return every[chance(len(every))]

    def schema(self) -> Schema:
        """JSON Schema of these very values, for editors to suggest."""
        raise NotImplementedError

    def shape(self) -> Schema:
        """JSON Schema of the type alone: admits every value that could ever be possible, suggests nothing."""
        return self.schema()


class OneOf(Domain[T], frozen=True):
    """One of some names or numbers. `but` gives the reason for known ones that are not possible now."""

    among: Collection[T]
    but: Mapping[Any, Reason] = {}

    def takes(self, plain: Any) -> bool:
        return isinstance(plain, str | int) and not isinstance(plain, bool)

    def read(self, plain: Any) -> T:
        if self.takes(plain):
            if plain in self.among:
                return plain  # type: ignore[no-any-return]
            if plain in self.but:
                reason = self.but[plain]
                raise Fault(reason.key, reason.rule, value=plain, possible=list(self.among), **reason.facts)
        raise Fault("not-possible", value=plain, possible=list(self.among))

    def values(self) -> Iterator[Any]:
        return iter(self.among)

    def sample(self, chance: Chance) -> Any:
        if not self.among:
            raise Fault("none-possible")
        return list(self.among)[chance(len(self.among))]

    def schema(self) -> Schema:
        return {"enum": list(self.among)}

    def shape(self) -> Schema:
        words = [word for word in self.among if isinstance(word, str)]
        shapes: list[Schema] = []
        if words:
            shapes.append({"type": "string", "pattern": f"^({'|'.join(words)})$"})
        if len(words) < len(self.among):
            shapes.append({"type": "integer"})
        return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}


class Name(Domain[str], frozen=True):
    """Any name of a kind, by its pattern: `Name("galley", "[a-z]+-[1-9][0-9]*")`. A type, never picked from."""

    kind: str
    pattern: str

    def takes(self, plain: Any) -> bool:
        return isinstance(plain, str)

    def read(self, plain: Any) -> str:
        if not isinstance(plain, str):
            raise Fault("not-a-name", kind=self.kind, value=plain)
        return plain

    @property
    def listed(self) -> bool:
        return False

    def schema(self) -> Schema:
        return {"type": "string", "pattern": f"^({self.pattern})$"}

    def sample(self, chance: Chance) -> Any:
        raise Fault("none-possible")


class Flag(Domain[bool], frozen=True):
    """`true` or `false`."""

    def takes(self, plain: Any) -> bool:
        return isinstance(plain, bool)

    def read(self, plain: Any) -> bool:
        if not isinstance(plain, bool):
            raise Fault("not-a-flag", value=plain)
        return plain

    def values(self) -> Iterator[Any]:
        return iter((True, False))

    def schema(self) -> Schema:
        return {"type": "boolean"}


class Limit(Struct, frozen=True):
    """A most, the rule it comes from, and the text that says so: `Limit(2, "MED-0.6", "room", {"galley": ..})`."""

    most: int
    rule: str
    key: str
    facts: Mapping[str, Any] = {}


class Whole(Domain[int], frozen=True):
    """A whole number from `least` in steps; the first limit broken, in the order given, is the one cited."""

    least: int = 0
    limits: Sequence[Limit] = ()
    step: int = 1

    @property
    def most(self) -> int | None:
        """The highest number admitted; None without limits."""
        if not self.limits:
            return None
        most = min(limit.most for limit in self.limits)
        return most - (most - self.least) % self.step

    @property
    def listed(self) -> bool:
        return bool(self.limits)

    def takes(self, plain: Any) -> bool:
        return isinstance(plain, int) and not isinstance(plain, bool)

    def read(self, plain: Any) -> int:
        if not isinstance(plain, int) or isinstance(plain, bool):
            raise Fault("not-whole", value=plain)
        if plain < self.least:
            raise Fault("too-few", value=plain, least=self.least)
        if plain % self.step:
            raise Fault("not-a-multiple", value=plain, step=self.step)
        for limit in self.limits:
            if plain > limit.most:
                raise Fault(limit.key, limit.rule, value=plain, most=max(limit.most, 0), **limit.facts)
        return plain

    def values(self) -> Iterator[Any]:
        most = self.most
        return iter(range(self.least, self.least if most is None else most + 1, self.step))

    def sample(self, chance: Chance) -> Any:
        most = self.most if self.limits else self.least + 9 * self.step
        if most is None or most < self.least:
            raise Fault("none-possible")
        return self.least + self.step * chance((most - self.least) // self.step + 1)

    def schema(self) -> Schema:
        schema = {**self.shape(), "minimum": self.least}
        most = self.most
        return schema if most is None else {**schema, "maximum": max(most, self.least)}

    def shape(self) -> Schema:
        return {
            "type": "integer",
            "minimum": self.least,
            **({"multipleOf": self.step} if self.step > 1 else {}),
        }


class Many(Domain[tuple[T, ...]], frozen=True):
    """A list of values of one domain, `least` to `most` of them; `distinct`: none twice."""

    each: Domain[T]
    least: int = 0
    most: int = 32
    distinct: bool = False

    @property
    def listed(self) -> bool:
        return False

    def takes(self, plain: Any) -> bool:
        return isinstance(plain, list)

    def read(self, plain: Any) -> tuple[T, ...]:
        if not isinstance(plain, list):
            raise Fault("not-a-list", value=plain)
        if len(plain) > self.most:
            raise Fault("too-long", path=(self.most,), most=self.most)
        if len(plain) < self.least:
            raise Fault("too-short", least=self.least)
        found: list[T] = []
        for index, item in enumerate(plain):
            try:
                value = self.each.read(item)
            except Fault as fault:
                raise fault.within(index) from None
            if self.distinct and value in found:
                raise Fault("twice", path=(index,), value=item)
            found.append(value)
        return tuple(found)

    def sample(self, chance: Chance) -> Any:
        found: list[Any] = []
        for _ in range(self.least + chance(min(self.most, self.least + 3) - self.least + 1)):
            item = self.each.sample(chance)
            if not (self.distinct and item in found):
                found.append(item)
        if len(found) < self.least:
            raise Fault("none-possible")
        return found

    def schema(self) -> Schema:
        return self._described(self.each.schema())

    def shape(self) -> Schema:
        return self._described(self.each.shape())

    def _described(self, items: Schema) -> Schema:
        bounds: Schema = {"minItems": self.least} if self.least else {}
        return {"type": "array", "items": items, "maxItems": self.most, **bounds}


class Counts(Domain[Mapping[str, int]], frozen=True):
    """How many of each: `{sailors: 1, wine: 2}`; `least` in all. Each name has its own limits."""

    each: Mapping[str, Whole]
    least: int = 1
    but: Mapping[str, Reason] = {}

    @property
    def listed(self) -> bool:
        return False

    def takes(self, plain: Any) -> bool:
        return isinstance(plain, dict)

    def read(self, plain: Any) -> Mapping[str, int]:
        if not isinstance(plain, dict):
            raise Fault("not-a-mapping", value=plain)
        found: dict[str, int] = {}
        for name, count in plain.items():
            if name not in self.each:
                OneOf(tuple(self.each), self.but).read(name)
            try:
                number = self.each[name].read(count)
            except Fault as fault:
                raise fault.within(name) from None
            if number:
                found[name] = number
        if sum(found.values()) < self.least:
            raise Fault("too-few", value=sum(found.values()), least=self.least)
        return {name: found[name] for name in self.each if name in found}

    def sample(self, chance: Chance) -> Any:
        names = [name for name, whole in self.each.items() if (whole.most or 0) >= max(whole.least, 1)]
        if not names:
            raise Fault("none-possible")
        chosen = {name: self.each[name].sample(chance) for name in names if not chance(2)}
        chosen = {name: count for name, count in chosen.items() if count}
        return chosen or {names[0]: 1}

    def schema(self) -> Schema:
        return {
            "type": "object",
            "properties": {name: whole.schema() for name, whole in self.each.items() if whole.most != 0},
            "additionalProperties": False,
        }

    def shape(self) -> Schema:
        return {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}


class Part(Struct, Generic[T], frozen=True):
    """A field of a record: its domain, and what leaving it out means (`needed`: it can't be left out)."""

    domain: Domain[T]
    default: Any = None
    needed: bool = False


class Record(Domain[T], frozen=True):
    """A mapping with named parts, made into a value by `make(**parts)` (`for` and the like come as `for_`)."""

    make: Callable[..., T]
    parts: Mapping[str, Part[Any]]

    @property
    def listed(self) -> bool:
        return False

    def takes(self, plain: Any) -> bool:
        return isinstance(plain, dict)

    def read(self, plain: Any) -> T:
        if not isinstance(plain, dict):
            raise Fault("not-a-mapping", value=plain)
        for name in plain:
            if name not in self.parts:
                raise Fault("unknown-field", path=(name,), value=name, possible=list(self.parts))
        found: dict[str, Any] = {}
        for name, part in self.parts.items():
            if name not in plain:
                if part.needed:
                    raise Fault("missing", field=name)
                found[attribute(name)] = part.default
                continue
            try:
                found[attribute(name)] = part.domain.read(plain[name])
            except Fault as fault:
                raise fault.within(name) from None
        return self.make(**found)

    def sample(self, chance: Chance) -> Any:
        kept = {name: part for name, part in self.parts.items() if part.needed or chance(2)}
        return {name: part.domain.sample(chance) for name, part in kept.items()}

    def schema(self) -> Schema:
        return self._described({name: part.domain.schema() for name, part in self.parts.items()})

    def shape(self) -> Schema:
        return self._described({name: part.domain.shape() for name, part in self.parts.items()})

    def _described(self, properties: Schema) -> Schema:
        needed = [name for name, part in self.parts.items() if part.needed]
        schema = {"type": "object", "properties": properties, "additionalProperties": False}
        return {**schema, "required": needed} if needed else schema


class MapOf(Domain[Mapping[str, T]], frozen=True):
    """A mapping from names of one kind to values of one domain."""

    names: Domain[str]
    each: Domain[T]

    @property
    def listed(self) -> bool:
        return False

    def takes(self, plain: Any) -> bool:
        return isinstance(plain, dict)

    def read(self, plain: Any) -> Mapping[str, T]:
        if not isinstance(plain, dict):
            raise Fault("not-a-mapping", value=plain)
        found: dict[str, T] = {}
        for name, value in plain.items():
            try:
                found[self.names.read(name)] = self.each.read(value)
            except Fault as fault:
                raise fault.within(name) from None
        return found

    def sample(self, chance: Chance) -> Any:
        return {self.names.sample(chance): self.each.sample(chance)}

    def schema(self) -> Schema:
        return self._described(self.names.schema(), self.each.schema())

    def shape(self) -> Schema:
        return self._described(self.names.shape(), self.each.shape())

    def _described(self, names: Schema, each: Schema) -> Schema:
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
    """A value of one of several domains, told apart by kind: a number, the word `all`, `{leave: 1}`."""

    options: tuple[Domain[Any], ...]

    @property
    def listed(self) -> bool:
        return all(option.listed for option in self.options)

    def takes(self, plain: Any) -> bool:
        return any(option.takes(plain) for option in self.options)

    def read(self, plain: Any) -> Any:
        fitting = [option for option in self.options if option.takes(plain)]
        if not fitting:
            raise Fault("wrong-kind", value=plain)
        for option in fitting[:-1]:
            try:
                return option.read(plain)
            except Fault:
                continue
        return fitting[-1].read(plain)

    def values(self) -> Iterator[Any]:
        for option in self.options:
            yield from option.values()

    def sample(self, chance: Chance) -> Any:
        return self.options[chance(len(self.options))].sample(chance)

    def schema(self) -> Schema:
        return {"anyOf": [option.schema() for option in self.options]}

    def shape(self) -> Schema:
        return {"anyOf": [option.shape() for option in self.options]}


class Walk(Domain[tuple[str, ...]], frozen=True):
    """A way from neighbour to neighbour: the places entered, one after another, `most` at the most."""

    start: str
    borders: Mapping[str, Sequence[str]]
    most: int

    @property
    def listed(self) -> bool:
        return self.most <= 3

    def takes(self, plain: Any) -> bool:
        return isinstance(plain, list)

    def read(self, plain: Any) -> tuple[str, ...]:
        if not isinstance(plain, list):
            raise Fault("not-a-list", value=plain)
        if not plain:
            raise Fault("too-short", least=1)
        here = self.start
        for index, there in enumerate(plain):
            if index == self.most:
                raise Fault("too-far", path=(index,), value=there, most=self.most)
            if there not in self.borders[here]:
                beside = list(self.borders[here])
                raise Fault("not-adjacent", path=(index,), value=there, here=here, possible=beside)
            here = there
        return tuple(plain)

    def values(self) -> Iterator[Any]:
        def onward(here: str, left: int) -> Iterator[list[str]]:
            for there in self.borders[here] if left else ():
                yield [there]
                for rest in onward(there, left - 1):
                    yield [there, *rest]

        return onward(self.start, self.most)

    def sample(self, chance: Chance) -> Any:
        here, way = self.start, []
        for _ in range(1 + chance(self.most)):
            beside = self.borders[here]
            here = beside[chance(len(beside))]
            way.append(here)
        return way

    def reach(self) -> list[str]:
        """Every place on some such way, nearest first."""
        found = [self.start]
        rim = found
        for _ in range(self.most):
            rim = sorted({there for here in rim for there in self.borders[here]} - set(found))
            found = found + rim
        return found[1:]

    def schema(self) -> Schema:
        return {"type": "array", "items": {"enum": self.reach()}, "minItems": 1, "maxItems": self.most}

    def shape(self) -> Schema:
        return {"type": "array", "items": OneOf(tuple(self.borders)).shape(), "minItems": 1}


def attribute(name: str) -> str:
    """A field's name as Python allows it: `for` becomes `for_`."""
    return f"{name}_" if name in ("for", "from", "in", "with", "if", "else") else name
