"""A sheet pasted into the page for orders keeps its meaning; pasted text that isn't a sheet changes nothing."""

from __future__ import annotations

from pathlib import Path

from tests.browser.conftest import Visit
from tests.browser.matches import NAME
from tests.browser.sheets import head_of_form, paste, plain, sheet_on

WHOLE = (
    f"match: {NAME}\n"
    + """\
player: venice
orders:
  - buy: wine   # a comment
    at: venezia
    to: venice-1
    quantity: 0x2
    price: {offer: 200, limit: 300}
    if: {venezia: {owner: venice}}
    else: [{buy: wine, at: venezia, to: venice-1, else: [{dismiss: 1, from: venice-1}]}]
  - {fly: venice-1}
standing:
  prices: [{for: genoa, good: wine, ask: 1500, floor: 200}, {ask: 300}]
  passage: []
later: {movement: {orders: [{move: venice-1, via: [ragusa, corfu]}]}, combat: {orders: []}}
salt: "no"
ready: false
"""
)
"""All that a sheet can have; `fly` is no order, and is kept as it is."""
SALTS = [
    *("no", "yes", "on", "1:30", "2020-01-01", "1_000", "0b11", "0o8", "08", "+", "x y", "<b>", "é😀"),
    *(
        '"~"',
        '"null"',
        '"0o17"',
        '"true"',
        '"1e3"',
        "' a '",
        '"# x"',
        '"a: b"',
        '"- a"',
        '"\\u200f\\u2028"',
        "'it''s'",
    ),
]
"""Texts as they may be written in YAML, where one reader or another takes them for something else."""
BAD = {
    "player: venice\norders: [": "ine ",
    "player: venice\norders: &a []\n": "ine 2",
    "player: venice\norders: []\norders: []\n": "ine 3",
    "player: genoa\norders: []\n": "genoa",
    "player: venice\nmatch: pond\norders: []\n": "pond",
    "player: venice\nphase: 0004-t1-movement\norders: []\n": "0004-t1-movement",
    "player: venice\norders: []\nstanding: {price: []}\n": "price",
    "player: venice\norders: 7\n": "orders",
    "player: venice\nordres: []\n": "ordres",
    "- 1\n": "player:",
}
"""Texts that are no sheet of Venice's, and what is said of them."""


def test_a_pasted_sheet_comes_out_meaning_the_same(visit: Visit, market: Path) -> None:
    with visit(market) as page:
        page.get_by_text("Paste a sheet").click()
        page.locator("#pasted").fill(WHOLE)
        page.locator("#load").click()
        assert "3" in page.locator("#load-said").inner_text()
        came = plain(WHOLE.encode())
        assert sheet_on(page) == {**came, **head_of_form(market)}
        again = page.locator("#sheet").input_value()
        assert page.locator("#orders > li").nth(1).locator(".told.wrong").is_visible()
        paste(page, again)
        assert page.locator("#sheet").input_value() == again


def test_texts_that_look_like_something_else(visit: Visit, market: Path) -> None:
    with visit(market) as page:
        for salt in SALTS:
            text = f"player: venice\norders: []\nsalt: {salt}\n"
            said = paste(page, text)
            assert sheet_on(page).get("salt") == plain(text.encode())["salt"], (salt, said)


def test_what_is_no_sheet_leaves_all_as_it_was(visit: Visit, market: Path) -> None:
    with visit(market) as page:
        paste(page, WHOLE)
        before = page.locator("#sheet").input_value()
        for text, why in BAD.items():
            said = paste(page, text)
            assert why in said, (text, said)
            assert page.locator("#sheet").input_value() == before, text
