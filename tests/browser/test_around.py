"""What stands around a page for orders: its bar, the device's way to share, and the program as its engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.report.page_scripts import PROGRAM as PROGRAM_SCRIPTS, scripts
from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Matches, Visit
from tests.browser.sheets import sheet_on
from tests.browser.tapping import Thumb
from tests.browser.test_left_out import SCRIPTS
from tests.browser.visiting import PHONE, assert_fits

SHARES = """
window.shared = [];
navigator.canShare = ({ files }) => %s && files.length === 1;
navigator.share = async ({ text, files = [] }) => {
    for (const file of files) window.shared.push([file.name, await file.text()]);
    if (text) window.shared.push(["", text]);
};
"""
PROGRAM = """
const late = { state: "unknown", word: "nothing; may be done", problems: [{ rule: "R-1", words: "it is late" }] };
const told = (_, index) => index
    ? { at: ["orders", index], ...late }
    : { at: ["orders", index], state: "fine", word: "done", problems: [], brings: ["A galley <b>sails</b>."] };
const look = (sheet) => ({ orders: sheet.orders.orders.map(told), sure: false });
const foresee = () => ({ heads: [], lines: [], brief: "", as: "" });
window.adjudicator = { engine: { look, choices: () => ({}), foresee, advise: () => [] } };
"""
"""A program that says this of every sheet."""

MAY = PROGRAM.replace(
    'as: ""',
    'as: "", may: [{ at: ["orders", 0], words: "takes Corfu", who: "Genoa", seat: 1, place: "corfu" }]',
)

LONG = "Monday 2026-11-23 20:00 (Europe/Paris, UTC+01:00)"
OVERLAPPING = """() => {
    const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const parts = [...document.querySelectorAll(".bar > *")].map((each) => each.getBoundingClientRect());
    const boxes = parts.filter((box) => box.width);
    return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) => meet(one, other)));
}"""
"""The parts of a bar that lie on each other."""
LOW = 50
"""How high a bar may be on a phone, in pixels."""


def with_script(page: Path, script: str, to: Path) -> Path:
    """The page as it is where a script has run before its own."""
    file = to / "orders.html"
    text = page.read_text(encoding="utf-8")
    file.write_text(text.replace("</head>", f"<script>{script}</script></head>", 1), encoding="utf-8")
    return file


def with_program(page: Path, program: str, to: Path) -> Path:
    """The page with the scripts that it has where a program answers it, which is this one."""
    file = to / "orders.html"
    run = f"<script>{program}</script><script>{scripts(PROGRAM_SCRIPTS)}</script></body>"
    text = SCRIPTS.sub("", page.read_text(encoding="utf-8"))
    file.write_text(text.replace("</body>", run, 1), encoding="utf-8")
    return file


def test_a_device_shares_the_sheet_as_a_file_else_as_text(visit: Visit, market: Path, tmp_path: Path) -> None:
    for takes, name in (("true", "venice.yaml"), ("false", "")):
        with visit(with_script(market, SHARES % takes, tmp_path), width=PHONE, form=False) as page:
            page.locator("#unfold").click()
            page.locator("#share").click()
            page.wait_for_function("() => window.shared.length")
            assert page.evaluate("window.shared") == [[name, page.locator("#sheet").input_value()]]
            assert_fits(page)
            assert_accessible(page)
    with visit(market, form=False) as page:
        assert page.locator("#share").is_hidden()


def test_a_card_says_what_the_program_says_of_its_order(
    visit: Visit, matches: Matches, tmp_path: Path
) -> None:
    """What it brings about, as plain text, and its word unless it is simply done; what speaks against an order that may
    still be done is no fault.
    """
    page_of = matches("mediterranee").folder("movement", "venice") / "orders.html"
    with visit(with_program(page_of, PROGRAM, tmp_path), form=False) as page:
        Thumb(page).does(["@venice-1", "@corfu", "@venice-2", "@ragusa"])
        assert page.locator(".card .brings").all_inner_texts() == ["A galley <b>sails</b>."]
        assert page.locator(".card .wrong").all_inner_texts() == []
        assert page.locator(".card .warn").all_inner_texts() == [
            "Nothing; may be done",
            "Perhaps: it is late R-1",
        ]
        assert page.locator("#sure").is_visible()
        assert len(sheet_on(page)["orders"]) == 2
        assert_accessible(page)


def test_what_may_happen_to_an_order_is_drawn_where_it_goes(
    visit: Visit, matches: Matches, tmp_path: Path
) -> None:
    """Marked as such, on the map and beside the order; nothing of it stays once the order is gone."""
    page_of = matches("mediterranee").folder("movement", "venice") / "orders.html"
    with visit(with_program(page_of, MAY, tmp_path), form=False) as page:
        thumb = Thumb(page).does(["@venice-1", "@corfu"])
        assert page.locator(".own .of-may").all_text_contents() == ["Perhaps: Genoa"]
        assert page.locator(".card .warn").all_inner_texts() == ["Perhaps: Genoa: takes Corfu"]
        assert_accessible(page)
        thumb.press("drop-movement-0")
        assert page.locator(".own .of-may").count() == 0


@pytest.mark.parametrize("name", ["orders.html", "report.html"])
def test_the_bar_of_a_phone_stays_low_whatever_it_says(visit: Visit, matches: Matches, name: str) -> None:
    """A deadline in a GM's own words and a long name of a match take no second line, and hide nothing."""
    with visit(matches("mediterranee").folder("movement", "venice") / name, width=PHONE) as page:
        for words in ("lagoon", LONG):
            page.evaluate(
                "(words) => document.querySelectorAll('.bar bdi, .bar .due').forEach((each) => each.append(words))",
                words,
            )
            assert page.evaluate(OVERLAPPING) == []
            bar = page.locator(".bar").bounding_box()
            assert bar and bar["height"] <= LOW
            assert_fits(page)
