"""Our Markdown as HTML: tables that can be read aloud, rule numbers that link to the rule, and nothing active.

Our own reports' tables turned directly into HTML: most of a page is tables, and most cells come again and again.

This handles only tables as `template.table` writes them, at the left margin, with a `|` at both ends of a line. Others
go through the parser (`markdown_html.mark_tables`), with the same result.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.library.rules import RuleText

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token
    from markupsafe import Markup


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


RULE = re.compile(r"\b[A-Z]+-[0-9]+\.[0-9]+\b")
BEFORE_HEADING = re.compile(r"^(?=#{1,6}[ \n])", re.MULTILINE)
"""Where a text can be parted, if nothing in it is fenced: a heading at the left margin ends all that stands above."""
ID_OF_HEADING = re.compile(r'(?<=<h[1-6] id=")[^"]*')
SAFE = ("https://", "mailto:")
"""How an address in angle brackets must begin to become a link."""
TABLE = '<table border="1" cellpadding="4" cellspacing="0">\n'
"""Borders are attributes, and a line end separates tables, for mail programs that ignore styles."""


class Section(Struct, frozen=True):
    """A heading of a text: its level, the name that links use, and its words."""

    level: int
    anchor: str
    title: str


class HtmlText(Struct, frozen=True):
    """A text as HTML, and its headings."""

    html: Markup
    sections: Sequence[Section]


def html_of(markdown: str, rules: Mapping[str, RuleText]) -> Markup:
    """Markdown as an HTML fragment with nothing active; rule numbers are links to `#MED-3.1`."""
    return html_with_headings(markdown, rules).html


def html_with_headings(markdown: str, rules: Mapping[str, RuleText]) -> HtmlText:
    """Markdown as HTML, with what a page needs to know about it."""
    from markupsafe import Markup

    fenced = "```" in markdown or "~~~" in markdown  # where what looks like a heading needn't be one
    parts = [
        _part(part, frozenset(rules.keys() & RULE.findall(part)))
        for part in ([markdown] if fenced else BEFORE_HEADING.split(markdown))
    ]
    sections, taken = [], Counter[str]()
    for section in (section for part in parts for section in part.sections):
        taken[section.anchor] += 1
        count = taken[section.anchor]
        sections.append(section if count == 1 else replace(section, anchor=f"{section.anchor}-{count}"))
    anchors = (section.anchor for section in sections)
    html = ID_OF_HEADING.sub(lambda _: next(anchors), "".join(part.html for part in parts))
    return HtmlText(Markup(html), sections)


@lru_cache(maxsize=256)
def _part(markdown: str, linked: frozenset[str]) -> HtmlText:
    """A heading and what is under it, or what comes before the first one, with links to these rules; kept, since
    most of a position is the same for all players, and stands on two pages of each.
    """
    from markupsafe import Markup

    env: MutableMapping[str, Any] = {"rules": linked}
    tokens = parser().parse(markdown, env)
    sections = headings(tokens)
    mark_tables(tokens)
    return HtmlText(Markup(parser().renderer.render(tokens, parser().options, env)), sections)


def rules_named(markdown: str, rules: Mapping[str, RuleText]) -> list[RuleText]:
    """The rules that a text names, in the order of the rulebook."""
    numbers = set(RULE.findall(markdown))
    return [rule for number, rule in rules.items() if number in numbers]


@lru_cache(maxsize=4096)
def inline_of(markdown: str) -> Markup:
    """One line of Markdown, such as a rule's text, as HTML without a paragraph around it; made once in a process."""
    from markupsafe import Markup

    return Markup(parser().renderInline(markdown))


def line_of(markdown: str, rules: Mapping[str, RuleText]) -> Markup:
    """One line of Markdown as HTML, with rule numbers as links to `#MED-3.1`."""
    from markupsafe import Markup

    return Markup(parser().renderInline(markdown, {"rules": rules}))


@lru_cache(maxsize=4096)
def plain_text(markdown: str) -> str:
    """One line of Markdown as bare text."""
    tokens = parser().parseInline(markdown)[0].children or []
    return "".join(token.content for token in tokens)


@cache
def parser() -> MarkdownIt:
    """The parser: CommonMark and tables, but no HTML, no pictures, no underlined headings, no links but
    `<https://...>`.
    """
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import table as whole_table

    found = MarkdownIt("commonmark", {"html": False}).enable("table")
    found.disable(["image", "link", "reference", "html_block", "html_inline", "lheading", "code"])
    found.validateLink = lambda url: url.lower().startswith(SAFE)  # type: ignore[method-assign]
    found.add_render_rule("text", text)
    found.add_render_rule("table_open", table_open)
    found.add_render_rule("table_close", lambda *_: "</table><br></div>\n")
    found.block.ruler.at("table", quick_table(whole_table), {"alt": ["paragraph", "reference"]})
    found.add_render_rule(TOKEN, our_table)
    found.core.ruler.at("inline", parse_lines)
    found.core.ruler.disable("text_join")
    return found


def parse_lines(state: StateCore) -> None:
    """Parses single lines: a step of the parser."""
    for token in state.tokens:
        if token.type == "inline":
            token.children = list(parsed_line(token.content))


@lru_cache(maxsize=512)
def parsed_line(line: str) -> tuple[Token, ...]:
    """A parsed line, kept because public lines stand in everybody's report. Nothing may change its parts any more, so
    the library's last step, which joins texts, is done here, and not again for each page.
    """
    from markdown_it.rules_core import StateCore, inline, text_join
    from markdown_it.token import Token

    whole = Token("inline", "", 0, content=line, children=[])
    state = StateCore(line, parser(), {}, [whole])
    inline(state)
    text_join(state)
    return tuple(whole.children or ())


def text(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Mapping[str, Any]) -> str:
    """Text in which each rule number is a link to the rule, `#MED-3.1`."""
    from markdown_it.common.utils import escapeHtml

    rules: Mapping[str, RuleText] = env.get("rules", {})

    def link(found: re.Match[str]) -> str:
        number = found[0]
        return f'<a class="rule" href="#{number}">{number}</a>' if number in rules else number

    return RULE.sub(link, escapeHtml(tokens[at].content))


# -- headings and tables -------------------------------------------------------------------------------------------


def headings(tokens: Sequence[Token]) -> list[Section]:
    """Gives each heading a name for links and returns them in order; two may have one name. Headings in a quotation
    become plain lines.
    """
    found: list[Section] = []
    for token, inside in pairwise(tokens):
        if token.type in ("heading_open", "heading_close") and token.level:
            token.tag = "p"
        elif token.type == "heading_open":
            title = "".join(part.content for part in inside.children or ())
            anchor = re.sub(r"\W+", "-", title.lower()).strip("-") or "part"
            token.attrSet("id", anchor)
            found.append(Section(int(token.tag[1:]), anchor, title))
    return found


def mark_tables(tokens: Sequence[Token]) -> None:
    """Marks each cell that is a column's or a row's head; a table is named by the heads of its columns.

    Numbers are aligned right by an attribute, which works without styles.
    """
    table, rows = None, list[list[int]]()
    for at, token in enumerate(tokens):
        if token.type == "table_open":
            table, rows = token, []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append(at)
            if token.attrs.pop("style", None) == "text-align:right":
                token.attrs["align"] = "right"
        elif token.type == "table_close" and table is not None:
            table.meta["heads"] = mark_heads(tokens, rows)


def mark_heads(tokens: Sequence[Token], rows: Sequence[Sequence[int]]) -> list[str]:
    """Marks the heads of a table by the positions of its cells, row by row; returns those of the columns.

    The heads of the rows are the first column without a blank; a blank cell repeats the one above it.
    """
    heads, *others = rows
    for at in heads:
        tokens[at].attrs["scope"] = "col"
    whole = (column for column in zip(*others, strict=True) if all(tokens[at + 1].content for at in column))
    for at in next(whole, ()):
        tokens[at].tag = tokens[at + 2].tag = "th"
        tokens[at].attrs.setdefault("align", "left")
        tokens[at].attrs["scope"] = "row"
    return [plain_text(tokens[at + 1].content) for at in heads]


def table_open(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """The beginning of a table, in a box that scrolls sideways, also by keyboard."""
    from markdown_it.common.utils import escapeHtml

    heads = ", ".join(filter(None, tokens[at].meta.get("heads", ())))
    return f'<div class="scroll" role="group" tabindex="0" aria-label="{escapeHtml(heads)}">{TABLE}'


def our_table(_: Any, tokens: Sequence[Token], at: int, options: Any, env: MutableMapping[str, Any]) -> str:
    """A table from our own templates, whose cells were read without the parser, between the same tags as any other."""
    rows: Rows = tokens[at].meta["rows"]
    tokens[at].meta["heads"] = [plain_text(cell) for cell in rows.cells[0]]

    def html_of(cell: str) -> str:
        return str(parser().renderInline(cell, env)) if RULE.search(cell) else plain_cell(cell)

    plain = not any(RULE.search(cell) for row in rows.cells for cell in row)
    body = plain_rows(rows) if plain else html_rows(rows, html_of)
    return f"{table_open(_, tokens, at, options, env)}{body}</table><br></div>\n"


@lru_cache(maxsize=128)
def plain_rows(rows: Rows) -> str:
    """A table without rule numbers as HTML; kept, since public tables are in every report, and on a page twice."""
    return html_rows(rows, plain_cell)


@lru_cache(maxsize=4096)
def plain_cell(cell: str) -> str:
    """A cell without rule numbers as HTML; kept, since names and small numbers are common."""
    return str(parser().renderInline(cell))
