"""The contract, for every rulebook of ours: one test a promise, the same code for all."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from adjudicator.contract import cases, legality, matches, rules, secrets
from adjudicator.engine.play.chance import SeededChance
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.simulation import Step
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets import registry
from adjudicator.engine.table.dice import Sealed, seed_from
from adjudicator.engine.table.rulebook import Rulebook

CASES = Path(__file__).parent.parent / "cases"
REPLACED = {"mediterranee": ("galleys",), "rome-carthage": ("pieces",)}
BOOKS = [registry.rulebook(name) for name in registry.OWN]
TABLES = [(book, table[0]) for book in BOOKS for table in book.tables.values()]
CASE_FILES = [(book, path) for book in BOOKS for path in sorted((CASES / book.key).glob("*.yaml"))]


def named(value: object) -> str:
    return value.key if isinstance(value, Rulebook) else getattr(value, "stem", None) or "-".join(value)  # type: ignore


@pytest.mark.parametrize("book", BOOKS, ids=named)
def test_every_rule_is_enforced_and_has_cases(book: Rulebook[Any]) -> None:
    assert list(rules.broken(book, CASES / book.key)) == []


@pytest.mark.parametrize(("book", "path"), CASE_FILES, ids=named)
def test_cases(book: Rulebook[Any], path: Path) -> None:
    found = [
        f"{case.case}: {failure}"
        for case in cases.cases_in(path)
        for failure in cases.failures(book, case, REPLACED[book.key])
    ]
    assert found == []


@pytest.mark.parametrize(("book", "players"), TABLES, ids=named)
@pytest.mark.parametrize("seed", range(7))
def test_random_matches_end_and_every_position_can_be(
    book: Rulebook[Any], players: tuple[str, ...], seed: int
) -> None:
    found = matches.unsound(book, players, f"contract {seed}", sensible=seed % (len(players) + 1))
    assert list(found) == []


@pytest.mark.parametrize(("book", "players"), TABLES, ids=named)
def test_positions_read_back_as_they_were_written(book: Rulebook[Any], players: tuple[str, ...]) -> None:
    for step in matches.steps(book, players, "files", sensible=len(players)):
        assert list(matches.changed_by_files(book, step)) == []


@pytest.mark.parametrize(("book", "players"), TABLES, ids=named)
def test_the_order_of_sheets_changes_nothing(book: Rulebook[Any], players: tuple[str, ...]) -> None:
    for step in matches.steps(book, players, "order", sensible=1):
        dice = Sealed(seed_from("order"), "order", step.before.phase.number)
        assert list(matches.ordered_by_sheets(book, step, dice)) == []


@pytest.mark.parametrize(("book", "players"), TABLES, ids=named)
def test_listed_if_and_only_if_accepted_whatever_is_hidden(
    book: Rulebook[Any], players: tuple[str, ...]
) -> None:
    chance = SeededChance("legality")
    for step in matches.steps(book, players, "legality", sensible=len(players) - 1):
        for player in step.before.phase.due:
            assert list(legality.disagreements(book, step.before, player, chance)) == []


@pytest.mark.parametrize(("book", "players"), TABLES, ids=named)
def test_no_schema_marks_an_accepted_order(book: Rulebook[Any], players: tuple[str, ...]) -> None:
    for step in islice(matches.steps(book, players, "schemas", sensible=len(players)), 0, None, 5):
        phase = book.phase(step.before.phase.name)
        for player in step.before.phase.due:
            orders = [order.fields for order in step.sheets[player].orders or ()]
            assert list(legality.marked(book, phase, step.before, player, orders)) == []


def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "position_for", lambda rulebook, state, who: state)
    book, players = TABLES[0]
    step = next(islice(matches.steps(book, players, "secrets", sensible=len(players)), 3, None))
    assert list(secrets.leaks(book, step, None)) != []


@pytest.mark.parametrize(("book", "players"), TABLES, ids=named)
def test_nothing_a_player_gets_tells_what_is_hidden(book: Rulebook[Any], players: tuple[str, ...]) -> None:
    found = [
        leak
        for at, step in enumerate(matches.steps(book, players, "secrets", sensible=len(players) // 2))
        if at % 5 == 0 or at % 7 == 0
        for who in (*players, None)
        for leak in secrets.leaks(book, step, who, pages=at % 7 == 0)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("mediterranee", ["BidShown", "Scored"]),
        ("rome-carthage", ["MarchPaid", "Shown", "WentOut"]),
    ],
)
def test_events_that_make_a_secret_public_are_listed(game: str, names: list[str]) -> None:
    assert sorted(event.__name__ for event in registry.rulebook(game).reveals) == names


def test_cards_laid_ready_for_a_march_are_nobody_elses_business_while_a_fight_waits() -> None:
    book = registry.rulebook("rome-carthage")
    case = cases.Case(
        case="a march not taken, and a fight that waits",
        phase="turn",
        players=("rome", "constantinople", "alexandria", "carthage"),
        options={"first": "rome"},
        given={
            "pieces": {
                "rome-elephant": {"state": "rome", "kind": "elephant", "at": "aquileia"},
                "constantinople-elephant": {"state": "constantinople", "kind": "elephant", "at": "salona"},
                "alexandria-elephant": {"state": "alexandria", "kind": "elephant", "at": "petra"},
                "carthage-elephant": {"state": "carthage", "kind": "elephant", "at": "cirta"},
            }
        },
        sheets={"rome": "orders:\n  - march: [hearts-4]\n  - move: rome-elephant\n    via: [salona]\n"},
        expect={},
    )
    outcome, _ = cases.play(book, case, ("pieces",))
    state = outcome.state
    assert state.phase.name == "fight" and state.march and state.mover == "rome"
    for who in (None, "constantinople", "alexandria", "carthage"):
        text = write_position(position_for(book, state, who))
        assert "hearts-4" not in text and "march:\n" not in text
        assert list(secrets.leaks(book, Step(state, {}, outcome), who)) == []
