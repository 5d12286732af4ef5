"""Standing orders for phases, own next turns sent ahead, and new questions after the loss of a named piece."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from adjudicator.engine.ahead.orders_ahead import lost_pieces as lost_since, sheet_ahead
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.post import Post
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import write_again
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.event import OrderRefused, Player
from adjudicator.engine.text.writing import write
from adjudicator.rulebooks.mediterranee import RULEBOOK
from adjudicator.rulebooks.rome_carthage.movement import destinations, movable
from tests.engine.match_folders import begun, remarks, report_of, send, send_all

pytestmark = pytest.mark.usefixtures("nobody_reads")

TWICE = "auction,movement"
SAIL = "standing: {phases: {movement: [{move: venice-1, via: [ragusa]}], combat: []}}"


def in_force(match: Path, player: Player = "venice") -> dict[str, list[object]]:
    """The standing orders that a player has now, by phase, as they were written."""
    folder = Folder(match)
    held = folder.state(folder.last).players[player].standing.value.phases
    return {name: [each.order for each in orders] for name, orders in held.items()}


def zone(match: Path, galley: str = "venice-1") -> str:
    folder = Folder(match)
    return str(folder.state(folder.last).galleys[galley].zone)


def at_movement(match: Path, standing: str) -> Path:
    """Played up to the first movement, with standing instructions of Venice's."""
    send(
        match, "venice", f"orders: []\n{standing}\nlater: {{auction: {{orders: []}}, market: {{orders: []}}}}"
    )
    send(match, "genoa", "orders: []\nlater: {auction: {orders: []}, market: {orders: []}}")
    run(match)
    return match


def test_they_say_what_to_do_where_nothing_else_came(lagoon: Path) -> None:
    at_movement(lagoon, SAIL)
    assert run(lagoon).missing == ("genoa",), "the phase doesn't wait for who has standing orders for it"
    send(lagoon, "genoa")
    run(lagoon)
    assert zone(lagoon) == "ragusa"
    assert in_force(lagoon) == {"movement": [{"move": "venice-1", "via": ["ragusa"]}], "combat": []}
    assert verify(lagoon).good


@pytest.mark.parametrize("how", ["orders: []", "orders: [{move: venice-1, via: [corfu]}]"])
def test_a_sheet_of_its_own_comes_before_them(lagoon: Path, how: str) -> None:
    at_movement(lagoon, SAIL)
    send(lagoon, "venice", how)
    send(lagoon, "genoa")
    run(lagoon)
    assert zone(lagoon) == "venezia"


def test_orders_sent_ahead_come_before_them(lagoon: Path) -> None:
    send(lagoon, "venice", f"orders: []\n{SAIL}\nlater: {{movement: {{orders: []}}}}")
    send(lagoon, "genoa")
    for _ in range(4):
        run(lagoon, deadline=True)
    assert (Folder(lagoon).head(5).name, zone(lagoon)) == ("combat", "venezia")


def test_a_deadline_takes_those_of_the_sheet_itself(lagoon: Path) -> None:
    send(lagoon, "venice", "standing: {phases: {auction: [{bid: 100}]}}")
    send(lagoon, "genoa")
    assert run(lagoon).missing == ("venice",)
    run(lagoon, deadline=True)
    send(lagoon, "venice", "standing: {phases: {auction: [{bid: 200}]}}")
    run(lagoon, deadline=True)
    assert Folder(lagoon).state(3).players["venice"].treasury.value == 1800


def test_a_sheet_replaces_them_whole_and_nothing_clears_them(lagoon: Path) -> None:
    at_movement(lagoon, SAIL)
    send(lagoon, "venice", "orders: []\nstanding: {phases: {sale: []}}")
    send(lagoon, "genoa")
    run(lagoon)
    assert in_force(lagoon) == {"sale": []}
    send(lagoon, "venice", "orders: []\nstanding: {phases: {}}")
    run(lagoon, deadline=True)
    assert in_force(lagoon) == {}


def test_a_bad_one_is_dropped_alone_and_said(lagoon: Path) -> None:
    movement = "[{move: venice-1, via: [ragusa]}, {moove: venice-2}]"
    at_movement(lagoon, f"standing: {{phases: {{movement: {movement}, sale: [{{sel: wine}}]}}}}")
    assert in_force(lagoon) == {"movement": [{"move": "venice-1", "via": ["ragusa"]}]}
    assert [(who, why) for who, why, _ in remarks(lagoon, 1)] == [("venice", "unknown-verb")] * 2


def test_a_stop_waits_for_who_has_them_for_a_part_of_what_is_asked_alone(tmp_path: Path) -> None:
    pond = begun(tmp_path / "pond", stops=TWICE)
    send(pond, "venice", f"orders: []\n{SAIL}")
    send(pond, "genoa")
    assert set(run(pond).missing) == {"venice", "genoa"}
    every = (
        "standing: {phases: {movement: [{move: venice-1, via: [ragusa]}], combat: [], landing: [], sale: []}}"
    )
    send(pond, "venice", every)
    assert set(run(pond).missing) == {"venice", "genoa"}, (
        "what a sheet without orders says counts when the phase is played"
    )
    send(pond, "venice", f"orders: []\n{every}")
    send(pond, "genoa")
    assert run(pond).open == "0008-t2-auction"
    send_all(pond)
    ran = run(pond)
    assert (ran.open, ran.missing) == ("0010-t2-movement", ("genoa",)), (
        "they say what to do up to the next stop"
    )


@pytest.mark.read
def test_refused_they_are_told_with_the_place_in_the_sheet_they_came_with(lagoon: Path) -> None:
    at_movement(lagoon, "standing: {phases: {movement: [{move: venice-1, via: [corfu]}]}}")
    send(lagoon, "genoa")
    run(lagoon)
    (refused,) = [event for event in Folder(lagoon).events(4) if isinstance(event, OrderRefused)]
    assert refused.where == "0001-t1-setup/sheets/venice.yaml:3:32"
    assert "0001-t1-setup 3:32" in report_of(lagoon, Folder(lagoon).phases[-1], "venice")


@pytest.mark.read
def test_forms_and_reports_tell_their_player_alone_what_is_in(lagoon: Path) -> None:
    at_movement(lagoon, SAIL)
    folder = Folder(lagoon).phases[-1]
    for name in ("report.md", "sheet.yaml"):
        own = (lagoon / folder / "for/venice" / name).read_text()
        assert "as standing orders" in own and "move: venice-1" in own.replace("\\", ""), name
        assert "as standing orders" not in (lagoon / folder / "for/genoa" / name).read_text()
    assert "standing orders" not in (lagoon / folder / "for/public/report.md").read_text()


# -- own next turns ----------------------------------------------------------------------------------------------------


@pytest.fixture
def placed(tmp_path: Path) -> Path:
    """Rome and Carthage, placed, Rome's turn."""
    path = tmp_path / "zama"
    begin("rome-carthage", path, ("rome", "carthage"), options={"pages": "off"}, seed_text="x", name="zama")
    while Folder(path).head(Folder(path).last).name == "placement":
        send_all(path)
        run(path)
    return path


def due(match: Path) -> tuple[str, Player]:
    folder = Folder(match)
    head = folder.state(folder.last).phase
    return head.name, head.due[0]


def test_an_own_next_turn_can_be_sent_ahead_and_counts_once(placed: Path) -> None:
    name, first = due(placed)
    second = "carthage" if first == "rome" else "rome"
    assert name == "turn"
    send(placed, first, "orders: []\nlater: {turn: {orders: [{pass: true}]}}")
    run(placed)
    assert due(placed) == ("turn", second)
    send(placed, second)
    ran = run(placed)
    assert len(ran.adjudicated) == 2, "the next turn of the first player was in already"
    assert due(placed) == ("turn", second)
    send(placed, second)
    run(placed)
    assert due(placed) == ("turn", first), "what was sent ahead counts once"
    assert verify(placed).good


def test_it_can_be_sent_while_another_is_due(placed: Path) -> None:
    _, first = due(placed)
    second = "carthage" if first == "rome" else "rome"
    send(placed, first)
    send(placed, second, "later: {turn: {orders: [{pass: true}]}}")
    assert len(run(placed).adjudicated) == 2
    assert due(placed) == ("turn", first)


# -- asked once more ---------------------------------------------------------------------------------------------------


@pytest.mark.read
@pytest.mark.parametrize("reopen", [True, False])
def test_who_has_lost_a_piece_that_orders_ahead_name_is_asked_once_more(tmp_path: Path, reopen: bool) -> None:
    pond = begun(tmp_path / "pond", stops=TWICE, reopen="on" if reopen else "off")
    send(pond, "venice", "orders: []\nlater: {movement: {orders: [{move: venice-2, via: [ragusa]}]}}")
    send(pond, "genoa")
    run(pond)
    state = Folder(pond).state(4)
    galleys = {name: galley for name, galley in state.galleys.items() if name != "venice-2"}
    (pond / "0004-t1-movement/state.yaml").unlink()
    lost = replace(state, galleys=galleys, ports=state.ports)
    (pond / "0004-t1-movement/state.yaml").write_text(write_position(lost))
    send(pond, "genoa")
    ran = run(pond)
    if not reopen:
        assert ran.open == "0008-t2-auction"
        return
    assert ran.missing == ("venice",)
    write_again(pond)
    assert "You are asked once more" in report_of(pond, "0004-t1-movement", "venice")
    assert "lost venice-2" in report_of(pond, "0004-t1-movement", "venice")
    send(pond, "venice", "orders: [{move: venice-1, via: [ragusa]}]")
    assert run(pond).open == "0008-t2-auction"
    assert Folder(pond).state(5).galleys["venice-1"].zone == "ragusa"


def test_who_was_asked_since_isnt_asked_for_the_same_loss_again(tmp_path: Path) -> None:
    pond = begun(tmp_path / "pond", stops="auction", reopen="on")
    lost = "{orders: [{land: 1, from: venice-2}]}"
    send(
        pond,
        "venice",
        f"orders: []\nlater: {{landing: {lost}, sale: {{orders: [{{sell: wine, from: venice-2}}]}}}}",
    )
    send(pond, "genoa")
    post = Post(Folder(pond))
    sent = post.sheet(1, "venice")
    assert isinstance(sent, Sheet)
    ahead = sheet_ahead(sent, "landing", "")
    assert ahead is not None
    now = Folder(pond).state(1)
    gone = {name: galley for name, galley in now.galleys.items() if name != "venice-2"}
    assert lost_since(RULEBOOK, [now], replace(now, galleys=gone), ahead) == ["venice-2"]
    assert lost_since(RULEBOOK, [replace(now, galleys=gone)], replace(now, galleys=gone), ahead) == []


def test_what_an_if_says_of_a_piece_asks_nobody_again(tmp_path: Path) -> None:
    pond = begun(tmp_path / "pond", stops="auction", reopen="on")
    facts = "if: {venice-2: {there: false}}"
    send(
        pond, "venice", f"orders: []\nlater: {{landing: {{orders: [{{land: 1, from: venice-1, {facts}}}]}}}}"
    )
    sent = Post(Folder(pond)).sheet(1, "venice")
    assert isinstance(sent, Sheet)
    ahead = sheet_ahead(sent, "landing", "")
    assert ahead is not None
    now = Folder(pond).state(1)
    gone = {name: galley for name, galley in now.galleys.items() if name != "venice-2"}
    assert lost_since(RULEBOOK, [now], replace(now, galleys=gone), ahead) == []


def test_orders_ahead_and_standing_ones_cover_a_stop_together(tmp_path: Path) -> None:
    pond = begun(tmp_path / "pond", stops=TWICE)
    rest = ", ".join(f"{name}: {{orders: []}}" for name in ("auction", "market", "combat", "landing", "sale"))
    for player in ("venice", "genoa"):
        send(pond, player, f"orders: []\nstanding: {{phases: {{movement: []}}}}\nlater: {{{rest}}}")
    assert run(pond).open == "0008-t2-auction"


def test_what_a_draft_sends_ahead_for_a_stop_starts_no_run(tmp_path: Path) -> None:
    pond = begun(tmp_path / "pond", stops=TWICE)
    send(pond, "venice", "orders: []\nready: false\nlater: {movement: {orders: []}}")
    send(pond, "genoa", "orders: []\nlater: {movement: {orders: []}}")
    assert run(pond).missing == ("venice",)
    ran = run(pond, deadline=True)
    assert (ran.open, ran.missing) == ("0004-t1-movement", ("venice",))


def test_a_check_reckons_with_standing_orders_in_force(lagoon: Path) -> None:
    at_movement(lagoon, "standing: {phases: {combat: [], movement: [{move: venice-1, via: [ragusa]}]}}")
    folder = Folder(lagoon)
    view = position_for(folder.rulebook, folder.state(3), "venice")
    asked = Expected(folder.rulebook, "", folder.head(3), ("venice", "genoa"), "venice")
    text = "player: venice\norders: []\nlater: {landing: {orders: [{land: 1, at: ragusa, from: venice-1}]}}"
    sheet = read_sheet(text.encode(), asked)
    assert isinstance(sheet, Sheet)
    found = check_sheet(folder.rulebook, view, sheet)
    assert [each.severity for each in found.problems] == ["warning"], "it sinks there; nothing else is said"


def test_a_check_tries_the_own_next_turn_when_its_time_has_come(placed: Path) -> None:
    folder = Folder(placed)
    _, first = due(placed)
    state = folder.state(folder.last)
    taken = {unit.at for unit in state.pieces.values()}
    mine = movable(state, first)[0]
    piece, near = next(
        (name, city) for name in mine for city in destinations(state, name) if city not in taken
    )
    there, back = ({"move": piece, "via": [city]} for city in (near, state.pieces[piece].at))
    text = write({"player": first, "orders": [there], "later": {"turn": {"orders": [back]}}})
    asked = Expected(folder.rulebook, "", state.phase, ("rome", "carthage"), first)
    sheet = read_sheet(text.encode(), asked)
    assert isinstance(sheet, Sheet)
    checked = check_sheet(folder.rulebook, position_for(folder.rulebook, state, first), sheet)
    assert [(each.phase, each.good, each.waits) for each in checked.understood] == [
        ("", True, False),
        ("turn", True, False),
    ]
