"""Fills in a page for orders by clicks, as `orders.html.j2` describes the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

HAND = (Path(__file__).parent / "hand.js").read_text(encoding="utf-8")
"""What the hand does at a place of the page, as one script: a way to the browser and back for each touch takes ten
times as long. (Tests of single buttons touch them with the mouse, and `test_by_keys_alone` with keys.)"""


class Hand:
    """Fills in forms as a player does: nothing is put into the sheet's text itself."""

    def __init__(self, page: Page, board: str = "#board", lines: str = "#orders") -> None:
        self.page, self.board, self.lines = page, board, lines

    def of(self, phase: str) -> Hand:
        """The hand on the board of a phase to come, which is unfolded if it is folded."""
        return self.on(f"[data-part='{phase}'], [data-later='{phase}']", f"#later-{phase}")

    def standing(self, phase: str) -> Hand:
        """The hand on the board of the standing orders for a phase."""
        self.unfold("[data-standing=phases]")
        return self.on(f"[data-standing-phase='{phase}']", f"#standing-{phase}")

    def on(self, board: str, lines: str) -> Hand:
        """The hand on another board."""
        self.unfold(board)
        return Hand(self.page, board, lines)

    def unfold(self, place: str) -> None:
        """Opens what is folded."""
        self.page.locator(place).evaluate(HAND, ["unfold"])

    def orders(self, orders: Sequence[Mapping[str, Any]]) -> None:
        """All orders of a sheet, one after the other, each with the orders that it holds."""
        self.page.locator(self.board).evaluate(HAND, ["orders", self.lines, orders])

    def order(self, order: Mapping[str, Any]) -> None:
        """One order, into the list that is open."""
        self.page.locator(self.board).evaluate(HAND, ["order", order])

    def form(self, verb: str) -> Locator:
        """The open form."""
        return self.page.locator(self.board).locator(f"form[data-form='{verb}']")

    def fill(self, form: Locator, order: Mapping[str, Any]) -> None:
        """The fields of a form, from the first to the last: which ones there are may depend on those before."""
        form.evaluate(HAND, ["fill", order])

    def control(self, at: Locator, value: Any) -> None:
        """The control below an element: a word, a number, yes or no, a list, a mapping, or one of several kinds."""
        at.evaluate(HAND, ["control", value])

    def press(self, *selectors: str) -> None:
        """Presses one button after another."""
        self.page.locator("main").evaluate(HAND, ["press", selectors])

    def pick(self, names: Sequence[str]) -> None:
        """Clicks on the map, in the middle of places or pieces."""
        self.page.locator("#map").evaluate(HAND, ["pick", names])

    def picked(self, form: Locator, field: str, names: Sequence[str]) -> list[str]:
        """Picks each name on the map into a field that holds a list, emptied before; what it holds then."""
        found: list[str] = form.evaluate(HAND, ["picked", field, names])
        return found

    def spot(self, name: str) -> None:
        """A click of the mouse itself in the middle of a place, or of a piece that stands there."""
        self.page.mouse.click(*self.page.locator("#map").evaluate(HAND, ["where", name]))

    def download(self, to: Path) -> bytes:
        """The sheet as a file, under the name that the page gives it."""
        if (unfold := self.page.locator("#unfold")).is_visible():  # a narrow page folds the ways out
            unfold.click()
        with self.page.expect_download() as waiting:
            self.page.locator("#download").click()
        waiting.value.save_as(to / waiting.value.suggested_filename)
        return (to / waiting.value.suggested_filename).read_bytes()
