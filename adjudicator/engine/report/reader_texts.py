"""What one reader gets of a phase: view, report, what there is to fill in, and all of it as pages for a browser.

A page for mail, which works without the files around it.

The report as a page: the Markdown report and pictures in one file that needs no other; also a mail's body.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.library.rules import RuleText, rules_of
from adjudicator.engine.library.texts import texts_of, words
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.play.known_file import KNOWN, write_known
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.stops import asked_at
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.first_lines import FirstLines, first_lines
from adjudicator.engine.report.map import Picture, picture
from adjudicator.engine.report.markdown_html import (
    html_of,
    html_with_headings,
    inline_of,
    line_of,
    rules_named,
)
from adjudicator.engine.report.page_scripts import REPORT as REPORT_SCRIPTS, packed_scripts, scripts
from adjudicator.engine.report.reader_facts import Extras, Link, ReaderFacts
from adjudicator.engine.report.replay import numbered, replay, steps_of
from adjudicator.engine.report.template import environment
from adjudicator.engine.sheets.offering import players_own_last
from adjudicator.engine.sheets.published import json_of
from adjudicator.engine.sheets.schema import answer_schema
from adjudicator.engine.table.event import Player, with_positions_before
from adjudicator.engine.table.rulebook import Rulebook

_DEAD = re.compile(r'<a\b[^>]*?\bhref="(?!#|https?:|mailto:|data:)[^"]*"[^>]*>(.*?)</a>', re.DOTALL)
_WITHOUT_SCRIPTS = re.compile(r'<noscript data-link="([^"]*)"><p class="notice">')
"""Where a page says what to do without scripts; `data-link` are the words of a link that works without them."""
_LINKED = re.compile(rf'({_WITHOUT_SCRIPTS.pattern})<a href="https?://[^"<>]*">[^<]*</a> ')
"""The same with that link, as it is mailed."""
_ORDER = re.compile(r'(<p class="go">)<a href="orders\.html">')
"""The button of a report that opens the page for orders beside it."""
_LED = re.compile(rb'(<p class="go">)<a href="https?://[^"<>#]*#v=[\w.-]+(?:&amp;by=[\w.+-]+)?">([^<]*)</a>')
"""The same where it leads to the program in a page."""
_BUTTON = re.compile(r'"gm":"[^"]*"')


def standalone_page(page: str, button: str = "", leads: str = "") -> str:
    """A page without links to files beside it. Its button sends a mail to the address `button`.

    With `leads` the button of a report opens that link instead, and so does a page whose scripts don't run.
    """
    if leads:
        page = _ORDER.sub(lambda found: f'{found[1]}<a href="{escape(leads)}">', page, count=1)
    page = _DEAD.sub(r"\1", page)
    if leads:
        page = _WITHOUT_SCRIPTS.sub(
            lambda found: f'{found[0]}<a href="{escape(leads)}">{found[1]}</a> ', page, count=1
        )
    if not button:
        return page
    return _BUTTON.sub(lambda _: f'"gm":{json.dumps(button)}', page, count=1)


def without_addresses(page: str) -> str:
    """A page for orders as all its copies have it, handed out or mailed: without links, and without where it sends."""
    return _BUTTON.sub('"gm":""', standalone_page(_LINKED.sub(r"\1", page, count=1)), count=1)


def without_link(page: bytes) -> bytes:
    """A report's page as it would have been mailed without a link to the program in a page."""
    return _LED.sub(rb"\1\2", page, count=1)


LARGEST = 119_000
"""Characters of a report's page: what happened is shown from the last step back, as far as there is room."""
REPLAY = '<script type="application/json" id="replay">'
"""Where a page holds that."""
PART, END = "<h2 ", "</h2>"
IN_ADDRESS = {
    "%": "%25",
    "#": "%23",
    "&": "%26",
    "<": "%3C",
    ">": "%3E",
    "'": "%26%2339;",
    '"': "'",
    "\n": " ",
}
"""How characters of a picture are written in a data address; the per cent sign comes first, since the others add it.
Quotation marks become apostrophes, which a page needn't write otherwise, and apostrophes references.
"""


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
    story, steps = numbered(story, list(steps_of(rulebook, told)) if picture.svg else [], rules)
    folded = str(words(texts_of(rulebook))["pages"]["receipts"])
    packed = packed_scripts(REPORT_SCRIPTS)
    shown = {
        "rulebook": rulebook,
        "state": told.after,
        "who": told.who,
        "title": title_of_moment(rulebook, told.after),
        "first": html_of_first_lines(first, rules) if first is not None and drawn else None,
        "above": above,
        "story": story,
        "last": last,
        "folded": last.partition(END) if report.sections and report.sections[-1].title == folded else (),
        "sections": [section for section in report.sections if section.level == 2],
        "map": picture,
        "packed": Markup(packed),
        "scripts": Markup("" if packed else scripts(REPORT_SCRIPTS)),
        "chart": chart,
        "chart_address": data_address(chart.svg) if chart else "",
        "chart_table": html_of(chart.table, rules) if chart else "",
        "rules": [(rule.number, inline_of(rule.text)) for rule in rules_named(text, rules)],
        "orders": orders,
        "around": around,
    }
    page = str(environment(texts_of(rulebook)).get_template("report.html.j2").render(shown)).strip() + "\n"
    return page.replace(REPLAY, REPLAY + replay(rulebook, told, picture, steps, LARGEST - len(page)), 1)


def title_of_moment(rulebook: Rulebook[Any], state: Any) -> str:
    """The open phase as the page's title has it: `Turn 8, Movement`; or that the match is over."""
    known, head = words(texts_of(rulebook)), state.phase
    if head.over:
        return str(known["pages"]["end"])
    last = rulebook.last_turn(state)
    said = known["pages"]["moment-of" if last else "moment"]
    turn, phase = known["terms"]["turn"].capitalize(), known["phases"].get(head.name)
    return str(said.format(turn=turn, number=head.turn, last=last, phase=phase))


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


def data_address(svg: str) -> Markup:
    """A picture as a data address."""
    for sign, written in IN_ADDRESS.items():  # (ten times as fast as `translate`, on a hundred kilobytes)
        svg = svg.replace(sign, written)
    return Markup(f"data:image/svg+xml,{svg}")  # nothing in it ends an attribute or begins an element


REPORT, PAGE, ORDERS = "report.md", "report.html", "orders.html"
CALENDAR = "due.ics"


def texts_for(
    rulebook: Rulebook[Any],
    state: Any,
    told: ReaderFacts,
    report: str,
    extras: Extras,
    *,
    first: FirstLines | None = None,
    held: Outcome | None = None,
    pages: bool,
) -> dict[str, str]:
    """What one reader gets of a position, by name: view, what the reader knows besides, report, and what the player who
    is due or asked fills in.

    `first` are the first lines of the report, `held` is the phase's outcome so far if it waits for an answer; `pages`:
    add each as a page for a browser. The public gets what it could know only where bookkeeping is no part of the game.
    """
    who = told.who
    seen = told.seen if held is None else position_for(rulebook, state, who)
    receipts = extras.receipts
    mark = receipts.mark if receipts is not None else ""
    texts = {"view.yaml": write_position(replace(seen, chain=mark), rulebook.language), REPORT: report}
    if told.known is not None and not state.phase.over and (who is not None or rulebook.bookkeeping(state)):
        texts[KNOWN] = write_known(rulebook, told.known(), position_for(rulebook, state, who), who)
    picture = map_for(rulebook, told) if pages else None
    if who and held is None and who in state.phase.due:
        texts |= sheet_texts(rulebook, seen, who, extras, picture, told.after)
    elif who and held is not None and held.waiting == who:
        texts |= answer_texts(rulebook, told.after, who, held.question, extras, picture)
    if extras.calendar and {"sheet.yaml", "answer.yaml"} & {*texts}:
        texts[CALENDAR] = extras.calendar
    if picture is not None:
        orders = ORDERS if ORDERS in texts else ""
        texts[PAGE] = report_page(rulebook, told, extras, report, picture, first=first, orders=orders)
    return texts


def map_for(rulebook: Rulebook[Any], told: ReaderFacts) -> Picture:
    """The map that a reader's facts show."""
    return picture(rulebook, told.after, tuple(with_positions_before(told.events, told.before)), told.people)


def sheet_texts(
    rulebook: Rulebook[Any],
    view: Any,
    who: Player,
    extras: Extras,
    picture: Picture | None,
    shown: Any = None,
) -> dict[str, str]:
    """What a due player fills in: the form, its schema, and, if there is a picture of the position, the page for
    orders. `shown` is the view with more that the form shows.
    """
    from adjudicator.engine.play.attempts import possible_values
    from adjudicator.engine.play.choices import choices_now
    from adjudicator.engine.report.form import form_schema, sheet_form
    from adjudicator.engine.report.orderpage import PageFacts, orders_page

    phase, *later = asked_at(rulebook, view.options, view.phase.name)
    form = sheet_form(rulebook, view if shown is None else shown, who, extras=extras)
    if picture is None:
        schema = form_schema(rulebook, view, possible_values(phase, view, who))
        return {"sheet.yaml": form, "schema.json": schema}
    choices = choices_now(phase, view, who, later)
    schema = form_schema(rulebook, view, choices.possible)
    page = orders_page(PageFacts(rulebook, view, who, schema, picture, extras), choices)
    return {"sheet.yaml": form, "schema.json": schema, ORDERS: page}


def answer_texts(
    rulebook: Rulebook[Any], view: Any, who: Player, question: Any, extras: Extras, picture: Picture | None
) -> dict[str, str]:
    """What an asked player fills in: the file for the answer, its schema, and with a picture its page."""
    from adjudicator.engine.report.form import answer_form
    from adjudicator.engine.report.orderpage import PageFacts, answer_page

    schema = json_of(answer_schema(rulebook, players_own_last(view)))
    form = answer_form(rulebook, view, who, question, extras=extras)
    texts = {"answer.yaml": form, "answers.json": schema}
    if picture is not None:
        texts[ORDERS] = answer_page(PageFacts(rulebook, view, who, schema, picture, extras), question)
    return texts
