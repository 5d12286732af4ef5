"""Orders for the hand to click together, and what becomes of a sheet in the match."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.run import run
from adjudicator.engine.play.chance import SeededChance
from adjudicator.engine.play.position import PositionFile, read_position
from adjudicator.engine.play.referee import Inbox, advance
from adjudicator.engine.play.simulation import at_random, sheet_of
from adjudicator.engine.table.dice import Sealed, seed_from
from adjudicator.engine.table.event import Event, NotSent, OrderRefused, Remarked
from adjudicator.engine.text.source import Source, read
from tests.browser.matches import SCRIPTS, Played

SEEDS = 30


def some_orders(match: Played, kind: str, who: str) -> list[Any]:
    """Orders of as many verbs as a bot finds by chance, none with an empty list, that this phase's dice let be."""
    position = read_position((match.folder(kind, who) / "view.yaml").read_bytes(), "view.yaml")
    assert isinstance(position, PositionFile)
    bot, view = at_random(match.rulebook), position.state
    tried = [bot(view, who, SeededChance(f"{seed}"))["orders"] for seed in range(SEEDS)]
    whole = [orders for orders in tried if orders and "[]" not in str(orders)]
    whole.sort(key=lambda orders: (len({next(iter(order)) for order in orders}), len(orders)), reverse=True)
    return next(orders for orders in whole if adjudicated(match, kind, who, orders))


def adjudicated(match: Played, kind: str, who: str, orders: list[Any]) -> bool:
    """Are orders carried out when the phase is played, the others sending nothing? With the throws of the match."""
    folder = open_match(match.path)
    number = folder.phases.index(match.kinds[kind])
    sheets = {who: sheet_of(who, {"orders": orders})}
    state, seed = folder.state(number), seed_from(SCRIPTS[match.rulebook.key].seed)
    dice = Sealed(seed, state.match, number, [""] * len(state.phase.due))
    return not refused(advance(match.rulebook, state, Inbox(sheets), dice).events)


def plain(sheet: bytes) -> Any:
    """A sheet as the program reads it."""
    source = read(sheet, "sheet")
    assert isinstance(source, Source), source
    return source.plain


def sheet_on(page: Page) -> Any:
    """The sheet as it stands on the page beside the forms."""
    return plain(page.locator("#sheet").input_value().encode())


def played(match: Played, kind: str, who: str, sheet: bytes, to: Path) -> list[Event[Any]]:
    """What happens in the match when the phase is played with that sheet, the others sending nothing."""
    path = match.begun(kind, to / "match")
    sheets = path / match.kinds[kind] / "sheets"
    sheets.mkdir(exist_ok=True)
    (sheets / f"{who}.yaml").write_bytes(sheet)
    ran = run(path, deadline=True)
    assert match.kinds[kind] in ran.adjudicated
    folder = open_match(path)
    return list(folder.events(folder.phases.index(match.kinds[kind])))


def refused(events: Iterable[Event[Any]]) -> list[Event[Any]]:
    """What a player is told of a sheet that wasn't carried out as it stood."""
    return [event for event in events if isinstance(event, OrderRefused | NotSent | Remarked)]
