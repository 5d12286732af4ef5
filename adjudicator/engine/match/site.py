"""A match as a site: its public reports as pages, and an index on which the map plays through all phases.

It is made only from what the public may know. The pages have the reports as they were told. The map plays a film: what
everybody may know of each phase, and which page tells of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from adjudicator.engine.folder import disk
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.gate import Gate, Kind, kind_of
from adjudicator.engine.folder.names import PUBLIC, head_of
from adjudicator.engine.handout.for_all import end_line
from adjudicator.engine.handout.gathering import counts
from adjudicator.engine.handout.reports import Reports
from adjudicator.engine.handout.times import due_text
from adjudicator.engine.library.rules import rules_of
from adjudicator.engine.library.texts import habits, texts_of, words
from adjudicator.engine.match.proof import PAGE as DICE, dice_page, has_dice
from adjudicator.engine.match.showing import report_as_told
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.chart import chart
from adjudicator.engine.report.first_lines import OWN, Stand, headline, marks, stands_of
from adjudicator.engine.report.map import Layers, layers, svg_of
from adjudicator.engine.report.markdown_html import RULE, html_of, inline_of, plain_text
from adjudicator.engine.report.news import news_of, on_one_line
from adjudicator.engine.report.reader_facts import ReaderFacts
from adjudicator.engine.report.reader_texts import data_address, map_for, report_page
from adjudicator.engine.report.story import chapters
from adjudicator.engine.report.template import colours, environment, macros, names
from adjudicator.engine.table.event import Head, with_positions_before
from adjudicator.engine.table.rulebook import Rulebook

INDEX = "index.html"
STAGE = ".site.tmp"
"""The folder in a site's own folder in which a new site is made."""
MARK = "adjudicator site"
"""The generator that the index names: it shows that the site is ours and may be replaced."""


# -- files ---------------------------------------------------------------------------------------------------------


def write_site(match: Folder, out: Path) -> Iterator[str]:
    """Writes the site, and yields the name of each file when it is made (`file_names` lists them all).

    Nothing is written before all files are made. They are first written to a folder of their own, then moved into
    place: a full disk leaves the old site as it was, and after a kill the next call repairs the site. Pages of an
    earlier site that no longer exist are removed; other files stay. Raises Faulty for a folder that isn't ours or a
    match that can't be read, and then nothing was written; OSError.
    """
    before, made = earlier_pages(out), {}
    for name, text in files(match):
        made[name] = text.encode()
        yield name
    is_new = not out.exists()
    out.mkdir(parents=True, exist_ok=True)
    try:
        lay_out(out, made)
    except OSError:
        if before is not None:  # else a site is half in place, and its stage shows that it is ours
            shutil.rmtree(out / STAGE, ignore_errors=True)
        if is_new:
            with suppress(OSError):
                out.rmdir()
        raise
    put_in_place(out, made, before or old_pages(out))


def lay_out(out: Path, made: Mapping[str, bytes]) -> None:
    """Writes all files into the folder made for this, the index last. Raises OSError."""
    stage = out / STAGE
    kind = kind_of(stage)
    if kind is not Kind.FOLDER:
        if kind is not Kind.NOTHING:  # a link, say, through which we would write elsewhere
            disk.unlink(stage)
        disk.mkdir(stage)
    for name, text in made.items():
        fresh = stage / f".{name}.tmp"
        fresh.unlink(missing_ok=True)  # left by a killed command
        disk.write(fresh, text)
        disk.rename(fresh, stage / name)


def put_in_place(out: Path, made: Mapping[str, bytes], before: set[str]) -> None:
    """Moves the finished files into place, the index last, and removes old pages. Raises Faulty."""
    try:
        for name in made:
            disk.rename(out / STAGE / name, out / name)
        for name in before - set(made):
            (out / name).unlink(missing_ok=True)
        disk.rmtree(out / STAGE)
    except OSError as error:
        said = (
            f"not all pages could be put in place ({error.strerror}): some may be old; write the site again"
        )
        raise Faulty([problem(out, said)]) from None


def earlier_pages(out: Path) -> set[str] | None:
    """The pages of the site already in a folder; None if a site is half in place. Raises Faulty if other things are
    there.

    Hidden files, such as git's, are ignored.
    """
    if out.exists() and not out.is_dir():
        raise Faulty([problem(out, "this is a file, and a site needs a folder; name a new one")])
    there = {path.name for path in out.iterdir() if path.name[0] != "."} if out.exists() else set()
    if there and not is_ours(out, INDEX):
        if is_ours(out, f"{STAGE}/{INDEX}") and there == old_pages(out):
            return None
        said = "this folder isn't empty, and isn't a site that this command made; name a new one"
        raise Faulty([problem(out, said)])
    return old_pages(out)


def is_ours(out: Path, index: str) -> bool:
    """Is this file in the folder, and is it the index of a site that we made? Raises Faulty for a link."""
    gate = Gate(out)
    return gate.has(index) and f'content="{MARK}"'.encode() in gate.read(index)


def old_pages(out: Path) -> set[str]:
    """The pages of reports in a folder."""
    names = {path.name for path in out.iterdir()} if out.exists() else set()
    return {name for name in names if name.endswith(".html") and head_of(Path(name).stem)}


def files(match: Folder) -> Iterator[tuple[str, str]]:
    """The files by name, one after another as they are made."""
    for number in pages_of(match):
        yield file_of(match, number), page(match, number)
    if has_dice(match):
        yield DICE, dice_page(match)
    yield INDEX, index(match)


def file_names(match: Folder) -> list[str]:
    """The names of the site's files; the index comes last, when everything it links to exists."""
    return [
        *(file_of(match, number) for number in pages_of(match)),
        *([DICE] if has_dice(match) else ()),
        INDEX,
    ]


# -- a report ----------------------------------------------------------------------------------------------------


def page(match: Folder, number: int) -> str:
    """The page with the report told at a phase, in the words of its time; made again only if it is missing."""
    rulebook, reports, markdown = (
        match.rulebook_for(None),
        Reports(match, number),
        report_as_told(match, number, PUBLIC),
    )
    told = reports.facts(None)
    beside = reports.extras(None, reports.receipts(None), pages=True)
    first = reports.first_lines(told, beside)
    around = list(neighbours(match, number))
    return report_page(rulebook, told, beside, markdown, map_for(rulebook, told), first=first, around=around)


def neighbours(match: Folder, number: int) -> Iterator[tuple[str, str]]:
    """The files and titles of the pages before and after one, with the index between them."""
    texts, pages = words(texts_of(match.rulebook_for(None)))["pages"], pages_of(match)
    at = pages.index(number)
    if at:
        yield file_of(match, pages[at - 1]), texts["before"].format(title=title(match, pages[at - 1]))
    yield INDEX, texts["index"]
    if at + 1 < len(pages):
        yield file_of(match, pages[at + 1]), texts["after"].format(title=title(match, pages[at + 1]))


# -- the index -----------------------------------------------------------------------------------------------------


def index(match: Folder) -> str:
    """The page with the animated map, the standings, and the list of all phases."""
    rulebook, last = match.rulebook_for(None), match.last
    view, opening = position_for(rulebook, match.state(last), None), match.opening(last)
    moments = list(moments_of(match))
    points = chart(rulebook, counts(match, last, None))
    text = (
        environment(texts_of(rulebook))
        .get_template("site.html.j2")
        .render(
            mark=MARK,
            rulebook=rulebook,
            state=view,
            now=moments[-1],
            moments=moments,
            marks=marks(rulebook, view.players),
            film=film(moments, rulebook),
            map=Markup(svg_of(rulebook, moments[-1].layers)),
            chart=points,
            chart_address=data_address(points.svg) if points else "",
            chart_table=html_of(points.table, {}) if points else "",
            waiting=opening.waits,
            until=due_text(match, last, None),
            over=inline_of(end_line(match)),
            numbers=numbers(match),
            dice=DICE if has_dice(match) else "",
        )
    )
    return str(text).rstrip("\n") + "\n"


def numbers(match: Folder) -> str:
    """The figures of a match that is over and every player's numbers, as HTML; empty before its end."""
    reports = Reports(match, match.last)
    finished = reports.extras(None, reports.receipts(None), pages=True).finished
    if finished is None:
        return ""
    texts = texts_of(match.rulebook_for(None))
    colon = habits(texts)["colon"]
    told = [*finished.sentences, *(f"{label}{colon}{text}" for label, text in finished.figures)]
    table = macros(texts, OWN).numbers(finished)
    items = "".join(f"- {each}\n" for each in told)
    return str(html_of(f"{items}\n{str(table).strip()}\n", {}))


# -- film --------------------------------------------------------------------------------------------------------------


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
    turn = texts["terms"]["turn"].capitalize()
    return str(texts["pages"]["moment"].format(turn=turn, number=head.turn, phase=phase))


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
