"""A club's season: small for each change, longer in `make soak`; all of it by `python -m tests.season`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.mail.servers import needs_dovecot
from tests.season.checks import faults, mails
from tests.season.club import BEGUN, Season
from tests.season.post import open_post

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no Dovecot for Windows")


@pytest.mark.parametrize(
    ("matches", "people", "days"),
    [
        pytest.param(3, 6, 6, marks=pytest.mark.ci),
        pytest.param(6, 11, 30, marks=pytest.mark.soak),
    ],
)
def test_a_club_runs_itself(tmp_path: Path, matches: int, people: int, days: int) -> None:
    needs_dovecot()
    with open_post(BEGUN) as post:
        season = Season(tmp_path / "club", post, matches=matches, people=people, seed="season")
        season.play(days)
        assert [*faults(season)] == []
        assert len([*mails(season)]) > matches * days
