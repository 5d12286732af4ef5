"""The installed browser: where it is, and one running instance of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
NONE = (
    "no Chromium here: on Debian `apt install chromium`, elsewhere name one with CHROMIUM=/path/to/chromium"
)
QUIET = ("--disable-lcd-text", "--font-render-hinting=none", "--force-color-profile=srgb")
"""The same picture on every machine, as far as its fonts are the same."""


def found() -> str | None:
    """The program: the one that CHROMIUM names, else the first of the usual names on the path."""
    named = os.environ.get("CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


def needed() -> str:
    """The program. Without one the test is skipped, but fails where CI is set: nobody reads there what was skipped."""
    program = found()
    if program is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(NONE)
    return program


@contextmanager
def running(program: str) -> Iterator[Browser]:
    """A browser of its own, without a window and without anybody's settings."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        yield browser
        browser.close()
