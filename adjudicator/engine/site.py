"""A match as a site: its public reports as pages, and an index on which the map plays through all phases.

All of it is made from what the public may know. Reports stand on their pages as they were told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from adjudicator.engine.drawing import Layers, layers, whole
from adjudicator.engine.envelope import REPORT, drawn
from adjudicator.engine.event import Head, followed
from adjudicator.engine.faulty import Faulty
from adjudicator.engine.folder import END, Folder, head_of, problem
from adjudicator.engine.handout import FOR, PUBLIC, beside_of, told_to
from adjudicator.engine.handout import report as reported
from adjudicator.engine.hypertext import html_of
from adjudicator.engine.page import address, report_page
from adjudicator.engine.report import chapters
from adjudicator.engine.rules import rules_of
from adjudicator.engine.showing import waiting_for
from adjudicator.engine.tally import chart, counts
from adjudicator.engine.template import environment, names
from adjudicator.engine.view import events_for, position_for
from adjudicator.engine.words import words

if TYPE_CHECKING:
    from markupsafe import Markup

INDEX = "index.html"
MARK = "adjudicator site"
"""What the index says that it is made by: so it is known as ours, and may be replaced."""


class Moment(Struct, frozen=True):
    """A phase as the map plays it: what has happened in it, and the position after it.

    `label` is the phase's name, `title` says the turn too; `page` is the file of the report that tells of it.
    """

    head: Head
    label: str
    title: str
    layers: Layers
    story: Markup
    page: str


# -- files ---------------------------------------------------------------------------------------------------------


def write_site(match: Folder, out: Path) -> Iterator[str]:
    """Writes the site file by file, and yields the name of each (`files_of` says how many there are).

    Pages of an earlier site that are no more are removed, other files stay. Raises Faulty for a folder that isn't
    ours, and then nothing was written.
    """
    before = earlier(out)
    out.mkdir(parents=True, exist_ok=True)
    for name, text in files(match):
        fresh = out / f".{name}.tmp"
        fresh.write_text(text, encoding="utf-8", newline="\n")
        fresh.replace(out / name)
        yield name
    for name in before - set(files_of(match)):
        (out / name).unlink()


def earlier(out: Path) -> set[str]:
    """The pages of the site that stands in a folder already. Raises Faulty if other things do.

    Hidden files, such as those of git, are nobody's business.
    """
    if out.exists() and not out.is_dir():
        raise Faulty([problem(out, "this is a file, and a site needs a folder; name a new one")])
    there = {path.name for path in out.iterdir() if path.name[0] != "."} if out.exists() else set()
    if there and not (
        INDEX in there and f'content="{MARK}"' in (out / INDEX).read_text(encoding="utf-8", errors="replace")
    ):
        said = "this folder isn't empty, and what stands in it isn't a site made here; name a new one"
        raise Faulty([problem(out, said)])
    return {name for name in there if name.endswith(".html") and head_of(Path(name).stem)}


def files(match: Folder) -> Iterator[tuple[str, str]]:
    """The files by name, one after another as they are made."""
    for number in pages_of(match):
        yield page_of(match, number), page(match, number)
    yield INDEX, index(match)


def files_of(match: Folder) -> list[str]:
    """The names of the site's files; the index comes last, when all that it leads to is there."""
    return [*(page_of(match, number) for number in pages_of(match)), INDEX]


def pages_of(match: Folder) -> list[int]:
    """The phases at which reports went out, and the last."""
    last = match.last
    return [
        number for number in range(last + 1) if number == last or match.has(f"{match.phases[number]}/{FOR}")
    ]


def page_of(match: Folder, number: int) -> str:
    """The file with the report that was told at a phase."""
    return f"{match.phases[number]}.html"


# -- a report ----------------------------------------------------------------------------------------------------


def page(match: Folder, number: int) -> str:
    """The page with the report that was told at a phase, as it was told then; made anew only where it is missing."""
    rulebook, report = match.rulebook, f"{match.phases[number]}/{FOR}/{PUBLIC}/{REPORT}"
    told, points = told_to(match, number, None), chart(rulebook, counts(match, number, None))
    if match.has(report):
        markdown = match.read(report).decode(errors="replace")
    else:
        held = waiting_for(match) if number == match.last else None
        markdown = reported(match, number, told, beside_of(match, number, None, pages=False), held)
    map = drawn(rulebook, told)
    around = list(neighbours(match, number))
    return report_page(rulebook, None, told.after, markdown, map, chart=points, around=around)


def neighbours(match: Folder, number: int) -> Iterator[tuple[str, str]]:
    """The pages before and after one, with the index between them: their files and titles."""
    texts, pages = words(match.rulebook.key)["pages"], pages_of(match)
    at = pages.index(number)
    if at:
        yield page_of(match, pages[at - 1]), texts["before"].format(title=titles(match, pages[at - 1])[1])
    yield INDEX, texts["index"]
    if at + 1 < len(pages):
        yield page_of(match, pages[at + 1]), texts["after"].format(title=titles(match, pages[at + 1])[1])


# -- the index -----------------------------------------------------------------------------------------------------


def index(match: Folder) -> str:
    """The page with the map that plays, the standings, and the list of all phases."""
    rulebook, last = match.rulebook, match.last
    view, opening = position_for(rulebook, match.state(last), None), match.opening(last)
    moments = list(played(match))
    points = chart(rulebook, counts(match, last, None))
    text = (
        environment(rulebook.key)
        .get_template("site.html.j2")
        .render(
            mark=MARK,
            rulebook=rulebook,
            state=view,
            now=moments[-1],
            moments=moments,
            film=film(moments),
            map=opened_up(rulebook, moments[-1].layers),
            chart=points,
            chart_address=address(points.svg) if points else "",
            chart_table=html_of(points.table, {}) if points else "",
            waiting=opening.waits,
            until=opening.until,
            winners=rulebook.won(view) if view.phase.name == END else (),
        )
    )
    return str(text).rstrip("\n") + "\n"


def played(match: Folder) -> Iterator[Moment]:
    """All phases in order; the last is the position that is open now, or the end, and nothing has happened in it."""
    rulebook, pages = match.rulebook, pages_of(match)
    before = position_for(rulebook, match.state(0), None)
    for number in range(match.last + 1):
        after, events = before, []
        if number < match.last:
            state = match.state(number + 1)
            after = position_for(rulebook, state, None)
            events = events_for(rulebook, state, match.events(number), None)
        label, title = titles(match, number)
        page = page_of(match, next((later for later in pages if later > number), match.last))
        yield Moment(
            match.head(number),
            label,
            title,
            layers(rulebook, after, list(followed(events, before))),
            story(rulebook, match.head(number), before, events, page),
            page,
        )
        before = after


def titles(match: Folder, number: int) -> tuple[str, str]:
    """What a phase is called within its turn, and by itself: `Combat` and `Turn 3, Combat`.

    Where a turn has a phase several times, each is called by who is due in it too.
    """
    texts, head = words(match.rulebook.key), match.head(number)
    if head.name == END:
        return texts["pages"]["end"], texts["pages"]["end"]
    label = texts["phases"].get(head.name, head.name)
    heads = [match.head(other) for other in range(match.last + 1)]
    if sum((other.turn, other.name) == (head.turn, head.name) for other in heads) > 1:
        due = ", ".join(map(names(match.rulebook.key).get, match.state(number).phase.due))
        label = texts["pages"]["whose"].format(phase=label, players=due) if due else label
    return label, texts["pages"]["moment"].format(turn=texts["terms"]["turn"], number=head.turn, phase=label)


def story(rulebook: Any, head: Head, before: Any, events: Sequence[Any], page: str) -> Markup:
    """What everybody may know of what happened in a phase, as HTML; rule numbers lead to the rules of its page."""
    from markupsafe import Markup

    groups = [group for part in chapters(rulebook, None, head, before, events) for group in part.groups]
    markdown = environment(rulebook.key).get_template("story.md.j2").render(groups=groups)
    html = str(html_of(markdown, rules_of(rulebook)))
    return Markup(html.replace('href="#', f'href="{page}#'))


def film(moments: Sequence[Moment]) -> Mapping[str, Any]:
    """All that changes from phase to phase, for a script to show; each line of SVG stands in it once."""
    lines: dict[str, int] = {}

    def numbers(text: str) -> list[int]:
        return [lines.setdefault(line, len(lines)) for line in text.split("\n") if line]

    shown = [
        {
            "title": each.title,
            "text": each.layers.text,
            "story": each.story,
            "page": each.page,
            "under": numbers(each.layers.under),
            "over": numbers(each.layers.over),
        }
        for each in moments
    ]
    return {"lines": list(lines), "moments": shown}


def opened_up(rulebook: Any, shown: Layers) -> Markup:
    """A map whose layers a script can fill anew."""
    from markupsafe import Markup

    under, over = (
        Markup('<g id="{}">\n{}\n</g>').format(name, getattr(shown, name)) for name in ("under", "over")
    )
    return Markup(whole(rulebook, Layers(under, over, shown.text)))
