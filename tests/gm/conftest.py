"""Matches with a schedule, made once for all tests of a process and copied for each."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.gm.weeks import week


@pytest.fixture(scope="session")
def first_week(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return week(tmp_path_factory.mktemp("week") / "lagoon")


@pytest.fixture
def lagoon(first_week: Path, tmp_path: Path) -> Path:
    """A match of two with a schedule that has just begun."""
    return Path(shutil.copytree(first_week, tmp_path / "lagoon"))
