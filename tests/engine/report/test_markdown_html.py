"""Our Markdown as HTML: it runs no script, tables have heads, and rule numbers link to the rules."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies

from adjudicator.engine.library import registry
from adjudicator.engine.library.rules import rules_of
from adjudicator.engine.report.filters import quoted, without_needless_escapes
from adjudicator.engine.report.markdown_html import html_of, html_with_headings, rules_named
from tests.engine.parsed_html import Parsed

RULES = rules_of(registry.rulebook("mediterranee"))
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[go](javascript:alert(1))",
    "[go](https://example.org)",
    "![see](https://example.org/x.png)",
    "<javascript:alert(1)>",
    "<http://example.org>",
    "<a href='https://example.org'>go</a>",
    "[go]: https://example.org\n\n[go]",
    "<!-- --> <?x?> <![CDATA[x]]>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "a\n=\n\nb\n---",
    'x" onmouseover="alert(1)',
)


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_a_text_acts(text: str) -> None:
    found = Parsed(html_of(text, RULES))
    assert {tag for tag, _ in found.elements} <= {"p", "hr"}
    assert not found.astray


@pytest.mark.parametrize(
    "text",
    [*HOSTILE, "| a | b |\n|---|---|\n| x | y |", "*a* **b** _c_ __x__ `d` ~~e~~ \\", "# x", "- x", "> x"],
)
def test_quoted_text_stands_as_it_was_written(text: str) -> None:
    for line in filter(None, text.splitlines()):
        assert Parsed(html_of(quoted(line), RULES)).text.strip() == line.strip()
        assert Parsed(html_of(f"- 3:1 **{quoted(line)}**: {quoted(line)} (MED-2.1)", {})).text.strip() == (
            f"3:1 {line}: {line} (MED-2.1)"
        )


SIGNS = ".[]()<>*_`~|\\&;:!#+-=/ \nab1é"


@pytest.mark.parametrize("frame", ["- 3:1 **{}**: {} (MED-2.1)", "{}", "a {}({}) {}[x] {}: {}{}", "> {}"])
@given(text=strategies.text(SIGNS, min_size=1, max_size=14))
def test_whatever_is_quoted_stands_as_it_was_written(frame: str, text: str) -> None:
    line = " ".join(text.split())
    if not line:
        return
    markdown = without_needless_escapes(frame.replace("{}", quoted(line)))
    words = Parsed(html_of(frame.replace("{}", "word"), {})).text
    assert Parsed(html_of(markdown, {})).text == words.replace("word", line)


@pytest.mark.parametrize(
    "text", ["[a, b]", "{via: [a, b]}", "2 < 3", "2 * 3", "a_b", "a & b", "x] y", "f(x)", "a: b"]
)
def test_nothing_is_escaped_that_markdown_leaves_alone(text: str) -> None:
    for frame in ("- {}", "**{}**: {} (MED-2.1)", "It is {}.", "{}, {}"):
        written = frame.replace("{}", text)
        assert without_needless_escapes(frame.replace("{}", quoted(text))) == written


def test_an_address_in_angle_brackets_is_a_link() -> None:
    found = Parsed(html_of("<https://example.org> <gm@example.org>", RULES))
    assert [link["href"] for link in found.of("a")] == ["https://example.org", "mailto:gm@example.org"]


def test_numbers_of_rules_lead_to_the_rules() -> None:
    text = "Sold (MED-6.3, MED-2.1), not MED-99.1, `MED-6.3`\n"
    links = Parsed(html_of(text, RULES)).of("a")
    assert [link["href"] for link in links] == ["#MED-6.3", "#MED-2.1"]
    assert [rule.number for rule in rules_named(text, RULES)] == ["MED-2.1", "MED-6.3"]


def test_tables_have_heads_and_can_be_scrolled_by_keyboard() -> None:
    table = "| Zone | galley | men |\n|---|---|--:|\n| Genova | genoa-1 | 2 |\n| | genoa-2 | 3 |"
    found = Parsed(html_of(table, RULES))
    assert found.of("div")[0]["aria-label"] == "Zone, galley, men"
    assert found.of("div")[0]["tabindex"] == "0"
    assert [head["scope"] for head in found.of("th")] == ["col"] * 3 + ["row"] * 2
    assert [cell.get("align") for cell in found.of("td")] == [None, "right", None, "right"]
    assert not any("style" in attributes for _, attributes in found.elements)


@pytest.mark.parametrize(
    ("rows", "head"),
    [("| a | b |", 0), ("| a | b |\n| | c |", 1), ("| a | b |\n| c | |", 0), ("| a | |\n| | c |", None)],
)
def test_the_heads_of_rows_stand_in_one_column(rows: str, head: int | None) -> None:
    found = Parsed(html_of(f"| X | Y |\n|---|---|\n{rows}", {}))
    cells = [tag for tag, _ in found.elements if tag in ("td", "th")][2:]
    expected = ["th" if column == head else "td" for column in range(2)]
    assert cells == expected * (len(cells) // 2)


def test_headings_are_reached_by_links_each_by_its_own() -> None:
    text = html_with_headings("## Your sheet\n\n### *Ports*\n\n## Your sheet\n\n## —\n\n> # not one\n", RULES)
    assert [(part.level, part.anchor, part.title) for part in text.sections] == [
        (2, "your-sheet", "Your sheet"),
        (3, "ports", "Ports"),
        (2, "your-sheet-2", "Your sheet"),
        (2, "part", "—"),
    ]
    found = Parsed(text.html)
    assert [attributes["id"] for attributes in found.of("h2", "h3")] == [
        part.anchor for part in text.sections
    ]
    assert not found.of("h1")


@pytest.mark.parametrize(
    "text", ["```\n# not one\n```\n", "~~~\n## neither\n~~~\n", "a line\n#hash\n", "- item\n\n      # deep\n"]
)
def test_what_only_looks_like_a_heading_is_none(text: str) -> None:
    assert not html_with_headings(text, {}).sections
    assert html_of(f"# One\n\n{text}", {}) == f'<h1 id="one">One</h1>\n{html_of(text, {})}'
