"""Whose votes for an end of a match count."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from adjudicator.engine.folder.entries import Resigned
from adjudicator.engine.folder.folder import changing, open_match
from adjudicator.engine.folder.ledger import append
from adjudicator.engine.match.begin import begin
from adjudicator.gm.by_players import vote, voters
from adjudicator.gm.playing import run_by_hand, run_if_due
from adjudicator.gm.regents import let_regents_play, open_seats
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import WEEK, utc, week

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


@pytest.mark.parametrize("regent", ["true", "false"])
def test_one_alone_agrees_on_nothing_while_the_others_are_silent(tmp_path: Path, regent: str) -> None:
    match = week(tmp_path / "lagoon", {**WEEK, "regent": regent == "true"})
    for at in ("2026-11-26 07:00", "2026-11-30 07:00"):
        run_if_due(match, utc(at))
    let_regents_play(match, utc("2026-11-30 08:00"))
    with changing(match) as there:
        assert open_seats(there) == ["venice", "genoa"]
        assert vote(there, "venice", "end", utc("2026-11-30 09:00")) == []


def test_a_regent_votes_for_nobody_who_has_given_up_the_seat(tmp_path: Path) -> None:
    match = week(tmp_path / "lagoon", {**WEEK, "regent": True})
    append(open_match(match), Resigned(at=utc("2026-11-23 12:00"), player="genoa"))
    let_regents_play(match, utc("2026-11-23 13:00"))
    assert [*voters(open_match(match))] == ["venice"]
    give_by_hand = call("replace", match, "genoa=new@example.org", "--why", "x", "--at", "2026-11-23T14:00Z")
    assert give_by_hand.exit_code == 0
    assert [*voters(open_match(match))] == ["venice", "genoa"]
