"""The guide on the page for orders: by itself on a first sheet, later by its button; one good order at a time."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Open
from tests.browser.sheets import sheet_on
from tests.browser.tapping import Thumb
from tests.browser.visiting import PHONE

pytestmark = pytest.mark.ci


def test_a_first_sheet_is_ordered_with_the_guide_alone(opened: Open) -> None:
    with opened("mediterranee", "setup", PHONE) as page:
        guide, thumb = page.locator("#guide"), Thumb(page)
        assert "What this phase is for" in guide.inner_text()
        assert "Why: " in guide.inner_text()
        taken = 0
        while page.locator("[data-key=do-this]").count():
            thumb.press("do-this")
            taken += 1
            assert len(sheet_on(page)["orders"]) == taken
        assert taken > 1
        assert page.locator(".card .wrong").count() == 0
        assert guide.is_visible()  # what it says of the phase stands still


def test_whoever_wants_no_guide_finds_it_by_its_button(opened: Open) -> None:
    with opened("mediterranee", "setup", PHONE) as page:
        guide = page.locator("#guide")
        page.locator("[data-key=no-guide]").click()
        assert guide.is_hidden()
        page.reload()
        page.wait_for_selector("[data-ready]")
        assert guide.is_hidden()
        page.locator("[data-key=guide]").click()
        page.locator("#guide summary").first.click()
        assert guide.locator("details[open] p").is_visible()


def test_another_good_order_is_shown_and_taken(opened: Open) -> None:
    with opened("mediterranee", "setup", PHONE) as page:
        first = page.locator(".good-order").inner_text()
        page.locator("[data-key=another]").click()
        assert page.locator(".good-order").inner_text() != first


def test_the_good_order_is_drawn_until_the_guide_is_closed(opened: Open) -> None:
    with opened("mediterranee", "setup", PHONE) as page:
        drawn = page.locator("#map .own .advised")
        first = drawn.inner_html()
        page.locator("[data-key=another]").click()
        assert drawn.inner_html() != first
        page.locator("[data-key=no-guide]").click()
        assert drawn.count() == 0
