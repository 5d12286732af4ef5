"""`games` and `new --help`: who can play each game, for each number of players."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.cli.seats import seats
from adjudicator.engine.library import registry
from tests.cli.calling import adjudicator

ABC = ("a", "b", "c")


@pytest.mark.parametrize("command", [("games",), ("new", "--help")])
@pytest.mark.parametrize("game", registry.OWN)
def test_every_seat_is_named_for_every_number_of_players(command: tuple[str, ...], game: str) -> None:
    result = adjudicator(*command)
    said = " ".join(result.output.split())
    rulebook = registry.rulebook(game)
    assert result.exit_code == 0
    for number, tables in rulebook.tables.items():
        ((_, named),) = [each for each in seats(rulebook) if each[0] == number]
        assert f"{number}: {named}" in said or f"{number} players: {named}" in said
        assert {name for table in tables for name in table} <= set(
            named.replace(",", "").replace(";", "").split()
        )


@pytest.mark.parametrize(
    ("tables", "named"),
    [
        ({3: (ABC,)}, "a, b, c"),
        ({2: (("a", "b"), ("b", "c"))}, "a, b; or b, c"),
        ({2: tuple(combinations(ABC, 2))}, "any 2 of a, b, c"),
        ({2: (("b", "a"), ("c", "a"), ("c", "b"))}, "any 2 of b, a, c"),
    ],
)
def test_tables_in_words(tables: Any, named: str) -> None:
    rulebook = replace(registry.rulebook("mediterranee"), tables=tables)
    assert [text for _, text in seats(rulebook)] == [named]


def test_a_broken_rulebook_breaks_no_help(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        name = "chess"

        def load(self) -> None:
            raise ImportError("no board")

    monkeypatch.setattr(registry, "_foreign", lambda: [Broken()])
    result = adjudicator("new", "--help")
    assert result.exit_code == 0 and "chess" not in result.output


def test_only_the_help_looks_for_rulebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking for foreign ones costs 40 ms, which `new` itself doesn't pay."""
    looked: list[str] = []
    monkeypatch.setattr(registry, "_foreign", lambda: looked.append("once") or [])
    assert adjudicator("new", "mediterranee").exit_code == 2
    assert looked == []
    adjudicator("new", "--help")
    assert looked
