"""The published schemas: one file of sheets for each game, which finds the same faults as the form's own schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema.validators import Draft7Validator

from adjudicator.contract.cases import cases_in
from adjudicator.engine.library import registry
from adjudicator.engine.sheets import published
from adjudicator.engine.sheets.flaws import flaws_of
from adjudicator.engine.sheets.form_schema import sheet_schema
from adjudicator.engine.sheets.published import ORDERS, committed_schema, committed_sheet, json_of
from adjudicator.engine.sheets.reading import Expected
from adjudicator.engine.sheets.schema import players
from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.event import Head
from adjudicator.engine.table.reason import Flaw
from adjudicator.engine.table.rulebook import Phase
from adjudicator.engine.text.resources import folder
from adjudicator.engine.text.source import Source, read

CASES = Path(__file__).parents[2] / "cases"


def sheets(game: str) -> Iterator[tuple[str, Source]]:
    """The sheets of the cases, each with its phase."""
    for file in sorted((CASES / game).glob("*.yaml")):
        for case in cases_in(file):
            for player, text in case.sheets.items():
                source = read(f"{text}\nplayer: {player}\n".encode(), "sheet")
                if isinstance(source, Source) and isinstance(source.plain, dict):
                    yield case.phase, source


def spoilt(
    plain: dict[str, Any], phases: list[str], known: set[frozenset[str]], every: bool
) -> Iterator[dict[str, Any]]:
    """The sheet, and the sheet with each kind of order not yet known spoilt in many ways: in its place, for a later
    phase, which is another for each, and as a standing instruction; if not every one is wanted, in one of the three."""
    yield plain
    orders = plain.get("orders")
    for order in orders if isinstance(orders, list) else ():
        if not isinstance(order, dict) or frozenset(order) in known:
            continue
        known.add(frozenset(order))
        verb = next(iter(order), "")
        wrong: list[Any] = [5, {}, {f"{verb}s": 1, "else": 5}, {**order, "what": 1}]
        wrong += [
            {**order, field: value} for field in order for value in ("nobody", 7, [], {"x": None}, None)
        ]
        wrong += [{name: value for name, value in order.items() if name != field} for field in order]
        wrong += [{**order, "else": value} for value in ({}, [5], [{"what": 1}], [{**order, verb: 7}])]
        ways: list[dict[str, Any]] = [
            {"orders": wrong},
            {"orders": order, "later": {phases[len(known) % len(phases)]: {"orders": wrong}}},
            {"orders": None, "later": {name: {} for name in phases}, "standing": order},
        ]
        yield from ({**plain, **way} for way in (ways if every else [ways[len(known) % 3]]))


def kinds(phase: str, plain: dict[str, Any]) -> set[tuple[str, frozenset[str]]]:
    """Which orders a sheet of a phase holds, by their fields; and which keys the sheet."""
    orders = plain.get("orders")
    found = [order for order in orders if isinstance(order, dict)] if isinstance(orders, list) else []
    return {(phase, frozenset(each)) for each in (plain, *found)}


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", registry.OWN)
def test_the_published_schema_finds_the_faults_that_a_forms_schema_finds(game: str, every: bool) -> None:
    """Every sheet of the cases in `soak`; else those that hold what none before them held."""
    rulebook = registry.rulebook(game)
    phases = [phase.name for phase in rulebook.phases if phase.verbs]
    whole = {name: sheet_schema(rulebook, rulebook.phase(name)) for name in phases}
    known: set[frozenset[str]] = set()
    seen: set[tuple[str, frozenset[str]]] = set()

    asked = Expected(rulebook, "", Head(1, phases[0], 1), tuple(players(rulebook)))

    def found(plain: dict[str, Any], schema: Schema) -> list[Flaw]:
        return sorted(flaws_of(plain, schema, asked), key=lambda flaw: [str(step) for step in flaw.path])

    for phase, source in sheets(game):
        if not every and kinds(phase, source.plain) <= seen:
            continue
        seen |= kinds(phase, source.plain)
        for plain in spoilt(source.plain, phases, known, every):
            assert found(plain, committed_sheet(game, phase)) == found(plain, whole[phase]), plain
    assert known


@pytest.mark.parametrize("game", registry.OWN)
def test_as_a_whole_it_is_the_schema_of_the_phase_that_a_sheet_names(game: str) -> None:
    rulebook = registry.rulebook(game)
    validator = Draft7Validator(committed_schema(game, ORDERS))

    def faults(phase: Phase[Any], named: str) -> bool:
        player = rulebook.tables[min(rulebook.tables)][0][0]
        return not validator.is_valid({"player": player, "phase": named, "orders": [{"nothing": 1}]})

    for phase in rulebook.phases:
        if phase.verbs:
            assert faults(phase, phase.name) and faults(phase, f"0007-t2-{phase.name}")
            assert not faults(phase, f"another-{phase.name}")


def test_each_verb_stands_there_once_for_each_of_its_kinds() -> None:
    names = {game: list(committed_schema(game, ORDERS)["definitions"]) for game in registry.OWN}
    assert [name for name in names["mediterranee"] if name.startswith("verb-sell")] == [
        "verb-sell-market",
        "verb-sell-sale",
    ]
    assert [name for name in names["rome-carthage"] if name.startswith("verb-move")] == ["verb-move"]


def test_a_schema_is_written_as_json() -> None:
    schema = {"type": "array", "enum": [f"name {number}, and so on" for number in range(40)], "items": [{}]}
    schema["properties"] = {"p" * 100: {"q" * 30: []}}
    assert json.loads(json_of(schema)) == schema
    assert max(map(len, json_of(schema).splitlines())) <= 160


def test_the_check_names_what_is_out_of_date_and_what_no_rulebook_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    top = tmp_path / "schemas"
    for module in (published, registry):  # texts are read, and kept, as ever
        monkeypatch.setattr(module, "folder", lambda kind: top if kind == "schemas" else folder(kind))
    assert published.main(check=False) == 0 and published.main(check=True) == 0
    strange, stale = top / "mediterranee" / "market.json", top / "match.json"
    strange.write_bytes(b"\xff")
    stale.write_text("{}")
    capsys.readouterr()
    assert published.main(check=True) == 1
    said = capsys.readouterr().out.splitlines()
    assert said == ["out of date: schemas/match.json", "of no rulebook: schemas/mediterranee/market.json"]
    assert published.main(check=False) == 0 and published.main(check=True) == 0
    assert not strange.exists()
