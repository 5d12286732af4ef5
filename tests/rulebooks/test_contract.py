"""The contract, for our rulebooks, by the suite that other people's call too; and what each of ours reveals."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from adjudicator.contract import cases, matches, secrets
from adjudicator.engine.bots.simulation import Step
from adjudicator.engine.library import registry
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for

CASES = Path(__file__).parent.parent / "cases"


def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "position_for", lambda rulebook, state, who: state)
    book = registry.rulebook("mediterranee")
    players = book.tables[2][0]
    step = next(islice(matches.steps(book, players, "secrets", sensible=len(players)), 3, None))
    assert list(secrets.leaks(book, step, None)) != []


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("mediterranee", ["BidShown", "Scored"]),
        ("rome-carthage", ["MarchPaid", "Shown", "WentOut"]),
        ("serenissima", ["CardDrawn", "Scored"]),
        ("oltremare", ["Played", "Scored", "Sold", "VeniceFound"]),
        (
            "triumvirat",
            [
                *("BidShown", "CardTurned", "NumberNamed", "OrderNamed", "Paid"),
                *("PutAway", "Shown", "Taken"),
            ],
        ),
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
