"""For all tests: none looks at a clock or waits for the disk, and killing a run again and again is cheap."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import settings

from adjudicator.cli import clock
from adjudicator.engine.handout import for_all

settings.register_profile("always the same", deadline=None, derandomize=True)
settings.load_profile("always the same")

gc.set_threshold(
    50_000, 20, 100
)  # as the command line does; looking for garbage costs a tenth of the tests' time


@pytest.fixture(scope="session", autouse=True)
def nothing_is_flushed() -> Iterator[None]:
    """No test cuts the power: what is synced, and when, is seen by the calls; the disk isn't waited for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_deadline_is_past_by_the_clock() -> Iterator[None]:
    """The tests' acts have times of their own, and whether they are dated back hangs on the day of the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "by_the_clock", lambda: datetime(2026, 1, 1, tzinfo=UTC))
        yield


def leave_reports_out(patch: pytest.MonkeyPatch) -> None:
    """From now on a run hands nothing out."""

    def nothing(match: Any, number: int, *more: Any, **how: Any) -> dict[str, str]:
        return {f"{match.phases[number]}/for/public/report.md": ""}

    patch.setattr(for_all, "texts_for_all", nothing)


@pytest.fixture
def nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what comes of sheets, not of what is told of it: most of a short run is spent on that."""
    leave_reports_out(monkeypatch)


@pytest.fixture
def reports_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is repeated from the same position hands out the texts of the first time.

    For tests of where these are written, not of what stands in them: most of a short run is spent on them.
    """
    made: dict[Any, dict[str, str]] = {}
    texts_for_all = for_all.texts_for_all

    def once(match: Any, number: int, *more: Any, **how: Any) -> dict[str, str]:
        top = match.phases[number]
        key = (number, match.read(f"{top}/state.yaml"), match.opening(number), more, *how.items())
        if repr(key) not in made:
            made[repr(key)] = texts_for_all(match, number, *more, **how)
        return made[repr(key)]

    monkeypatch.setattr(for_all, "texts_for_all", once)
