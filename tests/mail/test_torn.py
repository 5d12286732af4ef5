"""Orders typed into the quoted form are taken, or the mail is held: none is dropped while the answer says 'Taken'."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.engine.text.source import Source, read
from adjudicator.mail.finding import Found, found_in
from adjudicator.mail.letter import letter_in
from tests.engine.match_folders import begun

INTRO = "On Sun, 3 May 2026 at 20:15 GM <gm@example.org> wrote:"
ORDERS = {
    "at the margin": ("orders:", "- place: 4\n  to: venice-1"),
    "indented": ("orders:", "  - place: 4\n    to: venice-1"),
    "in braces": ("orders:", "- {place: 4, to: venice-1}"),
    "for a later phase": ("    orders:", "      - {place: 4, to: venice-1}"),
}
"""Below which quoted key orders are typed, and how."""
BESIDES = {
    "nothing": "",
    "standing": "standing:\n  passage: [{grant: true}]\n",
    "standing in braces": "standing: {passage: [{grant: true}]}\n",
    "later": "later: {auction: {orders: [{bid: 100}]}}\n",
    "draft": "ready: false\n",
    "salt": "salt: my own\n",
    "a word": "Best wishes\n",
}
"""What else its sender types, above the quotation or below it."""


@pytest.fixture(scope="module")
def form(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    match = begun(tmp_path_factory.mktemp("form") / "lagoon")
    text = (match / "0001-t1-setup/for/venice/sheet.yaml").read_text()
    later = "later:\n  auction:\n    orders:\n" if "\nlater:" not in text else ""
    return ["Your sheet is due.", "", *(text + later).splitlines()]


def marked(own: bool, line: str) -> str:
    return line if own else f"> {line}".rstrip()


def bare(own: bool, line: str) -> str:
    return line


def mail(text: str, kind: str = "plain") -> Found:
    head = f"From: one@example.org\nTo: gm@example.org\nSubject: Re\nContent-Type: text/{kind}; charset=utf-8\n\n"
    return found_in(letter_in(f"{head}{text}\n".encode()))


def typed(form: list[str], below: str, orders: str, quote: Callable[[bool, str], str]) -> list[str]:
    """The quoted form with orders typed below the first such line of it."""
    at = form.index(below) + 1
    lines = [
        *((False, line) for line in form[:at]),
        *((True, line) for line in orders.splitlines()),
        *((False, line) for line in form[at:]),
    ]
    return [quote(own, line) for own, line in lines]


def plain(found: Found) -> dict:
    assert found.sheet is not None
    source = read(found.sheet.text, "sheet")
    assert isinstance(source, Source)
    return source.plain


@pytest.mark.parametrize("besides", BESIDES)
@pytest.mark.parametrize("orders", ORDERS)
@pytest.mark.parametrize("where", ["above", "below"])
@pytest.mark.parametrize("quote", [marked, bare])
def test_no_order_is_dropped_unsaid(
    form: list[str], besides: str, orders: str, where: str, quote: Callable[[bool, str], str]
) -> None:
    lines, more = typed(form, *ORDERS[orders], quote), BESIDES[besides]
    above, below = (more, "") if where == "above" else ("", more)
    found = mail("\n".join([above, INTRO, "", *lines, "", below]))
    if found.sheet is None:
        assert found.why == "torn"
    elif isinstance(read(found.sheet.text, "sheet"), Source):
        said = plain(found)
        later = [one.get("orders") for one in (said.get("later") or {}).values()]
        taken = any(
            {"place": 4, "to": "venice-1"} in (orders or ()) for orders in (said.get("orders"), *later)
        )
        assert taken or found.below
        assert "standing" in said or not besides.startswith("standing")


@pytest.mark.parametrize("besides", ["standing", "standing in braces", "draft", "salt", "nothing"])
@pytest.mark.parametrize("orders", ORDERS)
def test_with_what_is_typed_below_the_quotation_they_are_one_sheet(
    form: list[str], besides: str, orders: str
) -> None:
    lines = typed(form, *ORDERS[orders], marked)
    found = mail("\n".join([INTRO, "", *lines, "", BESIDES[besides]]))
    assert found.sheet is not None
    assert found.sheet.where == "quoted"
    assert besides.partition(" ")[0].replace("draft", "ready").replace("nothing", "orders") in plain(found)


def test_a_greeting_that_looks_like_an_order_takes_no_sheet_away() -> None:
    found = mail("- note: I am late\n\norders:\n  - place: 4\n    to: venice-1\n")
    assert plain(found)["orders"] == [{"place": 4, "to": "venice-1"}]
    assert found.sheet is not None
    assert found.sheet.left == ("- note: I am late",)


def test_a_page_with_orders_in_the_quotation_and_other_things_above_says_what_doesnt_count(
    form: list[str],
) -> None:
    lines = typed(form, *ORDERS["at the margin"], bare)
    boxes = "".join(f"<div>{html.escape(line).replace('  ', '&nbsp; ') or '<br>'}</div>" for line in lines)
    found = mail(
        f"<div>standing: {{passage: [{{grant: true}}]}}</div><blockquote>{boxes}</blockquote>", "html"
    )
    assert plain(found) == {"standing": {"passage": [{"grant": True}]}}
    assert found.below


def test_who_sends_orders_above_a_quotation_with_others_is_told_of_no_more(
    form: list[str], tmp_path: Path
) -> None:
    lines = typed(form, *ORDERS["at the margin"], marked)
    found = mail("\n".join(["orders: []", "", INTRO, "", *lines]))
    assert found.sheet is None or not found.below
