"""Orders sent ahead count once: in the first phase of their name for which their player is due, used or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from adjudicator.contract.cases import Case, position
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.library import registry
from adjudicator.engine.match.resolving import play, read_given
from adjudicator.engine.match.run import RunResult, run
from adjudicator.engine.table.event import OrderRefused
from adjudicator.engine.table.rulebook import Next, nobody, nothing
from tests.engine.match_folders import at_position, send, tree

pytestmark = pytest.mark.usefixtures("nobody_reads")

FOUR = ("rome", "constantinople", "alexandria", "carthage")
PIECES = {
    "rome-infantry-1": {"state": "rome", "kind": "infantry", "at": "aquileia"},
    "rome-infantry-2": {"state": "rome", "kind": "infantry", "at": "bononia"},
    "constantinople-infantry-1": {"state": "constantinople", "kind": "infantry", "at": "salona"},
    "constantinople-ship-1": {"state": "constantinople", "kind": "ship", "at": "constantinopolis"},
    "alexandria-ship-1": {"state": "alexandria", "kind": "ship", "at": "alexandria"},
    "carthage-ship-1": {"state": "carthage", "kind": "ship", "at": "carthago"},
}
FIGHT = {
    "city": "salona",
    "attacker": "rome-infantry-1",
    "defender": "constantinople-infantry-1",
    "came_from": "aquileia",
}
ATTACK = "orders:\n  - {move: rome-infantry-1, via: [salona]}\n"
CARDS = "later: {fight: {orders: [{fight: salona, cards: [diamonds-10, diamonds-4]}]}}"


def state_of(phase: str, given: dict[str, Any]) -> Any:
    """A position of Rome et Carthage for four, written by hand."""
    case = msgspec.convert(
        {"case": phase, "phase": phase, "players": FOUR, "given": given, "expect": {}}, Case
    )
    return position(registry.rulebook("rome-carthage"), case, ("pieces", "standing"))


@pytest.fixture
def turn() -> Any:
    """Rome's turn, with an enemy beside."""
    return state_of("turn", {"mover": "rome", "pieces": PIECES})


def sent(match: Path, **sheets: str) -> RunResult:
    """Sheets are sent for the open phase, and the match is run."""
    for player, text in sheets.items():
        send(match, player, text)
    return run(match)


def replays(match: Path) -> None:
    """All is as the files make it, but for the position that was put there by hand."""
    assert [each for each in verify(match).problems if not each.text.endswith("edited by hand")] == []


def refusals(match: Path) -> list[tuple[str, str]]:
    """Every refusal in the match: whose order, and where it stands."""
    folder = Folder(match)
    return [
        (event.player, event.where)
        for number in range(folder.last)
        for event in folder.events(number)
        if isinstance(event, OrderRefused)
    ]


def test_cards_sent_ahead_by_who_is_not_due_are_used_once(tmp_path: Path, turn: Any) -> None:
    match = at_position(tmp_path / "zama", turn)
    ran = sent(match, rome=ATTACK, constantinople=CARDS)
    assert ran.missing == ("rome",)
    assert ran.open.endswith("-fight")
    ran = sent(match, rome="orders: [{fight: salona, cards: [hearts-8, hearts-4]}]")
    assert ran.open.endswith("-turn")
    assert refusals(match) == []
    replays(match)


@pytest.mark.parametrize(
    "later",
    [
        "later: {fight: {orders: [{fight: salonna, cards: [diamonds-10, diamonds-4]}]}}",
        "later: {fight: {orders: [{fight: roma, cards: [diamonds-10, diamonds-4]}]}}",
        "later: {fight: {orders: [{fight: salona, cards: [hearts-10, hearts-4]}]}}",
        "later: {fight: {orders: [{fight: salona, cards: [diamonds-10]}]}}",
    ],
)
def test_refused_they_are_gone_and_the_fight_waits_for_mail(tmp_path: Path, turn: Any, later: str) -> None:
    match = at_position(tmp_path / "zama", turn)
    rome = f"{ATTACK}  - {{fight: salona, cards: [hearts-8, hearts-4]}}\n"
    ran = sent(match, rome=rome, constantinople=later)
    assert ran.missing == ("constantinople",)
    assert ran.open == "0003-t1-fight"
    assert len(refusals(match)) == 1
    ran = sent(match, constantinople="orders: [{fight: salona, cards: [diamonds-10, diamonds-4]}]")
    assert ran.open.endswith("-turn")
    replays(match)


def test_a_card_for_two_ties_is_spent_in_the_first(tmp_path: Path) -> None:
    state = state_of(
        "fight", {"mover": "rome", "pieces": {**PIECES, "rome-infantry-1": at("salona")}, "fights": [FIGHT]}
    )
    match = at_position(tmp_path / "zama", state)
    ran = sent(
        match,
        rome="orders: [{fight: salona, cards: [hearts-8, hearts-4]}]\n"
        "later: {tie: {orders: [{tie: salona, card: hearts-6}]}}",
        constantinople="orders: [{fight: salona, cards: [diamonds-10, diamonds-2], ties: [diamonds-6, diamonds-8]}]",
    )
    assert ran.missing == ("rome",)
    assert ran.open == "0003-t1-tie"
    replays(match)


def test_two_fights_and_cards_ahead_for_the_first(tmp_path: Path) -> None:
    pieces = {
        **PIECES,
        "rome-infantry-2": at("thessalonica"),
        "constantinople-infantry-2": {**at("dyrrachium"), "state": "constantinople"},
    }
    match = at_position(tmp_path / "zama", state_of("turn", {"mover": "rome", "pieces": pieces}))
    rome = f"""{ATTACK}  - {{move: rome-infantry-2, via: [dyrrachium]}}
  - {{fight: salona, cards: [hearts-8, hearts-4]}}
  - {{fight: dyrrachium, cards: [hearts-6, hearts-2]}}"""
    ran = sent(match, rome=rome, constantinople=CARDS)
    assert (ran.open, ran.missing) == ("0003-t1-fight", ("constantinople",))
    assert [fight.city for fight in Folder(match).state(3).fights] == ["dyrrachium"]
    assert refusals(match) == []
    replays(match)


def test_resolve_counts_them_once_too(turn: Any) -> None:
    rulebook = registry.rulebook("rome-carthage")
    sheets = {
        "rome": f"player: rome\n{ATTACK}  - {{fight: salona, cards: [hearts-8, hearts-4]}}\n".encode(),
        "constantinople": b"player: constantinople\nlater: {fight: {orders: [{fight: salonna, cards: [diamonds-10]}]}}",
    }
    played, left = play(rulebook, turn, read_given(rulebook, turn, sheets, {}).mail, [], "once")
    assert [phase.before.phase.name for phase in played] == ["turn", "fight"]
    assert played[-1].outcome.state.phase.name == "fight"
    assert left == []


def at(city: str) -> dict[str, str]:
    """A Roman infantry there."""
    return {"state": "rome", "kind": "infantry", "at": city}


def test_phases_that_go_round_are_said_and_nothing_is_written(tmp_path: Path, monkeypatch: Any) -> None:
    match = at_position(
        tmp_path / "zama", state_of("moves", {"mover": "rome", "pieces": PIECES, "rest": True})
    )
    before = tree(match)
    rome = registry.rulebook("rome-carthage")
    idle = msgspec.structs.replace(
        rome.phase("moves"), seats=nobody, course=lambda hearing: None, closes=nothing
    )
    phases = tuple(idle if phase.name == "moves" else phase for phase in rome.phases)
    again = msgspec.structs.replace(rome, phases=phases, after=lambda state: Next("moves", 1))
    monkeypatch.setattr(registry, "rulebook", lambda name: again)
    with pytest.raises(Faulty) as faulty:
        run(match, deadline=True)
    assert "without any change" in faulty.value.problems[0].text
    assert tree(match) == before
