"""What a player ranked last is offered again: out of the player's own sheets alone."""

from __future__ import annotations

from pathlib import Path

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.post import Post
from adjudicator.engine.match.run import run
from adjudicator.engine.report.received_orders import last_lists
from tests.engine.match_folders import begun, send

LATER = "orders: []\nlater: {{auction: {{orders: [{}]}}}}\n"


def test_the_newest_list_of_one_s_own_is_found(tmp_path: Path) -> None:
    """In the auction: what the sheet of the set-up sent ahead for it; of others nothing."""
    path = begun(tmp_path / "lagoon", stops="all")
    send(path, "venice", LATER.format("{bid: 100, seats: [2, 1]}"))
    send(path, "genoa", LATER.format("{bid: 100}"))
    run(path)
    match = Folder(path)
    sheets = Post(match).due_sheets
    number = match.last
    assert match.head(number).name == "market"
    number = next(each for each in range(number) if match.head(each).name == "auction")
    assert last_lists(sheets, number, "venice") == {"auction": {"bid": [2, 1]}}
    assert last_lists(sheets, number, "genoa") == {}
    assert last_lists(sheets, 0, "venice") == {}
