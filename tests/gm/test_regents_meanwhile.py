"""A regent plays while somebody is away, if the absence says so: nobody waits, and every report tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Absent, Ordered, of_kind
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import open_match
from adjudicator.gm.acts import absent
from adjudicator.gm.bots import check_sheets_of_bots
from adjudicator.gm.playing import run_if_due
from tests.gm.weeks import entries, last, told, utc, week

NOW = utc("2026-11-23 12:00")
SHEET = "player: {}\norders:\n  - place: 4\n    to: {}-1\n"


@pytest.fixture
def lagoon(tmp_path: Path) -> Path:
    """Genoa is away, and a regent plays; Venice has sent its first sheet."""
    match = week(tmp_path / "lagoon")
    absent(match, "genoa", "2026-11-23..2026-11-30", NOW, regent="own")
    (match / "0001-t1-setup/sheets/venice.yaml").write_text(SHEET.format("venice", "venice"))
    return match


def test_the_match_doesnt_wait_and_its_reports_tell_it(lagoon: Path) -> None:
    assert "due" not in repr(last(lagoon).moved)
    ran = run_if_due(lagoon, NOW)
    assert ran.adjudicated[0] == "0001-t1-setup"
    assert [each.phase for each in of_kind(entries(lagoon), Ordered)][:1] == ["0001-t1-setup"]
    assert "A program has ordered for Genoa in 0001-t1-setup, with caution" in told(lagoon)
    assert verify(lagoon).good
    assert not check_sheets_of_bots(open_match(lagoon)).problems


def test_it_plays_on_these_days_alone(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon")
    absent(match, "genoa", "2026-11-27..2026-11-30", NOW, regent="own")
    (match / "0001-t1-setup/sheets/venice.yaml").write_text(SHEET.format("venice", "venice"))
    assert not run_if_due(match, NOW).adjudicated
    assert not of_kind(entries(match), Ordered)
    assert run_if_due(match, utc("2026-11-27 12:00")).adjudicated


def test_it_orders_no_further_than_the_next_stop(tmp_path: Path) -> None:
    """Who is back by then orders there."""
    match = week(tmp_path / "lagoon", stops="[auction, movement]")
    absent(match, "genoa", "2026-11-23..2026-11-23", NOW, regent="own")
    assert not run_if_due(match, NOW).adjudicated
    (match / "0001-t1-setup/sheets/venice.yaml").write_text(SHEET.format("venice", "venice"))
    ran = run_if_due(match, utc("2026-11-24 12:00"))
    assert (ran.open, {*ran.missing}) == ("0004-t1-movement", {"venice", "genoa"})
    assert not check_sheets_of_bots(open_match(match)).problems


def test_a_sheet_of_the_player_stays(lagoon: Path) -> None:
    own = SHEET.format("genoa", "genoa") + "ready: false\n"
    (lagoon / "0001-t1-setup/sheets/genoa.yaml").write_text(own)
    run_if_due(lagoon, NOW)
    assert (lagoon / "0001-t1-setup/sheets/genoa.yaml").read_text() == own
    assert not of_kind(entries(lagoon), Ordered)


def test_another_sheet_in_place_of_the_regents_is_found(lagoon: Path) -> None:
    run_if_due(lagoon, NOW)
    sheet = lagoon / "0001-t1-setup/sheets/genoa.yaml"
    sheet.write_text(sheet.read_text() + "# salt\n")
    (wrong,) = check_sheets_of_bots(open_match(lagoon)).problems
    assert "orders something else" in wrong.text


def test_the_days_arent_counted_and_no_deadline_is_moved(lagoon: Path) -> None:
    (entry,) = of_kind(entries(lagoon), Absent)
    assert entry.regent
    assert entry.due is None
    for _ in range(3):
        absent(lagoon, "genoa", "2026-12-01..2026-12-20", NOW, regent="own")
    absent(lagoon, "genoa", "2026-12-21..2026-12-22", NOW)


@pytest.mark.parametrize("name", ["other", "random"])
def test_there_is_one_regent(lagoon: Path, name: str) -> None:
    with pytest.raises(Faulty, match="own"):
        absent(lagoon, "venice", "2026-11-23..2026-11-30", NOW, regent=name)


def test_none_answers_questions(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon", pacing="live")
    with pytest.raises(Faulty, match="pacing=live"):
        absent(match, "genoa", "2026-11-23..2026-11-30", NOW, regent="own")
