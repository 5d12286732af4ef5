"""The page for orders reads and writes YAML with the same meaning as the program."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as some
from playwright.sync_api import Browser, Page

from adjudicator.engine.text.resources import folder
from adjudicator.engine.text.source import Source, read
from adjudicator.engine.text.writing import write

PARTS = ("js-yaml.min.js", "orders-schema.js", "orders-yaml.js")
ODD = [
    "no",
    "yes",
    "on",
    "y",
    "null",
    "Null",
    "~",
    "true",
    "True",
    "tRue",
    "1:30",
    "2020-01-01",
    "0o17",
    "0x1F",
    "012",
    "1_000",
    "1e3",
    ".5",
    "-0",
    "+3",
    ".inf",
    "-",
    ":",
    "?",
    "#a",
    "&a",
    "*a",
    "!a",
    "|a",
    ">a",
    "%a",
    "@a",
    "`a`",
    "'q'",
    '"q"',
    "{a",
    "[a",
    "a,b",
    "a:b",
    "=",
    "<<",
    "---",
    "...",
    "carthago_nova",
    "leptis-magna",
    "Zürich",
    "日本",
    "😀",
    "</script>",
    "<!--",
]
LINES = [
    "",
    " a",
    "a ",
    "a: b",
    "a #b",
    "- a",
    "? a",
    "a\nb",
    "\ttab",
    "back\\slash",
    "\u202e",
    "\u2028",
    "\x85",
]
WORDS = [*ODD, *LINES]
ALIKE = [
    "v: [1, -7, 300]",
    "v: {a: 0, b: 1.5}",
    "v:",
    "v: 0o17",
    "v: 1:30",
    "v: [no, ~, '1', \"2\"]",
    "v: >\n  a\n  b\n",
    f"v: {'[' * 31}{']' * 31}",
]
REFUSED = [
    *("v: &a 1\nw: *a", "v: 1\nv: 2", "v: [1", "v: !x 1", "v: 999999999999999999"),
    *("v: 1\n---\nw: 1", f"v: {'[' * 32}{']' * 32}"),
]


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    """A page with nothing but what reads and writes YAML."""
    page = browser.new_page()
    page.evaluate("globalThis.data = {texts: {}}")
    for part in PARTS:
        page.add_script_tag(content=(folder("templates") / "pages" / part).read_text(encoding="utf-8"))
    return page


def plain(text: str) -> Any:
    source = read(text.encode(), "sheet")
    assert isinstance(source, Source), source
    return source.plain


def test_what_the_page_writes_is_read_as_the_same(page: Page) -> None:
    value = {
        "match": WORDS,
        "orders": [{"move": word, "via": [word, {word: word}]} for word in WORDS if word],
    }
    assert plain(page.evaluate("writeYaml", value)) == value


def test_what_the_program_writes_is_read_as_the_same(page: Page) -> None:
    value = {"match": WORDS, "orders": [{"move": word, "via": [word]} for word in WORDS]}
    assert page.evaluate("readYaml", write(value)) == value


@pytest.mark.parametrize("text", ALIKE)
def test_both_read_the_same(page: Page, text: str) -> None:
    assert page.evaluate("readYaml", text) == plain(text)


@pytest.mark.parametrize("text", REFUSED)
def test_both_refuse_the_same(page: Page, text: str) -> None:
    said = page.evaluate(
        "text => { try { readYaml(text); return '' } catch (error) { return error.message } }", text
    )
    assert said


words = some.one_of(
    some.sampled_from(WORDS), some.text(some.characters(exclude_categories=["Cs", "Cn"]), max_size=8)
)
scalars = some.one_of(words, some.integers(-(10**6), 10**6), some.booleans(), some.none())
names = some.text("abcdefghij-", min_size=1, max_size=6)
values = some.recursive(
    scalars,
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(some.lists(values, min_size=10, max_size=10))
def test_any_sheet_goes_out_and_comes_back(page: Page, value: list[Any]) -> None:
    sheet = {"player": "venice", "orders": value}
    text = page.evaluate("writeYaml", sheet)
    assert plain(text) == sheet
    assert page.evaluate("readYaml", text) == sheet
