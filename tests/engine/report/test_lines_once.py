"""A line that is in many reports is parsed once, and comes out the same in each."""

from __future__ import annotations

import pytest

from adjudicator.engine.report.markdown_html import html_of, inline_of, plain_text

LINES = (
    r"Genoa buys \*wine\* and a \_cask\_ \[of it\] (MED-2.1)",
    r"\*\*",
    "a &amp; b &lt; c",
    "`code` and **bold** and *a \\* b*",
    "plain",
    "<https://example.org> \\<https://example.org>",
)


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_the_same_however_often_it_is_read(line: str) -> None:
    first = html_of(line, {})
    assert [html_of(line, {}) for _ in range(3)] == [first] * 3
    item = html_of(f"- {line}\n- {line}\n", {})
    assert item == html_of(f"- {line}\n- {line}\n", {})
    assert item.count(first.removeprefix("<p>").removesuffix("</p>\n")) == 2
    assert plain_text(line) == plain_text.__wrapped__(line)
    assert inline_of(line) == inline_of.__wrapped__(line)
