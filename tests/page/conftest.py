"""The browser and the matches that all tests of a process share."""

from tests.browser.conftest import browser, matches

__all__ = ["browser", "matches"]
