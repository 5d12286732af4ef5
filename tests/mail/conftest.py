"""Mail that a command sends is delivered in the test's own process, unless the test is about the command itself."""

from __future__ import annotations

import shutil
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


@pytest.fixture(scope="session")
def first_mailed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of two whose first phase was mailed, `lagoon`, and its post office, `post`."""
    home = tmp_path_factory.mktemp("mailed")
    with pytest.MonkeyPatch.context() as patch:
        in_this_process(patch)
        sent(week(home / "lagoon"), LocalPost(home / "post"))
    return home


@pytest.fixture
def mailed(first_mailed: Path, tmp_path: Path, post: LocalPost) -> Path:
    """A match of two with a schedule, whose first phase was mailed."""
    shutil.copytree(first_mailed / "post", post.home, dirs_exist_ok=True)
    match = Path(shutil.copytree(first_mailed / "lagoon", tmp_path / "lagoon"))
    post.account(match)
    return match


@pytest.fixture
def club(mailed: Path, post: LocalPost) -> Club:
    """The same, with what its players write."""
    return Club(mailed, post)
