"""A match in which everybody has standing orders doesn't play itself to its end:
after a turn without any sheet it waits."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.text.source import Source, read
from tests.cli.calling import adjudicator
from tests.engine.match_folders import begun, report_of, send, send_all

MEDITERRANEE = "{auction: [], market: [], movement: [], combat: [], landing: [], sale: []}"


@pytest.fixture
def zama(tmp_path: Path) -> Path:
    """Rome and Carthage, one turn after another, both with standing orders for it from the placement on."""
    path = tmp_path / "zama"
    options = {"pages": "off", "first": "rome"}
    begin("rome-carthage", path, ("rome", "carthage"), options=options, seed_text="x", name="zama")
    for player in ("rome", "carthage"):
        send(path, player, "orders: []\nstanding: {phases: {turn: [{pass: true}]}}")
        run(path)
    return path


@pytest.mark.parametrize("stops", ["all", "auction,movement", "auction"])
def test_a_turn_of_standing_orders_alone_is_the_last_before_the_match_waits(
    tmp_path: Path, stops: str
) -> None:
    match = begun(tmp_path / "m", stops=stops)
    send_all(match, f"orders: []\nstanding: {{phases: {MEDITERRANEE}}}")
    ran = run(match)
    assert (ran.open, set(ran.missing)) == ("0008-t2-auction", {"venice", "genoa"})
    assert "Nobody has sent anything for a whole turn" in report_of(match, ran.open, "venice")
    assert (
        "Nobody has sent anything for a whole turn"
        in (match / ran.open / "for/venice/sheet.yaml").read_text()
    )
    assert run(match).adjudicated == ()
    assert verify(match).good


def test_a_deadline_is_a_turn_more_by_the_same_orders(tmp_path: Path) -> None:
    match = begun(tmp_path / "m", stops="auction,movement")
    send_all(match, f"orders: []\nstanding: {{phases: {MEDITERRANEE}}}")
    run(match)
    for turn in (2, 3, 4):
        ran = run(match, deadline=True)
        assert set(ran.missing) == {"venice", "genoa"}
        head = Folder(match).head(Folder(match).last)
        assert head.name in ("auction", "movement"), "it waits at stops alone"
        assert turn < head.turn <= turn + 1
    assert verify(match).good


def test_who_alone_has_none_is_waited_for_alone(tmp_path: Path) -> None:
    match = begun(tmp_path / "m", stops="auction")
    send(match, "venice", f"orders: []\nstanding: {{phases: {MEDITERRANEE}}}")
    send(match, "genoa")
    assert run(match).missing == ("genoa",)
    for _ in range(3):
        assert run(match, deadline=True).missing == ("genoa",)
        send(match, "genoa")
        assert run(match).missing == ("genoa",)


def test_one_who_sends_is_enough(zama: Path) -> None:
    """Turn by turn: round after round one player sends, and nobody waits for the other."""
    head = Folder(zama).state(Folder(zama).last).phase
    assert head.turn == 3
    for _ in range(4):
        send(zama, head.due[0], "orders: []\nstanding: {phases: {}}")
        assert run(zama).missing == head.due
    assert verify(zama).good


def test_turns_sent_ahead_count_as_sent(zama: Path) -> None:
    due = Folder(zama).state(Folder(zama).last).phase.due[0]
    send(zama, due, "orders: []\nlater: {turn: {orders: []}}")
    before = Folder(zama).head(Folder(zama).last).turn
    run(zama)
    assert Folder(zama).head(Folder(zama).last).turn >= before + 2
    assert verify(zama).good


def test_resolve_goes_no_further(zama: Path, tmp_path: Path) -> None:
    """Played from a position in which all have standing orders, it comes back to who was due in it."""
    folder = Folder(zama)
    state = zama / folder.phases[-1] / "state.yaml"
    done = adjudicator("resolve", state, "--seed", "x", "--out", tmp_path / "next")
    assert done.exit_code == 0, done.output
    found = read((tmp_path / "next/state.yaml").read_bytes(), "state.yaml")
    assert isinstance(found, Source)
    head = found.plain["phase"]
    assert (head["name"], head["turn"]) == ("turn", folder.head(folder.last).turn + 1)
