"""What happened, step by step, on a report's map: by taps, by keys, from the story and from the map."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Matches, Visit
from tests.browser.matches import GAMES, Played
from tests.browser.test_reports import PAGE
from tests.browser.visiting import DESK, PHONE, assert_fits

LOW = {"width": 390, "height": 664}
"""A phone with its browser's bars."""
SIGNS = "[...document.querySelectorAll('#under > *, #over > *')].map((sign) => sign.outerHTML).join()"
SHOWN = "[...document.querySelectorAll('[data-step].shown')].map((line) => Number(line.dataset.step))"


def a_story(match: Played) -> str:
    """The kind of phase before which most happened."""

    def count(kind: str) -> int:
        return (match.folder(kind, match.due(kind)[0]) / PAGE).read_text(encoding="utf-8").count("data-step=")

    return max(match.kinds, key=count)


def press(page: Page, act: str) -> None:
    """A tap on a button of the map."""
    page.locator(f".sight [data-act={act}]").click()


@pytest.mark.parametrize("game", GAMES)
def test_a_story_is_shown_step_by_step_and_the_map_comes_back(
    visit: Visit, matches: Matches, game: str
) -> None:
    match = matches(game)
    kind = a_story(match)
    with visit(match.folder(kind, match.due(kind)[0]) / PAGE, width=PHONE) as page:
        page.set_viewport_size(LOW)
        now, steps = page.evaluate(SIGNS), page.locator("[data-step]").count()
        assert steps
        for number in range(steps):
            press(page, "next")
            assert page.evaluate(SHOWN) == [number]
            told = page.locator(".replay .words").inner_text()
            assert told[1:] in page.locator(f"[data-step='{number}']").inner_text()
            for button in page.locator(".replay button").all():
                box = button.bounding_box()
                assert box
                assert box["y"] + box["height"] <= LOW["height"]
                assert box["height"] >= 44
        assert_fits(page)
        assert_accessible(page)
        press(page, "next")
        assert page.evaluate(SHOWN) == []
        assert page.evaluate(SIGNS) == now
        press(page, "back")
        assert page.evaluate(SHOWN) == [steps - 1]
        page.keyboard.press("ArrowLeft")
        assert page.evaluate(SHOWN) == [steps - 2]
        page.keyboard.press("Escape")
        assert page.evaluate(SIGNS) == now


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_by_itself_to_its_end(visit: Visit, matches: Matches, game: str) -> None:
    match = matches(game)
    kind = a_story(match)
    with visit(match.folder(kind, match.due(kind)[0]) / PAGE) as page:
        page.clock.install()
        press(page, "play")
        assert page.evaluate(SHOWN) == [0]
        page.clock.run_for(600_000)
        steps = page.locator("[data-step]").count()
        assert page.evaluate(SHOWN) == [steps - 1]
        assert page.locator("[data-act=play]").get_attribute("aria-label") == "Play"


@pytest.mark.parametrize("game", GAMES)
def test_story_and_map_are_lit_together(visit: Visit, matches: Matches, game: str) -> None:
    """On a desk: a line of the story lights its places, a mark its lines; the map stays in sight, at two thirds."""
    match = matches(game)
    kind = a_story(match)
    with visit(match.folder(kind, match.due(kind)[0]) / PAGE, width=DESK) as page:
        lines = page.locator("[data-step]")
        lit = []
        for number in range(lines.count()):
            lines.nth(number).hover(position={"x": 2, "y": 8})
            lit.append(page.locator(".lit circle").count())
        assert any(lit)
        lines.nth(lit.index(max(lit))).click(position={"x": 2, "y": 8})
        assert page.evaluate(SHOWN) == [lit.index(max(lit))]
        box = page.locator(".sight").bounding_box()
        assert box
        assert box["y"] >= 0
        assert box["width"] >= DESK * 0.6
        page.evaluate("document.querySelector('.shown').scrollIntoView({ block: 'center' })")
        name = page.evaluate(
            "JSON.parse(document.getElementById('replay').textContent).steps"
            f"[{lit.index(max(lit))}][3].find((name) => document.querySelector(`div.map [data-name='${{name}}']`))"
        )
        page.locator(f"div.map [data-name='{name}']").first.dispatch_event("click")
        assert page.locator("[data-step].about.shown").count() == 1
        press(page, "whole")
        seen = page.locator("div.map").evaluate(
            "(pane) => [pane.scrollWidth <= pane.clientWidth, pane.scrollHeight <= pane.clientHeight]"
        )
        assert seen == [True, True]
