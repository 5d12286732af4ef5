"""For all tests of play in a repository: git waits for no disk, and packs nothing tight."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from adjudicator.git import running


@pytest.fixture(scope="session", autouse=True)
def git_flushes_nothing() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "SETTINGS", (*running.SETTINGS, "core.fsync=none", "core.compression=0"))
        yield
