"""Promises 3, 5, 7 and 9: random matches end in positions that can be; the same inputs give the same bytes; folders.

Run as a program with a rulebook's name, it prints the digest of one match; `differences_by_hash_seed` compares these.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from adjudicator.contract.cases import impossible_after
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.bots import Step, plan_sheet, play_match, random_bot, random_orders
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.handout.for_all import texts_for_all
from adjudicator.engine.library import registry
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import EVERY, Inbox
from adjudicator.engine.play.position import PositionFile, read_position, write_position
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.stops import is_stop
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.reader_facts import Extras, ReaderFacts
from adjudicator.engine.report.reader_texts import texts_for
from adjudicator.engine.report.story import render_report
from adjudicator.engine.sheets.schema import phases_ahead
from adjudicator.engine.sheets.sheet import Answer, Reader
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.position import Options
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Bot, Pace, Rulebook
from adjudicator.engine.table.secret import plain_of
from adjudicator.engine.text.writing import write


def steps(
    rulebook: Rulebook[Any],
    players: tuple[Player, ...],
    seed: str,
    options: Options | None = None,
    *,
    sensible: int = 0,
    rules: int = 0,
) -> Iterator[Step]:
    """A match of random bots, in which the rulebook's own bot plays the last `sensible` players. With the usual
    options, if none are given, and by the newest version of the rules."""
    own = rulebook.bot or random_bot(rulebook)
    bots: dict[Player, Bot] = dict.fromkeys(players, random_bot(rulebook))
    bots |= dict.fromkeys(players[len(players) - sensible :], own)
    return play_match(rulebook, players, bots, seed, options, strict=True, rules=rules)


def some_of_each(steps: Iterable[Step], chosen: range) -> Iterator[Step]:
    """Picks steps of each kind of phase by their number within the kind: `range(2)` picks the first two of each."""
    met = Counter[str]()
    for step in steps:
        if met[step.before.phase.name] in chosen:
            yield step
        met[step.before.phase.name] += 1


def faults_of_match(rulebook: Rulebook[Any], steps: Iterable[Step], seed: str) -> Iterator[str]:
    """What is wrong with a random match: it doesn't end, or a position is impossible. Invariants raise at the event."""
    last = None
    for last in steps:
        for flaw in impossible_after(rulebook, last.before, last.outcome):
            yield f"{seed} {last.before.phase}: {flaw}"
    if last is None or not last.outcome.state.phase.over:
        yield f"{seed}: no end"


def differences_in_files(rulebook: Rulebook[Any], step: Step) -> Iterator[str]:
    """A position, or a player's view of it, that changes when it is written and read back."""
    whole = step.outcome.state
    player = whole.phase.due[0] if whole.phase.due else None
    for state, name in ((whole, "state.yaml"), (position_for(rulebook, whole, player), "view.yaml")):
        text = write_position(state)
        opened = read_position(text.encode(), name)
        if not isinstance(opened, PositionFile):
            yield f"{state.phase}: {name}: {opened}"
        elif opened.state != state or write_position(opened.state) != text:
            yield f"{state.phase}: {name} is read back otherwise"


def effects_of_sheet_order(rulebook: Rulebook[Any], step: Step, dice: Any) -> Iterator[str]:
    """A simultaneous phase whose outcome changes with the order of the sheets."""
    if rulebook.phase(step.before.phase.name).pace is not Pace.TOGETHER:
        return
    turned = dict(reversed(list(step.sheets.items())))
    state = advance(rulebook, step.before, Inbox(turned), dice).state
    if plain_of(state) != plain_of(step.outcome.state):
        yield f"{step.before.phase}: the order of the sheets matters"


MOST_RUNS = 6
"""How many runs of a match are played in files: forms and pages take time."""
FEW_RUNS, MORE_RUNS = 2, 3
"""How many where time is short, and how many where it is less so."""


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


HASH_SEEDS = ("0", "4711")
STEPS = 12


def digest(name: str) -> str:
    """The SHA-256 of the positions and reports at the beginning of a match by bots, and, once for each phase, of all
    that a player gets."""
    rulebook = registry.rulebook(name)
    players = rulebook.tables[min(rulebook.tables)][0]
    found, opened = sha256(), set[str]()
    for number, step in enumerate(steps(rulebook, players, "hash", sensible=len(players))):
        state = step.outcome.state
        found.update(write_position(state).encode())
        for who in (None, *players):
            events = events_for(rulebook, state, step.outcome.events, who)
            view = position_for(rulebook, state, who)
            report = render_report(rulebook, who, view, events)
            found.update(report.encode())
            if who == players[0] and state.phase.name not in opened:
                opened.add(state.phase.name)
                told = ReaderFacts(who, position_for(rulebook, step.before, who), events, view)
                found.update(str(texts_for(rulebook, state, told, report, Extras(), pages=True)).encode())
        if number == STEPS:
            break
    return found.hexdigest()


def differences_by_hash_seed(rulebook: Rulebook[Any]) -> Iterator[str]:
    """A match that differs under two hash seeds."""
    found: set[str] = set()
    for seed in HASH_SEEDS:
        path = os.pathsep.join(folder for folder in sys.path if folder)
        done = subprocess.run(
            [sys.executable, "-m", __name__, rulebook.key],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            yield done.stderr
            return
        found.add(done.stdout)
    if len(found) > 1:
        yield "the order of a set or of hashes has come into a position or a report"


def differences_after_wait(rulebook: Rulebook[Any], steps: Iterable[Step], seed: str) -> Iterator[str]:
    """A phase that, run again with an answer, begins differently from when it waited for that answer."""
    for step in steps:
        answers: dict[Player, tuple[Answer, ...]] = {}
        told: list[Any] = []
        for _ in range(20):
            dice = SeededDice(
                seed_from(seed), seed, step.before.phase.number
            )  # dice count their throws, so each run has its own
            outcome = advance(rulebook, step.before, Inbox(step.sheets, answers, waits=True), dice)
            events = [plain_of(event) for event in outcome.events]
            if events[: len(told)] != told:
                yield f"{step.before.phase}: run again, the phase begins otherwise"
            if outcome.question is None:
                break
            told = events
            answer = first_answer(outcome.state, outcome.question)
            if answer is None:
                break
            answers[outcome.waiting] = (*answers.get(outcome.waiting, ()), answer)


def first_answer(state: Any, question: Any) -> Answer | None:
    """An answer to a question: the first value of each field; None where these don't answer it."""
    fields: dict[str, Any] = dict(question.names())
    try:
        for field, among in question.shapes.items():
            if field not in fields and (field in question.needed or among.listed):
                fields[field] = (
                    next(iter(among.values()), None) if among.listed else among.sample(lambda below: 0)
                )
        question.answer(Reader(fields), state)
    except Refused:
        return None
    return Answer(question.verb, fields, "answers/nobody.yaml:1:1")


if __name__ == "__main__":
    print(digest(sys.argv[1]))
