"""`resolve`: positions written by hand, and the messages about faulty ones."""

from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.table.secret import plain_of
from tests.cli.calling import BAD, adjudicator, everything, lay_out, plain, position, put, sheet

pytestmark = pytest.mark.usefixtures("here")


def hand_written(**changes: Any) -> dict[str, Any]:
    """A position as the rules document it."""
    state = plain_of(position("market"))
    return {key: value for key, value in {**state, **changes}.items() if value is not None}


def test_a_position_by_hand() -> None:
    players = {"venice": {"treasury": 2000}, "genoa": {"treasury": 2000, "standing": {}}}
    state = hand_written(
        match=None,
        options=None,
        chain=None,
        phase={"name": "market"},
        players=players,
        built=None,
        enlisted=None,
    )
    for key in ("deals", "moved", "landed", "bids"):
        state.pop(key, None)
    result = adjudicator("resolve", put("state.yaml", state), sheet("venice"))
    assert result.exit_code == 0, result.output
    assert "No orders came from genoa." in result.output
    after = plain("resolved/state.yaml")
    assert (after["options"]["turns"], after["phase"]["due"]) == (12, ["venice", "genoa"])


def test_a_view_is_called_one_once_with_the_command_that_plays_it() -> None:
    """However much it hides: three treasuries here, each card of the deck in another game."""
    lay_out(Path("seen"), position("market", ("venice", "genoa", "spain", "turkey")))
    result = adjudicator("resolve", "seen/view.yaml")
    assert result.exit_code == 1
    assert [line.count("adjudicator try") for line in result.output.splitlines()] == [1]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rulebook": "mediteranee"}, "there is no rulebook mediteranee (did you mean mediterranee?)"),
        ({"rulebook": None}, "rulebook"),
        ({"phase": {"name": "markt", "number": 3, "turn": 1}}, "no phase markt"),
        ({"phase": {"name": "market", "number": 3, "turn": 0}}, "0 is too low"),
        ({"phase": {"name": "market", "number": 3, "turn": 1, "due": ["rome"]}}, "rome doesn't play here"),
        ({"phase": {"name": "market", "number": 3, "turn": 1, "due": ["venice", "venice"]}}, "named twice"),
        ({"phase": {"name": "market", "number": "x"}}, "SCHEMA"),
        ({"phase": None}, "say here which phase it is"),
        ({"phase": []}, "say here which phase it is"),
        (
            {"players": {"venice": {"treasury": 2000}, "rome": {"treasury": 2000}}},
            "has no such players: venice, rome",
        ),
        ({"players": {"venice": {"treasury": 2050}, "genoa": {"treasury": 0}}}, "MED-2.2"),
        ({"players": {"venice": {"treasury": "hidden"}, "genoa": {"treasury": 0}}}, "this is hidden"),
        ({"players": []}, "SCHEMA"),
        ({"order": ["venice"]}, "MED-0.9"),
        ({"ports": {}}, "MED-0.4"),
        (
            {"galleys": {"venice-1": {"owner": "venice", "zone": "venezia", "sailors": 9, "cargo": []}}},
            "MED-0.6",
        ),
        (
            {"galleys": {"venice-1": {"owner": "venice", "zone": "venice", "sailors": 1, "cargo": []}}},
            "no zone",
        ),
        ({"galleys": {"venice-1": {"owner": "venice", "zone": "venezia", "sailors": 1}}}, "SCHEMA"),
        ({"gallleys": {}}, "SCHEMA"),
        ({"options": {"turn": 8}}, "SCHEMA"),
    ],
)
def test_resolve_refuses_a_faulty_position(changes: dict[str, Any], said: str) -> None:
    state = put("state.yaml", hand_written(**changes))
    before = everything(Path())
    result = adjudicator("resolve", state, "--seed", "x")
    assert result.exit_code == 1, result.output
    assert said in result.output
    assert result.output.startswith("state.yaml:")
    assert everything(Path()) == before


@pytest.mark.parametrize(
    "name", ["unreadable", "brackets", "alias", "tag", "not UTF-8", "binary", "empty", "list"]
)
def test_a_position_that_cannot_be_read(name: str) -> None:
    result = adjudicator("resolve", put("state.yaml", BAD[name]))
    assert result.exit_code == 1
    assert result.output.startswith("state.yaml:")
