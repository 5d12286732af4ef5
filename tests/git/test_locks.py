"""Locked sheets: nobody reads them before their phase closes; if the network ends, none is lost, and none changed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.beacon import quicknet, timelock
from adjudicator.engine.beacon.relays import Unreachable
from adjudicator.git.join import KEPT, send_without_lock
from adjudicator.git.sealed import Label, NotReadable, seal, unseal
from adjudicator.git.turn import JobResult, turn
from tests.drand import ROUNDS
from tests.git import clubs
from tests.git.clubs import Club, joined
from tests.git.pushing import push_box

ROUND = 657413
"""It comes out at 11:00:03, three seconds after the phase closes."""
BEGUN = datetime(2023, 9, 12, 10, tzinfo=UTC)
PHASE = "0001-t1-setup"
FILE = f"{PHASE}.age"
SHEET = b"player: %s\norders: []\nsalt: sea\n"


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    """A match whose sheets are locked, in which both have sent one."""
    monkeypatch.setattr(clubs, "NOON", BEGUN)
    found = joined(
        tmp_path, schedule={"zone": "UTC", "at": "11:00", "every": "3 days"}, early_opening="locked"
    )
    for player in ("venice", "genoa"):
        found.send(player, SHEET % player.encode())
    return found


def nobody(number: int) -> str:
    raise Unreachable(f"no relay for {number}")


def job(club: Club, draw: object = ROUNDS.__getitem__, *, out: bool = True) -> JobResult:
    if out:
        club.now = quicknet.time_of(ROUND)
    return turn(club.referee, "lagoon", club.key, club.now, draw=draw)  # type: ignore[arg-type]


def pushed(club: Club, name: str = FILE) -> bytes:
    return clubs.git_bytes(club.bare, "show", f"box/lagoon/venice:{name}")


def test_not_even_the_referee_reads_a_sheet_before_its_time(club: Club) -> None:
    assert timelock.lock_of(pushed(club)) == ROUND
    with pytest.raises(NotReadable):
        unseal(pushed(club), [club.key.identity])
    done = job(club, nobody, out=False)
    assert [came.because for came in done.came] == ["locked", "locked"]
    assert not list((club.opened() / PHASE / "sheets").iterdir())
    assert "Nobody can read it before" in club.read("venice").reply.text
    assert job(club, nobody, out=False).came == ()


def test_when_the_phase_closes_they_are_opened_and_played(club: Club) -> None:
    job(club, nobody, out=False)
    done = job(club)
    assert {came.player: came.because for came in done.came} == {"genoa": "", "venice": ""}
    assert [phase for ran in done.ran for phase in ran.adjudicated] == [PHASE]
    match = club.opened()
    assert b"salt: sea" in (match / PHASE / "sheets/venice.yaml").read_bytes()
    assert [each.text for each in verify(match).problems] == []


def test_while_no_lock_can_be_opened_nothing_is_played_and_nothing_lost(club: Club) -> None:
    done = job(club, nobody)
    assert [ran.adjudicated for ran in done.ran] == [()]
    assert "no relay" in done.ran[0].because
    assert [phase for ran in job(club).ran for phase in ran.adjudicated] == [PHASE]


def test_if_the_network_has_ended_what_was_locked_counts_without_its_lock(club: Club) -> None:
    job(club, nobody, out=False)
    club.now = quicknet.time_of(ROUND)
    for player in ("venice", "genoa"):
        kept = club.home / player / PHASE / KEPT
        send_without_lock(club.clones[player], club.read(player), kept.read_bytes(), club.now)
    done = job(club, nobody)
    assert [phase for ran in done.ran for phase in ran.adjudicated] == [PHASE]
    assert b"salt: sea" in (club.opened("after") / PHASE / "sheets/venice.yaml").read_bytes()


def test_but_no_other_sheet(club: Club) -> None:
    job(club, nobody, out=False)
    news = club.read("venice")
    label = Label("sheet", "lagoon", PHASE, "venice", news.seat.token)
    other = seal(label, b"player: venice\norders: []\nsalt: other\n", news.keys.referee)
    send_without_lock(club.clones["venice"], news, other, club.now)
    done = job(club, nobody)
    assert not [came for came in done.came if came.player == "venice"]


@pytest.mark.parametrize(
    "data",
    [
        b"age-encryption.org/v1\n-> tlock 1 x\n",
        timelock.lock(b"orders: []", 1000).replace(b"A", b"B"),
        timelock.lock(timelock.lock(b"orders: []", ROUND), ROUND),
    ],
    ids=["broken", "changed", "twice"],
)
def test_a_hostile_lock_is_refused_and_stops_nothing(data: bytes, club: Club) -> None:
    push_box(club, "venice", {FILE: data})
    done = job(club)
    refused = {came.player: came.because for came in done.came}
    assert refused["genoa"] == ""
    assert refused["venice"] != ""
    assert "not taken" in club.read("venice").reply.text
