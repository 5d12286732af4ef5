"""A page for orders claims no more than it knows, and no slip loses orders."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator

from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import expected_in, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.rulebooks.mediterranee.board import BOARD as SEAS
from adjudicator.rulebooks.rome_carthage.board import BOARD as ROME
from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Matches, Open
from tests.browser.filling_forms import Hand
from tests.browser.matches import Played
from tests.browser.sheets import paste, sheet_on
from tests.browser.visiting import PHONE, again, assert_fits

MEDITERRANEE, ROME_CARTHAGE = "mediterranee", "rome-carthage"
BUY = {"buy": "wine", "quantity": 1, "at": "venezia", "to": "venice-1"}
SHIFT = {"transfer": {"sailors": 1}, "from": "venice-1", "to": "venice-2"}
DISMISS = {"dismiss": 1, "from": "venice-1"}
COVERED = """() => [...document.querySelectorAll("button, input, select, textarea, summary, a[href]")]
    .filter((control) => control.checkVisibility() && !control.closest("svg, .skip"))
    .filter((control) => {
        control.scrollIntoView({block: "end"});
        const box = control.getBoundingClientRect(), parts = [0.1, 0.5, 0.9];
        return parts.some((part) => {
            const low = box.bottom - Math.min(box.height, 40) / 2;
            const at = document.elementFromPoint(box.left + box.width * part, low);
            return at && getComputedStyle(at).position === "fixed";
        });
    }).map((control) => control.outerHTML.slice(0, 120))"""
"""Controls at the lower edge of the window on which something lies that doesn't scroll with them."""


def problems(match: Played, phase: str, text: str) -> list[str]:
    """What `check` finds wrong in a sheet of the first player who is due."""
    state, rulebook = match.state(phase), match.rulebook
    who = state.phase.due[0]
    sheet = read_sheet(text.encode(), expected_in(rulebook, state, who))
    assert isinstance(sheet, Sheet)
    return [str(each) for each in check_sheet(rulebook, position_for(rulebook, state, who), sheet).problems]


def looks(state: Locator) -> str:
    return str(state.evaluate("state => getComputedStyle(state).color"))


# -- the line that says whether it is a sheet --------------------------------------------------------------------------

TOGETHER = [
    pytest.param(
        "setup", "orders:\n" + "  - {place: 4, to: venice-1}\n" * 3, id="more sailors than there are"
    ),
    pytest.param(
        "market", "orders:\n" + "  - {buy: wine, quantity: 1, at: venezia, to: venice-1}\n" * 4, id="room"
    ),
    pytest.param("setup", "orders: []\n", id="what has to be done"),
]
"""Sheets that `check` refuses, though each order in them is possible by itself."""


@pytest.mark.parametrize(("kind", "orders"), TOGETHER)
def test_what_orders_come_to_together_is_not_promised(
    opened: Open, matches: Matches, kind: str, orders: str
) -> None:
    text = f"player: venice\n{orders}"
    with opened(MEDITERRANEE, kind, PHONE) as page:
        plain = looks(page.locator("#sheet"))
        paste(page, text)
        state = page.locator("#state")
        assert page.locator("#orders .told").count() == 0
        assert "ready" not in state.inner_text() and "✓" not in state.inner_text()
        assert "check" in state.inner_text()
        assert looks(state) == plain
        assert_fits(page)
    if "[]" not in orders:
        assert problems(matches(MEDITERRANEE), kind, text)


def test_the_same_card_twice_is_wrong_also_where_the_fight_is_still_to_come(opened: Open) -> None:
    """A fight can be ordered only after one's own move; what can never be is said all the same."""
    move = "  - {move: rome-ship-1, via: [caralis, carthago]}\n"
    fight = "  - {fight: carthago, cards: [hearts-2, hearts-2]}\n"
    with opened(ROME_CARTHAGE, "turn") as page:
        paste(page, f"player: rome\norders:\n{move}{fight}")
        assert "twice" in page.locator("#orders > li:nth-child(2) > .told.wrong").inner_text()
        assert "your orders" in page.locator("#state").inner_text()
        paste(page, f"player: rome\norders:\n{move}{fight.replace('hearts-2]', 'hearts-6]')}")
        assert page.locator("#orders .wrong").count() == 0
        paste(page, "player: rome\norders: [{march: [hearts-4, hearts-4]}]\n")
        assert "twice" in page.locator("#orders .told.wrong").inner_text()


def test_the_same_card_twice_is_not_added_to_such_a_fight(opened: Open) -> None:
    with opened(ROME_CARTHAGE, "turn") as page:
        Hand(page).order({"fight": "carthago", "cards": ["hearts-2", "hearts-2"]})
        assert "twice" in page.locator("[data-field=cards] > .told.wrong").inner_text()
        assert page.locator("#orders > li").count() == 0


def test_an_order_that_needs_the_ones_before_says_so(opened: Open) -> None:
    """What stands first can't lean on orders before it; what stands below may, and isn't called impossible."""
    first, second = "{fight: carthago, cards: [hearts-2]}", "{move: rome-ship-1, via: [caralis]}"
    with opened(ROME_CARTHAGE, "turn") as page:
        told = page.locator("#orders .told.doubtful")
        paste(page, f"player: rome\norders: [{first}, {second}]\n")
        assert told.count() == 1 and "Not possible as things stand" in told.inner_text()
        paste(page, f"player: rome\norders: [{second}, {first}]\n")
        assert told.count() == 1 and "above" in told.inner_text()
        assert "Not possible" not in told.inner_text()


# -- the map -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "kind"),
    [pytest.param(ROME_CARTHAGE, "turn", id="rome"), pytest.param(MEDITERRANEE, "movement", id="med")],
)
def test_every_place_can_be_picked_also_under_a_piece(
    opened: Open, matches: Matches, game: str, kind: str
) -> None:
    """Wherever a piece can go as things stand: what a click on the map chooses is what the list would have."""
    state, seen = matches(game).state(kind), set()
    with opened(game, kind) as page:
        page.locator("#board [data-verb=move]").click()
        form = page.locator("#board form[data-form=move]")
        piece, way = form.locator("[data-field=move] select"), form.locator("[data-field=via] select").first
        for name in possible_now(piece):
            piece.select_option(name)
            new = [place for place in possible_now(way) if place not in seen]  # alike for whichever piece
            assert Hand(page).picked(form, "via", new) == new
            seen.update(new)
    occupied = {unit.at for unit in getattr(state, "pieces", {}).values()}
    occupied |= {galley.zone for galley in getattr(state, "galleys", {}).values()}
    assert seen and (seen & occupied or game == MEDITERRANEE)


@pytest.mark.parametrize(
    ("game", "kind", "places"),
    [
        pytest.param(ROME_CARTHAGE, "turn", tuple(ROME.cities), id="cities"),
        pytest.param(MEDITERRANEE, "movement", tuple(SEAS.zones), id="zones"),
    ],
)
def test_every_place_of_the_board_is_on_the_map(
    opened: Open, game: str, kind: str, places: tuple[str, ...]
) -> None:
    with opened(game, kind) as page:
        Hand(page).pick(places)


def possible_now(select: Locator) -> list[str]:
    """The words of a list that are possible as things stand: its first group, or all of it."""
    return [
        str(value)
        for value in select.evaluate(
            "list => [...(list.querySelector('optgroup') ?? list).querySelectorAll('option')]"
            ".map((each) => each.value).filter((value) => value.trim())"
        )
    ]


def test_a_piece_is_a_piece_where_pieces_are_asked_for(opened: Open) -> None:
    with opened(ROME_CARTHAGE, "turn") as page:
        page.locator("#board [data-verb=move]").click()
        Hand(page).spot("rome-ship-1")
        assert page.locator("[data-field=move] select").input_value() == "rome-ship-1"


# -- what covers, and what is lost -------------------------------------------------------------------------------------


def test_nothing_that_is_said_lies_on_a_control(opened: Open) -> None:
    with opened(MEDITERRANEE, "market", PHONE) as page:
        hand = Hand(page)
        for order in (BUY, SHIFT):
            hand.order(order)
            assert page.evaluate(COVERED) == []
        page.locator("#orders [data-act=copy]").first.click()
        assert page.evaluate(COVERED) == []
        hand.spot("venezia")
        assert page.locator("#said").inner_text()
        assert page.evaluate(COVERED) == []


def test_what_is_said_is_seen_where_it_was_done(opened: Open) -> None:
    """On a phone too: beside the button, or the map, that was touched."""
    with opened(MEDITERRANEE, "market", PHONE) as page:
        Hand(page).order(BUY)
        echo = page.locator(".echo")
        assert "Order 1 added" in echo.inner_text()
        box, window = echo.bounding_box(), page.viewport_size
        assert box and window and box["y"] >= 0 and box["y"] + box["height"] <= window["height"]
        page.locator("#unfold").click()
        page.locator("#download").click()
        assert "venice.yaml" in echo.inner_text() and echo.is_visible()
        assert_accessible(page)


def test_begin_anew_asks_first(opened: Open) -> None:
    with opened(MEDITERRANEE, "market", PHONE) as page:
        Hand(page).orders([BUY])
        again(page)
        anew, sure = page.locator("#anew"), page.locator("#anew-sure")
        assert not sure.is_visible()
        anew.click()
        assert sure.is_visible() and sheet_on(page)["orders"] == [BUY]
        assert_accessible(page)
        sure.locator("[data-act=keep]").click()
        assert not sure.is_visible() and sheet_on(page)["orders"] == [BUY]
        assert page.evaluate("document.activeElement.id") == "anew"
        anew.click()
        sure.locator("[data-act=anew]").click()
        assert "orders" not in sheet_on(page)
        assert not anew.is_visible() and not sure.is_visible()


def test_an_order_that_was_deleted_is_taken_back(opened: Open) -> None:
    with opened(MEDITERRANEE, "market", PHONE) as page:
        hand, back = Hand(page), page.locator("[data-act=take-back]")
        hand.orders([BUY, {**SHIFT, "else": [DISMISS]}, DISMISS])
        whole = sheet_on(page)["orders"]
        assert back.count() == 0
        page.locator("#orders > li:nth-child(2) > .inner [data-act=delete]").click()
        page.locator("#orders > li:nth-child(2) > .tools > [data-act=delete]").click()
        page.locator("#orders > li:nth-child(1) > .tools > [data-act=delete]").click()
        assert sheet_on(page)["orders"] == [DISMISS]
        assert "buy" in page.locator(".gone").inner_text()
        assert_fits(page)
        assert_accessible(page)
        for _ in range(3):
            back.click()
        assert sheet_on(page)["orders"] == whole
        assert back.count() == 0


def test_a_deleted_order_is_taken_back_also_after_others_were_changed(opened: Open) -> None:
    with opened(MEDITERRANEE, "market") as page:
        hand, back = Hand(page), page.locator("[data-act=take-back]")
        hand.orders([BUY, SHIFT])
        page.locator("#orders > li:nth-child(2) [data-act=delete]").click()
        page.locator("#orders > li:nth-child(1) [data-act=delete]").click()
        hand.orders([DISMISS])
        back.click()
        back.click()
        assert sheet_on(page)["orders"] == [BUY, SHIFT, DISMISS]
