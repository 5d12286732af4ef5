"""The report as a page: the Markdown report and pictures in one file that needs no other; also a mail's body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from adjudicator.engine.library.rules import RuleText, rules_of
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.library.words import words
from adjudicator.engine.report.first_lines import FirstLines, first_lines
from adjudicator.engine.report.map import Picture
from adjudicator.engine.report.markdown_html import (
    html_of,
    html_with_headings,
    inline_of,
    line_of,
    rules_named,
)
from adjudicator.engine.report.reader_facts import Extras, Link, ReaderFacts
from adjudicator.engine.report.template import environment
from adjudicator.engine.table.rulebook import Rulebook

if TYPE_CHECKING:
    from markupsafe import Markup

PART, END = "<h2 ", "</h2>"
IN_ADDRESS = {"%": "%25", "#": "%23", "&": "%26", "<": "%3C", ">": "%3E", '"': "%22", "'": "%27", "\n": " "}
"""How characters of a picture are written in a data address; the per cent sign comes first, since the others add it."""


def report_page(
    rulebook: Rulebook[Any],
    told: ReaderFacts,
    extras: Extras,
    markdown: str,
    picture: Picture,
    *,
    first: FirstLines | None = None,
    orders: str = "",
    around: Sequence[Link] = (),
) -> str:
    """A reader's page, made from the Markdown report, whose first line the page replaces by its own title.

    `first` are its first lines, which the page draws where the report has them in the same words. `orders` is the file
    beside it that is the page for orders, where there is one; `around` are the pages next to it in a site. The page has
    no other links: a player who gets it by mail has nothing else of the match.
    """
    rules, chart = rules_of(rulebook), extras.chart
    text = markdown.partition("\n")[2].lstrip()
    lines = first_lines(rulebook, first) if first is not None else ""
    drawn = bool(lines) and text.startswith(lines)
    report = html_with_headings(text[len(lines) :] if drawn else text, rules)
    above, story, last = three_parts(report.html)
    folded = str(words(texts_of(rulebook))["pages"]["receipts"])
    shown = {
        "rulebook": rulebook,
        "state": told.after,
        "who": told.who,
        "title": title_of_moment(rulebook, told),
        "first": html_of_first_lines(first, rules) if first is not None and drawn else None,
        "above": above,
        "story": story,
        "last": last,
        "folded": last.partition(END) if report.sections and report.sections[-1].title == folded else (),
        "sections": [section for section in report.sections if section.level == 2],
        "map": picture,
        "chart": chart,
        "chart_address": data_address(chart.svg) if chart else "",
        "chart_table": html_of(chart.table, rules) if chart else "",
        "rules": [(rule.number, inline_of(rule.text)) for rule in rules_named(text, rules)],
        "orders": orders,
        "around": around,
    }
    return str(environment(texts_of(rulebook)).get_template("report.html.j2").render(shown)).strip() + "\n"


def title_of_moment(rulebook: Rulebook[Any], told: ReaderFacts) -> str:
    """The open phase as the page's title has it: `Turn 8, Movement`; or that the match is over."""
    known, head = words(texts_of(rulebook)), told.after.phase
    if head.over:
        return str(known["pages"]["end"])
    turn = known["terms"]["turn"]
    return str(
        known["pages"]["moment"].format(turn=turn, number=head.turn, phase=known["phases"].get(head.name))
    )


class FirstLinesHtml(Struct, frozen=True):
    """The first lines in HTML."""

    lines: FirstLines
    headline: Markup
    rows: Sequence[tuple[str, str, Markup]]
    details: Markup
    undone: Markup
    notes: Sequence[Markup]


def html_of_first_lines(first: FirstLines, rules: Mapping[str, RuleText]) -> FirstLinesHtml:
    """The first lines in HTML, with links to the rules that they name."""
    return FirstLinesHtml(
        first,
        line_of(first.headline, rules),
        [(row.kind, row.label, line_of(row.text, rules)) for row in first.rows],
        line_of(first.details, rules),
        line_of(first.undone, rules),
        [line_of(note, rules) for note in first.notes],
    )


def three_parts(html: Markup) -> tuple[Markup, Markup, Markup]:
    """A report's HTML in three parts: what comes before its first heading, its sections, and the last of them."""
    above, first, rest = html.partition(PART)
    story, mark, last = (first + rest).rpartition(PART)
    return above, story, mark + last


def data_address(svg: str) -> str:
    """A picture as a data address."""
    for sign, written in IN_ADDRESS.items():  # (ten times as fast as `translate`, on a hundred kilobytes)
        svg = svg.replace(sign, written)
    return f"data:image/svg+xml,{svg}"
