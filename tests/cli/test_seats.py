"""`games` and `new --help`: who can play each game, for each number of players."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from adjudicator.engine.library import registry
from adjudicator.engine.library.registry import seats
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


@pytest.mark.parametrize("game", registry.OWN)
def test_whoever_begins_with_what_cannot_be_reads_what_can(game: str, tmp_path: Path) -> None:
    """The players for each number of them, the options, and the values of each option."""
    rulebook = registry.rulebook(game)
    table = next(iter(rulebook.tables.values()))[0]

    def said(players: Iterable[str], *words: str) -> str:
        named = [word for player in players for word in ("--player", player)]
        told = adjudicator("new", game, tmp_path / "m", *named, *words)
        assert told.exit_code in {1, 2} and not list(tmp_path.iterdir())
        return " ".join(told.output.split())

    for players in ((), table[:1], ("nobody",), (*table, "nobody"), (*table, table[0])):
        assert all(f"{number}: {named}" in said(players) for number, named in seats(rulebook))
    names = [field.encode_name for field in msgspec.structs.fields(rulebook.Options)]
    assert f"there are {', '.join(names)}" in said(table, "--option", "nothing=1")
    for name in names:
        told = said(table, "--option", f"{name}=there is no such value")
        assert "needed: " in told or "possible: " in told
    assert "is there twice" in said(table, "--option", f"{names[0]}=1", "--option", f"{names[0]}=1")
    assert "write venice=" in said(table, "--option", "venice")


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
