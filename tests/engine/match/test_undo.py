"""Undo: takes back what followed from the last sheets, keeps it, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.match.run import run
from adjudicator.engine.match.undo import undo
from adjudicator.engine.match.verify import verify
from tests.engine.match_folders import said, send_all


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
    assert "**The GM has taken" in (lagoon / "0003-t1-market/for/public/report.md").read_text()
    assert verify(lagoon).good
    assert undo(lagoon).where == "undone/0002"
    assert undo(lagoon).open == "0001-t1-setup"
    with pytest.raises(Faulty) as faulty:
        undo(lagoon)
    assert "nothing to take back" in said(faulty)
