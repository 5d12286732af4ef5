"""Values in other forms than the plain one, and facts under `not` and `any`, on the page for orders.

The page offers the plain form. It understands other forms that were pasted in, keeps them when they are edited, and
doesn't call them wrong.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Matches, Visit
from tests.browser.filling_forms import Hand
from tests.browser.sheets import paste, plain, sheet_on
from tests.browser.visiting import PHONE, assert_fits

ORDERS = {
    "market": """\
  - {buy: wine, quantity: {most: 3}, at: venezia, to: venice-1}
  - {buy: wine, quantity: 1, at: venezia, to: venice-1, if: {me: {treasury: {least: 500}}, not: {genoa-1: {in: corfu}}}}
  - dismiss: 1
    from: venice-1
    at: venezia
    if: {any: [{ionio: {enemies: {sailors: {most: 2}}}}, {genoa-1: {there: false}}]}
""",
    "movement": "  - {move: venice-1, via: [[ragusa, corfu], [ragusa]]}\n",
    "combat": """\
  - {attack: {owner: turkey}, with: venice-1}
  - {attack: [turkey-1, {owner: turkey}], with: venice-1, rounds: 2}
""",
    "landing": "  - {land: {leave: 1}, from: venice-1}\n",
    "sale": "  - {sell: [gems, gold, wine], from: venice-1, least: 300}\n",
}
"""By kind of phase: orders of Venice, legal or not as things stand, and of all kinds."""


def sheet_of(kind: str) -> str:
    return f"player: venice\norders:\n{ORDERS[kind]}"


def edited_and_saved(page: Page) -> None:
    """Opens each order and saves it as it is."""
    for number in range(1, page.locator("#orders > li").count() + 1):
        edit = f"#orders > li:nth-child({number}) > .tools [data-act=edit]"
        Hand(page).press(edit, "#board form button[type=submit]")


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=pytest.mark.soak if at % 2 else ()) for at, kind in enumerate(ORDERS)],
)
def test_another_form_is_kept(visit: Visit, matches: Matches, kind: str) -> None:
    wanted = plain(sheet_of(kind).encode())["orders"]
    with visit(matches("mediterranee").folder(kind, "venice") / "orders.html", width=PHONE) as page:
        paste(page, sheet_of(kind))
        assert sheet_on(page)["orders"] == wanted
        assert page.locator("#orders .told.wrong").count() == 0
        edited_and_saved(page)
        assert sheet_on(page)["orders"] == wanted
        assert page.locator("#orders .told.wrong").count() == 0
        page.locator("#orders > li").first.locator("> .tools [data-act=edit]").click()
        assert_accessible(page)
        assert_fits(page)


def test_another_form_of_what_is_possible_is_not_doubted(visit: Visit, market: Path) -> None:
    with visit(market) as page:
        paste(page, sheet_of("market"))
        assert page.locator("#orders .told.doubtful").count() == 0


def test_the_plain_form_is_what_is_offered(visit: Visit, market: Path) -> None:
    with visit(market) as page:
        page.locator("#board button[data-verb=buy]").first.click()
        page.locator("#board [data-field=to] select").select_option("venice-1")
        assert page.locator("#board [data-field=quantity] select").count() == 0
        assert page.locator("#board [data-field=quantity] input[type=number]").count() == 1


def test_facts_are_added_under_not(visit: Visit, market: Path) -> None:
    """A fact is asked for by its name, under `not` as beside it."""
    with visit(market) as page:
        page.locator("#board button[data-verb=dismiss]").first.click()
        field = page.locator("#board [data-field=if]")
        field.locator("> summary").click()
        field.locator("> .mapping > .adder select").select_option("not")
        field.locator("> .mapping > .adder button").click()
        inner = field.locator("[data-field=not]")
        inner.locator(":scope > .mapping > .adder select").select_option("genoa-1")
        inner.locator(":scope > .mapping > .adder button").click()
        assert inner.locator("[data-field='genoa-1'] [data-field=in] select").count() == 1
        assert_accessible(page)
