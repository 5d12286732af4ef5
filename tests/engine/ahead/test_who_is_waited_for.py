"""Whom a phase waits for, as a reader is told: everything about oneself, about others only what is public."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.engine.ahead.due_sheets import SheetStatus
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.run import run
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import sheet_form
from adjudicator.engine.report.reader_facts import Extras
from adjudicator.engine.report.story import render_report
from adjudicator.engine.text.resources import folder
from tests.engine.match_folders import begun, report_of, send

FOLDER = "0004-t1-movement"
EVERY = "standing: {phases: {movement: [], combat: [], landing: [], sale: []}}"
AHEAD = "later: {movement: {orders: []}}"
MARKS = ("in one mark for each phase", "sealed until the match is over")
"""Of lines that are another for every sheet, and tell nothing of it."""


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    """A match with the game's own stops, at its set-up."""
    return begun(tmp_path / "pond", stops="auction,movement")


@pytest.mark.parametrize(
    ("text", "told", "waits"),
    [
        ("orders: []", "**Decide: your", True),
        (f"orders: []\n{AHEAD}", "You have already sent orders for this phase", False),
        (f"orders: []\n{EVERY}", "Your standing orders for this phase apply", False),
        (f"orders: []\nready: false\n{AHEAD}", "the match waits for them without `ready: false`", True),
    ],
)
def test_each_is_told_of_the_own_sheet_and_nobody_of_anothers(
    pond: Path, text: str, told: str, waits: bool
) -> None:
    send(pond, "venice", text)
    send(pond, "genoa")
    ran = run(pond)
    ran = run(pond, deadline=True) if "ready" in text else ran
    assert ran.open == FOLDER
    assert ("venice" in ran.missing) == waits
    own, others = report_of(pond, FOLDER, "venice"), report_of(pond, FOLDER, "genoa")
    assert told in own
    assert (
        told.strip("*.") in (pond / FOLDER / "for/venice/sheet.yaml").read_text() or told == "**Decide: your"
    )
    both = f"Sheets are due from {', '.join(each.title() for each in Folder(pond).state(4).phase.due)}"
    assert (f"{both}; who" if waits else "Sheets are due from Genoa.") in own
    for report in (others, report_of(pond, FOLDER, "public")):
        assert f"{both}; whoever has sent orders ahead needs no other sheet." in report
    assert "**Decide: your" in others


def test_the_others_are_told_the_same_whatever_came_ahead(tmp_path: Path) -> None:
    told = []
    for name, text in (("a", "orders: []"), ("b", f"orders: []\n{AHEAD}"), ("c", f"orders: []\n{EVERY}")):
        pond = begun(tmp_path / name, stops="auction,movement")
        send(pond, "venice", text)
        send(pond, "genoa")
        run(pond)
        for who in ("genoa", "public"):
            lines = report_of(pond, FOLDER, who).splitlines()
            told.append((who, [line for line in lines if not any(mark in line for mark in MARKS)]))
    assert told[0::2] == [told[0]] * 3 and told[1::2] == [told[1]] * 3


def test_who_was_asked_before_isnt_named_among_the_due(pond: Path) -> None:
    folder = Folder(pond)
    view = position_for(folder.rulebook, folder.state(1), "venice")
    extras = Extras(status=SheetStatus.PASSING, asked=["venice"])
    report = render_report(folder.rulebook, "venice", view, [], extras=extras)
    assert "You were asked for this phase before" in report and "Decide" not in report
    assert "Sheets are due from Genoa.\nVenice was asked for theirs before." in report
    assert "You were asked for this phase before" in sheet_form(
        folder.rulebook, view, "venice", extras=extras
    )


@pytest.mark.parametrize(
    "way",
    [
        "later: {movement: {orders: [%s]}}",
        "standing: {phases: {movement: [%s], combat: [], landing: [], sale: []}}",
    ],
)
@pytest.mark.parametrize(
    ("orders", "vain"),
    [
        ("{move: venice-9, via: [ragusa]}", True),
        ("{move: venice-9, via: [ragusa]}, {move: venice-1, via: [tunis]}", True),
        ("{move: venice-9, via: [ragusa], else: [{move: venice-8, via: [ragusa]}]}", True),
        ("{move: venice-9, via: [ragusa], else: [{move: venice-1, via: [ragusa]}]}", False),
        ("{move: venice-9, via: [ragusa]}, {move: venice-1, via: [ragusa]}", False),
        ("", False),
    ],
)
def test_orders_that_are_all_impossible_are_said_to_be_at_the_head(
    tmp_path: Path, way: str, orders: str, vain: bool
) -> None:
    pond = begun(tmp_path / "pond", stops="auction,movement", pages="on")
    send(pond, "venice", f"orders: []\n{way % orders}")
    send(pond, "genoa")
    assert run(pond).missing == ("genoa",)
    for name in ("report.md", "sheet.yaml", "orders.html"):
        text = (pond / FOLDER / "for/venice" / name).read_text()
        assert ("is possible as things stand" in text) == vain, name
        assert ("already sent orders for this phase" in text) == (not vain and "later" in way), name


def test_templates_compare_by_words_that_there_are() -> None:
    """A word that is none of them would never be told."""
    texts = [path.read_text(encoding="utf-8") for path in (folder("templates") / "en").glob("*.j2")]
    compared = set(re.findall(r'\bstatus == "([^"]*)"', "".join(texts)))
    assert compared and compared <= {*SheetStatus}, compared - {*SheetStatus}
