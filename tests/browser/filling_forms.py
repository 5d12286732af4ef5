"""The hand that clicks a sheet together on a page for orders, by what `orders.html.j2` says can be relied on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

ELSEWHERE = " "
"""The choice by which a word that isn't on the list is written beside it."""
FIELD = ":scope > .fields > [data-field]"
SHOWN = """(all) => Object.fromEntries(all.map((field) =>
    [field.dataset.field, field.tagName === "DETAILS" && !field.open]))"""
"""The fields of a form by their names, in their order: whether each is folded."""
OPTIONS = "(all) => all.map((option) => option.value)"
CONTROL = """(at) => {
    if (at.querySelector(":scope > div > .either")) return ["either", []];
    const words = [...at.querySelectorAll(":scope > .word > select option")].map((option) => option.value);
    return [at.querySelector(":scope > .word") && "word", words];
}"""
"""Which control stands below an element, where that isn't seen from the value, and the words that it offers."""
INNER = """(at) => {
    const inner = at.querySelector(":scope > .either > *"), chosen = at.querySelector(":scope > select");
    return {
        kind: inner ? inner.className.split(" ")[0] : "only",
        label: chosen.selectedOptions[0].innerText.trim().split(" – ")[0],
        words: inner ? [...inner.querySelectorAll("option")].map((option) => option.value) : [],
    };
}"""
"""Below a choice between kinds of values: the kind of the control, what the choice is called, the words offered."""


class Hand:
    """Fills in forms as a player does: nothing is put into the sheet's text itself."""

    def __init__(self, page: Page, board: str = "#board", lines: str = "#orders") -> None:
        self.page, self.board, self.lines = page, board, lines

    def of(self, phase: str) -> Hand:
        """The hand on the board of a phase to come, which is unfolded if it is folded."""
        return self.on(f"[data-part='{phase}'], [data-later='{phase}']", f"#later-{phase}")

    def standing(self, phase: str) -> Hand:
        """The hand on the board of the standing orders for a phase."""
        self.unfold("[data-standing=phases]")
        return self.on(f"[data-standing-phase='{phase}']", f"#standing-{phase}")

    def on(self, board: str, lines: str) -> Hand:
        """The hand on another board."""
        self.unfold(board)
        return Hand(self.page, board, lines)

    def unfold(self, place: str) -> None:
        """Opens what is folded."""
        if self.page.locator(place).evaluate("place => place.tagName === 'DETAILS' && !place.open"):
            self.page.locator(place).locator("> summary").click()
            self.page.locator(place).locator("> div > *").first.wait_for()  # made when it has been opened

    def orders(self, orders: Sequence[Mapping[str, Any]]) -> None:
        """All orders of a sheet, one after the other, each with the orders that it holds."""
        for number, order in enumerate(orders, start=1):
            self.order(order)
            for name, inner in order.items():
                for each in inner if holds_orders(inner) else []:
                    self.page.locator(
                        f"{self.lines} > li[data-path='{number}'] > .tools [data-act='{name}']"
                    ).click()
                    self.order(each)

    def order(self, order: Mapping[str, Any]) -> None:
        """One order, into the list that is open."""
        verb = next(iter(order))
        board = self.page.locator(self.board)
        button = board.locator(f"button[data-verb='{verb}']").first
        if not button.is_visible():
            board.locator("details.rest > summary").click()
        button.click()
        self.fill(self.form(verb), {name: value for name, value in order.items() if not holds_orders(value)})
        self.form(verb).locator("button[type=submit]").click()

    def form(self, verb: str) -> Locator:
        """The open form."""
        return self.page.locator(self.board).locator(f"form[data-form='{verb}']")

    def fill(self, form: Locator, order: Mapping[str, Any]) -> None:
        """The fields of a form, from the first to the last: which ones there are may depend on those before."""
        left = dict(order)
        while left:
            shown = form.locator(FIELD).evaluate_all(SHOWN)
            name = next((name for name in shown if name in left), None)
            assert name is not None, f"no field for {left} among {[*shown]}"
            field = form.locator(f":scope > .fields > [data-field='{name}']")
            if shown[name]:
                field.locator("> summary").click()
            self.control(field, left.pop(name))

    def control(self, at: Locator, value: Any) -> None:
        """The control below an element: a word, a number, yes or no, a list, a mapping, or one of several kinds."""
        control, words = at.evaluate(CONTROL)
        if control == "either":
            self.choose_kind(at.locator(":scope > div"), value)
        elif isinstance(value, Mapping):
            self.mapping(at.locator(":scope > .mapping"), value)
        elif isinstance(value, list):
            self.list(at.locator(":scope > .list"), value)
        elif isinstance(value, bool) or control == "word":
            word = str(value).lower() if isinstance(value, bool) else str(value)
            self.word(at.locator(":scope > .word"), word, words)
        else:
            at.locator(":scope > .number > input, :scope > .text > input").fill(str(value))

    def choose_kind(self, at: Locator, value: Any) -> None:
        """What kind of value it is to be, then the value."""
        select = at.locator(":scope > select")
        for choice in select.locator("option").evaluate_all(OPTIONS):
            select.select_option(choice)
            inner = at.evaluate(INNER)
            kind, label = inner["kind"], inner["label"]
            if (kind == kind_of(value) and kind != "word") or (kind == "only" and label == value):
                return self.control(at.locator(":scope > .either"), value) if kind != "only" else None
            if kind in ("word", "text") and isinstance(value, str | bool) and offers(inner["words"], value):
                return self.control(at.locator(":scope > .either"), value)
        raise AssertionError(f"no kind for {value!r}: {select.inner_text()}")

    def word(self, at: Locator, word: str, words: Sequence[str]) -> None:
        """A word from the list, else beside it."""
        select = at.locator(":scope > select")
        if word in words:
            select.select_option(word)
        else:
            select.select_option(ELSEWHERE)
            at.locator("input").fill(word)

    def list(self, at: Locator, items: Sequence[Any]) -> None:
        """Entry after entry; one too many is taken away."""
        rows = at.locator(":scope > ol > li")
        there = rows.count()
        for index, item in enumerate(items):
            if there <= index:
                at.locator(":scope > [data-act=add]").click()
            self.control(rows.nth(index), item)
        for _ in range(len(items), there):
            rows.last.locator(":scope > .moves [data-act=remove]").click()

    def mapping(self, at: Locator, items: Mapping[str, Any]) -> None:
        """Name after name; one that isn't laid out is added."""
        for name, value in items.items():
            part = at.locator(f":scope > .parts > [data-field='{name}']")
            if not part.count():
                self.control(at.locator(":scope > .adder"), name)
                at.locator(":scope > .adder > [data-act=add]").click()
            self.control(part, value)

    def download(self, to: Path) -> bytes:
        """The sheet as a file, under the name that the page gives it."""
        with self.page.expect_download() as waiting:
            self.page.locator("#download").click()
        waiting.value.save_as(to / waiting.value.suggested_filename)
        return (to / waiting.value.suggested_filename).read_bytes()


def holds_orders(value: Any) -> bool:
    """Is it a list of orders? They are given after the order that holds them."""
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


def kind_of(value: Any) -> str:
    """The class of the control that takes the value."""
    if isinstance(value, Mapping):
        return "mapping"
    if isinstance(value, list):
        return "list"
    return "number" if isinstance(value, int) and not isinstance(value, bool) else "word"


def offers(words: Sequence[str], value: Any) -> bool:
    """Is a word among those of the control, or can it be written?"""
    said = str(value).lower() if isinstance(value, bool) else value
    return said in words or (ELSEWHERE in words and isinstance(value, str)) or not words
