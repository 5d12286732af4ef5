"""A page, opened as a reader opens it: from a file, with nothing else there; and whatever goes wrong on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

PHONE, DESK = 390, 1400
HEIGHT = {PHONE: 844, DESK: 900}
OWN = ("data:", "blob:", "about:")
"""What a page has in itself."""
WIDE = """() => {
    const most = document.documentElement.clientWidth;
    const held = (element) => element.parentElement && (
        getComputedStyle(element.parentElement).overflowX !== "visible" || held(element.parentElement));
    return document.scrollingElement.scrollWidth <= most ? [] : [...document.body.querySelectorAll("*")]
        .filter((element) => element.getBoundingClientRect().right > most + 0.5 && !held(element))
        .map((element) => element.outerHTML.slice(0, 160));
}"""
"""What makes a page wider than its window: the elements that stick out of it and lie in nothing that scrolls."""


@contextmanager
def visited(
    browser: Browser, at: Path, *, width: int = DESK, scheme: str = "light", scripts: bool = True
) -> Iterator[Page]:
    """A page in a window of its own; at the end nothing may have gone wrong.

    Wrong is a word on the console, an error of a script, a dialog, and any request but that for the file itself.
    """
    window = browser.new_context(
        viewport={"width": width, "height": HEIGHT.get(width, 900)},
        color_scheme=scheme,
        java_script_enabled=scripts,
        reduced_motion="reduce",
        service_workers="block",
    )
    try:
        page, address, wrong = window.new_page(), at.resolve().as_uri(), list[str]()
        page.on("console", lambda said: wrong.append(f"console {said.type}: {said.text}"))
        page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
        page.on("dialog", lambda shown: (wrong.append(f"dialog: {shown.message}"), shown.dismiss()))
        page.on("request", lambda asked: wrong.extend(beyond(asked.url, address)))
        page.on("requestfailed", lambda asked: wrong.append(f"failed: {asked.url[:200]}"))
        page.set_default_timeout(5000)
        page.goto(address)
        yield page
        assert wrong == [], f"{at}: " + "\n".join(wrong)
    finally:
        window.close()


def beyond(asked: str, address: str) -> list[str]:
    """The address that was asked for, where it is neither the page's own nor something that the page holds."""
    return [] if asked.partition("#")[0] == address or asked.startswith(OWN) else [f"request: {asked[:200]}"]


def in_all_lights(page: Page) -> Iterator[str]:
    """The page on a phone and on a desk, light and dark, one after the other without loading it again."""
    for width in (PHONE, DESK):
        page.set_viewport_size({"width": width, "height": HEIGHT[width]})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            yield f"{width} {scheme}"


def assert_fits(page: Page) -> None:
    """Nothing sticks out of the window: nobody has to scroll sideways but inside a table or a map."""
    sticking = page.evaluate(WIDE)
    assert sticking == [], "wider than the window:\n" + "\n".join(sticking)
    wide = page.evaluate("document.scrollingElement.scrollWidth")
    assert wide <= page.viewport_size["width"], f"{wide} pixels wide"
