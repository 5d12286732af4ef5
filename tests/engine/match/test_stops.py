"""Stops: where a match waits for mail, who is asked there, and what happens in phases for which nothing came."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import rounds_of, run
from adjudicator.engine.play.stops import asked_at, asked_before, due_in, is_stop
from adjudicator.engine.table.event import Head, OrderRefused
from adjudicator.rulebooks.mediterranee import RULEBOOK
from tests.engine.match_folders import TWO, begun, play, said, send, send_all

pytestmark = pytest.mark.usefixtures("nobody_reads")

TWICE = "auction,movement"
FIRST = """orders: []
later:
  auction: {orders: [{bid: 100}]}
  market: {orders: [{buy: wine, at: venezia, to: venice-1}]}"""


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    """A match with the game's own stops."""
    return begun(tmp_path / "pond", stops=TWICE)


def test_a_new_match_has_the_games_own_stops_and_others_are_refused(tmp_path: Path) -> None:
    begin("mediterranee", tmp_path / "m", TWO, options={"pages": "off"}, seed_text="x")
    assert Folder(tmp_path / "m").state(1).options.stops == ("auction", "movement")
    with pytest.raises(Faulty) as faulty:
        begun(tmp_path / "n", stops="market")
    assert said(faulty).startswith("this game has no list of stops [market]")
    assert "[auction, movement], [auction]" in said(faulty)


@pytest.mark.parametrize(
    ("stops", "name", "asked"),
    [
        ("all", "setup", ["setup"]),
        (("auction", "movement"), "setup", ["setup", "auction", "market"]),
        (("auction", "movement"), "auction", ["auction", "market"]),
        (("auction", "movement"), "movement", ["movement", "combat", "landing", "sale"]),
        (("auction",), "setup", ["setup", "auction", "market", "movement", "combat", "landing", "sale"]),
        (("auction",), "market", ["market", "movement", "combat", "landing", "sale"]),
    ],
)
def test_a_sheet_is_asked_for_all_phases_up_to_the_next_stop(
    stops: object, name: str, asked: list[str]
) -> None:
    options = RULEBOOK.Options(stops=stops)  # type: ignore[arg-type]
    assert [phase.name for phase in asked_at(RULEBOOK, options, name)] == asked


def test_who_has_been_asked_is_known_from_the_phases_of_the_turn() -> None:
    options = RULEBOOK.Options(stops=("auction", "movement"))

    def asked(*heads: tuple[str, int, tuple[str, ...]]) -> bool:
        found = [Head(number, name, turn, due) for number, (name, turn, due) in enumerate(heads)]
        return asked_before(RULEBOOK, options, found, "venice")

    both, other = ("venice", "genoa"), ("genoa",)
    assert asked(("setup", 1, both), ("auction", 1, both)), "a match opens with one sheet for both"
    assert asked(("setup", 1, both), ("auction", 1, both), ("market", 1, both))
    assert not asked(("market", 1, both), ("movement", 1, both)), "a stop"
    assert not asked(("sale", 1, both), ("auction", 2, both)), "a stop, of a new turn"
    assert asked(("movement", 1, both), ("combat", 1, other), ("landing", 1, both))
    assert not asked(("movement", 1, other), ("combat", 1, both)), "wasn't due at the stop"
    assert is_stop(RULEBOOK, options, "setup") and not is_stop(RULEBOOK, options, "market")


def test_one_sheet_plays_up_to_the_next_stop_and_the_silent_pass(pond: Path) -> None:
    send(pond, "venice", FIRST)
    send(pond, "genoa")
    ran = run(pond)
    assert ran.adjudicated == ("0001-t1-setup", "0002-t1-auction", "0003-t1-market")
    assert (ran.open, ran.missing) == ("0004-t1-movement", TWO)
    state = Folder(pond).state(4)
    assert state.players["venice"].treasury.value == 1800 and state.galleys["venice-1"].cargo == ("wine",)
    send_all(pond)
    assert run(pond).open == "0008-t2-auction", "nothing was sent for combat, landing, sale"
    assert not [
        each for number in range(8) for each in Folder(pond).events(number) if isinstance(each, OrderRefused)
    ]
    assert verify(pond).good


def test_a_sheet_without_orders_is_none_whatever_it_sends_ahead(pond: Path) -> None:
    send(pond, "venice", "later: {auction: {orders: [{bid: 100}]}}")
    send(pond, "genoa")
    assert run(pond).missing == ("venice",)
    send(pond, "venice", "orders:\nlater:\n  auction:\n    orders:\n  market: {orders: []}")
    assert run(pond).missing == ("venice",)
    send(pond, "venice", "orders: []\nlater:\n  auction:\n    orders:\n  market: {orders: []}")
    assert run(pond).open == "0004-t1-movement", "what is left empty under `later` was not sent, and passes"


def test_a_stop_that_was_sent_ahead_for_waits_for_the_others_alone(pond: Path) -> None:
    send(pond, "venice", "orders: []\nlater: {movement: {orders: [{move: venice-1, via: [ragusa]}]}}")
    send(pond, "genoa")
    ran = run(pond)
    assert (ran.open, ran.missing) == ("0004-t1-movement", ("genoa",))
    send(pond, "genoa")
    assert run(pond).open == "0008-t2-auction"
    assert Folder(pond).state(5).galleys["venice-1"].zone == "ragusa"


def test_at_a_stop_all_are_asked_who_can_do_something_before_the_next(pond: Path) -> None:
    def never(state: object, player: str) -> bool:
        return False

    def only(*names: str) -> tuple[str, ...]:
        phases = tuple(
            replace(each, can=each.can if each.name in names else never) for each in RULEBOOK.phases
        )
        rulebook = replace(RULEBOOK, phases=phases)
        return due_in(rulebook, Folder(pond).state(1), rulebook.phase("setup"))

    assert only("market") == TWO, "asked at the set-up already, for the market"
    assert only("movement") == (), "the movement is a stop of its own"


def test_a_deadline_closes_a_stop_and_what_nobody_sent_for(pond: Path) -> None:
    send(pond, "venice", FIRST)
    assert run(pond).missing == ("genoa",)
    ran = run(pond, deadline=True)
    assert (ran.open, ran.missing) == ("0004-t1-movement", TWO)
    assert verify(pond).good


def test_in_live_pacing_each_seat_has_its_stop(tmp_path: Path) -> None:
    pond = begun(tmp_path / "pond", stops=TWICE, pacing="live")
    send_all(pond)
    first = Folder(pond).phases[run(pond) and -1]
    for seat in range(2):
        folder = Folder(pond)
        head = folder.head(folder.last)
        assert (head.name, len(folder.state(folder.last).phase.due)) == ("movement", 1), (first, seat)
        send_all(pond)
        ran = run(pond)
    assert ran.open.endswith("-t2-auction")


def test_rounds_of_mail_are_counted(pond: Path) -> None:
    play(pond, 4)
    found = rounds_of(Folder(pond))
    assert found.so_far == 5
    assert found.by_stops["stops=auction,movement"] == 5
    assert found.by_stops["stops=auction"] == 3
    assert found.by_stops["stops=all"] > 8
