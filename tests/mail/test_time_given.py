"""`mail ... --at` without a zone is in the match's zone, as for every command on one match;
on several matches it is UTC."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator.engine.folder.entries import Reminded, of_kind
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import week
from tests.mail.local_post import LocalPost

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")


@pytest.fixture
def match(tmp_path: Path) -> Path:
    """Due on Wednesday, 20:00 in Paris, at 19:00 UTC; it closes twelve hours later."""
    path = week(tmp_path / "lagoon", pages="off")
    LocalPost(tmp_path / "post").account(path)
    return path


@pytest.mark.parametrize("command", ["send", "turn"])
def test_of_one_match_it_is_in_its_zone(match: Path, command: str) -> None:
    call("mail", "send", str(match), "--at", "2026-11-22T13:00Z")
    early = call("mail", command, str(match), "--at", "2026-11-25T19:30")
    assert (early.exit_code, early.output) == (0, "")
    call("mail", "fetch", str(match), "--at", "2026-11-25T20:30")
    assert "reminded venice, genoa" in call("mail", command, str(match), "--at", "2026-11-25T20:30").output
    at = {f"{each.at:%H:%M}" for each in of_kind(ledger_of(open_match(match)), Reminded)}
    assert at == {"19:30"}


def test_of_several_it_is_in_utc(match: Path, tmp_path: Path) -> None:
    other = week(tmp_path / "other", name="other")
    LocalPost(tmp_path / "post").account(other)
    call("mail", "send", str(match), str(other), "--at", "2026-11-22T13:00")
    assert "reminded" not in call("mail", "send", str(match), str(other), "--at", "2026-11-25T18:30").output
    told = call("mail", "turn", str(match), str(other), "--at", "2026-11-25T19:30")
    assert told.output.count("reminded venice, genoa") == 2


def test_an_hour_that_the_zone_skips_is_refused(match: Path) -> None:
    told = call("mail", "turn", str(match), "--at", "2027-03-28T02:30")
    assert told.exit_code == 2
    assert "skip that hour" in told.output


def test_what_is_no_match_is_said(tmp_path: Path) -> None:
    told = call("mail", "turn", str(tmp_path / "nothing"), "--at", "2026-11-25T19:30")
    assert told.exit_code == 1, told.output
    assert "there is no such folder" in told.output
