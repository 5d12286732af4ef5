"""Names: one of those possible now, any name of a kind, yes or no.

Mappings in which a name decides what may stand under it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from adjudicator.engine.table.domain.base import Chance, Domain, Mapped, Schema, Unlisted
from adjudicator.engine.table.reason import Hindrance, LazyReasons, Reason, Refused, first_flaw, unfit

T = TypeVar("T")


NAME = (str, int)
"""The types of names and of numbers used as names; `true` is neither."""


class OneOf(Domain[T], frozen=True):
    """One of some names or numbers. `but` gives the reasons for known ones that aren't possible now.

    `besides` are admitted too, but never offered: names in a list or a mapping that mean nothing in this match.
    """

    among: Collection[T]
    but: Mapping[Any, Reason] = {}
    besides: Collection[T] = ()

    def takes(self, plain: Any) -> bool:
        return type(plain) in NAME

    def read(self, plain: Any) -> T:
        if type(plain) in NAME:
            if plain in self.besides or plain in self.among:
                return plain  # type: ignore[no-any-return]
            if plain in self.but:
                reason = self.but[plain]
                raise unfit(
                    reason.key, rule=reason.rule, value=plain, possible=list(self.among), **reason.facts
                )
        raise unfit("not-possible", value=plain, possible=list(self.among))

    def read_each(self, items: Sequence[Any]) -> tuple[T, ...]:
        for item in items:  # most are names that are possible, and need no further look
            if type(item) not in NAME or not (item in self.besides or item in self.among):
                return super().read_each(items)
        return tuple(items)

    @property
    def spare(self) -> bool:
        return bool(self.besides)

    def values(self) -> Iterator[Any]:
        return iter(self.among)

    def sample(self, chance: Chance) -> Any:
        among = list(self.among)
        if not among:
            raise unfit("none-possible")
        return among[chance(len(among))]

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


ANOTHER = "another"
"""Marks a field in a schema as one of players other than the reader."""


class Another(OneOf[str], frozen=True):
    """One of some players, but never oneself: a type; forms don't offer the reader's own name."""

    def schema(self) -> Schema:
        return {**super().schema(), ANOTHER: True}

    def shape(self) -> Schema:
        return {**super().shape(), ANOTHER: True}


def only(possible: Collection[T], known: Iterable[T], rule: str, why: str, **facts: Any) -> OneOf[T]:
    """One of those possible now; the other known ones share one reason for being impossible."""
    return OneOf(possible, dict.fromkeys(known, Reason(rule, why, facts)))


class Free(Sequence[T]):
    """The names that nothing hinders. Names are checked as far as they are asked for or listed. Equal to any collection
    of the same names.
    """

    def __init__(self, names: Mapping[T, Any], hindrances: Callable[[T], Iterable[Hindrance]]) -> None:
        self._names, self._hindrances = names, hindrances
        self._listed: frozenset[T] | None = None

    @cached_property
    def _all(self) -> list[T]:
        found = [name for name in self._names if not any(self._hindrances(name))]
        self._listed = frozenset(found)
        return found

    def __iter__(self) -> Iterator[T]:
        return iter(self._all)

    def __bool__(self) -> bool:
        return any(map(self.__contains__, self._names))

    def __getitem__(self, at: Any) -> Any:
        return self._all[at]

    def __len__(self) -> int:
        return len(self._all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Collection) and self._all == list(other)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def hindered(self) -> Mapping[T, Reason]:
        """The other names, each with what hinders it."""
        return {name: why for name in self._names if (why := first_flaw(self._hindrances(name)))}

    def __contains__(self, name: object) -> bool:
        if self._listed is not None:
            return name in self._listed
        return name in self._names and not any(self._hindrances(name))  # type: ignore[arg-type]


def unhindered(names: Iterable[T], hindrance: Callable[[T], Reason | None]) -> OneOf[T]:
    """The names that nothing hinders; for the others the hindrance is the reason."""
    return allowed(names, lambda name: (hindrance(name),))


def allowed(names: Iterable[T], hindrances: Callable[[T], Iterable[Hindrance]]) -> OneOf[T]:
    """The names that nothing hinders; for the others the first hindrance is the reason.

    Hindrances are a generator of `yield port.blocked and Reason(...)`, one a line; the first one ends the search. Most
    orders name a possible one, so the others are checked only when all are listed or one of them is named. Whatever
    the hindrances look at, such as a position, must not have changed by then.
    """
    free = Free(dict.fromkeys(names), hindrances)
    return OneOf(free, LazyReasons(lambda: free.hindered))


@lru_cache(4096)
def fits(pattern: str, name: str) -> bool:
    """Does the pattern fit the whole name? Long ones are asked about the same names again and again."""
    return re.fullmatch(pattern, name) is not None


class Name(Unlisted[str], frozen=True):
    """Any name of a kind, by its pattern: `Name("galley", "[a-z]+-[1-9][0-9]*")`. A type, never picked from.

    `kinds:` in words.yaml has the kind's name, and how one of its names is called.
    """

    kind: str
    pattern: str

    def fits(self, name: str) -> bool:
        """Could this be the name of a thing of the kind?"""
        return fits(self.pattern, name)

    def takes(self, plain: Any) -> bool:
        return isinstance(plain, str)

    def read(self, plain: Any) -> str:
        if not isinstance(plain, str):
            raise unfit("not-a-name", kind=self.kind, value=plain)
        return plain

    def schema(self) -> Schema:
        return {"type": "string", "title": self.kind, "pattern": f"^({self.pattern})$"}

    def sample(self, chance: Chance) -> Any:
        raise unfit("none-possible")


class Flag(Domain[bool], frozen=True):
    """`true` or `false`."""

    def takes(self, plain: Any) -> bool:
        return isinstance(plain, bool)

    def read(self, plain: Any) -> bool:
        if type(plain) is not bool:
            raise unfit("not-a-flag", value=plain)
        return plain

    def values(self) -> Iterator[Any]:
        return iter((True, False))

    def schema(self) -> Schema:
        return {"type": "boolean"}


class ByName(Mapped[Mapping[str, Any]], frozen=True):
    """A mapping from names of several kinds: the first kind that a name fits decides what may stand under it."""

    kinds: Sequence[tuple[Name, Domain[Any]]]

    def read(self, plain: Any) -> Mapping[str, Any]:
        if type(plain) is not dict:
            raise unfit("not-a-mapping", value=plain)
        found: dict[str, Any] = {}
        for name, value in plain.items():
            each = next((domain for names, domain in self.kinds if names.fits(name)), None)
            if each is None:
                raise unfit(
                    "unknown-thing", (name,), value=name, kinds=[names.kind for names, _ in self.kinds]
                )
            try:
                found[name] = each.read(value)
            except Refused as refused:
                raise refused.within(name) from None
        return found

    def sample(self, chance: Chance) -> Any:
        names, each = self.kinds[chance(len(self.kinds))]
        return {names.sample(chance): each.sample(chance)}

    def schema(self) -> Schema:
        return self._schema_with({names.schema()["pattern"]: each.schema() for names, each in self.kinds})

    def shape(self) -> Schema:
        return self._schema_with({names.schema()["pattern"]: each.shape() for names, each in self.kinds})

    def _schema_with(self, patterns: Schema) -> Schema:
        return {"type": "object", "patternProperties": patterns, "additionalProperties": False}
