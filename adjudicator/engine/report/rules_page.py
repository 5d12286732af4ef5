"""A game's rules as a page that one reads: the map with its signs, the chapters, and every rule with its number as an
address, `rules.html#SER-3.2`. One file that needs no other.
"""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup

from adjudicator.engine.library.rules import rules_md, rules_of
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.map import Layers, legend, svg_of
from adjudicator.engine.report.markdown_html import html_with_headings
from adjudicator.engine.report.template import environment
from adjudicator.engine.table.rulebook import Rulebook

RULES = "rules.html"
_RULE = re.compile(r'<li>(?:<p>)?(<strong><a class="rule" href="#([A-Z]+-\d+\.\d+)">)')
"""The beginning of a rule in the HTML of `rules.md`."""
SCROLLED = '<pre tabindex="0">'
"""An example, which keys can scroll where it is wider than the page."""


def rules_page(rulebook: Rulebook[Any]) -> str:
    """The page with a rulebook's rules, in its language, and its map with the colours of the largest table."""
    title, _, text = rules_md(rulebook).lstrip("# ").partition("\n")
    found = html_with_headings(text, rules_of(rulebook))
    players = rulebook.tables[max(rulebook.tables)][0]
    texts = texts_of(rulebook)
    frame = environment(texts).get_template("rules.html.j2")
    page = frame.render(
        title=title.strip(),
        map=Markup(svg_of(rulebook, Layers("", "", title.strip(), legend(texts, tuple(players))))),
        rules=Markup(_RULE.sub(r'<li id="\2">\1', str(found.html)).replace("<pre>", SCROLLED)),
        sections=[section for section in found.sections if section.level == 2],
    )
    return page.strip() + "\n"
