"""Values that may also be written in other forms, which turn into a plain one when the order's turn comes.

`3` or `{most: 3}`; `genoa-1`, `{owner: genoa}` or a list in order of preference: such orders survive what others do.
The plain form is listed and suggested (`Domain.usual`); for other forms, ask whether the domain admits the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from adjudicator.engine.table.domain.base import Chance, Domain, Mapped, Schema, Unlisted, Whole
from adjudicator.engine.table.domain.mappings import Part, Record
from adjudicator.engine.table.domain.names import NAME, OneOf
from adjudicator.engine.table.reason import Refused, unfit

T = TypeVar("T")
MOST_TRIED = 12
"""The most entries in a list in order of preference."""
OTHER_FORM = "otherForm"
"""Marks another form in a schema: a page doesn't offer it by itself."""


class Forms(Unlisted[T], frozen=True):
    """A value in its plain form, or in one of some others, told apart by type: lists and mappings."""

    plain: Domain[T]
    others: tuple[Domain[Any], ...]

    @property
    def usual(self) -> Domain[Any]:
        return self.plain.usual

    @property
    def spare(self) -> bool:
        return self.plain.spare

    def takes(self, plain: Any) -> bool:
        return self.plain.takes(plain) or any(other.takes(plain) for other in self.others)

    def read(self, plain: Any) -> Any:
        if type(plain) not in NAME:
            for other in self.others:
                if other.takes(plain):
                    return other.read(plain)
        return self.plain.read(plain)

    def values(self) -> Iterator[Any]:
        return self.plain.values()

    def sample(self, chance: Chance) -> Any:
        options = (self.plain, self.plain, *self.others)
        return options[chance(len(options))].sample(chance)

    def schema(self) -> Schema:
        return self._schema_with(self.plain.schema(), [other.schema() for other in self.others])

    def shape(self) -> Schema:
        return self._schema_with(self.plain.shape(), [other.shape() for other in self.others])

    def _schema_with(self, plain: Schema, others: Sequence[Schema]) -> Schema:
        first = plain["anyOf"] if set(plain) == {"anyOf"} else [plain]
        return {"anyOf": [*first, *({**other, OTHER_FORM: True} for other in others)]}


# -- numbers -----------------------------------------------------------------------------------------------------------


class AtMost(Struct, frozen=True):
    """As many as possible up to a number, as `{most: 3}` says; `number` is how many that is now."""

    number: int


def so_many(wanted: int | AtMost) -> int:
    """The number that a value means now: itself, or as many as possible up to a number."""
    return wanted.number if isinstance(wanted, AtMost) else wanted


class OnePart(Mapped[T], frozen=True):
    """A mapping with one part, by which it is told apart from other forms."""

    @property
    def record(self) -> Record[Any]:
        """What may stand there."""
        raise NotImplementedError

    def schema(self) -> Schema:
        return self.record.schema()

    def shape(self) -> Schema:
        return self.record.shape()


class UpTo(OnePart[AtMost], frozen=True):
    """`{most: 3}`: as many as possible up to 3; refused by the first limit that doesn't admit even the least."""

    whole: Whole

    def read(self, plain: Any) -> AtMost:
        least = self.whole.least
        wanted = self.record.read(plain)["most"]
        self.whole.read(least)
        return AtMost(wanted if self.whole.most is None else min(wanted, self.whole.most))

    def sample(self, chance: Chance) -> Any:
        return {"most": self.whole.least + self.whole.step * chance(9)}

    @property
    def record(self) -> Record[Any]:
        return Record(dict, {"most": Part(Whole(self.whole.least, step=self.whole.step), needed=True)})


def up_to(whole: Whole) -> Forms[Any]:
    """A number, or `{most: 3}`."""
    return Forms(whole, (UpTo(whole),))


class Leaving(OnePart[int], frozen=True):
    """`{leave: 1}`: all `of` them except the number that stays; what goes is within the limits of `whole`."""

    whole: Whole
    of: int = 0

    def read(self, plain: Any) -> int:
        stay = self.record.read(plain)["leave"]
        if self.of - stay < self.whole.least:
            raise unfit("none-would-go", ("leave",), value=stay, of=self.of)
        return self.whole.read(self.of - stay)

    def sample(self, chance: Chance) -> Any:
        return {"leave": chance(self.of + 2)}

    @property
    def record(self) -> Record[Any]:
        return Record(dict, {"leave": Part(Whole(0), needed=True)})


# -- lists and groups --------------------------------------------------------------------------------------------------


class FirstOf(Unlisted[T], frozen=True):
    """A list in order of preference: the first that is possible now. If none is, the refusal is the first one's."""

    each: Domain[T]

    def takes(self, plain: Any) -> bool:
        return type(plain) is list and bool(plain) and self.each.takes(plain[0])

    def read(self, plain: Any) -> T:
        return self._possible(plain)[0]

    def _possible(self, plain: Any) -> list[T]:
        """The values of the list that are possible now, or only the first of them; refused if none is."""
        if len(plain) > MOST_TRIED:
            raise unfit("too-long", (MOST_TRIED,), most=MOST_TRIED)
        found: list[T] = []
        first: Refused | None = None
        for index, item in enumerate(plain):
            try:
                found.append(self.each.read(item))
            except Refused as refused:
                first = first or refused.within(index)
        if found or first is None:
            return found
        raise first

    def sample(self, chance: Chance) -> Any:
        return [self.each.sample(chance) for _ in range(1 + chance(3))]

    def schema(self) -> Schema:
        return self._schema_with(self.each.schema())

    def shape(self) -> Schema:
        return self._schema_with(self.each.shape())

    def _schema_with(self, items: Schema) -> Schema:
        return {"type": "array", "items": items, "minItems": 1, "maxItems": MOST_TRIED}


class AllOf(FirstOf[Any], frozen=True):
    """A list of which everything possible now is taken, in list order and each once; as a tuple."""

    def read(self, plain: Any) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(self._possible(plain)))


class Belonging(OnePart[T], frozen=True):
    """`{owner: genoa}`: something of a named group; `first` is, by name, the thing of that group that is taken."""

    key: str
    names: OneOf[str]
    first: Mapping[str, T]

    def read(self, plain: Any) -> T:
        name = self.record.read(plain)[self.key]
        return self.first[name]

    def sample(self, chance: Chance) -> Any:
        return {self.key: self.names.sample(chance)}

    @property
    def record(self) -> Record[Any]:
        return Record(dict, {self.key: Part(self.names, needed=True)})


class Offering(Unlisted[T], frozen=True, eq=False):
    """Whatever its type admits: the rule looks at it later, when other orders may have made it possible.

    Offered is only what is possible now, worked out when it is listed, from what never changes, such as a position.
    """

    type: Domain[T]
    now: Callable[[], Domain[Any]]

    @property
    def usual(self) -> Domain[Any]:
        return self.now()

    @property
    def spare(self) -> bool:
        return True

    def takes(self, plain: Any) -> bool:
        return self.type.takes(plain)

    def read(self, plain: Any) -> T:
        return self.type.read(plain)

    def read_each(self, items: Sequence[Any]) -> tuple[T, ...]:
        return self.type.read_each(items)

    def sample(self, chance: Chance) -> Any:
        return self.now().sample(chance)

    def schema(self) -> Schema:
        return self.now().schema()

    def shape(self) -> Schema:
        return self.type.shape()
