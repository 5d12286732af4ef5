"""For all tests: none looks at a clock or waits for the disk, and killing a run again and again is cheap."""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from adjudicator.cli import options
from adjudicator.engine.folder import disk
from adjudicator.engine.handout import for_all

settings.register_profile("always the same", deadline=None, derandomize=True)
settings.load_profile("always the same")

gc.set_threshold(
    50_000, 20, 100
)  # as the command line does; looking for garbage costs a tenth of the tests' time

TESTS = Path(__file__).parent
FOR_CI = (
    "browser/",
    "cli/test_bounded.py",
    "cli/test_cluster.py",
    "cli/test_full_disk.py",
    "cli/test_output.py",
    "cli/test_strangers.py",
    "cli/test_work.py",
    "cli/test_workers.py",
    "door/test_any_bytes.py",
    "engine/audit/test_verify_tampers.py",
    "engine/audit/test_verify_written_again.py",
    "engine/folder/test_power_cut.py",
    "engine/report/test_size_of_pages.py",
    "foreign/test_omissions.py",
    "foreign/test_program.py",
    "foreign/test_upgrade.py",
    "git/",
    "gm/test_amended_verifies.py",
    "gm/test_ledger_lost.py",
    "hostile/",
    "mail/test_acts_told.py",
    "mail/test_any_mail.py",
    "mail/test_any_mix.py",
    "mail/test_bank.py",
    "mail/test_came_back.py",
    "mail/test_closings.py",
    "mail/test_club.py",
    "mail/test_daily_digest.py",
    "mail/test_demo.py",
    "mail/test_digest.py",
    "mail/test_drafts_reminded.py",
    "mail/test_due_soon.py",
    "mail/test_every_style.py",
    "mail/test_hostile_mails.py",
    "mail/test_lines_for_gms.py",
    "mail/test_loops.py",
    "mail/test_lying_servers.py",
    "mail/test_news.py",
    "mail/test_nobody_waits.py",
    "mail/test_outages.py",
    "mail/test_random_weeks.py",
    "mail/test_received_by_mail.py",
    "mail/test_reminders.py",
    "mail/test_servers.py",
    "mail/test_standby.py",
    "mail/test_two_languages.py",
    "mail/test_week_by_mail.py",
    "mail/test_which_counts.py",
    "mail/test_who_wrote_it.py",
    "page/test_foreseen.py",
    "page/test_may_happen.py",
    "rulebooks/test_contract.py",
    "rulebooks/test_lasting.py",
    "rulebooks/test_mediterranee_bot.py",
    "rulebooks/test_oltremare_mails.py",
    "rulebooks/test_possible_here.py",
    "rulebooks/test_rome_carthage_bot.py",
    "test_determinism.py",
    "test_games.py",
    "test_release.py",
    "test_wheel.py",
)
"""Folders and files that are marked `ci`: `make test` leaves them to `make test-all`. docs/develop.md says why."""
IN_BOTH = ("git/test_ten_minutes.py",)
"""Files in these folders that `make test` runs too."""
SEEN_IN_OTHERS = {"rome-carthage", "serenissima", "triumvirat"}
"""Games that `make test` leaves out where a test of the program tries the same with each: the two others differ most.
Tests of rulebooks try all."""


def is_for_ci(item: pytest.Item) -> bool:
    """Does `make test` leave a test to `make test-all`?"""
    where = item.path.relative_to(TESTS).as_posix()
    if where.startswith(FOR_CI):
        return where not in IN_BOTH
    of_a_rulebook = where.startswith("rulebooks/") or "/" not in where
    given = item.callspec.params.values() if hasattr(item, "callspec") and not of_a_rulebook else ()
    return any(game_of(each) in SEEN_IN_OTHERS for each in given)


def game_of(value: Any) -> str | None:
    """The game that a parameter names, or that it is a match of."""
    return value if isinstance(value, str) else getattr(getattr(value, "rulebook", None), "key", None)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """`make test` doesn't even read the files that it leaves out: that takes seconds, in each process."""
    where = collection_path.relative_to(TESTS).as_posix() + "/" * collection_path.is_dir()
    ours = not where.startswith(FOR_CI) or any(each.startswith(where) for each in IN_BOTH)
    return None if ours or "not ci" not in config.option.markexpr else True


@pytest.hookimpl(tryfirst=True)  # before the marks are looked at
def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    for item in filter(is_for_ci, items):
        item.add_marker(pytest.mark.ci)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What was left out for want of something, such as a browser: why and how many, once, not for each test."""
    skipped = terminalreporter.getreports("skipped")
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for why, count in sorted(reasons.items()):
        terminalreporter.write_line(f"{count} left out: {why}")


@pytest.fixture(scope="session", autouse=True)
def nothing_is_flushed() -> Iterator[None]:
    """No test cuts the power: what is synced, and when, is seen by the calls; the disk isn't waited for, so that
    waiting for many files at once would only cost threads.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        patch.setattr(disk, "MANY", sys.maxsize)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_deadline_is_past_by_the_clock() -> Iterator[None]:
    """The tests' acts have times of their own, and whether they are dated back hangs on the day of the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(options, "by_the_clock", lambda: datetime(2026, 1, 1, tzinfo=UTC))
        yield


def leave_reports_out(patch: pytest.MonkeyPatch) -> None:
    """From now on a run hands nothing out."""

    def nothing(match: Any, number: int, *more: Any, **how: Any) -> dict[str, str]:
        return {f"{match.phases[number]}/for/public/report.md": ""}

    patch.setattr(for_all, "texts_for_all", nothing)


@pytest.fixture
def nobody_reads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what comes of sheets, not of what is told of it: most of a short run is spent on that.

    In a file of such tests those that do look at what was handed out are marked `read`.
    """
    if request.node.get_closest_marker("read") is None:
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
