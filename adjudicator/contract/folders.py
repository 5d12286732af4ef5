"""Promise 9, folder in, folder out: a match played in files verifies, and its papers can be made again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.bots import plan_sheet, random_bot, random_orders
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.handout.for_all import texts_for_all
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import EVERY
from adjudicator.engine.play.position import PositionFile, read_position
from adjudicator.engine.play.stops import is_stop
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.schema import phases_ahead
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.writing import write

MOST_RUNS = 6
"""How many runs of a match are played in files: forms and pages take time."""
FEW_RUNS = 3
"""How many where time is short."""


def lists_of_stops(rulebook: Rulebook[Any]) -> list[str]:
    """All values of the option `stops`, as a GM writes them."""
    return [EVERY, *(",".join(stops) for stops in rulebook.stops)]


def play_in(
    rulebook: Rulebook[Any], folder: Path, seed: str, stops: str = EVERY, runs: int = MOST_RUNS
) -> Iterator[str]:
    """Begins and plays a match among the fewest players in an empty folder. Returns what is wrong with that folder.

    Where all have sent a sheet up to the next of these stops, the match waits nowhere before it. With the usual stops,
    pages are written too.
    """
    table = rulebook.tables[min(rulebook.tables)][0]
    usual = stops == lists_of_stops(rulebook)[:2][-1]
    given = {"stops": stops, "pages": "on" if usual else "off"}
    begin(rulebook.key, folder, table, options=given, seed_text=seed, name="contract")
    chance = SeededChance(seed)
    asked = set[Player]()
    for _ in range(runs):
        match = open_match(folder)
        state = match.state(match.last)
        if state.phase.over:
            break
        if not is_stop(rulebook, state.options, state.phase.name) and asked.issuperset(state.phase.due):
            yield f"{match.phases[-1]}: the match waits here, which is no stop with {stops}"
        yield from sheets_written(rulebook, folder / match.phases[-1], state.phase.due, chance)
        asked = {*state.phase.due}
        run(folder)
    yield from stale_files(folder)


def play_carelessly(
    rulebook: Rulebook[Any], folder: Path, seed: str, stops: str = EVERY, runs: int = MOST_RUNS
) -> Iterator[str]:
    """Plays a match of players who send ahead for later phases, whether due or not, make mistakes in it, and stay away.
    Yields what goes wrong.

    What they send ahead or as standing orders are orders of the open phase under other phases' names, so most are
    refused, and then gone. Only a deadline that nobody closes may stop the match, and all of it must verify.
    """
    table = rulebook.tables[min(rulebook.tables)][0]
    options = {"pages": "off", "stops": stops, "reopen": "on"}
    begin(rulebook.key, folder, table, options=options, seed_text=seed, name="contract")
    chance = SeededChance(seed)
    every = [phase.name for phase in rulebook.phases if phase.verbs]
    for _ in range(runs):
        match = open_match(folder)
        state = match.state(match.last)
        if state.phase.over:
            break
        phase = rulebook.phase(state.phase.name)
        for player in (player for player in table if chance(4)):
            view = position_for(rulebook, state, player)
            orders = random_orders(rulebook, phase, view, player, chance)
            own = {"orders": orders} if player in state.phase.due or not chance(3) else {}
            ahead = {each.name: {"orders": orders} for each in phases_ahead(rulebook, phase) if chance(2)}
            standing = {"phases": {name: orders[: chance(2)] for name in every if chance(2)}}
            sheet: dict[str, Any] = {"player": player, **own, "later": ahead}
            sheet |= {"standing": standing} if not chance(3) else {}
            path = folder / match.phases[-1] / "sheets" / f"{player}.yaml"
            path.write_text(write(sheet), encoding="utf-8", newline="\n")
        before = match.last
        run(folder, deadline=True)
        if open_match(folder).last == before:
            yield f"{match.phases[before]}: a deadline doesn't close it"
    yield from stale_files(folder)


def sheets_written(rulebook: Rulebook[Any], phase: Path, due: Any, chance: Chance) -> Iterator[str]:
    """Each due player's bot reads that player's view from the folder and writes a sheet up to the next stop."""
    bot = rulebook.bot or random_bot(rulebook)
    for player in due:
        view = phase / "for" / player / "view.yaml"
        opened = read_position(view.read_bytes(), str(view))
        if not isinstance(opened, PositionFile):
            yield f"{phase.name}: {player} can't read the own view: {opened}"
            continue
        found = plan_sheet(rulebook, bot, opened.state, player, chance)
        sheet = {"player": player, "phase": phase.name, **found}
        (phase / "sheets" / f"{player}.yaml").write_text(write(sheet), encoding="utf-8", newline="\n")


def stale_files(folder: Path) -> Iterator[str]:
    """What doesn't verify in a match folder, or would be handed out differently now."""
    for problem in verify(folder).problems:
        yield f"{folder.name}: {problem}"
    match = open_match(folder)
    for number, phase in enumerate(match.phases):
        if (folder / phase / "for").is_dir():
            for name, text in texts_for_all(match, number).items():
                path = folder / name
                if path.is_file() and path.read_text(encoding="utf-8") != text:
                    yield f"{folder.name}/{name} would be handed out differently now"
