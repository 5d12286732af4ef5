"""Seats that a program plays: a bot orders whenever the match waits for it, by what its seat may know.

Its sheets lie in the match like anybody's, so nothing else in the program knows of bots. `referee.yaml` says which
seats they have; each sheet follows from the match's seed, the phase and the seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.bots.planning import plan_sheet
from adjudicator.engine.bots.simulation import MOST_PHASES, random_bot
from adjudicator.engine.folder.adjudication import seed_of
from adjudicator.engine.folder.closing import closed_in
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import FOR
from adjudicator.engine.folder.post import SHEETS, Post
from adjudicator.engine.match.run import RunResult
from adjudicator.engine.play.chance import SeededChance
from adjudicator.engine.play.position import PositionFile, read_position
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Bot, Rulebook
from adjudicator.engine.text.writing import write

NO_ANSWERS = "with pacing=live players are asked in the middle of a phase, which no bot can answer"
RANDOM = "random"
"""The bot that every game has: it plays legal orders at random."""


def bots_of(rulebook: Rulebook[Any]) -> Mapping[str, Bot]:
    """The bots of a game by name, its own first."""
    own = {} if rulebook.bot is None else {name_of(rulebook.bot): rulebook.bot}
    return {**own, RANDOM: random_bot(rulebook)}


def name_of(bot: Bot) -> str:
    """What a game calls its bot."""
    return str(getattr(bot, "__name__", "bot"))


def bot_name(rulebook: Rulebook[Any], name: str) -> str:
    """The name of a bot, by default of the game's own. Raises Faulty for another name."""
    there = bots_of(rulebook)
    if name and name not in there:
        said = f"{rulebook.title} has no bot {name}; there are {', '.join(there)}"
        raise Faulty([problem("--bot", said)], misused=True)
    return name or next(iter(there))


def name_shown(name: str) -> str:
    """How a bot is named among the persons who play."""
    return f"{name} (bot)"


def write_sheets_of_bots(match: Folder) -> bool:
    """Writes the sheets of the bots that the open phase waits for; returns whether there were any. The match must be
    locked.
    """
    secrets = match.secrets()
    if secrets is None or not secrets.bots or match.head(match.last).over:
        return False
    if closed_in(match, match.last) is not None:
        return False
    top, missing = match.phases[-1], Post(match).collect(match.last).missing
    due = [player for player in missing if player in secrets.bots]
    for player in due:
        bot = bots_of(match.rulebook)[bot_name(match.rulebook, secrets.bots[player])]
        seed = (seed_of(match) or b"").hex()
        text = sheet_of(match, player, bot, SeededChance(f"bot {seed} {top} {player}"))
        match.add(f"{top}/{SHEETS}/{player}.yaml", text.encode())
    if due:
        match.commit()
    return bool(due)


def with_sheets_of_bots(match: Folder) -> Folder:
    """The match with the sheets of the bots that it waits for: a seat may have been given to one, or a run may have
    ended before its bots had ordered. The match must be locked.
    """
    return Folder(match.path) if write_sheets_of_bots(match) else match


def run_on(path: Path, ran: RunResult, play: Callable[[Folder], RunResult]) -> RunResult:
    """The result of a run, and of those that the bots' sheets make possible after it. The match must be locked."""
    for _ in range(MOST_PHASES):
        if ran.over or ran.waiting or not write_sheets_of_bots(match := Folder(path)):
            break
        more = play(match)
        ran = joined_runs(ran, more)
        if not more.adjudicated:
            break
    return ran


def joined_runs(one: RunResult, other: RunResult) -> RunResult:
    """Two runs of a match, one after the other, as one."""
    return replace(
        other,
        adjudicated=(*one.adjudicated, *other.adjudicated),
        taken=(*one.taken, *other.taken),
        problems=(*one.problems, *other.problems),
    )


def sheet_of(match: Folder, player: Player, bot: Bot, chance: Chance) -> str:
    """A bot's sheet for the open phase and those up to the next stop, made from its player's view.

    With two players a sheet for the whole turn can foresee nearly everything, so it covers the turn.
    """
    top = match.phases[-1]
    view = f"{top}/{FOR}/{player}/view.yaml"
    opened = read_position(match.read(view), view)
    if not isinstance(opened, PositionFile):
        raise Faulty(opened)
    rulebook = match.rulebook
    two = len(match.card.players) == 2 and opened.state.options.stops != "all" and bool(rulebook.stops)
    found = plan_sheet(rulebook, bot, opened.state, player, chance, turn=two)
    sheet = {"player": player, "phase": top, **found}
    later = {"later": sheet.pop("later")} if "later" in sheet else None
    return write(sheet, brackets_from=3) + (write(later, brackets_from=5) if later else "")
