"""Who can play a game, for each number of players, in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from adjudicator.engine.table.rulebook import Rulebook


def seats(rulebook: Rulebook[Any]) -> Iterator[tuple[int, str]]:
    """Each number of players, with the possible players: `venice, genoa; or spain, turkey`, `any 2 of ...`."""
    for number, tables in sorted(rulebook.tables.items()):
        names = list(dict.fromkeys(name for table in tables for name in table))
        every = {frozenset(table) for table in combinations(names, number)}
        if len(names) > number and {frozenset(table) for table in tables} == every:
            yield number, f"any {number} of {', '.join(names)}"
        else:
            yield number, "; or ".join(", ".join(table) for table in tables)
