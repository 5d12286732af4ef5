"""Names, notes and sheets full of markup and odd characters do no harm on any page."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from adjudicator.cli.written import write_with_progress
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.library import registry
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.text.writing import write
from tests.browser.conftest import Visit
from tests.browser.filling_forms import Hand
from tests.browser.matches import EVERY, HOSTILE, of
from tests.browser.sheets import plain
from tests.browser.visiting import PHONE, again, assert_fits

NOTE = f"""{HOSTILE} \u202e backwards

<img src=x onerror="alert(2)"> <svg onload=alert(3)> <a href="javascript:alert(4)">here</a> [there](javascript:alert(5))

![](https://example.invalid/a.png) <https://example.invalid/> </blockquote></main><iframe src="https://example.invalid/">
"""


@pytest.fixture(scope="module", params=[of(game) for game in EVERY[:2]])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match in which everything that somebody writes is hostile: its name, notes, salts, sheets, addresses."""
    rulebook, path = registry.rulebook(request.param), tmp_path_factory.mktemp("hostile") / "match"
    players = rulebook.tables[max(rulebook.tables)][0]
    begin(
        request.param,
        path,
        players,
        name=HOSTILE,
        gm=f"{HOSTILE}@example.org",
        due_text=HOSTILE,
        names=dict.fromkeys(players, HOSTILE),
        seed_text="hostile",
    )
    for _ in range(2):
        match = open_match(path)
        folder = path / match.phases[-1]
        (folder / "sheets").mkdir(exist_ok=True)
        for player in match.state(match.last).phase.due:
            order = {HOSTILE: HOSTILE, "at": [HOSTILE], "else": [{HOSTILE: 1}]}
            sheet = {"player": player, "orders": [order, {"place": HOSTILE, "to": HOSTILE}], "salt": HOSTILE}
            (folder / "sheets" / f"{player}.yaml").write_text(write(sheet), encoding="utf-8")
        (folder / "note.md").write_text(NOTE, encoding="utf-8")
        run(path, due_text=HOSTILE, deadline=True)
    return path


def assert_harmless(page: Page) -> None:
    """Nothing but ours acts on the page, and the name stands there as it was written."""
    foreign = "img:not([src^='data:']), iframe, object, embed, [onerror], [onload], a[href^='javascript:' i]"
    assert page.locator(foreign).count() == 0
    assert page.locator("script").count() <= 4
    assert page.locator("h1 bdi").first.text_content() == HOSTILE
    assert_fits(page)


def test_no_page_of_a_hostile_match_does_harm(visit: Visit, path: Path, tmp_path: Path) -> None:
    match = open_match(path)
    write_with_progress(match, tmp_path / "site")
    last, one = path / match.phases[-1] / "for", match.state(match.last).phase.due[0]
    pages = [
        *sorted((last / one).glob("*.html")),  # what the others get is made alike
        *sorted((last / "public").glob("*.html")),
        *sorted((tmp_path / "site").rglob("*.html")),
    ]
    assert {page.name for page in pages} >= {"report.html", "orders.html", "index.html"}
    for at in pages:
        with visit(at, width=PHONE) as page:
            assert_harmless(page)


def test_a_hostile_name_stands_in_the_sheet_as_it_is(visit: Visit, path: Path) -> None:
    at = next((path / open_match(path).phases[-1] / "for").glob("*/orders.html"))
    with visit(at) as page:
        page.locator("#salt").fill(HOSTILE)
        page.locator("[name=pass]").first.check()
        sheet = plain(page.locator("#sheet").input_value().encode())
        assert (sheet["match"], sheet["salt"]) == (HOSTILE, HOSTILE)
        assert (page.locator("#mail").get_attribute("href") or "").startswith("mailto:%3Cscript%3E")
        before = page.locator("#sheet").input_value()
        again(page)
        expect(page.locator("#sheet")).to_have_value(before)
        assert plain(page.locator("#sheet").input_value().encode()) == sheet
        Hand(page).page.get_by_text("Paste a sheet").click()
        page.locator("#pasted").fill(f"player: [{{<b>: '{HOSTILE.replace(chr(39), chr(39) * 2)}'}}]")
        page.locator("#load").click()
        assert page.locator("#load-said b").count() == 0
