"""The browser that all tests of a process share."""

from tests.browser.conftest import browser

__all__ = ["browser"]
