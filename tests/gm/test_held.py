"""A match on hold: no command closes its phase, and each says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.page.serving import play_on
from tests.cli.calling import adjudicator
from tests.engine.match_folders import send_all, tree
from tests.gm.weeks import utc

STILL = "It is on hold (ill): nothing is played until you resume it, even if all sheets are in."
MONDAY, LATER = "2026-11-23T12:00Z", "2026-12-23T12:00Z"


@pytest.fixture
def held(lagoon: Path) -> Path:
    assert adjudicator("hold", str(lagoon), "--why", "ill", "--at", MONDAY).exit_code == 0
    return lagoon


@pytest.mark.parametrize("more", [(), ("--why", "I want to")])
def test_a_deadline_is_refused_until_it_is_resumed(held: Path, more: tuple[str, ...]) -> None:
    before = tree(held)
    said = adjudicator("run", str(held), "--deadline", "--at", LATER, *more)
    assert said.exit_code == 1
    assert "the match is on hold (ill); resume it first" in said.output
    assert tree(held) == before
    assert adjudicator("resume", str(held), "--why", "well", "--at", LATER).exit_code == 0
    assert adjudicator("run", str(held), "--deadline", "--at", LATER, *more).exit_code == 0


def test_of_many_it_alone_is_left(held: Path, tmp_path: Path) -> None:
    said = adjudicator("run", str(held), str(held), "--deadline", "--at", LATER)
    assert said.exit_code == 1
    assert said.output.count("resume it first") == 2


def test_the_clock_leaves_it_and_says_so(held: Path) -> None:
    before = tree(held)
    said = adjudicator("run", str(held), "--if-due", "--at", LATER)
    assert said.exit_code == 3, said.output
    assert STILL in said.output.replace("\n", " ")
    assert tree(held) == before


def test_a_complete_phase_on_hold_is_played_only_once_resumed(held: Path) -> None:
    """Its players were told so."""
    send_all(held)
    before = tree(held)
    for more in ((), ("--dice", "4,6"), ("--if-due",)):
        said = adjudicator("run", str(held), "--at", LATER, *more)
        assert said.exit_code == 3, said.output
        assert STILL in said.output.replace("\n", " ")
        with pytest.raises(Faulty):
            play_on(held, utc("2026-12-23 12:00"), Folder(held).phases[-1])
        assert tree(held) == before
    assert adjudicator("resume", str(held), "--why", "well", "--at", LATER).exit_code == 0
    assert adjudicator("run", str(held), "--at", LATER).exit_code == 0
