"""The page for orders in use: changing, pasting, copying and mailing, by mouse and by keys alone."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Matches, Visit
from tests.browser.filling_forms import Hand
from tests.browser.matches import GM, NAME
from tests.browser.sheets import head_of_form, sheet_on
from tests.browser.visiting import PHONE, again, assert_fits

PAGE = "orders.html"
BUY = {"buy": "wine", "quantity": 2, "at": "venezia", "to": "venice-2"}
SHIFT = {"transfer": {"sailors": 1}, "from": "venice-1", "to": "venice-2"}
DISMISS = {"dismiss": 1, "from": "venice-1"}


def act(page: Page, path: str, what: str) -> None:
    """A button beside an order."""
    page.locator(f"#orders li[data-path='{path}'] > .tools [data-act='{what}']").click()


def test_orders_are_moved_copied_changed_and_deleted(visit: Visit, market: Path) -> None:
    with visit(market, width=PHONE) as page:
        hand = Hand(page)
        hand.orders([BUY, SHIFT])
        act(page, "1", "down")
        assert sheet_on(page)["orders"] == [SHIFT, BUY]
        assert page.evaluate("document.activeElement.closest('li').dataset.path") == "2"
        assert page.locator("#said").inner_text()
        act(page, "2", "copy")
        assert sheet_on(page)["orders"] == [SHIFT, BUY, BUY]
        act(page, "3", "edit")
        hand.fill(hand.form("buy"), {"quantity": 1})
        hand.form("buy").locator("button[type=submit]").click()
        assert sheet_on(page)["orders"] == [SHIFT, BUY, {**BUY, "quantity": 1}]
        act(page, "1", "edit")
        hand.form("transfer").get_by_role("button", name="Cancel").click()
        act(page, "2", "delete")
        act(page, "2", "up")
        assert sheet_on(page)["orders"] == [{**BUY, "quantity": 1}, SHIFT]
        assert_fits(page)
        act(page, "1", "delete")
        act(page, "1", "delete")
        assert "orders" not in sheet_on(page)


def test_an_order_may_hold_another_in_case_it_is_refused(visit: Visit, market: Path) -> None:
    with visit(market, width=PHONE) as page:
        hand = Hand(page)
        hand.orders([{**BUY, "else": [{**BUY, "quantity": 1}, DISMISS]}, SHIFT])
        act(page, "1.else.2", "up")
        assert sheet_on(page)["orders"] == [{**BUY, "else": [DISMISS, {**BUY, "quantity": 1}]}, SHIFT]
        act(page, "1.else.1", "else")
        hand.order(SHIFT)
        assert sheet_on(page)["orders"][0]["else"][0] == {**DISMISS, "else": [SHIFT]}
        assert_fits(page)
        assert_accessible(page)
        act(page, "1.else.1", "delete")
        act(page, "1.else.1", "delete")
        assert sheet_on(page)["orders"] == [BUY, SHIFT]


def test_no_sheet_yet_then_a_pass_then_a_draft(visit: Visit, market: Path) -> None:
    with visit(market) as page:
        state = page.locator("#state")
        assert sheet_on(page) == head_of_form(market)
        assert "Not a sheet yet" in state.inner_text()
        page.locator("[name=pass]").first.check()
        assert sheet_on(page)["orders"] == []
        assert "passes" in state.inner_text()
        page.locator("#draft").check()
        assert sheet_on(page)["ready"] is False
        assert "draft" in state.inner_text()
        page.locator("#draft").uncheck()
        page.locator("#salt").fill("1:30")
        assert sheet_on(page)["salt"] == "1:30"
        Hand(page).orders([BUY])
        assert sheet_on(page)["orders"] == [BUY]
        assert "finds nothing wrong" in state.inner_text()


def test_standing_instructions_that_are_changed_and_only_these(visit: Visit, market: Path) -> None:
    with visit(market) as page:
        folds, hand = page.locator("[data-standing]"), Hand(page)
        for fold in folds.all():
            fold.locator("> summary").click()
        assert "standing" not in sheet_on(page)
        assert_accessible(page)
        passage = [{"for": "genoa", "grant": True}, {"grant": False}]
        hand.control(page.locator("[data-standing=passage] > div"), passage)
        assert sheet_on(page)["standing"] == {"passage": passage}
        page.locator("[data-standing=passage] [data-act=reset]").click()
        assert "standing" not in sheet_on(page)


def test_orders_for_the_phases_after_this(visit: Visit, market: Path) -> None:
    with visit(market) as page:
        fold = page.locator("[data-later=movement]")
        fold.locator("> summary").click()
        fold.locator("[data-verb=move]").click()
        form = fold.locator("form[data-form=move]")
        Hand(page).fill(form, {"move": "venice-1", "via": ["ragusa", "corfu"]})
        form.locator("button[type=submit]").click()
        assert sheet_on(page)["later"] == {
            "movement": {"orders": [{"move": "venice-1", "via": ["ragusa", "corfu"]}]}
        }


def test_a_form_says_what_is_missing(visit: Visit, market: Path) -> None:
    with visit(market) as page:
        page.locator("#board [data-verb=dismiss]").click()
        form = Hand(page).form("dismiss")
        form.locator("button[type=submit]").click()
        assert form.locator(".told.wrong").first.is_visible()
        assert page.locator("#orders > li").count() == 0
        assert page.evaluate("document.activeElement.closest('[data-field]') !== null")
        assert_accessible(page)


def test_the_ways_out_hold_the_same_sheet(visit: Visit, market: Path, tmp_path: Path) -> None:
    with visit(market) as page:
        hand = Hand(page)
        hand.orders([BUY, SHIFT])
        text = page.locator("#sheet").input_value()
        assert hand.download(tmp_path).decode() == text
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.locator("#copy").click()
        expect(page.locator("#said")).to_have_text("Copied.")
        assert page.evaluate("navigator.clipboard.readText()") == text
        mail = urlsplit(page.locator("#mail").get_attribute("href") or "")
        said = parse_qs(mail.query)
        assert (mail.scheme, unquote(mail.path)) == ("mailto", GM)
        assert said["body"] == [text.replace("\n", "\r\n")]
        assert NAME in said["subject"][0]


def test_a_draft_outlives_a_reload(visit: Visit, market: Path) -> None:
    with visit(market) as page:
        Hand(page).orders([BUY])
        again(page)
        assert sheet_on(page)["orders"] == [BUY]
        page.locator("#anew").click()
        page.locator("#anew-sure [data-act=anew]").click()
        assert "orders" not in sheet_on(page)
        again(page)
        assert "orders" not in sheet_on(page)
        assert not page.locator("#anew").is_visible()


def test_a_draft_outlives_a_page_that_is_made_anew(visit: Visit, market: Path, tmp_path: Path) -> None:
    """As when another version of the program makes it, or the deadline moves: the same sheet is asked for."""
    at = tmp_path / PAGE
    at.write_text(text := market.read_text(encoding="utf-8"), encoding="utf-8")
    with visit(at) as page:
        Hand(page).orders([BUY])
        at.write_text(text.replace(GM, "another@example.org"), encoding="utf-8")
        again(page)
        assert "another@example.org" in (page.locator("#mail").get_attribute("href") or "")
        assert sheet_on(page)["orders"] == [BUY]


def test_a_sheet_is_made_by_keys_alone(visit: Visit, matches: Matches, tmp_path: Path) -> None:
    match = matches("mediterranee")
    with visit(match.folder("auction", "venice") / PAGE) as page:

        def go(to: str, key: str = "Tab") -> None:
            for _ in range(200):
                if page.evaluate("(to) => document.activeElement.matches(to)", to):
                    return
                page.keyboard.press(key)
            raise AssertionError(f"no {to} on the keyboard's way")

        page.keyboard.press("Tab")
        page.keyboard.press("Enter")  # to the orders, past the map
        go("[data-verb=bid]")
        page.keyboard.press("Enter")
        go("[data-field=bid] input")
        page.keyboard.type("100")
        page.keyboard.press("Enter")
        assert sheet_on(page)["orders"] == [{"bid": 100}]
        go("#orders [data-act=copy]", "Shift+Tab")
        page.keyboard.press("Enter")
        go("#orders [data-act=delete]")
        page.keyboard.press("Enter")
        assert sheet_on(page)["orders"] == [{"bid": 100}]
        go("#download")
        with page.expect_download() as waiting:
            page.keyboard.press("Enter")
        assert waiting.value.suggested_filename == "venice.yaml"


def test_a_piece_is_picked_on_the_map(visit: Visit, matches: Matches) -> None:
    match = matches("mediterranee")
    me = match.due("movement")[0]
    with visit(match.folder("movement", me) / PAGE) as page:
        page.locator("#board [data-verb=move]").click()
        page.locator(f"#map [data-name='{me}-1']").first.click()
        assert page.locator("[data-field=move] select").input_value() == f"{me}-1"


def test_without_scripts_the_page_says_what_to_do(visit: Visit, market: Path) -> None:
    with visit(market, width=PHONE, scripts=False) as page:
        assert "sheet.yaml" in page.locator("noscript").inner_text()
        assert_fits(page)
