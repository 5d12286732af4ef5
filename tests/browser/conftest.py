"""One browser for all tests of a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import chromium
from tests.browser.visiting import visited

Visit = Callable[..., "AbstractContextManager[Page]"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium.running(chromium.needed()) as browser:
        yield browser


@pytest.fixture
def visit(browser: Browser) -> Visit:
    """`with visit(file, width=390, scheme="dark", scripts=False) as page:`."""
    return partial(visited, browser)
