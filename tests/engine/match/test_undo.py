"""Undo: takes back what followed from the last sheets, keeps it, and says so."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from adjudicator.engine.audit.comparing import check_received
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match import undo as undoing
from adjudicator.engine.match.run import run
from adjudicator.engine.match.undo import undo
from adjudicator.gm.changing import amend
from tests.engine.match_folders import begun, play, report_of, said, send_all, tree
from tests.gm.weeks import utc


def without_chain(state: bytes) -> list[bytes]:
    return [line for line in state.splitlines() if not line.startswith(b"chain: ")]


def test_undo_takes_back_what_followed_from_the_last_sheets(lagoon: Path) -> None:
    send_all(lagoon, "orders: []\nlater: {auction: {orders: []}}")
    run(lagoon)
    state = (lagoon / "0003-t1-market/state.yaml").read_bytes()
    events = (lagoon / "0002-t1-auction/events.jsonl").read_bytes()
    done = undo(lagoon)
    assert (done.folders, done.where, done.open) == (("0003-t1-market",), "undone/0001", "0002-t1-auction")
    assert (lagoon / "undone/0001/0003-t1-market/state.yaml").read_bytes() == state
    assert (lagoon / "undone/0001/0002-t1-auction/events.jsonl").read_bytes() == events
    assert not (lagoon / "0002-t1-auction/events.jsonl").exists()
    assert "**The GM has taken" in (lagoon / "0002-t1-auction/for/public/report.md").read_text()
    assert (
        lagoon / "0002-t1-auction/sheets"
    ).is_dir()  # a run has passed through it, and sheets may come now
    run(lagoon)
    again = (lagoon / "0003-t1-market/state.yaml").read_bytes()
    assert without_chain(again) == without_chain(state)
    assert again != state  # the chain tells that something was taken back
    assert "**A phase was taken back" in (lagoon / "0003-t1-market/for/public/report.md").read_text()
    assert verify(lagoon).good
    assert undo(lagoon).where == "undone/0002"
    assert undo(lagoon).open == "0001-t1-setup"
    with pytest.raises(Faulty) as faulty:
        undo(lagoon)
    assert "nothing to take back" in said(faulty)


@pytest.mark.parametrize("published", [True, False], ids=["published", "by hand"])
def test_a_match_whose_seed_is_published_is_not_reopened(tmp_path: Path, published: bool) -> None:
    """Else all throws to come would be known, and whoever computes a token could write as any player."""
    match = at_its_end(tmp_path)
    end = Folder(match).phases[-1]
    if not published:  # a match that was played with dice of wood
        for path in [*match.rglob("seed.yaml"), *match.rglob("proof.jsonl")]:
            path.unlink()
        assert undo(match).folders[-1] == end
        return
    before = tree(match)
    with pytest.raises(Faulty) as faulty:
        undo(match)
    assert "its seed is published" in said(faulty) and "adjudicator amend" in said(faulty)
    assert tree(match) == before


def test_verify_says_that_a_match_went_on_with_a_published_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = at_its_end(tmp_path)
    monkeypatch.setattr(undoing, "_check_not_published", lambda match: None)
    undo(match)
    for again in (False, True):
        if again:
            send_all(match)
            run(match)
        assert "before it went on: all throws since were known" in verify(match).problems[-1].text


def test_the_result_of_a_match_that_is_over_is_corrected_by_hand(tmp_path: Path) -> None:
    match = at_its_end(tmp_path)
    end = match / Folder(match).phases[-1]
    kept = Path(shutil.copytree(end / "for/venice", tmp_path / "kept"))
    position = end / "state.yaml"
    position.write_text(re.sub(r"treasury: \d+", "treasury: 12300", position.read_text(), count=1))
    amend(match, utc("2026-12-01 12:00"), why="a sale was booked twice")
    assert "a sale was booked twice" in report_of(match, end.name, "public")
    assert "treasury: 12300" in (end / "for/venice/view.yaml").read_text()
    assert verify(match).good and not verify(match).problems
    found = check_received([end / "for/venice", end / "for/public"], [], [])
    assert not found.problems
    assert not check_received([kept, end / "for/public"], [], []).problems  # which was handed out too, before


def at_its_end(home: Path) -> Path:
    """A match of one turn that is over."""
    match = begun(home / "lagoon", turns="1")
    play(match, 40)
    return match
