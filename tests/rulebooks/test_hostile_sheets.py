"""Promise 10, for every rulebook of ours: hostile sheets end in problems and refusals, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.contract import hostile
from adjudicator.engine.sheets import registry
from adjudicator.engine.table.rulebook import Rulebook

BOOKS = [registry.rulebook(name) for name in registry.OWN]
TABLES = [(book, table[0]) for book in BOOKS for table in book.tables.values()]


def named(value: object) -> str:
    return value.key if isinstance(value, Rulebook) else "-".join(value)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(("book", "players"), TABLES, ids=named)
def test_hostile_sheets_end_in_problems_and_refusals(book: Rulebook[Any], players: tuple[str, ...]) -> None:
    assert list(hostile.attacked(book, players, "hostile", times=4, sensible=len(players) - 1)) == []
