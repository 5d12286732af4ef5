"""Seats that a program plays: a bot orders whenever the match waits for it, by what its seat may know.

Its sheets lie in the match like anybody's, so nothing else in the program knows of bots. `match.yaml` and the ledger
say which seats they have, `referee.yaml` which they have now. Each sheet follows from the match's seed, the phase and
the seat, and `verify` makes it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator import __version__
from adjudicator.engine.bots import MOST_PHASES, plan_sheet, random_bot
from adjudicator.engine.folder.adjudication import closed_in
from adjudicator.engine.folder.entries import Edited, Ordered, Replaced, Taken, standing
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import add_entries, entries_on_disk, ledger_of, now_in
from adjudicator.engine.folder.marks import seed_of
from adjudicator.engine.folder.patches import amendments
from adjudicator.engine.folder.post import SHEETS, Post
from adjudicator.engine.handout.gathering import position_known
from adjudicator.engine.match.run import RunResult
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Bot, Rulebook
from adjudicator.engine.text.problem import Problem
from adjudicator.engine.text.writing import write
from adjudicator.gm.situation import absences_at

NO_ANSWERS = "with pacing=live players are asked in the middle of a phase, which no bot can answer"
REGENT = "regent"
"""The bot that plays a seat until somebody takes it."""
RANDOM = "random"
"""The bot that every game has: it plays legal orders at random."""


def bots_of(rulebook: Rulebook[Any]) -> Mapping[str, Bot]:
    """The bots of a game by name, its own first."""
    own = {} if rulebook.bot is None else {name_of(rulebook.bot): rulebook.bot}
    return {
        **own,
        RANDOM: random_bot(rulebook),
        **({REGENT: regent_in(rulebook)} if has_regent(rulebook) else {}),
    }


def has_regent(rulebook: Rulebook[Any]) -> bool:
    """Can a program play somebody's seat with caution: does the rulebook say what it then leaves alone?"""
    return rulebook.bot is not None and rulebook.reckless is not None


def regent_in(rulebook: Rulebook[Any]) -> Bot:
    """The game's own bot without what is reckless: it attacks nobody, gives nothing away, and instructs nobody."""
    bot, reckless = rulebook.bot, {*(rulebook.reckless or ())}
    assert bot is not None

    def regent(view: Any, me: Player, chance: Chance) -> dict[str, Any]:
        found = bot(view, me, chance)
        orders = [
            each for each in map(partial(_cautious, view.phase.name, reckless), found["orders"]) if each
        ]
        return {"orders": orders}

    return regent


def _cautious(phase: str, reckless: set[str], order: Mapping[str, Any]) -> dict[str, Any]:
    """An order without its reckless fields, and without its `else`; empty if it is reckless itself."""
    verb = next(iter(order))
    if {verb, f"{phase}.{verb}"} & reckless:
        return {}
    return {key: value for key, value in order.items() if key != "else" and f"{verb}/{key}" not in reckless}


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


def write_sheets_of_bots(match: Folder, at: datetime) -> bool:
    """Writes the sheets of the bots that the open phase waits for, and of the regents of those who are away at an
    instant; returns whether there were any. The match must be locked. Raises Faulty.
    """
    secrets, entries, top = match.secrets(), ledger_of(match), match.phases[-1]
    bots = {} if secrets is None else secrets.bots
    regents = {each.player for each in absences_at(match, entries, at) if each.regent} - {*bots}
    if not (bots or regents) or match.head(match.last).over or closed_in(match, match.last) is not None:
        return False
    for player in Post(match).collect(match.last).missing:
        file = f"{top}/{SHEETS}/{player}.yaml"
        if player in bots:
            name = bot_name(match.rulebook, bots[player])
            match.add(file, ordered_by_bot(match, match.last, player, name))
        elif player in regents and not match.has(file):  # a draft is the player's own
            sheet = ordered_by_bot(match, match.last, player, REGENT, away=True)
            match.add(file, sheet)
            entry = Ordered(at=now_in(match, at), phase=top, player=player, sheet=digest_of(sheet))
            add_entries(match, entry)
    wrote = bool(match.fresh)
    match.commit()
    return wrote


def with_sheets_of_bots(match: Folder, at: datetime) -> Folder:
    """The match with the sheets of the bots that it waits for: a seat may have been given to one, or a run may have
    ended before its bots had ordered. The match must be locked.
    """
    return Folder(match.path) if write_sheets_of_bots(match, at) else match


def run_on(path: Path, ran: RunResult, at: datetime, play: Callable[[Folder], RunResult]) -> RunResult:
    """The result of a run, and of those that the bots' sheets make possible after it. The match must be locked."""
    for _ in range(MOST_PHASES):
        if ran.over or ran.waiting or not write_sheets_of_bots(match := Folder(path), at):
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


def ordered_by_bot(match: Folder, number: int, player: Player, name: str, *, away: bool = False) -> bytes:
    """The sheet of a bot of that name: it follows from the match's seed, the phase, and the seat with what it knows.
    For a player who is `away` it ends at the next stop: the player may be back by then.
    """
    seed, bot = (seed_of(match) or b"").hex(), bots_of(match.rulebook)[name]
    chance = SeededChance(f"bot {seed} {match.phases[number]} {player}")
    return sheet_of(match, player, bot, chance, number, turn=not away).encode()


def sheet_of(
    match: Folder, player: Player, bot: Bot, chance: Chance, number: int = -1, *, turn: bool = True
) -> str:
    """A bot's sheet for a phase, by default the open one, and those up to the next stop, made from what its player
    knows: the view, and what follows from earlier reports.

    With two players a sheet for the whole `turn` can foresee nearly everything, so it covers the turn.
    """
    rulebook, number = match.rulebook, number % (match.last + 1)
    state, known = match.state(number), position_known(match, number, player)
    two = turn and len(match.card.players) == 2 and state.options.stops != "all" and bool(rulebook.stops)
    found = plan_sheet(rulebook, bot, known, player, chance, turn=two)
    sheet = {"player": player, "phase": match.phases[number], **found}
    later = {"later": sheet.pop("later")} if "later" in sheet else None
    return write(sheet, brackets_from=3) + (write(later, brackets_from=5) if later else "")


# -- made again ------------------------------------------------------------------------------------------------------


class BotSheets(Struct, frozen=True):
    """What is wrong with the sheets of bots, and the phases of which they weren't compared, with the reason."""

    problems: tuple[Problem, ...] = ()
    unchecked: tuple[str, ...] = ()


def check_sheets_of_bots(match: Folder) -> BotSheets:
    """Makes the sheets of bots again, as far as this version is the one that made them: a GM who wrote another, or a
    salt into it, would choose orders and throws. Raises Faulty.
    """
    post, problems, unchecked = Post(match), list[Problem](), list[str]()
    for number in range(match.last + 1):
        seats = _bots_in(match, number)
        regents = _regents_in(match, number)
        if not seats and not regents:
            continue
        if because := _why_not_compared(match, number):
            unchecked.append(f"{match.phases[number]}: the sheets of bots, {because}")
        else:
            problems += _check_sheets(match, post, number, seats)
            for player in regents:
                problems += _check_sheet(match, number, player, REGENT, away=True)
    return BotSheets(tuple(problems), tuple(unchecked))


def _bots_in(match: Folder, number: int) -> dict[Player, str]:
    """The seats that a bot played all the time while a phase was open, with its name."""
    entries = entries_on_disk(match)
    known = [match.opening(each).entries for each in range(match.last + 1)]  # 0 within a run
    opened, until = max(known[: number + 1]), next(filter(None, known[number + 1 :]), len(entries))
    seats = dict(match.card.bots)
    for place, entry in enumerate(entries[:until]):
        if isinstance(entry, Replaced):
            seats = {player: bot for player, bot in seats.items() if player != entry.player}
            seats |= {entry.player: entry.bot} if entry.bot and place < opened else {}
    return seats


def _regents_in(match: Folder, number: int) -> list[Player]:
    """The players who were away in a phase, and whose regent's sheet stands: no other came in its place."""
    phase, found = match.phases[number], dict[Player, Ordered]()
    for entry in standing(entries_on_disk(match)):
        if isinstance(entry, Ordered) and entry.phase == phase:
            found[entry.player] = entry
        elif isinstance(entry, Taken) and entry.phase == phase:
            found.pop(entry.player, None)
        elif isinstance(entry, Edited):
            found = {
                name: one for name, one in found.items() if f"{phase}/{SHEETS}/{name}.yaml" not in entry.files
            }
    return [*found]


def _why_not_compared(match: Folder, number: int) -> str:
    opening, this = match.opening(number), match.rulebook.version
    closed, name = opening.closed, match.phases[number]
    versions = {opening.version, closed.version if closed is not None else opening.version}
    if versions != {__version__} or (closed is not None and closed.rules != this):
        return f"made by version {' or '.join(sorted(versions))}, and this is {__version__}"
    if seed_of(match) is None:
        return "for want of the seed"
    return "made before the position was changed by hand" if amendments(match, name) else ""


def _check_sheets(match: Folder, post: Post, number: int, seats: Mapping[Player, str]) -> Iterator[Problem]:
    played = number < match.last or closed_in(match, number) is not None
    for player, name in seats.items():
        file = f"{match.phases[number]}/{SHEETS}/{player}.yaml"
        asked = player in match.state(number).phase.due and post.due_sheets.of(number, player).waits
        if not match.has(file):
            if asked and played:
                yield problem(match.path / file, "missing: a bot orders whenever the match waits for it")
        elif not asked:
            yield problem(
                match.path / file, "the match didn't wait for this bot, which has ordered nothing here"
            )
        else:
            yield from _check_sheet(match, number, player, name)


def _check_sheet(
    match: Folder, number: int, player: Player, name: str, *, away: bool = False
) -> Iterator[Problem]:
    file = f"{match.phases[number]}/{SHEETS}/{player}.yaml"
    if name not in bots_of(match.rulebook):
        yield problem(match.path / file, f"there is no bot {name}: tampered with")
    elif not match.has(file) or match.read(file) != ordered_by_bot(match, number, player, name, away=away):
        yield problem(match.path / file, f"the bot {name} orders something else here: tampered with")
