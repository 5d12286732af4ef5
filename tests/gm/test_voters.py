"""Whose votes for an end of a match count."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.begin import begin
from adjudicator.gm.by_players import voters
from adjudicator.gm.playing import run_by_hand
from tests.gm.weeks import utc

pytestmark = pytest.mark.usefixtures("nobody_reads")


def test_nobody_waits_for_the_vote_of_a_player_who_is_out(tmp_path: Path) -> None:
    """ROM-5.2: who has no piece left. At the start nobody has any."""
    path = tmp_path / "alps"
    begin("rome-carthage", path, ["rome", "carthage"], seed_text="voters")
    assert [*voters(open_match(path))] == ["rome", "carthage"]
    while open_match(path).head(open_match(path).last).name in ("start", "placement"):
        run_by_hand(path, utc("2026-11-23 12:00"), deadline=True, why="all agree")
    match = open_match(path)
    state, rulebook = match.state(match.last), match.rulebook
    assert not rulebook.out(state)
    pieces = {name: unit for name, unit in state.pieces.items() if name not in state.pieces_of("carthage")}
    assert rulebook.out(replace(state, pieces=pieces)) == ["carthage"]
    match.state = lambda number: replace(state, pieces=pieces)  # type: ignore[method-assign]
    assert [*voters(match)] == ["rome"]
