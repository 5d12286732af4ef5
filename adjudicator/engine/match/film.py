"""A match as a film: what everybody may know of each phase, for an animated map, and which page tells of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.handout.reports import Reports
from adjudicator.engine.library.registry import rules_of
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.library.words import words
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.first_lines import OWN, Stand, headline, on_one_line, stands_of
from adjudicator.engine.report.map import Layers, layers
from adjudicator.engine.report.markdown_html import RULE, html_of, inline_of, plain_text
from adjudicator.engine.report.news import news_of
from adjudicator.engine.report.reader_facts import ReaderFacts
from adjudicator.engine.report.story import chapters
from adjudicator.engine.report.template import colours, environment, macros, names
from adjudicator.engine.table.event import Head, with_positions_before
from adjudicator.engine.table.rulebook import Rulebook

if TYPE_CHECKING:
    from markupsafe import Markup


class Moment(Struct, frozen=True):
    """A phase as the map plays it: what happened in it, and the position after it.

    `label` and `title` are its names within its turn and by itself; `headline` says what changed most, `stands` are the
    points so far; `page` is the file of the report that tells of it.
    """

    head: Head
    label: str
    title: str
    layers: Layers
    headline: str
    stands: Sequence[Stand]
    story: Markup
    page: str


def pages_of(match: Folder) -> list[int]:
    """The phases at which reports went out, and the last one."""
    last = match.last
    return [number for number in range(last + 1) if number == last or match.handed_out(number)]


def file_of(match: Folder, number: int) -> str:
    """The file with the report told at a phase."""
    return f"{match.phases[number]}.html"


def moments_of(match: Folder) -> Iterator[Moment]:
    """All phases in order.

    The last is the position that is open now, or the end; its headline says who leads or has won.
    """
    rulebook, pages = match.rulebook_for(None), pages_of(match)
    before = position_for(rulebook, match.state(0), None)
    for number in range(match.last + 1):
        after, events = before, []
        if number < match.last:
            state = match.state(number + 1)
            after = position_for(rulebook, state, None)
            events = events_for(rulebook, state, match.events(number), None)
        page = file_of(match, next((later for later in pages if later > number), match.last))
        yield Moment(
            match.head(number),
            label(match, number),
            title(match, number),
            layers(rulebook, after, list(with_positions_before(events, before))),
            headline_of(rulebook, ReaderFacts(None, before, events, after))
            if events
            else stand_of(match, number),
            stands_of(rulebook, after, {}),
            story(rulebook, match.head(number), before, events, page),
            page,
        )
        before = after


def label(match: Folder, number: int) -> str:
    """The name of a phase within its turn: `Combat`; if the turn has several, with the due player too."""
    texts, head = words(texts_of(match.rulebook_for(None))), match.head(number)
    if head.over:
        return str(texts["pages"]["end"])
    found = str(texts["phases"].get(head.name, head.name))
    heads = [match.head(other) for other in range(match.last + 1)]
    due = match.state(number).phase.due
    if due and sum((other.turn, other.name) == (head.turn, head.name) for other in heads) > 1:
        players = ", ".join(map(names(texts_of(match.rulebook_for(None))).get, due))
        return str(texts["pages"]["whose"].format(phase=found, players=players))
    return found


def title(match: Folder, number: int) -> str:
    """The full name of a phase: `Turn 3, Combat`."""
    texts, head, phase = words(texts_of(match.rulebook_for(None))), match.head(number), label(match, number)
    if head.over:
        return phase
    return str(texts["pages"]["moment"].format(turn=texts["terms"]["turn"], number=head.turn, phase=phase))


def headline_of(rulebook: Rulebook[Any], told: ReaderFacts) -> str:
    """What changed most for everybody, as a sentence in HTML; empty if nothing of note happened after the start."""
    news = news_of(rulebook, told)
    if not news.headlines and told.before.phase.number:
        return ""
    return str(inline_of(headline(news, macros(texts_of(rulebook), OWN), told)))


def stand_of(match: Folder, number: int) -> str:
    """How the match ended, as its last reports begin; if it isn't over, who leads."""
    rulebook, told = match.rulebook_for(None), Reports(match, number).facts(None)
    own, news = macros(texts_of(rulebook), OWN), news_of(rulebook, told)
    over = told.after.phase.over
    said_now = (
        headline(news, own, told)
        if over
        else on_one_line(own.lead(stands_of(rulebook, told.after, {}), news))
    )
    return str(inline_of(said_now))


def story(rulebook: Any, head: Head, before: Any, events: Sequence[Any], page: str) -> Markup:
    """What everybody may know of the events of a phase, as HTML; rule numbers lead to the rules on its page."""
    from markupsafe import Markup

    groups = [group for part in chapters(rulebook, None, head, before, events) for group in part.groups]
    markdown = environment(texts_of(rulebook)).get_template("story.md.j2").render(groups=groups)
    html = str(html_of(markdown, rules_of(rulebook)))
    return Markup(html.replace('href="#', f'href="{page}#'))


def film(moments: Sequence[Moment], rulebook: Rulebook[Any]) -> Mapping[str, Any]:
    """Everything that changes from phase to phase, for a script to show; stores each line of SVG and each rule once."""
    lines: dict[str, int] = {}
    named = set(RULE.findall("".join(each.story for each in moments)))
    rules = {number: plain_text(rule.text) for number, rule in rules_of(rulebook).items() if number in named}

    def numbers(text: str) -> list[int]:
        return [lines.setdefault(line, len(lines)) for line in text.split("\n") if line]

    shown = [
        {
            "title": each.title,
            "turn": each.head.turn,
            "headline": each.headline,
            "stands": [
                (
                    stand.mark,
                    stand.name,
                    colours(rulebook.key).get(stand.player, 0),
                    str(stand.points),
                    stand.share,
                )
                for stand in each.stands
            ],
            "text": each.layers.text,
            "story": each.story,
            "page": each.page,
            "under": numbers(each.layers.under),
            "over": numbers(each.layers.over),
        }
        for each in moments
    ]
    return {"lines": list(lines), "rules": rules, "moments": shown}
