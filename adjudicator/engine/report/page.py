"""The report as a page: the Markdown report and pictures in one file that needs no other; also a mail's body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adjudicator.engine.library.rules import rules_of
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.map import Picture
from adjudicator.engine.report.markdown_html import html_of, hypertext, inline_of
from adjudicator.engine.report.reader_facts import Extras, Link, ReaderFacts
from adjudicator.engine.report.template import environment
from adjudicator.engine.table.rulebook import Rulebook

if TYPE_CHECKING:
    from markupsafe import Markup

PART = "<h2 "
IN_ADDRESS = {"%": "%25", "#": "%23", "&": "%26", "<": "%3C", ">": "%3E", '"': "%22", "'": "%27", "\n": " "}
"""How characters of a picture are written in a data address; the per cent sign comes first, since the others add it."""


def report_page(
    rulebook: Rulebook[Any],
    told: ReaderFacts,
    extras: Extras,
    markdown: str,
    picture: Picture,
    *,
    orders: str = "",
    around: Sequence[Link] = (),
) -> str:
    """A reader's page, made from the Markdown report, whose first line the page replaces by its own title.

    `orders` is the file beside it that is the page for orders, where there is one; `around` are the pages next to it
    in a site. Nothing else is linked: who gets the page by mail has nothing of the match but this folder.
    """
    rules, chart = rules_of(rulebook), extras.chart
    _, _, text = markdown.partition("\n")
    report = hypertext(text, rules)
    above, story, last = parts(report.html)
    shown = {
        "rulebook": rulebook,
        "state": told.after,
        "title": text.strip().partition("\n")[0].rstrip("."),
        "above": above,
        "story": story,
        "last": last,
        "sections": [section for section in report.sections if section.level == 2],
        "map": picture,
        "map_address": address(picture.svg),
        "chart": chart,
        "chart_address": address(chart.svg) if chart else "",
        "chart_table": html_of(chart.table, rules) if chart else "",
        "rules": [(rule.number, inline_of(rule.text)) for rule in report.named],
        "orders": orders,
        "around": around,
    }
    return str(environment(texts_of(rulebook)).get_template("report.html.j2").render(shown)).strip() + "\n"


def parts(html: Markup) -> tuple[Markup, Markup, Markup]:
    """A report's HTML in three parts: what comes before its first heading, its sections, and the last of them."""
    above, first, rest = html.partition(PART)
    story, mark, last = (first + rest).rpartition(PART)
    return above, story, mark + last


def address(svg: str) -> str:
    """A picture as a data address."""
    for sign, written in IN_ADDRESS.items():  # (ten times as fast as `translate`, on a hundred kilobytes)
        svg = svg.replace(sign, written)
    return f"data:image/svg+xml,{svg}"
