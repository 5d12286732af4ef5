"""Orders sent ahead: carried out in the same run, replaced by a sheet of their own phase,
told to their player alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import write_again
from adjudicator.engine.table.event import OrderRefused, Remarked
from tests.engine.match_folders import begun, remarks, report_of, send, tree

pytestmark = pytest.mark.usefixtures("nobody_reads")

AHEAD = """orders: []
later:
  auction: {orders: [{bid: 100}, {bidd: 3}]}
  market: {orders: []}
  combat: {orders: [{attack: genoa-1, with: venice-1}]}
"""


@pytest.mark.read
def test_later_sheets_go_on_in_the_same_run(lagoon: Path) -> None:
    later = "orders: []\nlater: {auction: {orders: [{bid: 100}]}, market: {orders: []}}"
    send(lagoon, "venice", later)
    send(lagoon, "genoa", "orders: []\nlater: {auction: {orders: []}}")
    ran = run(lagoon)
    assert ran.adjudicated == ("0001-t1-setup", "0002-t1-auction")
    assert (ran.open, ran.missing) == ("0003-t1-market", ("genoa",))
    folder = Folder(lagoon)
    assert folder.state(3).players["venice"].treasury.value == 1900
    assert not folder.has("0002-t1-auction/for")
    report = folder.read("0003-t1-market/for/public/report.md").decode()
    assert "Set-up" in report and "Auction" in report
    send(lagoon, "genoa", "orders: []\nlater: {auction: {orders: [{bid: 100}]}}")
    assert run(lagoon).open == "0004-t1-movement"


def test_orders_beyond_the_next_stop_are_carried_out_and_nothing_waits_there(tmp_path: Path) -> None:
    """At the auction the form asks up to the movement, the next stop; a sheet may hold the whole turn."""
    match = begun(tmp_path / "lagoon", stops="auction,movement")
    orders = "orders: []\nlater: {auction: {orders: []}, movement: {orders: [{move: PLAYER-1, via: [ZONE]}]}}"
    for player, zone in (("venice", "ragusa"), ("genoa", "pisa")):
        send(match, player, orders.replace("PLAYER", player).replace("ZONE", zone))
    ran = run(match)
    assert ran.open == "0008-t2-auction"
    assert [type(each).__name__ for each in Folder(match).events(4)].count("Entered") == 2


def test_a_sheet_of_its_own_replaces_a_later_one(lagoon: Path) -> None:
    send(lagoon, "venice", "orders: []\nlater: {auction: {orders: [{bid: 100}]}}")
    send(lagoon, "genoa")
    assert run(lagoon).missing == ("genoa",)
    send(lagoon, "venice", "orders: [{bid: 700}]")
    send(lagoon, "genoa")
    run(lagoon)
    assert Folder(lagoon).state(3).players["venice"].treasury.value == 1300


@pytest.mark.read
def test_a_broken_sheet_doesnt_fall_back_on_a_later_one_before_the_deadline(lagoon: Path) -> None:
    send(lagoon, "venice", "orders: []\nlater: {auction: {orders: [{bid: 100}]}}")
    send(lagoon, "genoa")
    run(lagoon)
    send(lagoon, "venice", "orders: [")
    send(lagoon, "genoa")
    ran = run(lagoon)
    assert ran.missing == ("venice",)
    assert ran.problems[0].file.endswith("0002-t1-auction/sheets/venice.yaml")
    run(lagoon, deadline=True)
    assert Folder(lagoon).state(3).players["venice"].treasury.value == 1900
    assert remarks(lagoon, 2) == [
        ("venice", "yaml", "sheets/venice.yaml:2:10"),
        ("venice", "ahead-instead", "0001-t1-setup/sheets/venice.yaml:3:9"),
    ]
    report = report_of(lagoon, "0003-t1-market", "venice")
    assert "counts as not sent" in report and "your orders sent ahead, shown here, were carried out" in report


def test_a_broken_sheet_over_standing_orders_is_told_of_both(lagoon: Path) -> None:
    send(lagoon, "venice", "orders: []\nstanding: {phases: {auction: [{bid: 300}]}}")
    send(lagoon, "genoa")
    run(lagoon)
    send(lagoon, "venice", "orders: [")
    run(lagoon, deadline=True)
    assert Folder(lagoon).state(3).players["venice"].treasury.value == 1700
    assert [why for who, why, _ in remarks(lagoon, 2) if who == "venice"] == ["yaml", "standing-instead"]


def test_a_draft_without_orders_keeps_back_what_was_sent_ahead(lagoon: Path) -> None:
    send(lagoon, "venice", "orders: []\nlater: {auction: {orders: [{bid: 100}]}}")
    send(lagoon, "genoa")
    run(lagoon)
    send(lagoon, "venice", "orders:\nready: false")
    send(lagoon, "genoa")
    ran = run(lagoon)
    assert (ran.missing, ran.drafts) == (("venice",), ("venice",))
    run(lagoon, deadline=True)
    assert Folder(lagoon).state(3).players["venice"].treasury.value == 1900


@pytest.mark.read
def test_places_of_orders_sent_ahead_name_the_sheet_they_stand_in(lagoon: Path) -> None:
    send(lagoon, "venice", AHEAD)
    send(lagoon, "genoa", "orders: []\nlater: {auction: {orders: []}}")
    run(lagoon)
    (refused,) = [event for event in Folder(lagoon).events(2) if isinstance(event, OrderRefused)]
    assert refused.where == "0001-t1-setup/sheets/venice.yaml:4:35"
    assert "*nothing*: bidd: 3\n  - 0001-t1-setup 4:35: " in report_of(lagoon, "0003-t1-market", "venice")
    assert "bidd" not in report_of(lagoon, "0003-t1-market", "genoa")
    assert verify(lagoon).good


@pytest.mark.read
def test_a_player_whose_orders_are_in_already_is_told_so_alone(lagoon: Path) -> None:
    send(lagoon, "venice", AHEAD)
    send(lagoon, "genoa", "orders: []\nlater: {auction: {orders: []}}")
    assert run(lagoon).open == "0003-t1-market"
    folder = "0003-t1-market"
    said = "already sent orders for this phase"
    assert f"{said}, with your sheet of 0001-t1-setup" in report_of(lagoon, folder, "venice")
    assert "**Decide: your" not in report_of(lagoon, folder, "venice")
    assert said in (lagoon / folder / "for/venice/sheet.yaml").read_text()
    for path in sorted((lagoon / folder / "for").glob("*/*")):
        assert path.parent.name == "venice" or said not in path.read_text()
    assert "**Decide: your" in report_of(lagoon, folder, "genoa")
    before = tree(lagoon)
    write_again(lagoon)
    assert tree(lagoon) == before


@pytest.mark.read
@pytest.mark.parametrize("pacing", ["batch", "live"])
def test_orders_sent_ahead_for_a_phase_with_nothing_to_decide_are_told_once(
    tmp_path: Path, pacing: str
) -> None:
    match = begun(tmp_path / "m", pacing=pacing)
    send(match, "venice", AHEAD)
    while "-t1-" in run(match).open:
        folder = Folder(match)
        for player in folder.state(folder.last).phase.due:
            if folder.last > 1 or player != "venice":
                send(match, player)
    told = [
        (name, event.place)
        for number, name in enumerate(Folder(match).phases[:-1])
        for event in Folder(match).events(number)
        if isinstance(event, Remarked) and event.reason.key == "later-not-needed"
    ]
    assert [place for _, place in told] == ["0001-t1-setup/sheets/venice.yaml:6:3"]
    assert told[0][0].endswith("-combat")
    where = [
        path
        for path in sorted(match.glob("*/for/*/report.md"))
        if "combat weren't needed" in path.read_text()
    ]
    assert [path.parent.name for path in where] == ["venice"]
    assert verify(match).good


@pytest.mark.read
def test_a_sheet_without_orders_is_told_so_when_the_deadline_has_come(lagoon: Path) -> None:
    send(lagoon, "venice", "later: {auction: {orders: [{bid: 100}]}}")
    send(lagoon, "genoa")
    assert run(lagoon).missing == ("venice",)
    run(lagoon, deadline=True)
    assert remarks(lagoon, 1) == [("venice", "no-orders", "sheets/venice.yaml:1:1")]
    assert "this sheet had no `orders`" in report_of(lagoon, Folder(lagoon).phases[-1], "venice")
    assert verify(lagoon).good
