"""The table of nodes by which a page offers choices; equal nodes are stored once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from adjudicator.engine.table.domain import Schema


class Nodes(Struct):
    """The table of nodes, each once, and the maps of ways."""

    nodes: list[Schema] = field(default_factory=lambda: [{}, {}])
    borders: list[Mapping[str, Sequence[str]]] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)

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
