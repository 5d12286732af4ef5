"""The page for orders says which values are wrong and which aren't possible as things stand; odd names do no harm."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from adjudicator.engine.bots import random_order
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.text.writing import write
from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Matches, Open
from tests.browser.filling_forms import Hand
from tests.browser.matches import GAMES
from tests.browser.sheets import LOAD, paste, sheet_on
from tests.browser.visiting import PHONE, assert_fits

MEDITERRANEE, ROME_CARTHAGE = "mediterranee", "rome-carthage"
MARKED = f"""(sheets) => sheets.map((sheet) => {{
    ({LOAD})(sheet);
    const good = document.querySelector("#state").innerText.includes("finds nothing wrong");
    return [sheet, good, [...document.querySelectorAll("#orders .told")].map((told) => told.innerText)];
}})"""
"""Of each sheet: the sheet, whether nothing wrong is found in it, and what its orders are marked with."""
BUY = {"buy": "wine", "quantity": 1, "at": "venezia", "to": "venice-1"}


def state_of(page: Page) -> str:
    return page.locator("#state").inner_text()


def test_cards_are_needed_and_what_a_tie_takes_is_not(opened: Open) -> None:
    with opened(ROME_CARTHAGE, "fight", PHONE) as page:
        hand = Hand(page)
        hand.orders([{"fight": "salona"}])
        assert page.locator("#orders > li").count() == 0
        assert page.locator("[data-field=cards] > .told.wrong").is_visible()
        hand.orders([{"fight": "salona", "cards": ["hearts-2", "hearts-6"]}])
        assert sheet_on(page)["orders"] == [{"fight": "salona", "cards": ["hearts-2", "hearts-6"]}]
        assert "finds nothing wrong" in state_of(page)


def test_what_stands_there_twice_is_not_added(opened: Open) -> None:
    with opened(ROME_CARTHAGE, "fight", PHONE) as page:
        Hand(page).orders([{"fight": "salona", "cards": ["hearts-2", "hearts-2"]}])
        assert "twice" in page.locator("[data-field=cards] > .told.wrong").inner_text()
        assert page.locator("#orders > li").count() == 0
        paste(page, "player: rome\norders: [{fight: salona, cards: [hearts-2, hearts-2]}]\n")
        assert "twice" in page.locator("#orders .told.wrong").inner_text()
        assert "your orders" in state_of(page)


def test_one_at_least_where_there_is_but_one_thing_to_count(opened: Open) -> None:
    with opened(MEDITERRANEE, "market", PHONE) as page:
        none = {"transfer": {"sailors": 0}, "from": "venice-1", "to": "venice-2"}
        hand = Hand(page)
        page.locator("#board [data-verb=transfer]").click()
        hand.fill(hand.form("transfer"), {"from": "venice-1", "to": "venice-2"})
        assert page.locator("[data-field=transfer] [data-field=sailors] input").get_attribute("min") == "1"
        hand.orders([none])
        assert page.locator("[data-field=transfer] > .told.wrong").first.is_visible()
        assert page.locator("#orders > li").count() == 0


def test_what_is_not_possible_now_stays_marked_and_counted(opened: Open) -> None:
    with opened(MEDITERRANEE, "market", PHONE) as page:
        hand = Hand(page)
        hand.orders([BUY, {**BUY, "quantity": 9}, {"enlist": 1, "at": "venezia"}])
        marks = page.locator("#orders .told.doubtful")
        assert marks.count() == 2
        assert "quantity" in marks.first.inner_text() and "enlist" in marks.last.inner_text()
        assert "possible only if" in state_of(page) and "2" in state_of(page)
        assert_fits(page)
        assert_accessible(page)


def test_wrong_standing_instructions_are_no_sheet_to_send(opened: Open) -> None:
    with opened(ROME_CARTHAGE, "fight", PHONE) as page:
        paste(page, "player: rome\norders: []\nstanding: {defence: [{spy: keep}]}\n")
        assert "defence" in state_of(page) and "Something is wrong" in state_of(page)
        fold = page.locator("[data-standing=defence]")
        assert fold.evaluate("fold => fold.open")
        assert "cards" in fold.locator("> .told.wrong").inner_text()
        assert_accessible(page)


def test_wrong_orders_for_later_are_no_sheet_to_send(opened: Open) -> None:
    with opened(MEDITERRANEE, "market", PHONE) as page:
        paste(page, "player: venice\norders: []\nlater: {movement: {orders: [{move: venice-1}]}}\n")
        assert "Something is wrong" in state_of(page)
        assert page.locator("[data-later=movement] .told.wrong").is_visible()


def test_orders_for_later_alone(opened: Open) -> None:
    with opened(MEDITERRANEE, "market", PHONE) as page:
        paste(page, "player: venice\nlater: {movement: {orders: [{move: venice-1, via: [ragusa]}]}}\n")
        assert "no orders for this phase" in state_of(page)


def test_names_that_a_browser_knows(opened: Open) -> None:
    with opened(MEDITERRANEE, "market", PHONE) as page:
        for verb in ("constructor", "__proto__", "toString"):
            orders = f"[{{{verb}: {{buy: cloth}}}}, {{buy: {verb}, {verb}: 1}}]"
            paste(page, f"player: venice\norders: {orders}\n")
            assert sheet_on(page)["orders"] == [{verb: {"buy": "cloth"}}, {"buy": verb, verb: 1}]
            assert page.locator("#orders > li > .told.wrong").count() == 2
            page.locator("#orders > li:nth-child(2) [data-act=edit]").click()
            assert Hand(page).form("buy").is_visible()


def test_a_sheet_that_names_nobody_and_two_sheets_in_one(opened: Open) -> None:
    with opened(MEDITERRANEE, "market", PHONE) as page:
        assert "player: venice" in paste(page, "orders: []\n")
        assert "ine 3" in paste(page, "player: venice\norders: []\n---\nplayer: venice\n")


def test_more_orders_than_a_sheet_can_hold(opened: Open) -> None:
    with opened(MEDITERRANEE, "market", PHONE) as page:
        many = ", ".join(["{dismiss: 1, from: venice-1}"] * 201)
        assert "200" in paste(page, f"player: venice\norders: [{many}]\n")
        assert "orders" not in sheet_on(page)


def test_where_nothing_can_be_ordered_it_says_so(opened: Open) -> None:
    with opened(MEDITERRANEE, "nothing to sell", PHONE) as page:
        assert "You can order nothing" in page.locator("#board").inner_text()
        page.locator("#board [name=pass]").check()
        assert "passes, and the page finds nothing wrong" in state_of(page)
        assert_accessible(page)


def test_what_one_needs_to_know_is_seen_whole(opened: Open) -> None:
    with opened(ROME_CARTHAGE, "fight", PHONE) as page:
        page.locator(".do details.facts").first.evaluate("facts => { facts.open = true; }")
        wide = page.locator(".do pre").first.evaluate("box => box.scrollWidth - box.clientWidth")
        assert wide == 0
        said = page.locator("[data-standing] > summary code").all_inner_texts()
        assert len(said) < page.locator("[data-standing]").count() and all(said), "no empty chips"


def test_a_way_that_is_too_long_is_marked(opened: Open) -> None:
    with opened(MEDITERRANEE, "movement", PHONE) as page:
        way = ["ragusa", "venezia"] * 5
        paste(page, f"player: venice\norders: [{{move: venice-1, via: [{', '.join(way)}]}}]\n")
        assert "via" in page.locator("#orders .told.doubtful").inner_text()


@pytest.mark.parametrize("game", GAMES)
def test_what_is_legal_is_never_marked(opened: Open, matches: Matches, game: str) -> None:
    """Orders found by chance, whichever they are, each alone on a sheet."""
    match = matches(game)
    for phase in match.phases:
        who = match.due(phase)[0]
        view = position_for(match.rulebook, match.state(phase), who)
        verbs, chance = match.rulebook.phase(view.phase.name).verbs, SeededChance(phase)
        tried = [
            random_order(name, verb, view, who, chance) for name, verb in verbs.items() for _ in range(6)
        ]
        sheets = [write({"player": who, "orders": [order]}) for order in tried if order is not None]
        with opened(game, phase, PHONE) as page:
            marked = [found for found in page.evaluate(MARKED, sheets) if not found[1]]
            assert marked == []
