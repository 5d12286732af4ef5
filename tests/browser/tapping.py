"""The thumb that orders on the map and in its prompt, and counts: a tap on a thing of the map, a press of a button."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page

WHERE = """(name) => {
    const pane = document.getElementById("map"), svg = pane.querySelector("svg"), box = svg.viewBox.baseVal;
    const element = [...svg.querySelectorAll("[data-name]")].filter((each) => each.dataset.name === name).at(-1);
    const at = () => {
        const { x, y } = element.dataset, whole = svg.getBoundingClientRect(), own = element.getBoundingClientRect();
        return x === undefined
            ? [own.x + own.width / 2, own.y + own.height / 2]
            : [whole.x + x * whole.width / box.width, whole.y + y * whole.height / box.height];
    };
    pane.scrollIntoView({ block: "nearest" });
    const frame = pane.getBoundingClientRect(), [x, y] = at(), edge = 30;
    if (x < frame.x + edge || x > frame.right - edge || y < frame.y + edge || y > frame.bottom - edge) {
        pane.scrollBy(x - frame.x - frame.width / 2, y - frame.y - frame.height / 2);
    }
    return at();
}"""
"""The middle of a thing on the map, which is moved into sight if it is out of it: moving the map is no tap."""


class Thumb:
    """Taps and presses, one after the other: `@corfu` is a tap on the map, anything else the key of a button."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def does(self, steps: Sequence[str]) -> Thumb:
        """All of them."""
        for step in steps:
            if step.startswith("@"):
                self.tap(step.removeprefix("@"))
            else:
                self.press(step)
        return self

    def tap(self, name: str) -> None:
        """A tap on a thing of the map."""
        self.page.mouse.click(*self.page.evaluate(WHERE, name))
        self.count += 1

    def where(self, step: str) -> tuple[float, float]:
        """The middle of what a step taps or presses, which is in sight then."""
        if step.startswith("@"):
            x, y = self.page.evaluate(WHERE, step.removeprefix("@"))
            return x, y
        button = self.page.locator(f"[data-key={step!r}]").first
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box is not None, step
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def press(self, key: str) -> None:
        """A press of a button of the prompt, or on a card."""
        self.page.locator(f"[data-key={key!r}]").first.click()
        self.count += 1

    @property
    def asked(self) -> str:
        """What the prompt says."""
        return self.page.locator("#ask").inner_text()


def undone(page: Page) -> Any:
    """Takes every step back, one after the other."""
    while page.locator("#undo").is_enabled():
        page.locator("#undo").click()
