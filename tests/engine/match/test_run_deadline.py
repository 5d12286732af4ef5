"""At a deadline: players without a valid sheet get the rules' default, and the phase closes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from adjudicator.contract.cases import Case, position
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.library import registry
from adjudicator.engine.match.run import run
from tests.engine.match_folders import at_position, send

pytestmark = pytest.mark.usefixtures("nobody_reads")

GIVEN = {
    "mover": "rome",
    "pieces": {
        "rome-infantry-1": {"state": "rome", "kind": "infantry", "at": "salona"},
        "constantinople-infantry-1": {"state": "constantinople", "kind": "infantry", "at": "salona"},
        "constantinople-ship-1": {"state": "constantinople", "kind": "ship", "at": "constantinopolis"},
        "alexandria-ship-1": {"state": "alexandria", "kind": "ship", "at": "alexandria"},
        "carthage-ship-1": {"state": "carthage", "kind": "ship", "at": "carthago"},
    },
    "fights": [
        {
            "city": "salona",
            "attacker": "rome-infantry-1",
            "defender": "constantinople-infantry-1",
            "came_from": "aquileia",
        }
    ],
}
GOOD = "orders: [{fight: salona, cards: [hearts-8, hearts-4]}]"


@pytest.fixture
def fight(tmp_path: Path) -> Path:
    """A match in which two players choose cards."""
    players = ("rome", "constantinople", "alexandria", "carthage")
    plain: dict[str, Any] = {
        "case": "fight",
        "phase": "fight",
        "players": players,
        "given": GIVEN,
        "expect": {},
    }
    rulebook = registry.rulebook("rome-carthage")
    return at_position(tmp_path / "zama", position(rulebook, msgspec.convert(plain, Case), ("pieces",)))


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "orders: [",
        "orders: [{fight: roma, cards: [diamonds-8, diamonds-4]}]",
        "orders: [{fight: salona, cards: [hearts-10, diamonds-4]}]",
        "orders: [{fihgt: salona}]",
        "ready: false\norders: [{fight: salona}]",
    ],
)
def test_a_sheet_that_is_no_good_counts_as_none_at_the_deadline(fight: Path, bad: str) -> None:
    send(fight, "rome", GOOD)
    if bad:
        send(fight, "constantinople", bad)
    ran = run(fight, deadline=True)
    assert ran.adjudicated[0] == "0001-t1-fight"
    assert ran.open.endswith("-turn")
    assert "constantinople-infantry-1" not in Folder(fight).state(2).pieces
    assert [each for each in verify(fight).problems if not each.text.endswith("edited by hand")] == []


def test_before_it_the_phase_waits_for_a_better_one(fight: Path) -> None:
    send(fight, "rome", GOOD)
    send(fight, "constantinople", "orders: [{fight: salona, cards: [hearts-10, diamonds-4]}]")
    ran = run(fight)
    assert (ran.open, ran.missing) == ("0002-t1-fight", ("constantinople",))
    assert run(fight, deadline=True).open.endswith("-turn")
