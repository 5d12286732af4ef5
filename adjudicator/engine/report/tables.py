"""Our own reports' tables turned directly into HTML: most of a page is tables, and most cells come again and again.

This handles only tables as `template.table` writes them, at the left margin, with a `|` at both ends of a line. Others
go through the parser (`markdown_html.mark_tables`), with the same result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

RULER = re.compile(r"\|(?:-{2,}[-:]\|)+")
"""The line under a table's heads: the ruler of a right-aligned column ends with a colon."""
TOKEN = "our_table"


class Rows(Struct, frozen=True):
    """A table: which columns are right-aligned, and the cells row by row, the heads first."""

    right: tuple[bool, ...]
    cells: tuple[tuple[str, ...], ...]


def rows_of(lines: Sequence[str]) -> Rows | None:
    """The table in some lines; None if it isn't in our reports' form."""
    if len(lines) < 2 or not RULER.fullmatch(lines[1]):
        return None
    right = tuple(part.endswith(":") for part in lines[1].split("|")[1:-1])
    found = []
    for line in (lines[0], *lines[2:]):
        if not (line.startswith("|") and line.endswith("|")) or "\\" in line:
            return None
        cells = tuple(cell.strip(" ") for cell in line.split("|")[1:-1])
        if len(cells) != len(right):
            return None
        found.append(cells)
    return Rows(right, tuple(found))


def quick_table(otherwise: Callable[..., bool]) -> Callable[..., bool]:
    """The parser's rule that takes our own tables whole; all others go to the rule `otherwise`."""

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if silent or state.level or state.blkIndent or not state.src.startswith("|", state.bMarks[start]):
            return otherwise(state, start, end, silent)
        last = start
        while last < end and not state.isEmpty(last):
            last += 1
        rows = rows_of([state.src[state.bMarks[line] : state.eMarks[line]] for line in range(start, last)])
        if rows is None:
            return otherwise(state, start, end, silent)
        token = state.push(TOKEN, "", 0)
        token.meta["rows"] = rows
        token.map = [start, last]
        state.line = last
        return True

    return rule


def html_rows(rows: Rows, html_of: Callable[[str], str]) -> str:
    """The rows as HTML; `html_of` turns a cell into HTML.

    The heads of the rows are the first column without a blank; a blank cell repeats the one above it.
    """
    heads, *others = rows.cells
    at_right = [' align="right"' if end else "" for end in rows.right]
    lines = ["<thead>\n<tr>\n"]
    lines += [
        f'<th{align} scope="col">{html_of(cell)}</th>\n' for cell, align in zip(heads, at_right, strict=True)
    ]
    lines.append("</tr>\n</thead>\n")
    if others:
        columns = range(len(heads))
        named = next((column for column in columns if all(row[column] for row in others)), -1)
        opened = [f"<td{align}>" for align in at_right]
        closed = ["</td>\n"] * len(heads)
        if named >= 0:
            align = at_right[named] or ' align="left"'
            opened[named], closed[named] = f'<th{align} scope="row">', "</th>\n"
        lines.append("<tbody>\n")
        for row in others:
            cells = zip(opened, row, closed, strict=True)
            lines.append(f"<tr>\n{''.join(a + html_of(cell) + z for a, cell, z in cells)}</tr>\n")
        lines.append("</tbody>\n")
    return "".join(lines)
