"""Players who sit at one machine: each orders in the browser, and the next one finds nothing of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from adjudicator.page.serving import Table
from tests.browser.sheets import paste, sheet_on
from tests.browser.visiting import PHONE
from tests.engine.match_folders import begun
from tests.gm.weeks import utc

SECRET = [{"place": 5, "to": "venice-1"}]
SUPPOSED = "window.adjudicator.guesses.known"
KEPT = "JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Table(begun(tmp_path / "lagoon"), 0, "word", lambda: utc("2026-11-23 12:00")) as found:
        thread = Thread(target=found.serve_forever, args=(0.01,))
        thread.start()
        yield found
        found.shutdown()
        thread.join()


@pytest.fixture
def seats(table: Table, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": PHONE, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(table.address)
    yield page
    context.close()


def sit_down(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Order for {name}").click()
    expect(page.locator("#mail-it")).to_have_text("Hand in")


def test_who_sits_down_next_finds_nothing_of_the_last_player(seats: Page) -> None:
    sit_down(seats, "Venice")
    paste(seats, json.dumps({"player": "venice", "orders": SECRET}))
    assert "venice-1" in seats.evaluate(KEPT)
    seats.locator("#mail-it").click()
    expect(seats.locator("#seats")).to_contain_text("has handed in")
    assert json.loads(seats.evaluate(KEPT)) == [[], []]
    assert "venice-1" not in seats.content()
    assert seats.evaluate("typeof window.adjudicator") == "undefined"
    sit_down(seats, "Genoa")
    assert sheet_on(seats).get("orders") is None
    assert "venice-1" not in seats.evaluate(KEPT)


def test_what_is_handed_in_is_there_to_be_changed_and_what_is_not_outlives_a_reload(seats: Page) -> None:
    sit_down(seats, "Venice")
    paste(seats, json.dumps({"player": "venice", "orders": SECRET}))
    seats.reload()
    sit_down(seats, "Venice")
    assert sheet_on(seats)["orders"] == SECRET
    seats.locator("#mail-it").click()
    expect(seats.locator("#seats")).to_contain_text("has handed in")
    sit_down(seats, "Venice")
    expect(seats.locator("#load-said")).not_to_be_empty()
    assert sheet_on(seats)["orders"] == SECRET


def test_a_sheet_with_faults_is_named_and_can_be_mended_or_played_as_it_is(seats: Page) -> None:
    """The player reads what is wrong beside the orders, the table whose sheet it is."""
    sit_down(seats, "Venice")
    paste(seats, json.dumps({"player": "venice", "orders": [{"place": 10, "to": "venice-1"}]}))
    seats.locator("#mail-it").click()
    expect(seats.locator("#mail-note")).to_contain_text("venice-1 has room for 5")
    seats.get_by_role("link", name="Back to the table").click()
    sit_down(seats, "Genoa")
    paste(seats, json.dumps({"player": "genoa", "orders": []}))
    seats.locator("#mail-it").click()
    expect(seats.locator("#said")).to_contain_text("with faults of Venice")
    assert not seats.get_by_text("venice-1 has room for 5").is_visible()
    assert seats.get_by_role("button", name="Order again for Venice").is_visible()
    seats.locator("summary").click()
    assert seats.get_by_text("venice-1 has room for 5").is_visible()
    seats.get_by_role("button", name="Play it as it is").click()
    expect(seats.locator("#said")).to_have_text("Played. Everybody has a new report.")


def test_what_is_to_be_written_is_shown_as_code(seats: Page) -> None:
    sit_down(seats, "Venice")
    seats.locator("#mail-it").click()
    expect(seats.locator("p.echo code")).to_have_text("orders: []")


def test_a_seat_is_spoken_to_in_its_own_language(table: Table, browser: Browser) -> None:
    """The table speaks the browser's; who sits down finds one language alone."""
    context = browser.new_context(locale="fr-FR")
    page = context.new_page()
    page.goto(table.address)
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.locator("#seats button").first.click()
    expect(page.get_by_role("link", name="Back to the table")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    paste(page, json.dumps({"player": "venice", "orders": [{"place": 10, "to": "venice-1"}]}))
    page.locator("#mail-it").click()
    expect(page.locator("body")).to_contain_text("Handed in, with faults")
    context.close()


def test_a_second_click_plays_no_second_phase(seats: Page) -> None:
    """Not in the same window, nor in another one that still shows the phase before."""
    other = seats.context.new_page()
    other.goto(seats.url)
    close = "Play it without the others"
    seats.get_by_role("button", name=close).dblclick()
    expect(seats.locator("#said")).to_have_text("Played. Everybody has a new report.")
    expect(seats.locator("#now")).to_have_text("Méditerranée, turn 1: Auction")
    other.get_by_role("button", name=close).click()
    expect(other.locator("#said")).to_contain_text("Open is Méditerranée, turn 1: Auction")


def test_the_table_plays_on_once_all_are_in(seats: Page) -> None:
    """With one press for all of it; until then a sheet that is in can still be changed."""
    for name in ("Venice", "Genoa"):
        sit_down(seats, name)
        paste(seats, json.dumps({"player": name.lower(), "orders": []}))
        seats.locator("#mail-it").click()
        expect(seats.locator("#seats")).to_contain_text("has handed in")
    seats.get_by_role("button", name="Not yet").click()
    expect(seats.locator("#said")).to_have_text("All orders are in.")
    sit_down(seats, "Genoa")
    seats.locator("#mail-it").click()
    expect(seats.locator("#said")).to_have_text("All orders are in, and are played in a moment.")
    expect(seats.locator("#said")).to_have_text("Played. Everybody has a new report.")


def test_a_sheet_that_was_taken_back_is_changed_and_handed_in_again(seats: Page) -> None:
    sit_down(seats, "Venice")
    paste(seats, json.dumps({"player": "venice", "orders": SECRET}))
    seats.locator("#mail-it").click()
    seats.get_by_role("button", name="Take back the sheet of Venice").click()
    expect(seats.locator("#seats li").first).to_contain_text("is to order")
    sit_down(seats, "Venice")
    assert sheet_on(seats)["orders"] == SECRET
    seats.locator("#mail-it").click()
    expect(seats.locator("#seats li").first).to_contain_text("has handed in")


def test_a_seat_asks_for_its_code_again_once_its_sheet_was_taken_back(table: Table, seats: Page) -> None:
    table.codes = {"venice": "olive"}
    of = table.answer_to("papers", {"player": "venice", "code": "olive"})["of"]
    sheet = json.dumps({"player": "venice", "orders": SECRET})
    table.answer_to("hand-in", {"player": "venice", "code": "olive", "of": of, "text": sheet})
    seats.reload()
    asked = seats.locator("dialog")
    seats.get_by_role("button", name="Take back the sheet of Venice").click()
    asked.locator("input").fill("olive")
    asked.get_by_role("button", name="Sit down").click()
    expect(seats.locator("#seats li").first).to_contain_text("is to order")
    seats.get_by_role("button", name="Order for Venice").click()
    expect(asked).to_be_visible()


def test_a_seat_asks_for_its_code(table: Table, seats: Page) -> None:
    table.codes = {}
    asked = seats.locator("dialog")
    for code, opens in (("olive", True), ("oil", False), ("olive", True)):
        seats.reload()
        seats.get_by_role("button", name="Order for Venice").click()
        expect(asked).to_contain_text("code")
        asked.locator("input").fill(code)
        asked.get_by_role("button", name="Sit down").click()
        if opens:
            expect(seats.locator("#mail-it")).to_have_text("Hand in")
        else:
            expect(asked).to_contain_text("That wasn’t it")
            asked.get_by_role("button", name="Back").click()
            expect(seats.locator("#said")).to_contain_text("stays closed")


def test_what_another_orders_is_guessed_on_that_seats_page_and_gone_at_the_table(seats: Page) -> None:
    sit_down(seats, "Venice")
    paste(seats, json.dumps({"player": "venice", "orders": SECRET}))
    seats.locator("#foreseen > summary").click()
    expect(seats.locator("#foreseen")).to_contain_text("the others passing")
    seats.locator("[data-key=others-true]").click()
    expect(seats.locator("#foreseen")).to_contain_text("the others as guessed")
    seats.locator("[data-key=guess-genoa]").click()
    expect(seats.locator("#mail-it")).to_have_text("That is my guess")
    guessed = [{"place": 4, "to": "genoa-1"}]
    paste(seats, json.dumps({"player": "genoa", "orders": guessed}))
    seats.locator("#mail").click()
    expect(seats.locator("[data-key=guess-genoa]")).to_have_attribute("aria-pressed", "true")
    assert sheet_on(seats)["orders"] == SECRET
    assert "genoa-1" in seats.evaluate(KEPT)
    seats.get_by_role("link", name="Back to the table").click()
    sit_down(seats, "Genoa")
    assert sheet_on(seats).get("orders") is None
    assert "guess" not in seats.evaluate(KEPT)


def test_a_purse_that_is_suspected_is_played_with_until_it_is_dropped(table: Table, seats: Page) -> None:
    """A purse that can be reckoned is no secret, so the player remembers nothing here."""
    next(table.match.glob("*/for/venice/known.yaml")).unlink()
    sit_down(seats, "Venice")
    paste(seats, json.dumps({"player": "venice", "orders": SECRET}))
    seats.locator("#foreseen > summary").click()
    seats.locator("[data-key=others-true]").click()
    expect(seats.locator("#suspected")).to_have_count(1)
    seats.locator("#suspected > summary").click()
    purse = seats.locator("#suspected input").first
    purse.fill("31")
    purse.press("Enter")
    expect(seats.locator("#suspected[open] .stepper button").filter(has_text="×")).to_have_count(1)
    assert "treasury: {least: 31, most: 31}" in seats.evaluate(SUPPOSED)
    seats.locator("#suspected .stepper button").last.click()
    expect(seats.locator("#suspected[open] input").first).to_have_value("?")
    assert "most: 31" not in seats.evaluate(SUPPOSED)
    assert "31" not in seats.evaluate(KEPT)


def test_a_sheet_that_can_not_be_handed_in_says_so_and_stays(table: Table, seats: Page) -> None:
    sit_down(seats, "Venice")
    paste(seats, json.dumps({"player": "venice", "orders": SECRET}))
    table.word = "anew"  # as after `play` was begun once more
    seats.locator("#mail-it").click()
    expect(seats.locator("body")).to_contain_text("Nothing was handed in (hand-in: 400)")
    assert sheet_on(seats)["orders"] == SECRET


def test_a_page_that_the_script_does_not_fit_says_so(table: Table, seats: Page) -> None:
    table.files = {**table.files, "orders.js": "throw new TypeError('of another version');"}
    seats.get_by_role("button", name="Order for Venice").click()
    expect(seats.locator("body")).to_contain_text("made by another version of the program")


def test_rules_open_by_a_tap_where_the_browser_opens_no_window(seats: Page) -> None:
    sit_down(seats, "Venice")
    seats.evaluate("() => { window.open = () => null; }")
    seats.locator("[data-key='rules-']").first.click()
    link = seats.get_by_role("link", name="Open the rules")
    expect(link).to_be_visible()
    with seats.expect_popup() as opened:
        link.click()
    expect(opened.value.locator("h1")).to_have_text("Méditerranée")
    assert seats.locator("#blocked").count() == 0
