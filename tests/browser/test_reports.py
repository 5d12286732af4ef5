"""Reports as pages: of each kind of phase, for a player and the public, on a phone and a desk, light and dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Matches, Visit
from tests.browser.matches import ALIKE, GAMES, PHASES, Played
from tests.browser.stripped_mail import stripped
from tests.browser.visiting import PHONE, assert_fits, in_all_lights

PAGE = "report.html"
SEAT = "getComputedStyle(document.querySelector('.tag')).backgroundColor"
WORDS = re.compile(r"\w+")


@pytest.mark.parametrize(("game", "kind"), ALIKE)
def test_a_report_is_for_everybody(visit: Visit, matches: Matches, game: str, kind: str) -> None:
    """Everybody's is a player's with less in it, so that is looked at in one light alone."""
    match = matches(game)
    with visit(match.folder(kind, match.due(kind)[0]) / PAGE) as page:
        for light in in_all_lights(page):
            assert_fits(page)
            assert_accessible(page, light)
    with visit(match.folder(kind, "public") / PAGE) as page:
        for _ in in_all_lights(page):
            assert_fits(page)
        assert_accessible(page)


@pytest.mark.parametrize("game", GAMES)
def test_links_lead_somewhere(visit: Visit, matches: Matches, game: str) -> None:
    match = matches(game)
    last = list(match.kinds)[-1]
    at = match.folder(last, match.due(last)[0]) / PAGE
    with visit(at) as page:
        links = page.eval_on_selector_all("a[href]", "all => all.map((link) => link.getAttribute('href'))")
        for link in links:
            file, _, anchor = link.partition("#")
            assert (
                (at.parent / file).resolve().is_file() if file else page.locator(f"[id='{anchor}']").count()
            )


@pytest.mark.parametrize("game", GAMES)
def test_a_rule_is_shown_on_hover_on_focus_and_on_a_tap(visit: Visit, matches: Matches, game: str) -> None:
    with visit(a_report(matches(game))) as page:
        link = page.locator("main a.rule").first
        number, slip = link.inner_text(), page.get_by_role("tooltip")
        assert not slip.is_visible()
        link.hover()
        assert number in slip.inner_text()
        page.keyboard.press("Escape")
        assert not slip.is_visible()
        page.mouse.move(0, 0)
        link.click()
        assert slip.is_visible()
        assert page.evaluate("location.hash") == ""
        assert_accessible(page)
        page.locator("h1").click()
        assert not slip.is_visible()
        link.evaluate("link => link.previousElementSibling?.focus() ?? document.body.focus()")
        page.keyboard.press("Tab")
        while not page.evaluate("document.activeElement.matches('a.rule')"):
            page.keyboard.press("Tab")
        assert slip.is_visible()
        box, window = slip.bounding_box(), page.viewport_size
        assert box and window and box["x"] >= 0 and box["x"] + box["width"] <= window["width"]


@pytest.mark.parametrize("game", GAMES)
def test_without_scripts_a_rule_is_a_link_to_its_text(visit: Visit, matches: Matches, game: str) -> None:
    with visit(a_report(matches(game)), scripts=False) as page:
        link = page.locator("main a.rule").first
        target = link.get_attribute("href")
        assert target and link.inner_text() in page.locator(f"[id='{target[1:]}']").inner_text()


@pytest.mark.parametrize(("game", "kind"), PHASES)
def test_a_report_on_a_phone_and_as_the_body_of_a_mail(
    visit: Visit, matches: Matches, tmp_path: Path, game: str, kind: str
) -> None:
    """Where a mail program leaves nothing but text and tables, the report is there, and nothing that was hidden.

    (Whether everybody can use it on a phone is asked above, of the same pages.)
    """
    match = matches(game)
    folder, mail = match.folder(kind, match.due(kind)[0]), tmp_path / "mail.html"
    mail.write_text(stripped((folder / PAGE).read_text(encoding="utf-8")), encoding="utf-8")
    with visit(folder / PAGE, width=PHONE) as page:
        styled = seen(page)
        assert_fits(page)
    with visit(mail, width=PHONE, scripts=False) as page:
        plain = seen(page)
        assert page.locator("h1").count() == 1
        assert page.locator("table th[scope=col]").count()
    written = (folder / "report.md").read_text(encoding="utf-8")
    assert missing(words_of_markdown(written), plain) == []
    assert missing(plain, styled) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_first_screen_of_a_phone_says_what_matters(visit: Visit, matches: Matches, game: str) -> None:
    """What changed most, what it means to the reader, what to decide, who leads and where the map is."""
    with visit(a_report(matches(game)), width=PHONE) as page:
        page.set_viewport_size({"width": PHONE, "height": 844})
        seen = page.locator(".headline, .you, .decide, .stands")
        kinds = seen.evaluate_all("all => all.map((each) => each.classList[0])")
        assert kinds[0] == "headline"
        assert "decide" in kinds
        assert all(box["y"] + box["height"] <= 844 for each in seen.all() if (box := each.bounding_box()))
        drawn = page.locator("div.map").bounding_box()
        assert drawn and drawn["y"] < 844


@pytest.mark.parametrize("game", GAMES)
def test_a_report_in_print(visit: Visit, matches: Matches, game: str) -> None:
    """From a dark screen too it is black on white, with the light colours of the players."""
    with visit(a_report(matches(game))) as page:
        light = page.evaluate(SEAT)
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate(SEAT) == light
        assert [nav.is_visible() for nav in page.get_by_role("navigation", include_hidden=True).all()] == [
            False
        ] * page.get_by_role("navigation", include_hidden=True).count()
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
        drawn = page.locator("div.map svg").first
        assert drawn.is_visible()
        assert drawn.evaluate("map => getComputedStyle(map).getPropertyValue('--sea')") == "#fff"
        assert drawn.evaluate("map => map.getBoundingClientRect().left") >= 0
        assert b"/Type /Page" in page.pdf()


def a_report(match: Played) -> Path:
    """One with a story and refusals, or at least rules: the longest."""
    found = [match.folder(kind, match.due(kind)[0]) / PAGE for kind in match.kinds]
    return max(found, key=lambda path: len((path.parent / "report.md").read_text()))


def seen(page: Page) -> list[str]:
    """All words that are visible once everything folded is opened."""
    page.eval_on_selector_all("details", "all => all.forEach((each) => (each.open = true))")
    return WORDS.findall(page.inner_text("body"))


def words_of_markdown(text: str) -> list[str]:
    """All words of a report."""
    return WORDS.findall(re.sub(r"\\u[0-9a-f]{4}", "", text))


def missing(words: list[str], among: list[str]) -> list[str]:
    """Words of the first list that aren't in the second, in small or capital letters."""
    known = {word.casefold() for word in among}
    return sorted({word for word in words if word.casefold() not in known})
