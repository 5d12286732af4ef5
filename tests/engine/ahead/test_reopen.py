"""Option `reopen`: a player is asked again after losing a piece that orders sent ahead need."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from adjudicator.engine.ahead.orders_ahead import lost_pieces, missing_pieces, sheet_ahead
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.post import Post
from adjudicator.engine.match.resolving import Played, due_sheets, play, read_given
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.event import Head
from adjudicator.engine.text.source import Source, read
from adjudicator.rulebooks.mediterranee import RULEBOOK
from tests.engine.match_folders import begun, send

GONE = ("venice-2", "venice-3")


def plain(text: str) -> object:
    source = read(text.encode(), "x")
    assert isinstance(source, Source)
    return source.plain


@pytest.mark.parametrize(
    ("order", "found"),
    [
        ("{move: venice-2, via: [ragusa]}", {"venice-2"}),
        ("{move: venice-1, via: [ragusa]}", set()),
        ("{transfer: {venice-2: 1}, to: venice-3}", {"venice-2", "venice-3"}),
        ("{move: venice-2, else: [{move: venice-1}]}", set()),
        ("{move: venice-2, else: [{move: venice-3}]}", {"venice-2"}),
        ("{move: venice-2, else: [{move: venice-3}, {move: venice-1}]}", set()),
        ("{move: venice-2, else: [{move: venice-3, else: [{move: venice-1}]}]}", set()),
        ("{move: venice-2, else: []}", {"venice-2"}),
        ("{move: venice-1, else: [{move: venice-2}]}", set()),
        ("{move: venice-2, if: {venice-2: {there: true}}}", set()),
        ("{move: venice-2, if: {not: {venice-2: {there: false}}}}", set()),
        ("{move: venice-2, if: {any: [{corfu: {owner: genoa}}, {venice-2: {in: ionio}}]}}", set()),
        ("{move: venice-2, if: {venice-3: {there: true}}}", {"venice-2"}),
        ("{move: venice-2, else: [{move: venice-3, if: {venice-3: {there: true}}}]}", set()),
        ("{sail: x, do: [{load: venice-2, else: [{load: x}]}]}", set()),
        ("{sail: x, do: [{load: venice-2, else: [{load: venice-3}]}]}", {"venice-2"}),
    ],
)
def test_what_an_order_misses(order: str, found: set[str]) -> None:
    assert missing_pieces(plain(order), GONE) == found


def landing(match: Path, orders: str) -> Sheet:
    """Venice's orders for the landing, sent ahead with the set-up's sheet."""
    send(match, "venice", f"orders: []\nlater: {{landing: {{orders: [{orders}]}}}}")
    sent = Post(Folder(match)).sheet(1, "venice")
    assert isinstance(sent, Sheet)
    found = sheet_ahead(sent, "landing", "")
    assert found is not None
    return found


def test_a_galley_that_the_sheet_itself_has_built_can_be_lost_too(tmp_path: Path) -> None:
    pond = begun(tmp_path / "pond", stops="auction", reopen="on")
    sheet = landing(pond, "{land: 1, from: venice-3}")
    sent = Folder(pond).state(1)
    built = replace(sent, galleys={**sent.galleys, "venice-3": sent.galleys["venice-1"]})
    assert lost_pieces(RULEBOOK, [sent, built], sent, sheet) == ["venice-3"]
    assert lost_pieces(RULEBOOK, [sent, built], built, sheet) == []
    assert lost_pieces(RULEBOOK, [sent], sent, sheet) == [], "it never was there: a mistake, and no loss"


@pytest.mark.parametrize(
    ("instead", "asked"),
    [
        ("{buy: wine, at: venezia, to: venice-1}", False),
        ("{buy: wine, at: venezia, to: genoa-1}", True),
        ("{buy: wine, at: venezia, to: venice-7}", True),
        ("{buy: wine, at: venezia, to: venice-7}, {buy: wine, at: venezia, to: venice-1}", False),
        ("{buy: gold, at: venezia, to: venice-1}", True),
        ("{buy: wine, at: venezia, to: venice-1, if: {venezia: {owner: genoa}}}", False),
        ("{buy: gold, at: venezia, to: venice-1, else: [{buy: wine, at: venezia, to: venice-1}]}", False),
    ],
)
def test_an_else_that_would_be_refused_too_doesnt_do_without_the_piece(instead: str, asked: bool) -> None:
    start = RULEBOOK.start("pond", RULEBOOK.Options(reopen=True), ("venice", "genoa"))
    galleys = {name: replace(galley, sailors=2) for name, galley in start.galleys.items()}
    had = replace(start, phase=Head(3, "market", 1, due=("venice", "genoa")), galleys=galleys)
    now = replace(had, galleys={name: each for name, each in galleys.items() if name != "venice-2"})
    text = f"player: venice\norders: [{{buy: wine, at: venezia, to: venice-2, else: [{instead}]}}]"
    sheet = read_sheet(text.encode(), Expected(RULEBOOK, "pond", had.phase, ("venice", "genoa"), "venice"))
    assert isinstance(sheet, Sheet)
    gone = lost_pieces(RULEBOOK, [had], now, sheet, tried=True)
    assert gone == (["venice-2"] if asked else [])


@pytest.mark.parametrize("reopen", [True, False])
def test_resolve_asks_once_more_too(tmp_path: Path, reopen: bool) -> None:
    pond = begun(tmp_path / "pond", stops="auction", reopen="on" if reopen else "off")
    state = Folder(pond).state(1)
    texts = {
        "venice": b"player: venice\norders: []\nlater: {market: {orders: [{buy: wine, at: venezia, to: venice-2}]}}",
        "genoa": b"player: genoa\norders: []",
    }
    mail = read_given(RULEBOOK, state, texts, {}).mail
    played, _ = play(RULEBOOK, state, mail, [], "x")
    assert [each.before.phase.name for each in played][:3] == ["setup", "auction", "market"]
    # The same with the galley gone when the market opens: Genoa has taken it, in some game in which that can be.
    last = played[1].outcome
    gone = {name: galley for name, galley in last.state.galleys.items() if name != "venice-2"}
    sunk = [played[0], Played(played[1].before, Outcome(replace(last.state, galleys=gone), last.events))]
    one = due_sheets(RULEBOOK, sunk, mail).of(2, "venice")
    assert (one.waits, list(one.lost)) == ((True, ["venice-2"]) if reopen else (False, []))
