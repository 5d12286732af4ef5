"""A match at one machine: seats, sheets handed in, the next phase; and a server that answers its own page alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.begin import begin
from adjudicator.gm.closing import Dice
from adjudicator.gm.playing import close_by_hand
from adjudicator.page import serving
from adjudicator.page.called import PageCalls
from adjudicator.page.serving import HOST, MOST_BYTES, Table
from adjudicator.page.site import INDEX
from tests.engine.match_folders import TWO, begun
from tests.gm.weeks import utc

NOW = utc("2026-11-23 12:00")
WORD = "word"
TAKEN = {"faults": [], "held": ""}
DEEP = b"[" * 60_000 + b"]" * 60_000


@pytest.fixture
def match(tmp_path: Path) -> Path:
    return begun(tmp_path / "lagoon")


@pytest.fixture
def table(match: Path) -> Iterator[Table]:
    with Table(match, 0, WORD, lambda: NOW) as found:
        thread = Thread(target=found.serve_forever, args=(0.01,))
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def asked(
    table: Table, method: str, path: str, body: bytes = b"", host: str = "", origin: str = ""
) -> tuple[int, bytes]:
    connection = HTTPConnection(HOST, table.server_port)
    said = {"Host": host or f"{HOST}:{table.server_port}"} | ({"Origin": origin} if origin else {})
    connection.request(method, path, body, said)
    answer = connection.getresponse()
    found = answer.status, answer.read()
    connection.close()
    return found


def plain(table: Table, name: str, **given: Any) -> Any:
    status, body = asked(table, "POST", f"/{WORD}/{name}", json.dumps(given).encode())
    assert status == 200
    return json.loads(body)


def handed_in(match: Path, player: str, orders: str = "[]") -> Any:
    """What comes of a sheet that a seat's page of now hands in."""
    of = serving.papers_of(match, player)["of"]
    return serving.hand_in(match, player, of, f"player: {player}\norders: {orders}\n", NOW)


def seats(match: Path) -> list[str]:
    return [seat.player for seat in serving.seats_of(match).seats]


def played(match: Path, phase: str, *, deadline: bool = False) -> Any:
    return serving.play_on(match, NOW, phase, deadline=deadline)


def test_seats_say_who_is_to_order_and_whose_sheet_is_in(match: Path) -> None:
    before = serving.seats_of(match)
    assert before.now == "Méditerranée, turn 1: Set-up"
    first = before.seats[0].player
    assert {(seat.asked, seat.given) for seat in before.seats} == {("order", False)}
    assert handed_in(match, first) == TAKEN
    after = {seat.player: seat.given for seat in serving.seats_of(match).seats}
    assert after == {seat.player: seat.player == first for seat in before.seats}


def test_seats_have_names_of_people(tmp_path: Path) -> None:
    begin("mediterranee", tmp_path / "lagoon", TWO, names={"venice": "Marta"}, seed_text="test")
    assert [seat.person for seat in serving.seats_of(tmp_path / "lagoon").seats] == ["Marta", ""]


def test_each_seat_is_told_in_its_own_language_whoever_sat_here_before(tmp_path: Path) -> None:
    """Of its own sheet, and of those that it guesses of others."""
    begin("mediterranee", tmp_path / "lagoon", TWO, languages={"venice": "fr"}, seed_text="test")
    views = {player: serving.papers_of(tmp_path / "lagoon", player)["view"] for player in TWO}
    calls = PageCalls()

    def told(view: str) -> str:
        return str(calls.foresee(view, "orders: []")["heads"][0])

    assert [told(views[player]) for player in ("venice", "genoa", "venice")] == ["actuel", "now", "actuel"]
    guessed = calls.guess(views["venice"], "genoa")["view"]
    assert [told(guessed), told(views["genoa"])] == ["actuel", "now"]


def test_seats_are_told_in_the_language_of_the_public(tmp_path: Path) -> None:
    begin("mediterranee", tmp_path / "lagoon", TWO, language="fr", seed_text="test")
    found = serving.seats_of(tmp_path / "lagoon")
    assert [seat.name for seat in found.seats] == ["Venise", "Gênes"]
    assert found.now == "Méditerranée, tour 1 : Mise en place"


@pytest.mark.parametrize(
    ("orders", "order", "reason", "given"),
    [
        ("\n- {place: 1, to: venice-1}\n- {place: 1, to: genoa-1}", "{place: 1, to: genoa-1}", "MED-", True),
        ("[{bild: galley}]", "", "SCHEMA", True),
        ("[", "", "YAML", False),
    ],
)
def test_a_faulty_sheet_is_taken_and_told_with_its_order_and_reason(
    match: Path, orders: str, order: str, reason: str, given: bool
) -> None:
    """To who hands it in, and at the table, as long as it lies there; a sheet that nobody can read isn't taken."""
    told = handed_in(match, "venice", orders)
    found = told["faults"]
    assert [order in each.order and reason in each.reasons[0] for each in found] == [True]
    seat = serving.seats_of(match).seats[0]
    assert (seat.faults, seat.given) == (found if given else [], given)
    assert ("can't count as your sheet" in told["held"]) == (not given)
    assert handed_in(match, "venice") == TAKEN
    assert serving.seats_of(match).seats[0].faults == []


def test_a_phase_with_faults_is_played_as_it_is_if_the_table_wants_that(match: Path) -> None:
    for player in seats(match):
        handed_in(match, player, "[{bild: galley}]")
    phase = open_match(match).phases[-1]
    assert played(match, phase) == {"played": False}
    assert played(match, phase, deadline=True) == {"played": True}


def test_a_phase_is_played_when_all_have_handed_in_or_without_the_others(match: Path) -> None:
    first = open_match(match).phases[-1]
    assert played(match, first) == {"played": False}
    for player in seats(match):
        handed_in(match, player)
    assert played(match, first) == {"played": True}
    then = open_match(match).phases[-1]
    assert played(match, then, deadline=True) == {"played": True}
    assert open_match(match).phases[-1] not in (first, then)


@pytest.mark.parametrize("deadline", [True, False])
def test_a_click_plays_the_phase_that_its_page_shows_and_no_other(match: Path, deadline: bool) -> None:
    """A second click, or one in another window, is answered with what is open now."""
    first = open_match(match).phases[-1]
    played(match, first, deadline=True)
    before = files(match)
    assert played(match, first, deadline=deadline) == {"stale": "Méditerranée, turn 1: Auction"}
    assert files(match) == before


def test_a_sheet_of_a_page_from_an_earlier_phase_replaces_nothing(match: Path) -> None:
    of = serving.papers_of(match, "venice")["of"]
    played(match, open_match(match).phases[-1], deadline=True)
    handed_in(match, "venice", "[{bid: 10}]")
    before = files(match)
    found = serving.hand_in(match, "venice", of, "player: venice\norders: []\n", NOW)
    assert found == {"stale": "Méditerranée, turn 1: Auction"}
    assert files(match) == before


def files(match: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in match.rglob("*") if path.is_file()}


def test_half_a_sign_from_a_page_is_a_sheet_that_cant_be_read(match: Path) -> None:
    of = serving.papers_of(match, "venice")["of"]
    found = serving.hand_in(match, "venice", of, "orders: []\nsalt: \ud800\n", NOW)
    assert found["held"] and found["faults"]


def test_sheets_of_a_closed_phase_stay_as_they_are(match: Path) -> None:
    for player in seats(match):
        handed_in(match, player)
    close_by_hand(match, NOW, Dice(first=True))
    assert {seat.asked for seat in serving.seats_of(match).seats} == {""}
    assert "is closed" in handed_in(match, player, "[] # another")["held"]
    assert played(match, open_match(match).phases[-1]) == {"played": True}


@pytest.mark.parametrize("pages", ["true", "false"])
def test_a_seat_gets_its_page_its_view_and_its_report(tmp_path: Path, pages: str) -> None:
    match = begun(tmp_path / "lagoon", pages=pages)
    first = serving.seats_of(match).seats[0].player
    papers = serving.papers_of(match, first)
    assert "<svg" in papers["page"]
    assert papers["view"].startswith("format: ")
    assert "lagoon" in serving.report_of(match, first)


def test_a_page_that_an_older_program_wrote_is_made_anew(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon", pages="true")
    first = serving.seats_of(match).seats[0].player
    stored = match / open_match(match).phases[-1] / "for" / first / "orders.html"
    ours = stored.read_text()
    stored.write_text("<p>A page for another script.</p>")
    assert serving.papers_of(match, first)["page"] == ours


def test_a_window_that_missed_the_end_is_told_of_it(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon", turns="1")
    while not serving.seats_of(match).over:
        played(match, open_match(match).phases[-1], deadline=True)
    with pytest.raises(Faulty, match="The match is over"):
        serving.papers_of(match, "venice")


def test_a_seat_finds_its_own_sheet_again_and_no_other_one(match: Path) -> None:
    first, second = seats(match)[:2]
    handed_in(match, first)
    assert serving.papers_of(match, first)["sheet"] == f"player: {first}\norders: []\n"
    assert serving.papers_of(match, second)["sheet"] == ""


@pytest.mark.parametrize("name", ["../../referee", "nobody", "", "public", "."])
def test_no_name_becomes_a_path(match: Path, name: str) -> None:
    for act in (serving.papers_of, serving.report_of):
        with pytest.raises(Faulty):
            act(match, name)
    with pytest.raises(Faulty):
        serving.hand_in(match, name, "", "orders: []\n", NOW)


def test_the_server_serves_its_page_and_answers_its_questions(table: Table) -> None:
    status, body = asked(table, "GET", f"/{WORD}/")
    assert status == 200
    assert body.decode() == table.files[INDEX]
    found = plain(table, "seats")
    first = found["seats"][0]["player"]
    papers = plain(table, "papers", player=first)
    text = json.dumps({"player": first, "orders": []})
    looked = plain(table, "call", call="look", values={"view": papers["view"], "text": text})
    assert looked["problems"] == []
    assert plain(table, "hand-in", player=first, of=papers["of"], text=text) == TAKEN
    assert plain(table, "go-on", phase=found["phase"], deadline=True) == {"played": True}
    assert plain(table, "go-on", phase=found["phase"], deadline=True).keys() == {"stale"}
    assert plain(table, "papers", player="nobody")["faulty"]


def test_the_server_answers_nobody_else(table: Table) -> None:
    for path in ("/", "/other/", "/other/seats", f"/{WORD}/../{WORD}/x", f"/{WORD}/match.yaml"):
        assert asked(table, "GET", path)[0] == 404
    assert asked(table, "GET", f"/{WORD}/", host="club.example")[0] == 404
    assert asked(table, "POST", f"/{WORD}/seats", b"{}", host="club.example")[0] == 400
    assert asked(table, "POST", f"/{WORD}/seats", b"{}", origin="https://club.example")[0] == 400
    assert asked(table, "POST", f"/{WORD}/seats", b"{}", origin="null")[0] == 400


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("seats", b"["),
        ("seats", b"[]"),
        ("papers", b"{}"),
        ("call", b'{"call": "look", "values": {}}'),
        ("call", b'{"call": "os.system", "values": {}}'),
        ("call", b'{"call": "look", "values": []}'),
        ("shutdown", b"{}"),
        ("go-on", b'{"deadline": true}'),
        ("hand-in", b'{"player": "\xff"}'),
        ("seats", b'{"a": ' + DEEP),
        ("call", b'{"call": "look", "values": {"view": ' + DEEP + b"}}"),
    ],
)
def test_what_no_page_asks_is_refused(table: Table, name: str, body: bytes) -> None:
    assert asked(table, "POST", f"/{WORD}/{name}", body)[0] == 400


def test_a_request_that_is_too_large_is_refused_unread(table: Table) -> None:
    connection = HTTPConnection(HOST, table.server_port)
    connection.putrequest("POST", f"/{WORD}/seats", skip_host=True)
    connection.putheader("Host", f"{HOST}:{table.server_port}")
    connection.putheader("Content-Length", str(MOST_BYTES + 1))
    connection.endheaders()
    assert connection.getresponse().status == 400
    connection.close()


def test_a_sheet_is_taken_back_as_long_as_its_phase_is_open(match: Path) -> None:
    first, *others = seats(match)
    for player in (first, *others):
        assert handed_in(match, player) == TAKEN
    phase, of = serving.seats_of(match).phase, serving.papers_of(match, first)["of"]
    assert serving.take_back(match, first, of, NOW) == TAKEN
    assert [seat.player for seat in serving.seats_of(match).seats if not seat.given] == [first]
    assert played(match, phase) == {"played": False}
    assert "orders: []" in serving.papers_of(match, first)["sheet"]
    assert handed_in(match, first) == TAKEN
    assert played(match, phase) == {"played": True}
    assert serving.take_back(match, first, of, NOW).keys() == {"stale"}


def test_a_seat_with_a_code_opens_with_it_alone(table: Table) -> None:
    table.codes = {}
    first, second, *_ = (seat["player"] for seat in plain(table, "seats")["seats"])
    assert plain(table, "papers", player=first) == {"code": "new"}
    of = plain(table, "papers", player=first, code="olive")["of"]
    for code in ({}, {"code": ""}, {"code": "oliv"}):
        for name in serving.OF_A_SEAT:
            assert plain(table, name, player=first, of=of, text="orders: [", **code) == {"code": "own"}
    assert plain(table, "papers", player=second) == {"code": "new"}
    assert plain(table, "hand-in", player=first, of=of, text="orders: [{x: 1}]", code="olive")["faults"]
    assert "x: 1" not in json.dumps(plain(table, "seats"))
    assert plain(table, "papers", player="nobody", code="olive")["faulty"]
