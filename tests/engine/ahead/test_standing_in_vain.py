"""Standing orders that have no effect: the phase opens again, and they don't apply to it again and again."""

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
from tests.engine.match_folders import at_position, report_of, send

pytestmark = pytest.mark.usefixtures("nobody_reads")

ROME = registry.rulebook("rome-carthage")
FOUR = ("rome", "constantinople", "alexandria", "carthage")
PIECES = {
    "rome-infantry-1": {"state": "rome", "kind": "infantry", "at": "aquileia"},
    "rome-ship-2": {"state": "rome", "kind": "ship", "at": "roma"},
    "constantinople-infantry-1": {"state": "constantinople", "kind": "infantry", "at": "salona"},
    "constantinople-ship-2": {"state": "constantinople", "kind": "ship", "at": "constantinopolis"},
    "alexandria-ship-1": {"state": "alexandria", "kind": "ship", "at": "alexandria"},
    "carthage-ship-1": {"state": "carthage", "kind": "ship", "at": "carthago"},
}
ATTACK = "orders: [{move: rome-infantry-1, via: [salona]}, {fight: salona, cards: [hearts-8, hearts-4]}]"


def attacked(path: Path, standing: str) -> Path:
    """A match in which Rome attacks a piece of Constantinople's, which has standing orders for fights."""
    plain = {"case": "turn", "phase": "turn", "players": FOUR, "options": {"first": "rome"}, "expect": {}}
    case = msgspec.convert({**plain, "given": {"pieces": PIECES}}, Case)
    match = at_position(path, position(ROME, case, ("pieces",)))
    send(match, "rome", ATTACK)
    send(match, "constantinople", f"standing: {{phases: {{fight: {standing}}}}}")
    return match


def replayed_alike(match: Path) -> bool:
    """Does `verify` find what the run found? The position it began with was put there by hand, which it says."""
    return [each.file.rpartition("zama/")[2] for each in verify(match).problems] == [
        "0001-t1-turn/state.yaml"
    ]


@pytest.mark.read
def test_the_match_waits_then_for_mail_and_a_deadline_closes_the_phase(tmp_path: Path) -> None:
    match = attacked(tmp_path / "zama", "[{fight: roma, cards: [diamonds-8, diamonds-4]}]")
    ran = run(match)
    assert (ran.open, ran.missing) == ("0003-t1-fight", ("constantinople",))
    assert "**Decide: your" in report_of(match, "0003-t1-fight", "constantinople")
    assert run(match, deadline=True).open == "0004-t2-turn", "as without a sheet, zeros are played"
    assert replayed_alike(match)


@pytest.mark.parametrize("standing", ["[{fight: salona, cards: [diamonds-8, diamonds-6]}]", "[]"])
def test_what_comes_of_them_or_of_the_rules_in_their_place_goes_on(tmp_path: Path, standing: str) -> None:
    match = attacked(tmp_path / "zama", standing)
    assert run(match).open == "0003-t2-turn"
    assert Folder(match).head(2).name == "fight"
    assert replayed_alike(match)


VENICE = registry.rulebook("oltremare")


SHORT = [{"order": {"play": ["gem-01"]}, "at": "sheets/contarini.yaml:1:1"}]
"""Standing orders that play one card, where three must be played."""


def sailing(path: Path, standing: list[dict[str, Any]], sheet: str = "") -> Path:
    """A match of Oltre Mare in the voyage, with standing orders for it, or a sheet, of the player whose turn it is."""
    given = {"players": {"contarini": {"standing": {"phases": {"voyage": standing} if standing else {}}}}}
    case = msgspec.convert({"case": "voyage", "phase": "voyage", "given": given, "expect": {}}, Case)
    match = at_position(path, position(VENICE, case, ("markers", "offers")))
    if sheet:
        send(match, "contarini", sheet)
    return match


@pytest.mark.parametrize(("standing", "sheet"), [([], "orders: [{play: [gem-01]}]"), (SHORT, "")])
def test_cards_that_must_be_played_are_asked_for_again_but_not_at_a_deadline(
    tmp_path: Path, standing: list[dict[str, Any]], sheet: str
) -> None:
    """OLT-3.1: a `play` that is refused opens the voyage once more; at a deadline the rule plays."""
    match = sailing(tmp_path / "again", standing, sheet)
    ran = run(match)
    assert (ran.open, ran.missing) == ("0002-t1-voyage", ("contarini",))
    assert not Folder(match).state(1).in_play
    send(match, "contarini", "orders: [{play: [gem-01, gem-02, gem-05]}]")
    assert run(match).open == "0003-t1-cargo"
    late = sailing(tmp_path / "late", standing, sheet)
    assert run(late, deadline=True).open == "0002-t1-commerce"
