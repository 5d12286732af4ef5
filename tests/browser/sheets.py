"""A sheet on the page, as a file, and as the match carries it out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.run import run
from adjudicator.engine.table.event import Event, NotSent, OrderRefused, Remarked
from adjudicator.engine.text.source import Source, read
from tests.browser.filling_forms import Hand
from tests.browser.matches import Played, nothing_handed_out
from tests.browser.visiting import assert_fits
from tests.browser.written_phases import later_of, orders_of, phases_of
from tests.cli.calling import adjudicator


def plain(sheet: bytes) -> Any:
    """A sheet as the program reads it."""
    source = read(sheet, "sheet")
    assert isinstance(source, Source), source
    return source.plain


def sheet_on(page: Page) -> Any:
    """The sheet as it stands on the page beside the forms."""
    return plain(page.locator("#sheet").input_value().encode())


def head_of_form(page: Path) -> dict[str, Any]:
    """The first keys of the form beside a page for orders: player, match, phase and the mark of the report."""
    form = plain((page.parent / "sheet.yaml").read_bytes())
    return {key: form[key] for key in ("player", "match", "phase", "seen")}


LOAD = """(text) => {
    document.querySelector("#pasted").value = text;
    document.querySelector("#load").click();
    return document.querySelector("#load-said").textContent;
}"""


def paste(page: Page, text: str) -> str:
    """Puts a sheet into the page as if it had been pasted; returns what is said of it."""
    said: str = page.evaluate(LOAD, text)
    return said


def assert_clicked_together(page: Page, match: Played, phase: str, to: Path) -> None:
    """What the page writes is what was clicked, passes `check`, and is adjudicated without a refusal."""
    who, written = match.due(phase)[0], phases_of(match.rulebook.key)[phase]
    orders, later = orders_of(written, who), later_of(written, who)
    hand = Hand(page)
    hand.orders(orders)
    for name, sent in later.items():
        hand.of(name).orders(sent["orders"])
    assert_fits(page)
    sheet = hand.download(to)
    assert (to / f"{who}.yaml").read_bytes() == sheet
    assert plain(sheet)["orders"] == orders
    assert plain(sheet).get("later", {}) == later
    checked = adjudicator("check", to / f"{who}.yaml", "--view", match.folder(phase, who) / "view.yaml")
    assert checked.exit_code == 0, checked.output
    assert refused(played(match, phase, who, sheet, to)) == []


def played(match: Played, phase: str, who: str, sheet: bytes, to: Path) -> list[Event[Any]]:
    """What happens in the match when a phase is played with that sheet, the others sending nothing."""
    path = match.begun(phase, to / "match")
    (path / match.phases[phase] / "sheets").mkdir(exist_ok=True)
    (path / match.phases[phase] / "sheets" / f"{who}.yaml").write_bytes(sheet)
    with nothing_handed_out():
        ran = run(path, deadline=True)
    assert match.phases[phase] in ran.adjudicated
    folder = open_match(path)
    return list(folder.events(folder.phases.index(match.phases[phase])))


def refused(events: Iterable[Event[Any]]) -> list[Event[Any]]:
    """What a player is told of a sheet that wasn't carried out as it stood."""
    return [event for event in events if isinstance(event, OrderRefused | NotSent | Remarked)]
