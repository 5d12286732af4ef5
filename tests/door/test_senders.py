"""Who has sent a file, when it came, and how many come: the questions that a door asks before all others."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

import adjudicator
from adjudicator.door.seats import MOST_READ, seats_of
from adjudicator.engine.folder.entries import Held
from adjudicator.engine.folder.folder import changing, open_match
from adjudicator.engine.folder.ledger import add_entries
from tests.cli.calling import adjudicator as call
from tests.door.doors import DOORS, States, Told, by_git, by_mail, mailed, with_files
from tests.door.test_doors import GOOD, NOW, PAST, as_it_is, with_a_good_one
from tests.gm.weeks import BEGUN
from tests.mail.local_post import LocalPost

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
OTHER = b"player: venice\norders: []\n"
KNOW_WHO: dict[str, Callable[[Path, str, bytes, datetime, str], Told]] = {"mail": by_mail, "git": by_git}
"""The doors that tell who has sent a file by its token."""


def a_copy(states: States, tmp_path: Path, bring_about: Callable[[Path], None] = as_it_is) -> Path:
    return Path(shutil.copytree(states(bring_about).parent, tmp_path / "state")) / "lagoon"


def sheet_in(match: Path) -> bytes:
    """Venice's sheet in the open phase; empty without one."""
    path = match / open_match(match).phases[-1] / "sheets" / "venice.yaml"
    return path.read_bytes() if path.exists() else b""


def told_and_reminded(match: Path) -> None:
    """Everybody has had the mail with the deadline, and the reminder after it: no mail keeps the phase open."""
    post = LocalPost(match.parent / "post")
    post.account(match, plus="false")
    call("mail", "turn", match, "--at", f"{BEGUN.replace(' ', 'T')}:00Z")
    turned = call("mail", "turn", match, "--at", "2026-11-25T20:00:00Z")
    assert "reminded venice, genoa" in turned.output, turned.output
    (match / "mail.yaml").unlink()


@pytest.mark.parametrize("door", DOORS)
def test_what_comes_late_is_held_where_the_time_is_known(states: States, tmp_path: Path, door: str) -> None:
    """The time of a push says nothing: what was pushed when the referee looks counts."""
    match = a_copy(states, tmp_path, told_and_reminded)
    told = DOORS[door](match, "venice", GOOD, PAST)
    assert (sheet_in(match) == GOOD) == (door == "git")
    assert ("The phase was due to close" in told.words) == bool(told.because) == (door != "git")


@pytest.mark.parametrize("door", DOORS)
def test_what_came_before_the_one_that_counts_is_held(states: States, tmp_path: Path, door: str) -> None:
    match = a_copy(states, tmp_path, with_a_good_one)
    told = DOORS[door](match, "venice", OTHER, NOW - timedelta(hours=1))
    assert sheet_in(match) == (OTHER if door == "git" else GOOD)
    assert ("the one that came last counts" in told.words) == bool(told.because) == (door != "git")


@pytest.mark.parametrize("door", DOORS)
def test_what_came_before_the_phase_was_opened_is_held(states: States, tmp_path: Path, door: str) -> None:
    match = a_copy(states, tmp_path)
    told = DOORS[door](match, "venice", GOOD, datetime.fromisoformat(f"{BEGUN}+00:00") - timedelta(hours=1))
    assert sheet_in(match) == (GOOD if door == "git" else b"")
    assert ("before 0001-t1-setup was opened" in told.words) == bool(told.because) == (door != "git")


@pytest.mark.parametrize("door", KNOW_WHO)
@pytest.mark.parametrize("whose", ["nobody's", "genoa's"])
def test_what_another_may_have_sent_is_held_and_told_nothing(
    states: States, tmp_path: Path, door: str, whose: str
) -> None:
    match = a_copy(states, tmp_path, with_a_good_one)
    genoa = next(each for each in seats_of(open_match(match)) if each.seat.player == "genoa")
    token = genoa.token if whose == "genoa's" else "aaaabbbbcccc"
    told = KNOW_WHO[door](match, "venice", OTHER, NOW, token)
    assert told.because
    assert sheet_in(match) == GOOD
    assert "done: " not in told.words


@pytest.mark.parametrize("door", ["program", "page"])
def test_a_door_that_is_told_who_it_is_knows_the_players_alone(
    states: States, tmp_path: Path, door: str
) -> None:
    with pytest.raises(adjudicator.Faulty, match="pisa"):
        DOORS[door](a_copy(states, tmp_path), "pisa", b"orders: []\n", NOW)


@pytest.mark.parametrize("door", KNOW_WHO)
def test_after_so_many_a_day_no_more_are_read(states: States, tmp_path: Path, door: str) -> None:
    """A program's and the GM's own calls are not counted."""
    match = a_copy(states, tmp_path, with_a_good_one)
    with changing(match) as there:
        add_entries(
            there,
            *(
                Held(at=NOW, phase=there.phases[-1], message=f"{number}", because="blank", player="venice")
                for number in range(MOST_READ)
            ),
        )
        there.commit()
    told = KNOW_WHO[door](match, "venice", OTHER, NOW, "")
    assert told.because in ("left", "too-many")
    assert sheet_in(match) == GOOD
    assert adjudicator.open(match).submit("venice", OTHER, came=NOW).taken


def test_of_several_files_in_a_mail_that_differ_none_is_taken(states: States, tmp_path: Path) -> None:
    match = a_copy(states, tmp_path)
    told = mailed(match, "venice", with_files(GOOD, OTHER), NOW)
    assert told.because == "several"
    assert not sheet_in(match)
    again = mailed(match, "venice", with_files(GOOD, GOOD), NOW)
    assert not again.because
    assert sheet_in(match) == GOOD
