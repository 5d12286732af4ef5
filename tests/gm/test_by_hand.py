"""Several acts of a GM, one after another: what the players were told before stays as it was told."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder.entries import PhaseOpened
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import open_match
from adjudicator.gm import acts
from adjudicator.gm.playing import run_if_due
from adjudicator.gm.situation import situation
from tests.engine.match_folders import said, tree
from tests.gm.weeks import faults, last, told, utc

MONDAY = utc("2026-11-23 12:00")


def test_whose_seat_it_was_is_not_waited_for_any_more(lagoon: Path) -> None:
    acts.absent(lagoon, "venice", "2026-11-28..2026-12-03", MONDAY)
    acts.replace(lagoon, "venice", "new@example.org", MONDAY, why="gone")
    assert situation(open_match(lagoon), MONDAY).away == ()
    run_if_due(lagoon, utc("2026-11-26 07:00"))
    opened = last(lagoon)
    assert isinstance(opened, PhaseOpened)
    assert (opened.due, opened.moved) == (utc("2026-11-29 19:00"), ())


def test_who_plays_instead_may_be_away_too(lagoon: Path) -> None:
    acts.absent(lagoon, "venice", "2026-11-28..2026-12-03", MONDAY)
    acts.replace(lagoon, "venice", "new@example.org", MONDAY, why="gone")
    acts.absent(lagoon, "venice", "2026-11-29", MONDAY)
    state = situation(open_match(lagoon), MONDAY)
    assert [each.first for each in state.away] == ["2026-11-29"]
    assert state.left["venice"] == (1, 13)


def test_a_deadline_put_off_too_far_is_brought_back_but_never_before_what_players_were_told(
    lagoon: Path,
) -> None:
    acts.extend(lagoon, utc("2027-11-30 19:00"), MONDAY, why="snow")
    acts.extend(lagoon, utc("2026-11-30 19:00"), MONDAY, why="this year")
    assert "put off to Monday 2026-11-30 20:00 (Europe/Paris, UTC+01:00): this year" in told(lagoon)
    before = tree(lagoon)
    with pytest.raises(Faulty) as faulty:
        acts.extend(lagoon, utc("2026-11-25 18:59"), MONDAY, why="sooner")
    assert "were told Wednesday 2026-11-25 20:00 (Europe/Paris, UTC+01:00)" in said(faulty)
    assert tree(lagoon) == before
    acts.extend(lagoon, utc("2026-11-25 19:00"), MONDAY, why="no snow")
    assert faults(lagoon) == []


def test_so_many_is_said_as_one_says_it(lagoon: Path) -> None:
    acts.absent(lagoon, "venice", "2026-12-01..2026-12-13", MONDAY)
    with pytest.raises(Faulty) as faulty:
        acts.absent(lagoon, "venice", "2026-12-20..2026-12-21", MONDAY)
    assert "may be absent 1 time more, for 1 day in all; this is 2 days" in said(faulty)
