"""Mail that a command sends is delivered in the test's own process, unless the test is about the command itself."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.mail import account, boxes
from tests.gm.weeks import week
from tests.mail.clubs import Club, sent
from tests.mail.local_post import LocalPost, in_this_process


@pytest.fixture(scope="module", autouse=True)
def no_command_is_started() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        in_this_process(patch)
        yield


@pytest.fixture
def by_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test of the command itself: it is started."""
    for module in (account, boxes):
        monkeypatch.setattr(module, "subprocess", subprocess)


@pytest.fixture
def post(tmp_path: Path) -> LocalPost:
    """A post office of the test's own."""
    return LocalPost(tmp_path / "post")


@pytest.fixture
def club(tmp_path: Path, post: LocalPost) -> Club:
    """A match of two with a schedule, whose first phase was mailed."""
    return Club(sent(week(tmp_path / "lagoon"), post), post)
