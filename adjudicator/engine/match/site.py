"""A match as a site: its public reports as pages, and an index on which the map plays through all phases.

It is made only from what the public may know. The pages have the reports as they were told.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from adjudicator.engine.folder import disk
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.gate import Gate, Kind, kind_of
from adjudicator.engine.folder.names import PUBLIC, head_of
from adjudicator.engine.handout.for_all import end_line
from adjudicator.engine.handout.gathering import counts
from adjudicator.engine.handout.reports import Reports
from adjudicator.engine.handout.times import due_text
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.library.words import words
from adjudicator.engine.match.film import file_of, film, moments_of, pages_of, title
from adjudicator.engine.match.proof import PAGE as DICE, dice_page, has_dice
from adjudicator.engine.match.showing import report_as_told
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.chart import chart
from adjudicator.engine.report.first_lines import OWN, marks
from adjudicator.engine.report.map import svg_of
from adjudicator.engine.report.markdown_html import html_of, inline_of
from adjudicator.engine.report.reader_texts import data_address, map_for, report_page
from adjudicator.engine.report.template import environment, macros

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
    from markupsafe import Markup

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
    rulebook = match.rulebook_for(None)
    told = [*finished.sentences, *(f"{label}: {text}" for label, text in finished.figures)]
    table = macros(texts_of(rulebook), OWN).numbers(finished)
    items = "".join(f"- {each}\n" for each in told)
    return str(html_of(f"{items}\n{str(table).strip()}\n", {}))
