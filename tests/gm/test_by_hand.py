"""What a GM does by hand, one act after another: each leaves what the players were told before as it was said."""

from __future__ import annotations

from pathlib import Path

from adjudicator.engine.folder.entries import Opened
from adjudicator.engine.folder.folder import open_match
from adjudicator.gm import acts
from adjudicator.gm.playing import run_if_due
from adjudicator.gm.situation import situation
from tests.gm.weeks import last, utc

MONDAY = utc("2026-11-23 12:00")


def test_whose_seat_it_was_is_not_waited_for_any_more(lagoon: Path) -> None:
    acts.absent(lagoon, "venice", "2026-11-28..2026-12-03", MONDAY)
    acts.replace(lagoon, "venice", "new@example.org", MONDAY, why="gone")
    assert situation(open_match(lagoon), MONDAY).away == ()
    run_if_due(lagoon, utc("2026-11-26 07:00"))
    opened = last(lagoon)
    assert isinstance(opened, Opened)
    assert (opened.due, opened.moved) == (utc("2026-11-29 19:00"), ())


def test_who_plays_instead_may_be_away_too(lagoon: Path) -> None:
    acts.absent(lagoon, "venice", "2026-11-28..2026-12-03", MONDAY)
    acts.replace(lagoon, "venice", "new@example.org", MONDAY, why="gone")
    acts.absent(lagoon, "venice", "2026-11-29", MONDAY)
    state = situation(open_match(lagoon), MONDAY)
    assert [each.first for each in state.away] == ["2026-11-29"]
    assert state.left["venice"] == (1, 13)
