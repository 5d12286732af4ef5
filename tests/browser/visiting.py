"""Opens a page as a reader does, from a file with no other files there,
and reports everything that goes wrong on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, Page

PHONE, DESK = 390, 1400
HEIGHT = {PHONE: 844, DESK: 900}
OWN = ("data:", "blob:", "about:")
"""What a page has in itself."""
LEAVE = """() => {
    try { localStorage.clear(); } catch {}
    document.documentElement.style.display = "none";
    const seen = ["print", "(prefers-color-scheme: dark)", "(prefers-reduced-motion: no-preference)"];
    return seen.map((media) => matchMedia(media).matches);
}"""
"""Nothing stays of what was open, nor is it drawn anew for another window; was it seen in print, in the dark, and with
all its motion?"""
READY = "() => !document.getElementById('packed') || document.body.dataset.ready !== undefined"
"""Have the scripts of a page been unpacked, and begun?"""
UNFOLD = """() => new Promise((done) => {
    const form = document.getElementById("form");
    if (!form || form.open) return done();
    document.getElementById("text-fold").open = true;
    form.addEventListener("toggle", done, { once: true });
    form.open = true;
})"""
"""Opens the form of a page for orders, which is made then, and the sheet as text."""
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
WIDE = """() => {
    const most = document.documentElement.clientWidth, wide = document.scrollingElement.scrollWidth;
    const held = (element) => element.parentElement && (
        getComputedStyle(element.parentElement).overflowX !== "visible" || held(element.parentElement));
    return [wide, wide <= most ? [] : [...document.body.querySelectorAll("*")]
        .filter((element) => element.getBoundingClientRect().right > most + 0.5 && !held(element))
        .map((element) => element.outerHTML.slice(0, 160))];
}"""
"""How wide a page is, and what makes it wider than its window: what sticks out and lies in nothing that scrolls."""

ASK = """async (asked) => {
  const program = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/program.js"));
  const { ask } = await import(program.name);
  const found = [];
  for (const { call, values } of asked) found.push(await ask(call, values));
  return found;
}"""
"""The answers of the program behind a page."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing of it, nor when they were written: in whole seconds two versions may be one."""

    def send_header(self, keyword: str, value: str) -> None:
        """All headers but one."""
        if keyword != "Last-Modified":
            super().send_header(keyword, value)

    def log_message(self, *args: Any) -> None:
        """Nothing."""


@contextmanager
def served(folder: Path, by: type[Quiet] = Quiet, port: int = 0) -> Iterator[str]:
    """The address of a folder on a server of this machine."""
    with ThreadingHTTPServer(("127.0.0.1", port), partial(by, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def window(browser: Browser, *, scripts: bool = True) -> Page:
    """A window for one page after another: opening a new one takes far longer than another page in it."""
    context = browser.new_context(
        java_script_enabled=scripts, reduced_motion="reduce", service_workers="block"
    )
    context.set_default_timeout(10_000)
    return context.new_page()


@contextmanager
def visited(
    page: Page,
    at: Path,
    *,
    width: int = DESK,
    scheme: str = "light",
    form: bool = False,
    scripts: bool = True,
) -> Iterator[Page]:
    """A file, opened in a window in which nothing is left of another; at the end nothing may have gone wrong.

    A good one stays open until the next one takes its place: an empty page between the two is another page to load.
    `form` unfolds the form of a page for orders. Wrong is a word on the console, an error of a script, a dialog, and
    any request but that for the file itself.
    """
    address, wrong = at.resolve().as_uri(), list[str]()
    heard: dict[Any, Callable[[Any], object]] = {
        "console": lambda said: wrong.append(f"console {said.type}: {said.text}"),
        "pageerror": lambda error: wrong.append(f"script: {error}"),
        "dialog": lambda shown: (wrong.append(f"dialog: {shown.message}"), shown.dismiss()),
        "request": lambda asked: wrong.extend(beyond(asked.url, address)),
        "requestfailed": lambda asked: wrong.append(f"failed: {asked.url[:200]}"),
    }
    for event, hear in heard.items():
        page.on(event, hear)
    try:
        put_in_light(page, width, scheme)
        page.goto(address)
        if scripts:
            page.wait_for_function(READY)
        if form:
            page.evaluate(UNFOLD)
        yield page
        assert wrong == [], f"{at}: " + "\n".join(wrong)
    finally:
        for event, hear in heard.items():
            page.remove_listener(event, hear)
        if wrong:  # what it hasn't heard of yet, such as that an address isn't there, is no fault of the next
            page.evaluate(LEAVE)
            page.goto("about:blank")


def again(page: Page) -> None:
    """The page loaded again, its form open if it was."""
    form = page.locator("#form[open]").count() > 0
    page.reload()
    page.wait_for_function(READY)
    if form:
        page.evaluate(UNFOLD)


def put_in_light(page: Page, width: int, scheme: str) -> None:
    """The window as the next page is to find it; what is as it should be is left, as the page before would follow."""
    size, seen = {"width": width, "height": HEIGHT.get(width, 900)}, page.evaluate(LEAVE)
    if page.viewport_size != size:
        page.set_viewport_size(size)
    if seen != [False, scheme == "dark", False]:
        page.emulate_media(media="null", color_scheme=scheme, reduced_motion="reduce")


def beyond(asked: str, address: str) -> list[str]:
    """The address that was asked for, where it is neither the page's own nor something that the page holds."""
    return [] if asked.partition("#")[0] == address or asked.startswith(OWN) else [f"request: {asked[:200]}"]


def in_all_lights(page: Page) -> Iterator[str]:
    """The page on a phone and on a desk, light and dark, one after the other without loading it again."""
    for width in (PHONE, DESK):
        page.set_viewport_size({"width": width, "height": HEIGHT[width]})
        page.evaluate(NEXT_FRAME)  # by then the page's own scripts have heard of it
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            yield f"{width} {scheme}"


def assert_fits(page: Page) -> None:
    """Nothing sticks out of the window: nobody has to scroll sideways but inside a table or a map."""
    wide, sticking = page.evaluate(WIDE)
    assert sticking == [], "wider than the window:\n" + "\n".join(sticking)
    assert wide <= page.viewport_size["width"], f"{wide} pixels wide"
