"""What a sheet says, on the page and as a file, and what becomes of it in the match."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.run import run
from adjudicator.engine.table.event import Event, NotSent, OrderRefused, Remarked
from adjudicator.engine.text.source import Source, read
from tests.browser.matches import Played


def plain(sheet: bytes) -> Any:
    """A sheet as the program reads it."""
    source = read(sheet, "sheet")
    assert isinstance(source, Source), source
    return source.plain


def sheet_on(page: Page) -> Any:
    """The sheet as it stands on the page beside the forms."""
    return plain(page.locator("#sheet").input_value().encode())


def played(match: Played, phase: str, who: str, sheet: bytes, to: Path) -> list[Event[Any]]:
    """What happens in the match when a phase is played with that sheet, the others sending nothing."""
    path = match.begun(phase, to / "match")
    (path / match.phases[phase] / "sheets").mkdir(exist_ok=True)
    (path / match.phases[phase] / "sheets" / f"{who}.yaml").write_bytes(sheet)
    ran = run(path, deadline=True)
    assert match.phases[phase] in ran.adjudicated
    folder = open_match(path)
    return list(folder.events(folder.phases.index(match.phases[phase])))


def refused(events: Iterable[Event[Any]]) -> list[Event[Any]]:
    """What a player is told of a sheet that wasn't carried out as it stood."""
    return [event for event in events if isinstance(event, OrderRefused | NotSent | Remarked)]
