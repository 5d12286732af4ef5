"""The checks of the other browser tests work: each fails where it should."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Error

from tests.browser import chromium
from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Visit
from tests.browser.filling_forms import Hand
from tests.browser.visiting import NEXT_FRAME, PHONE, assert_fits, in_all_lights

GOOD = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>
<body><main><h1>A page</h1>{}</main></body></html>"""
WRONG = {
    "console": "<script>console.error('no')</script>",
    "warning": "<script>console.warn('no')</script>",
    "a script's error": "<script>nothing.here()</script>",
    "a promise that fails": "<script>Promise.reject(new Error('no'))</script>",
    "a dialog": "<script>alert(1)</script>",
    "a picture from outside": "<img alt='' src='https://example.invalid/a.png'>",
    "another file": "<link rel='stylesheet' href='other.css'>",
    "a font": "<style>@font-face {font-family: x; src: url(x.woff)} p {font-family: x}</style><p>text</p>",
    "fetch": "<script>fetch('https://example.invalid/').catch(() => 0)</script>",
}
BARRIERS = {
    "label": "<input>",
    "color-contrast": "<p style='color: #bbb; background: #fff'>pale</p>",
    "image-alt": "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>",
    "empty-table-header": "<table><tr><th></th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
    "heading-order": "<h4>deep</h4>",
}
UNTOUCHABLE = {
    "lies on": "<button data-verb='x'>x</button><p style='position: fixed; inset: 0; margin: 0'></p>",
    "not to be seen": "<button data-verb='x' style='visibility: hidden'>x</button>",
    "not to be used": "<button data-verb='x' disabled>x</button>",
    "can't be written": """<button data-verb='x'>x</button><form data-form='x'><div class='fields'>
        <p data-field='x'><span class='number'><input type='number'></span></p></div></form>""",
    "no field for x": """<button data-verb='x'>x</button><form data-form='x'><div class='fields'>
        <p data-field='y'></p></div></form>""",
}
"""What a hand can't do with the order `x: one`, and why."""


@pytest.fixture
def at(tmp_path: Path) -> Path:
    return tmp_path / "page.html"


def test_a_good_page_passes_every_look(visit: Visit, at: Path) -> None:
    at.write_text(GOOD.format("<img alt='a dot' src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>"))
    with visit(at) as page:
        assert list(in_all_lights(page)) == ["390 light", "390 dark", "1400 light", "1400 dark"]
        assert_accessible(page)
        assert_fits(page)


@pytest.mark.parametrize("what", WRONG)
def test_what_goes_wrong_on_a_page_is_seen(visit: Visit, at: Path, what: str) -> None:
    at.write_text(GOOD.format(WRONG[what]))
    with pytest.raises(AssertionError, match=r"page\.html"), visit(at) as page:
        page.evaluate(NEXT_FRAME)


@pytest.mark.parametrize("rule", BARRIERS)
def test_every_barrier_on_a_page_is_found(visit: Visit, at: Path, rule: str) -> None:
    at.write_text(GOOD.format(BARRIERS[rule]))
    with visit(at) as page, pytest.raises(AssertionError, match=rule):
        assert_accessible(page)


def test_a_wide_page_is_seen(visit: Visit, at: Path) -> None:
    at.write_text(GOOD.format("<table id='wide'><tr><td style='min-width: 500px'>wide</td></tr></table>"))
    with visit(at, width=PHONE) as page, pytest.raises(AssertionError, match="wide"):
        assert_fits(page)
    at.write_text(GOOD.format("<div style='overflow: auto' tabindex='0'><p style='width: 500px'>x</p></div>"))
    with visit(at, width=PHONE) as page:
        assert_fits(page)


@pytest.mark.parametrize("why", UNTOUCHABLE)
def test_a_hand_does_only_what_a_hand_can(visit: Visit, at: Path, why: str) -> None:
    at.write_text(GOOD.format(f"<div id='board'>{UNTOUCHABLE[why]}</div>"))
    with visit(at) as page, pytest.raises(Error, match=why):
        Hand(page).order({"x": "one"})


def test_light_and_dark_and_no_scripts(visit: Visit, at: Path) -> None:
    style = "<style>@media (prefers-color-scheme: dark) { h1 { color: rgb(1, 2, 3) } }</style>"
    at.write_text(GOOD.format(style + "<p id='said'></p><script>said.textContent = 'ran'</script>"))
    colour = "getComputedStyle(document.querySelector('h1')).color"
    with visit(at) as page:
        assert page.locator("#said").inner_text() == "ran"
        lights = dict.fromkeys(page.evaluate(colour) for _ in in_all_lights(page))
        assert list(lights) == ["rgb(0, 0, 0)", "rgb(1, 2, 3)"]
    with visit(at, scheme="dark", scripts=False) as page:
        assert page.locator("#said").inner_text() == ""


def test_nothing_of_a_page_stays_for_the_next(visit: Visit, at: Path) -> None:
    at.write_text(GOOD.format("<script>console.log(localStorage.kept)</script>"))
    for _ in range(2):
        with pytest.raises(AssertionError, match="undefined"), visit(at, width=PHONE, scheme="dark") as page:
            page.evaluate("localStorage.kept = 'here'")
            page.emulate_media(media="print")
    at.write_text(GOOD.format(""))
    with visit(at) as page:
        assert page.viewport_size == {"width": 1400, "height": 900}
        assert not page.evaluate(
            "matchMedia('print').matches || matchMedia('(prefers-color-scheme: dark)').matches"
        )


def test_without_a_browser_tests_are_skipped_but_fail_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="apt install chromium"):
        chromium.needed()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt install chromium"):
        chromium.needed()
