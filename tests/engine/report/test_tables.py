"""Tables that are rendered in one step come out as if they were parsed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from adjudicator.engine.library import registry
from adjudicator.engine.library.rules import rules_of
from adjudicator.engine.report import markdown_html
from adjudicator.engine.report.filters import quoted, table
from adjudicator.engine.report.markdown_html import html_of, rows_of

RULES = rules_of(registry.rulebook("mediterranee"))
CELLS = st.one_of(
    st.sampled_from(
        ["", "–", "12+", "**total**", "`x`", "MED-3.1", "a & b", "<b>", "leptis_magna", "*", "-", ":"]
    ),
    st.text(max_size=8).map(quoted),
)


def the_long_way(markdown: str) -> str:
    """Every table by the reader's own rule."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown_html, "quick_table", lambda rule: rule)
        markdown_html.parser.cache_clear()
        found = str(html_of(markdown, RULES))
    markdown_html.parser.cache_clear()
    return found


@pytest.mark.ci
@given(
    st.integers(1, 4).flatmap(
        lambda wide: st.lists(st.lists(CELLS, min_size=wide, max_size=wide), max_size=5)
    )
)
def test_a_table_is_the_same_the_quick_way(rows: list[list[Any]]) -> None:
    wide = len(rows[0]) if rows else 2
    markdown = f"Above\n\n{table(['a', '>b', '', '> c'][:wide], rows)}\n\nBelow\n"
    assert str(html_of(markdown, RULES)) == the_long_way(markdown)


@pytest.mark.parametrize(
    "markdown",
    [
        "| a | b |\n|---|---|\n| 1 | 2 |\nlazy\n",
        "| a | b |\n|---|---|\n| 1 |\n",
        "| a | b |\n|---|---|\n| 1 | 2 | 3 |\n",
        "| a |\n|:--|\n| 1 |\n",
        "| a |\n|:-:|\n| 1 |\n",
        "| a \\| b |\n|---|\n| 1 |\n",
        "> | a |\n> |---|\n> | 1 |\n",
        "- x\n\n  | a |\n  |---|\n  | 1 |\n",
        "text\n| a |\n|---|\n| 1 |\n",
        "| a |\n|---|\n> | 1 |\n",
        "| a |\n|---|",
        "| a |\n",
        "|a|\n|---|\n|1|\n| | \n",
        "|---|\n|---|\n|---|\n",
        "| `a | b` | c |\n|---|---|\n| 1 | 2 |\n",
    ],
)
def test_odd_tables_are_the_same_too(markdown: str) -> None:
    assert str(html_of(markdown, RULES)) == the_long_way(markdown)


def test_a_report_of_ours_is_taken_whole() -> None:
    """Or all of this tests nothing."""
    assert rows_of(table(["name", ">ducats"], [["Venice", 100], ["Genoa", 20]]).splitlines()) is not None
