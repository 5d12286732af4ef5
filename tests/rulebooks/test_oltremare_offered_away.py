"""A card that a sheet offers away may be gone before the sheet's next order: a player's own check says so."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import expected_in, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.event import OrderRefused
from adjudicator.rulebooks.oltremare import RULEBOOK
from adjudicator.rulebooks.oltremare.board import good_of

PLAYERS = ("contarini", "dandolo", "grimani")
OFFER = "{offer: dandolo, give: {cards: [X]}, for: {ducats: 1}}"
AGAIN = "{offer: grimani, give: {cards: [X]}, for: {ducats: 2}}"


@pytest.fixture(scope="module", params=["0", "1", "2"])
def just_begun(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A match whose first turn is open, with no talk, one, or two; `dandolo` in a sheet is the one who is next."""
    path = tmp_path_factory.mktemp("talks") / "m"
    begin("oltremare", path, PLAYERS, options={"pages": "off", "talks": request.param}, seed_text="calm")
    return path


@pytest.fixture
def opened(just_begun: Path, tmp_path: Path) -> Path:
    """The same to play on in."""
    return Path(shutil.copytree(just_begun, tmp_path / "m"))


def sheet_of(match: Folder, text: str) -> tuple[str, str]:
    """Whose turn it is, and a sheet of that player: `X` is a card of the hand, `PLAY` plays it, `OTHERS` don't."""
    state = match.state(match.last)
    player, other, third = state.seats
    hand = [card.value for card in state.players[player].hand]
    count = state.must_play()
    words = {
        "PLAY": f"{{play: [{', '.join(hand[:count])}]}}",
        "OTHERS": f"{{play: [{', '.join(hand[-count:])}]}}",
        "X": hand[0],
        "dandolo": other,
        "grimani": third,
    }
    assert hand[0] not in hand[-count:]
    for word, meant in words.items():
        text = text.replace(word, meant)
    return player, f"player: {player}\n{text}\n"


def said(match: Folder, player: str, text: str) -> list[tuple[str, str]]:
    """What the player's own check finds, and how bad it is."""
    state = match.state(match.last)
    asked = expected_in(RULEBOOK, state, player)
    sheet = read_sheet(text.encode(), asked)
    assert isinstance(sheet, Sheet)
    found = check_sheet(RULEBOOK, position_for(RULEBOOK, state, player), sheet)
    return [(each.reason.key, each.severity) for each in found.said]


@pytest.mark.parametrize(
    ("text", "doubts"),
    [
        (f"orders: [{OFFER}]\nlater: {{voyage: {{orders: [PLAY]}}}}", 1),
        (f"orders: [{OFFER}]\nlater: {{voyage: {{orders: [OTHERS]}}}}", 0),
        (f"orders: [{OFFER}, {{then: sail}}, PLAY]", 1),
        (f"orders: [{OFFER}, {{then: sail}}]\nlater: {{voyage: {{orders: [PLAY]}}}}", 1),
        (f"orders: [{OFFER}, {AGAIN}]", 0),
        (f"orders: [{OFFER}, {AGAIN}]\nlater: {{voyage: {{orders: [PLAY]}}}}", 1),
        (f"orders: [{OFFER}]\nlater: {{commerce: {{orders: [{AGAIN}]}}}}", 0),
        (f"orders: [{OFFER}]\nstanding: {{phases: {{voyage: [PLAY]}}}}", 1),
        (f"orders: [{OFFER}]\nlater: {{voyage: {{orders: [{{buy: pirates, else: [PLAY]}}]}}}}", 1),
        ("orders: [{offer: dandolo, give: {ducats: 1}}]\nlater: {voyage: {orders: [PLAY]}}", 0),
        ("orders: []\nlater: {voyage: {orders: [PLAY]}}", 0),
    ],
)
def test_a_check_says_of_what_may_be_gone(just_begun: Path, text: str, doubts: int) -> None:
    match = Folder(just_begun)
    player, sheet = sheet_of(match, text)
    found = [each for each in said(match, player, sheet) if each[0] == "offered-away"]
    assert found == [("offered-away", "may")] * doubts


def send(path: Path, player: str, text: str) -> None:
    folder = path / Folder(path).phases[-1] / "sheets"
    folder.mkdir(exist_ok=True)
    (folder / f"{player}.yaml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("accepts", [True, False])
def test_what_the_check_says_comes_about(opened: Path, accepts: bool) -> None:
    """It is gone if the other takes it, by a standing trade or a sheet; else the order is carried out."""
    match = Folder(opened)
    player, sheet = sheet_of(match, f"orders: [{OFFER}]\nlater: {{voyage: {{orders: [PLAY]}}}}")
    other, card = match.state(1).seats[1], match.state(1).players[player].hand[0].value
    if match.state(1).options.talks == 0:
        trade = f"{{give: {{ducats: 1}}, for: {{goods: {{{good_of(card)}: 1}}}}}}"
        send(opened, other, f"player: {other}\nstanding: {{trade: [{trade if accepts else ''}]}}\n")
    send(opened, player, sheet)
    run(opened)
    if Folder(opened).head(Folder(opened).last).name == "answer":
        report = (opened / Folder(opened).phases[-1] / f"for/{player}/report.md").read_text()
        assert f": {card} is in your offer {player}-1: a player who accepts that first gets it)*" in report
        assert "not possible as things stand" not in report
        send(
            opened, other, f"player: {other}\norders: [{{{'accept' if accepts else 'refuse'}: {player}-1}}]\n"
        )
        run(opened)
    if Folder(opened).state(Folder(opened).last).talked == 1 and match.state(1).options.talks == 2:
        send(opened, player, f"player: {player}\norders: []\n")
        run(opened)
    last = Folder(opened)
    events = [event for number in range(last.last) for event in last.events(number)]
    refused = [event.reason.key for event in events if isinstance(event, OrderRefused)]
    assert refused == (["not-in-hand"] if accepts else [])


def test_an_open_offer_is_no_danger_in_the_voyage_itself(tmp_path: Path) -> None:
    """Who hasn't answered by then can't any more."""
    begin("oltremare", tmp_path / "m", PLAYERS, options={"pages": "off"}, seed_text="calm")
    player, sheet = sheet_of(Folder(tmp_path / "m"), f"orders: [{OFFER}]")
    send(tmp_path / "m", player, sheet)
    run(tmp_path / "m")
    run(tmp_path / "m", deadline=True)
    match = Folder(tmp_path / "m")
    assert match.head(match.last).name == "voyage" and match.state(match.last).offers
    _, sheet = sheet_of(match, "orders: [PLAY]")
    assert [each for each in said(match, player, sheet) if each[1] != "warning"] == []
