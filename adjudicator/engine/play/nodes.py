"""The table of nodes by which a page offers choices; equal nodes are stored once, and two trees can become one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from adjudicator.engine.table.domain import Schema

END, OPEN, LEANS = 0, 1, -1
"""No nodes of the table: the order is complete; what comes next depends on more than was tried; the order is complete
if those above it prepare it.
"""
BOUNDS = {"minimum": min, "maximum": max, "minItems": min, "maxItems": max}
"""The bounds of a schema, and which of two admits more."""


class Nodes(Struct):
    """The table of nodes, each once, the maps of ways, and by verb and field the rules of the picks."""

    nodes: list[Schema] = field(default_factory=lambda: [{}, {}])
    borders: list[Mapping[str, Sequence[str]]] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    rules: dict[str, dict[str, str]] = field(default_factory=dict)

    def length(self) -> int:
        """The length of the table, in characters."""
        return sum(len(key) for key in self.known)

    def cut(self, length: int) -> None:
        """Cuts the table back to its first nodes."""
        del self.nodes[length:]
        self.known = {key: number for key, number in self.known.items() if number < length}

    def number(self, node: Schema) -> int:
        """The number of a node, which is added to the table if it is new."""
        key = repr(node)
        if key not in self.known:
            self.known[key] = len(self.nodes)
            self.nodes.append(node)
        return self.known[key]

    def number_of_borders(self, borders: Mapping[str, Sequence[str]]) -> int:
        """The number under which a map of neighbours is stored."""
        if borders not in self.borders:
            self.borders.append(borders)
        return self.borders.index(borders)

    def either(self, one: int, other: int) -> int:
        """The node of what can be chosen at one node or at the other. It may admit a little more than both."""
        if one == other or OPEN in (one, other):
            return one if one == other else OPEN
        ends = [node for node in (one, other) if node in (END, LEANS)]
        if len(ends) == 2:
            return END
        if ends:
            node = self.nodes[max(one, other)]
            skip = self.either(node["skip"], ends[0]) if "skip" in node else ends[0]
            return self.number({**node, "skip": skip})
        return self._either_of(self.nodes[one], self.nodes[other])

    def _either_of(self, one: Schema, other: Schema) -> int:
        if (
            one["field"] != other["field"]
            or any(one.get(key) != other.get(key) for key in ("from", "borders"))
            or ("values" in one) != ("values" in other)
        ):
            return OPEN
        skips = [node["skip"] for node in (one, other) if "skip" in node]
        found = {"field": one["field"], **self._choice_of(one, other)}
        return self.number({**found, **({"skip": self._all(skips)} if skips else {})})

    def _choice_of(self, one: Schema, other: Schema) -> Schema:
        """What can be chosen, and what comes then."""
        if "values" in one:
            after = [
                dict(zip(node["values"], listed(node["then"], node["values"]), strict=True))
                for node in (one, other)
            ]
            values = list(dict.fromkeys([*one["values"], *other["values"]]))
            then = [self._all([each[value] for each in after if value in each]) for value in values]
            return {"values": values, "then": then[0] if len({*then}) == 1 else then}
        same = one["schema"] == other["schema"]
        end = self.either(one["then"], other["then"])
        whole: Schema = {"schema": wider(one["schema"], other["schema"]), "then": end}
        if not same or ("loose" in one and "loose" in other):
            whole["loose"] = True
        if "spare" in one or "spare" in other:
            whole["spare"] = True
        if "always" in one and one["always"] == other.get("always"):
            whole["always"] = one["always"]
        return whole if "from" not in one else {**whole, **either_way(one, other, end)}

    def _all(self, numbers: Sequence[int]) -> int:
        first, *rest = numbers
        for each in rest:
            first = self.either(first, each)
        return first


def either_way(one: Schema, other: Schema, then: int) -> Schema:
    """What two nodes say of ways on one map together."""
    found: Schema = {"from": one["from"], "borders": one["borders"]}
    both = [node for node in (one, other) if "ways" in node]
    longest = [node["longest"] for node in (one, other) if "longest" in node]
    if longest:
        found["longest"] = min(longest)
    if len(both) == 2:
        ways = [*one["ways"], *(way for way in other["ways"] if way not in one["ways"])]
        found["ways"] = [way for way in ways if len(way) <= found["longest"]]
    if then == LEANS:
        every = [way for node in (one, other) for way in node["leans"]]
        found["plain"] = max(one["plain"], other["plain"])
        found["leans"] = [way for way in every if _leans(one, way) and _leans(other, way)]
    return found


def _leans(node: Schema, way: Sequence[str]) -> bool:
    """Does a way need an earlier order?"""
    return len(way) > node["plain"] or way in node["leans"]


def listed(then: Any, values: Sequence[Any]) -> Sequence[int]:
    """The node after each of the values."""
    return then if isinstance(then, list) else [then] * len(values)


def wider(one: Schema, other: Schema) -> Schema:
    """A schema of all that one schema or the other admits, and perhaps of a little more."""
    found = {**other, **one}
    for key in found:
        if key not in one or key not in other or one[key] == other[key]:
            continue
        if key in BOUNDS:
            found[key] = BOUNDS[key](one[key], other[key])
        elif key == "enum":
            found[key] = list(dict.fromkeys([*one[key], *other[key]]))
        elif key == "items":
            found[key] = wider(one[key], other[key])
        elif key == "properties":
            parts = {**other[key], **one[key]}
            both = one[key].keys() & other[key].keys()
            found[key] = {
                name: wider(one[key][name], other[key][name]) if name in both else parts[name]
                for name in parts
            }
        elif key == "required":
            found[key] = [name for name in one[key] if name in other[key]]
    return {
        key: value
        for key, value in found.items()
        if key not in (*BOUNDS, "enum", "required") or (key in one and key in other)
    }
