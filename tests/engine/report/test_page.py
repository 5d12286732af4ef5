"""The report as a page: made from the Markdown, in one file, for every reader, also as a mail's body."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from adjudicator.contract.secrets import varied, varied_event
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.names import NOTE
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import shown_page
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.chart import chart
from adjudicator.engine.report.reader_facts import Extras, ReaderFacts
from adjudicator.engine.report.reader_texts import PAGE, data_address, map_for, report_page
from adjudicator.engine.report.story import render_report
from tests.engine.match_folders import begun, send, send_all, tree
from tests.engine.parsed_html import Parsed
from tests.engine.report.test_chart import count
from tests.engine.written_match import Match, Step
from tests.rulebooks.every_match import GAMES, MATCHES, READERS, one_of

MOST_BYTES = 250_000
HOSTILE = (
    "<script>alert(1)</script> \"x\" 'y' &lt;b&gt; *z* [go](javascript:alert(1)) 😀 \u05e9\u05dc\u05d5\u05dd"
)
SHEET = """
orders:
  - "<script>alert(2)</script>": 1
  - place: "<img src=x onerror=alert(3)>"
    to: "[go](javascript:alert(4))"
  - place: 1
    "`code` | &lt;b&gt; __x__": 2
salt: "</script><script>alert(5)</script>"
"""
NOTED = "# <b>Hello</b>\n<script>alert(6)</script> </style> [go](javascript:alert(7)) ![x](http://example.org/x.png)"


def told_of(match: Match, step: Step, who: str | None, state: Any = None, events: Any = None) -> ReaderFacts:
    """What a reader is told of one phase."""
    book, state = match.rulebook, step.after if state is None else state
    seen = events_for(book, state, step.events if events is None else events, who)
    return ReaderFacts(who, position_for(book, step.before, who), seen, position_for(book, state, who))


def page(match: Match, told: ReaderFacts, beside: Extras | None = None) -> str:
    """A reader's page."""
    report = render_report(match.rulebook, told.who, told.after, told.events, before=told.before)
    return report_page(match.rulebook, told, beside or Extras(), report, map_for(match.rulebook, told))


PAGES: dict[tuple[int, str | None], str] = {}
"""The pages of phases as they were told, by the phase: several tests look at the same."""


def page_as_told(match: Match, step: Step, who: str | None) -> str:
    """The page of a phase of one of MATCHES, made once (they live as long as their match)."""
    key = (id(step), who)
    if key not in PAGES:
        PAGES[key] = page(match, told_of(match, step, who))
    return PAGES[key]


@pytest.mark.ci
@pytest.mark.parametrize(("match", "who"), READERS)
def test_a_page_is_one_whole_file_for_everybody(match: Match, who: str | None) -> None:
    for step in match.steps():
        text = page_as_told(match, step, who)
        found = Parsed(text)
        assert_whole(text, found)
        assert_for_everybody(found)


def assert_whole(text: str, found: Parsed) -> None:
    """It needs no other file and asks nobody for one."""
    assert not found.astray and not found.open
    assert len(text.encode()) < MOST_BYTES
    assert not re.findall(r"https?:(?!//www\.w3\.org/2000/svg)|@import|url\((?!#)", unquote(text))
    assert not found.of("link", "iframe", "object", "base", "form")
    assert not [script for script in found.of("script") if "src" in script]
    assert all(picture["src"].startswith("data:image/svg+xml,") for picture in found.of("img"))
    assert not [name for _, attributes in found.elements for name in attributes if name.startswith("on")]


def assert_for_everybody(found: Parsed) -> None:
    """Who hears the page, or reads it in pieces, finds the way about in it."""
    assert found.of("html")[0]["lang"] == "en"
    levels = found.levels()
    assert levels.count(1) == 1
    assert all(later <= one + 1 for one, later in pairwise(levels))
    assert all(picture["alt"].endswith(".") for picture in found.of("img"))
    assert all("scope" in head for head in found.of("th"))
    assert all(nav["aria-label"] for nav in found.of("nav"))
    names = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    assert len(names) == len(set(names))
    assert {link["href"] for link in found.of("a") if link["href"].startswith("#")} <= {
        f"#{name}" for name in names
    }


@pytest.mark.parametrize("match", GAMES)
def test_a_page_says_all_that_the_report_says(match: Match) -> None:
    who, words = one_of(match), re.compile(r"[\w>*]+")
    for step in match.steps():
        told = told_of(match, step, who)
        report = render_report(match.rulebook, who, told.after, told.events, before=told.before)
        said = set(words.findall(Parsed(page_as_told(match, step, who)).text.replace("*", "")))
        assert set(words.findall(report.replace("*", "").replace("\\", ""))) - said == set()


@pytest.mark.parametrize("match", GAMES)
def test_rules_that_are_named_stand_below_in_order(match: Match) -> None:
    found = Parsed(page_as_told(match, match.steps()[4], None))
    links = {link["href"] for link in found.of("a") if link.get("class") == "rule"}
    listed = [item["id"] for item in found.of("li") if "id" in item]
    assert links == {f"#{rule}" for rule in listed}
    assert listed == sorted(listed, key=lambda rule: [int(part) for part in rule.split("-")[1].split(".")])


@pytest.mark.parametrize(("match", "who"), READERS)
def test_a_page_is_a_function_of_what_its_reader_may_know(match: Match, who: str | None) -> None:
    book = match.rulebook
    for step in match.steps()[::3]:
        state = varied(book, step.after, step.after, who)
        events = [
            varied_event(book, step.after, event, who)
            for event in step.events
            if not event.to or who in event.to
        ]
        assert page(match, told_of(match, step, who, state, events)) == page_as_told(match, step, who)


@pytest.mark.parametrize("match", GAMES)
def test_the_chart_is_there(match: Match) -> None:
    told = told_of(match, match.steps()[4], None)
    points = chart(MATCHES[0].rulebook, [count(1, 3, 4), count(2, 4, 5)])
    found = Parsed(page(match, told, Extras(chart=points)))
    assert len(found.of("img")) == 1
    assert points and points.title in found.text
    assert len(found.of("details")) == 2, "the contents, and the chart in numbers"


def test_a_picture_comes_through_its_address_as_it_is() -> None:
    for svg in ('<svg a="1%">#&amp;<!-- x -->\n</svg>', '<svg a="it\'s"/>'):
        found = unquote(data_address(svg).removeprefix("data:image/svg+xml,"))
        assert found == svg.replace("\n", " ").replace("'", "&#39;").replace('"', "'")
        assert not {'"', "<", ">", "#", "&", "\n"} & {*data_address(svg)}


# -- in a match ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match in which every text that people write is out to do harm."""
    path = tmp_path_factory.mktemp("hostile") / "match"
    options = {"stops": "all"}
    begin(
        "mediterranee",
        path,
        ("venice", "genoa"),
        options=options,
        seed_text="x",
        name=HOSTILE[:80],
        due_text=NOTED,
    )
    send(path, "genoa")
    send(path, "venice", SHEET)
    (path / "0001-t1-setup" / NOTE).write_text(NOTED)
    run(path, due_text=NOTED)
    return path


def test_nothing_that_people_write_does_harm(hostile: Path) -> None:
    name = open_match(hostile).card.match
    for file in sorted(hostile.glob(f"*/for/*/{PAGE}")):
        text = file.read_text()
        found = Parsed(text)
        assert not found.astray and not found.open, file
        assert (len(found.of("script")), len(found.of("style"))) == (3, 2), "the page's own, and the map's"
        assert all(picture["src"].startswith("data:image/svg+xml,") for picture in found.of("img"))
        assert not found.of("b")
        for link in found.of("a"):
            assert re.fullmatch(r"#[\w.-]+|orders\.html", link["href"]), link
        assert not [name for _, attributes in found.elements for name in attributes if name.startswith("on")]
        assert name in found.text
        ElementTree.fromstring(text[text.index("<svg") : text.index("</svg>") + len("</svg>")])


def test_what_people_wrote_stands_as_they_wrote_it(hostile: Path) -> None:
    found = Parsed((hostile / "0002-t1-auction/for/venice" / PAGE).read_text())
    for text in ("<script>alert(2)</script>", "<img src=x onerror=alert(3)>", "`code` | &lt;b&gt; __x__"):
        assert text in found.text
    assert "<script>alert(6)</script> </style> [go](javascript:alert(7))" in found.text
    assert re.search(r"# <b>Hello</b>\\n<script>alert", found.text)
    assert found.of("blockquote")


def test_pages_are_an_option(tmp_path: Path) -> None:
    with_pages, without = begun(tmp_path / "with", pages="on"), begun(tmp_path / "without")
    names = {str(Path(name).name) for name in tree(with_pages)} - {Path(name).name for name in tree(without)}
    assert names == {"report.html", "orders.html"}
    assert not [name for name in tree(with_pages) if name.endswith("public/orders.html")]


@pytest.mark.parametrize("phase", ["0001-t1-setup", "0002-t1-auction"])
def test_a_page_made_later_is_the_page_that_was_made_then(tmp_path: Path, phase: str) -> None:
    match = begun(tmp_path / "m", pages="on")
    send_all(match)
    run(match)
    file = match / phase / "for/public" / PAGE
    then = file.read_text()
    file.unlink()
    assert shown_page(Folder(match), "public", phase) == then
