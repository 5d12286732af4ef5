"""One browser for all tests of a process, and the matches whose pages the tests open."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import chromium
from tests.browser.matches import Played, shared
from tests.browser.visiting import DESK, visited, window

Visit = Callable[..., AbstractContextManager[Page]]
Matches = Callable[[str], Played]
Open = Callable[..., AbstractContextManager[Page]]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium.running(chromium.needed()) as browser:
        yield browser


@pytest.fixture(scope="module")
def bare(browser: Browser) -> Iterator[Page]:
    """A window without a page."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def visit(browser: Browser) -> Visit:
    """`with visit(file, width=390, scheme="dark", scripts=False) as page:`."""
    windows = {scripts: window(browser, scripts=scripts) for scripts in (True, False)}
    return lambda at, *, scripts=True, form=True, **how: visited(
        windows[scripts], at, form=form and scripts, scripts=scripts, **how
    )


@pytest.fixture(scope="session")
def matches(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    """`matches("mediterranee")`: the written phases of a game as a match; nothing may be changed in it.

    Played once, by that process of a run of tests which needs it first.
    """
    top = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        top = top.parent  # each process has a folder of its own in that of the run
    return cache(lambda game: shared(game, top / "browser" / game))


@pytest.fixture
def market(matches: Matches) -> Path:
    """Venice's page for the first market."""
    return matches("mediterranee").folder("market", "venice") / "orders.html"


@pytest.fixture
def opened(visit: Visit, matches: Matches) -> Open:
    """`opened("mediterranee", "market", PHONE)`: the page for orders of the first player who is due in a phase."""

    def at(game: str, phase: str, width: int = DESK) -> AbstractContextManager[Page]:
        match = matches(game)
        return visit(match.folder(phase, match.due(phase)[0]) / "orders.html", width=width)

    return at
