"""A draft doesn't count as sent: its orders for later phases wait at a stop, and a real sheet removes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.run import run
from adjudicator.engine.table.event import OrderRefused
from tests.engine.match_folders import begun, send

pytestmark = pytest.mark.usefixtures("nobody_reads")

MOVEMENT = "0004-t1-movement"
WHERE = (f"{MOVEMENT}/for/venice/report.md", f"{MOVEMENT}/for/venice/sheet.yaml")
MOVE = "[{move: venice-1, via: [ragusa, corfu]}]"
LANDING = "landing: {orders: [{land: 9, from: venice-1}]}"
DRAFT = "orders: [{place: 4, to: venice-1}]\nready: false\nlater: {%s}"
BUY = "market: {orders: [{buy: wine, at: venezia, to: venice-1}]}"


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    """A match with the game's own stops, at its set-up."""
    return begun(tmp_path / "pond", stops="auction,movement")


def tried(pond: Path, phase: str) -> bool:
    """Did an order of Venice's for the phase reach the referee? So many aren't aboard: it is refused."""
    match = Folder(pond)
    numbers = [number for number in range(match.last) if match.head(number).name == phase]
    return any(isinstance(event, OrderRefused) for number in numbers for event in match.events(number))


@pytest.mark.parametrize(
    ("ready", "counts"),
    [
        (f"orders: {MOVE}", False),
        (f"orders: {MOVE}\nlater: {{{LANDING}}}", True),
        (
            f"orders: {MOVE}\nready: false",
            True,
        ),  # closed by a deadline, both drafts are carried out as they are
        ("standing: {leave: []}", True),
        ("", True),
    ],
)
def test_a_draft_is_gone_once_a_sheet_comes(pond: Path, ready: str, counts: bool) -> None:
    send(pond, "venice", DRAFT % f"{BUY}, movement: {{orders: {MOVE}}}, {LANDING}")
    send(pond, "genoa")
    assert run(pond).missing == ("venice",)
    assert run(pond, deadline=True).open == MOVEMENT
    assert Folder(pond).state(4).galleys["venice-1"].cargo == ("wine",), "the draft was carried out as it was"
    send(pond, "genoa")
    assert run(pond).missing == ("venice",)
    if ready:
        send(pond, "venice", ready)
    if run(pond).missing:
        run(pond, deadline=True)
    assert tried(pond, "landing") == counts
    assert verify(pond).good


def test_an_older_sheet_counts_again_where_a_draft_is_gone(tmp_path: Path) -> None:
    pond = begun(tmp_path / "pond", stops="auction,movement", reopen="off")
    send(pond, "venice", f"orders: [{{place: 4, to: venice-1}}]\nlater: {{{LANDING}}}")
    send(pond, "genoa")
    assert run(pond).open == MOVEMENT
    send(pond, "venice", "orders: []\nready: false\nlater: {landing: {orders: []}}")
    send(pond, "genoa")
    assert run(pond).missing == ("venice",)
    send(pond, "venice", f"orders: {MOVE}")
    run(pond)
    assert tried(pond, "landing")


@pytest.mark.parametrize("ready", [True, False])
def test_a_draft_of_who_isnt_due_is_nothing_to_a_phase_between(tmp_path: Path, ready: bool) -> None:
    """No deadline has taken it as it was: the phase passes, as if nothing were in."""
    pond = begun(tmp_path / "pond", pacing="live", stops="auction,movement")
    move = "movement: {orders: [{move: genoa-1, via: [pisa, napoli]}]}"
    send(pond, "genoa", f"orders: [{{place: 4, to: genoa-1}}]\nlater: {{{move}}}")
    send(pond, "venice")
    run(pond)
    assert Folder(pond).state(4).phase.due == ("venice",)
    text = LANDING.replace("venice", "genoa")
    send(pond, "genoa", f"later: {{{text}}}" if ready else f"ready: false\nlater: {{{text}}}")
    send(pond, "venice")
    run(pond)
    assert tried(pond, "landing") == ready


@pytest.mark.read
def test_what_is_in_already_says_that_it_is_a_drafts(pond: Path) -> None:
    send(pond, "venice", DRAFT % f"movement: {{orders: []}}, {LANDING}")
    send(pond, "genoa")
    run(pond, deadline=True)
    for name in WHERE:
        text = (pond / name).read_text()
        assert "Movement, with your draft of 0001-t1-setup" in text
        assert "Landing, with your draft of 0001-t1-setup" in text
        assert "A draft counts if a deadline closes the phase" in text


@pytest.mark.read
def test_what_a_sheet_has_in_already_is_no_drafts(pond: Path) -> None:
    send(pond, "venice", f"orders: []\nlater: {{movement: {{orders: []}}, {LANDING}}}")
    send(pond, "genoa")
    run(pond)
    for name in WHERE:
        text = (pond / name).read_text()
        assert "Landing, with your sheet of 0001-t1-setup" in text and "draft of" not in text
        assert "A draft counts" not in text


def test_standing_orders_beside_a_draft_still_wait(pond: Path) -> None:
    """They stand in for the stop, but the rest of what the stop asks for is a draft alone."""
    standing = "standing: {phases: {movement: [], combat: [], sale: []}}"
    send(pond, "venice", f"{DRAFT % LANDING}\n{standing}")
    send(pond, "genoa")
    assert run(pond, deadline=True).open == MOVEMENT
    send(pond, "genoa")
    assert run(pond).missing == ("venice",)
