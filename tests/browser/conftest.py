"""One browser for all tests of a process, and the matches whose pages are looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial

import pytest
from playwright.sync_api import Browser, Page

from adjudicator.engine import registry
from tests.browser import chromium
from tests.browser.matches import Played, play
from tests.browser.visiting import visited

Visit = Callable[..., AbstractContextManager[Page]]
BY_GAME = [pytest.param(game, marks=pytest.mark.xdist_group(game)) for game in registry.OWN]
"""All tests of a game in one process, so that its match is played once."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium.running(chromium.needed()) as browser:
        yield browser


@pytest.fixture
def visit(browser: Browser) -> Visit:
    """`with visit(file, width=390, scheme="dark", scripts=False) as page:`."""
    return partial(visited, browser)


@pytest.fixture(scope="session", params=BY_GAME)
def match(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A short match of each game; nothing may be changed in it."""
    return play(request.param, tmp_path_factory.mktemp("match") / request.param)
