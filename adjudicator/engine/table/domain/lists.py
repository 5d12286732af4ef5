"""Lists: several values of one kind, and ways from neighbour to neighbour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from adjudicator.engine.table.domain.base import Chance, Domain, Limit, Schema, Unlisted
from adjudicator.engine.table.domain.names import OneOf
from adjudicator.engine.table.reason import Reason, Refused, unfit

T = TypeVar("T")


class Many(Unlisted[tuple[T, ...]], frozen=True):
    """A list of values of one domain, `least` to `most` of them; `distinct`: none twice; `limits`: how often a value
    may come.

    `over` is why there can't be more, `under` why there can't be fewer, each with its rule; by default the pick's own
    rule is cited. `firm`: the number doesn't depend on earlier orders, so a form's schema admits no other number.
    """

    each: Domain[T]
    least: int = 0
    most: int = 32
    distinct: bool = False
    over: Reason | None = None
    under: Reason | None = None
    limits: Mapping[Any, Limit] = {}
    firm: bool = False

    @property
    def spare(self) -> bool:
        return self.each.spare

    def takes(self, plain: Any) -> bool:
        return type(plain) is list

    def items(self, plain: Any) -> list[Any]:
        """The values as written in a list that is neither too long nor too short. Raises Refused."""
        if type(plain) is not list:
            raise unfit("not-a-list", value=plain)
        count = len(plain)
        if count > self.most:
            why = self.over or Reason("", "too-long")
            raise unfit(why.key, (self.most,), why.rule, most=self.most, **why.facts)
        if count < self.least:
            if self.under is None:
                raise unfit("too-short", least=self.least)
            facts = {"least": self.least, "missing": self.least - count, **self.under.facts}
            raise Refused(Reason(self.under.rule, self.under.key, facts))
        return plain

    def read(self, plain: Any) -> tuple[T, ...]:
        right = type(plain) is list and self.least <= len(plain) <= self.most
        items = plain if right else self.items(plain)
        if not (self.distinct or self.limits):
            return self.each.read_each(items)
        found: tuple[T, ...] = ()
        read, distinct, limits = self.each.read, self.distinct, self.limits
        for index, item in enumerate(items):
            try:
                value = read(item)
            except Refused as refused:
                raise self._without_repeated(refused, plain).within(index) from None
            if distinct and value in found:
                raise unfit("twice", path=(index,), value=item)
            found += (value,)
            limit = limits.get(value) if limits else None
            if limit is not None and found.count(value) > limit.most:
                facts = {"value": item, "most": limit.most, **limit.facts}
                raise unfit(limit.key, path=(index,), rule=limit.rule, **facts)
        return found

    def _without_repeated(self, refused: Refused, plain: Sequence[Any]) -> Refused:
        """The refusal of an entry, which offers nothing that the list holds and can't hold again."""
        facts = refused.reason.facts
        possible = facts.get("possible")
        if not isinstance(possible, list):
            return refused
        left = [each for each in possible if plain.count(each) < self._limit_of(each)]
        reason = Reason(refused.reason.rule, refused.reason.key, {**facts, "possible": left})
        return Refused(reason, refused.path, key=refused.key)

    def _limit_of(self, value: Any) -> int:
        """How often a value may stand in the list."""
        if self.distinct:
            return 1
        return self.limits[value].most if value in self.limits else self.most

    def sample(self, chance: Chance) -> Any:
        found: list[Any] = []
        left = list(self.each.values()) if (self.distinct or self.limits) and self.each.listed else None
        for _ in range(self.least + chance(min(self.most, self.least + 3) - self.least + 1)):
            if left is None:
                item = self.each.sample(chance)
            elif left:
                item = left[chance(len(left))]
                limit = self.limits.get(item)
                if self.distinct or (limit is not None and found.count(item) + 1 >= limit.most):
                    left.remove(item)
            else:
                break
            if not (self.distinct and item in found):
                found.append(item)
        if len(found) < self.least:
            raise unfit("none-possible")
        return found

    def schema(self) -> Schema:
        return self._schema_with(self.each.schema() if self._is_long_enough() else {"enum": []})

    def _is_long_enough(self) -> bool:
        """Are there enough values for the shortest list?"""
        if not (self.distinct or self.limits) or not self.each.listed:
            return True
        return sum(min(self._limit_of(each), self.least) for each in self.each.values()) >= self.least

    def shape(self) -> Schema:
        return self._schema_with(self.each.shape())

    def _schema_with(self, items: Schema) -> Schema:
        bounds: Schema = {"minItems": self.least} if self.least else {}
        return {"type": "array", "items": items, "maxItems": self.most, **bounds}


class Steps(Many[Any], frozen=True):
    """A list of orders that are the steps of one: each is read when its turn comes, and refused alone (`t.step`)."""

    def read(self, plain: Any) -> tuple[Any, ...]:
        return tuple(self.items(plain))


class Walk(Domain[tuple[str, ...]], frozen=True):
    """A way from neighbour to neighbour: the places entered, one after another, at most `most`.

    `loose`: it admits every list of places but offers only such ways; whether a way is possible turns out later.
    """

    start: str
    borders: Mapping[str, Sequence[str]]
    most: int
    loose: bool = False

    @property
    def listed(self) -> bool:
        return self.most <= 3 and not self.loose

    @property
    def spare(self) -> bool:
        return self.loose

    def takes(self, plain: Any) -> bool:
        return type(plain) is list

    def read(self, plain: Any) -> tuple[str, ...]:
        if type(plain) is not list:
            raise unfit("not-a-list", value=plain)
        if not plain:
            raise unfit("too-short", least=1)
        if self.loose:
            return Many(OneOf(tuple(self.borders))).read(plain)
        here = self.start
        for index, there in enumerate(plain):
            if index == self.most:
                raise unfit("too-far", path=(index,), value=there, most=self.most)
            if there not in self.borders[here]:
                beside = list(self.borders[here])
                raise unfit("not-adjacent", path=(index,), value=there, here=here, possible=beside)
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
        if self.most < 1:
            raise unfit("none-possible")
        for _ in range(1 + chance(self.most)):
            beside = self.borders[here]
            here = beside[chance(len(beside))]
            way.append(here)
        return way

    def rings(self) -> list[list[str]]:
        """The places that ways from the start reach, by number of steps; none twice, no ring empty."""
        known, rim = {self.start}, [self.start]
        found: list[list[str]] = []
        while len(found) < self.most and (
            rim := sorted({there for here in rim for there in self.borders[here]} - known)
        ):
            known.update(rim)
            found.append(rim)
        return found

    def reach(self) -> list[str]:
        """Every place that a way from the start reaches, nearest first."""
        return [place for ring in self.rings() for place in ring]

    def schema(self) -> Schema:
        return {"type": "array", "items": {"enum": self.reach()}, "minItems": 1, "maxItems": self.most}

    def shape(self) -> Schema:
        return {"type": "array", "items": OneOf(tuple(self.borders)).shape(), "minItems": 1}
