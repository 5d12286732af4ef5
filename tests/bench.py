"""`make bench`: what things cost, each with the work that was played; never a timed test.

`tests/bench.py WORK...` measures some works alone, `--figures` prints them for `tests/bench_against.py`.
"""

from __future__ import annotations

import compileall
import cProfile
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from adjudicator.engine.bots import Step, play_match, random_bot
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.handout.for_all import texts_for_all
from adjudicator.engine.handout.reports import Reports
from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import forget_texts, texts_of
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.report.map import draw_ground, ground
from adjudicator.engine.report.reader_texts import map_for
from adjudicator.engine.report.story import render_report
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.gm.playing import run_if_due
from adjudicator.process import collect_garbage_seldom

GAME = "mediterranee"
PLAYERS = ("venice", "genoa", "spain", "turkey")
Bots = dict[str, Any]


class Figure(NamedTuple):
    """One figure of a work: what it is, the number, and its unit with what is wanted of it. `less`: less is better."""

    what: str
    number: float
    unit: str
    less: bool = True

    def __str__(self) -> str:
        size = f"{self.number:,.0f}" if self.number >= 100 else f"{self.number:.3g}"
        return f"  {self.what}: {size} {self.unit}"


class Work(NamedTuple):
    """What was played, in words, and its figures."""

    played: str
    figures: Sequence[Figure]


def best(act: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest of several tries, in seconds: the machine's noise only adds."""
    found = []
    for _ in range(7):
        begin = clock()
        act()
        found.append(clock() - begin)
    return min(found)


def calls(act: Callable[[], object]) -> int:
    """How many functions are called, built-in ones too: the same number on every machine, however busy."""
    profile = cProfile.Profile()
    profile.runcall(act)
    return sum(each.callcount for each in profile.getstats())


# -- matches in memory -------------------------------------------------------------------------------------------------


def in_memory(game: str) -> Work:
    """A match in memory at the game's largest table, on one core: what the rules take, and what players take."""
    rulebook = registry.rulebook(game)
    players = max((table for tables in rulebook.tables.values() for table in tables), key=len)
    assert rulebook.bot is not None
    own: Bots = dict.fromkeys(players, rulebook.bot)
    steps = list(play_match(rulebook, players, own, "bench"))
    replay = partial(replayed, rulebook, steps)
    rules, sheets = best(replay, time.process_time), sum(len(step.sheets) for step in steps)
    by_own = best(partial(whole_match, rulebook, players, own), time.process_time)
    at_chance = partial(whole_match, rulebook, players, dict.fromkeys(players, random_bot(rulebook)))
    return Work(
        f"{game}, {len(players)} players, {len(steps)} phases, {sheets} sheets of own bots",
        (
            Figure("replay, calls", calls(replay) / sheets, "a sheet"),
            Figure("replay", len(steps) / rules, "phases a second", less=False),
            Figure("a match of own bots", by_own * 1000, "ms"),
            Figure("10,000 of random players", best(at_chance, time.process_time) * 1e4, "core-seconds"),
        ),
    )


def replayed(rulebook: Any, steps: Sequence[Step]) -> None:
    """Adjudicates the sheets of a match again."""
    for step in steps:
        dice = SeededDice(seed_from("bench"), "bench", step.before.phase.number)
        advance(rulebook, step.before, Inbox(step.sheets), dice)


def whole_match(rulebook: Any, players: tuple[str, ...], bots: Bots) -> None:
    """Plays a match from its beginning to its end."""
    for _ in play_match(rulebook, players, bots, "bench"):
        pass


# -- commands ----------------------------------------------------------------------------------------------------------


def process(*words: str) -> None:
    """Runs a Python process to its end, with the compiled modules that an installed program has."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, env=kept)
    if done.returncode:
        raise SystemExit(f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}")


MEASURED = (
    "import resource, subprocess, sys\n"
    "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)


def memory(*words: str) -> float:
    """The most memory that a command takes, in MB. A small process starts it: on Linux, the memory of the one that
    starts a process counts as the memory of the new one, and this one is large.
    """
    command = (sys.executable, "-m", "adjudicator", *words)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *command], capture_output=True, text=True, check=True
    )
    return int(done.stdout) / 1024


PHASE = "t4-auction"


def a_match(folder: Path, seed: str = "bench") -> Path:
    """A match with the sheets of four in for an auction and the market after it: the phases that are run."""
    match = folder / f"match-{seed}"
    process("-m", "adjudicator", "demo", GAME, str(match), "--seed", seed)
    phase = next(path for path in sorted(match.iterdir()) if path.name.endswith(PHASE))
    for path in sorted(match.iterdir()):
        if path.is_dir() and path.name[:4].isdigit() and path.name > phase.name:
            shutil.rmtree(path)
    return match


def commands() -> Work:
    """Whole commands against a bare process."""
    with tempfile.TemporaryDirectory() as folder:
        match = a_match(Path(folder))
        sheet = max(path for path in match.iterdir() if path.name[:4].isdigit()) / "sheets/venice.yaml"
        bare, check, runs = [], [], []
        for number in range(7):
            copy = Path(folder) / f"copy{number}"
            shutil.copytree(match, copy)
            bare.append(took("-c", "pass"))
            check.append(took("-m", "adjudicator", "check", str(sheet)))
            runs.append(took("-m", "adjudicator", "run", str(copy)))
        run = memory("run", str(a_match(Path(folder), "memory")))
        demo = memory("demo", GAME, str(Path(folder) / "demo"))
    return Work(
        f"commands, {GAME}, {len(PLAYERS)} players, {PHASE} and the market after it",
        (
            Figure("a bare Python process", min(bare) * 1000, "ms"),
            Figure("check of one sheet", min(check) / min(bare), "bare processes (wanted 8)"),
            Figure("run of both phases, pages and all", min(runs) / min(bare), "bare processes (wanted 22)"),
            Figure("memory of this run", run, "MB (wanted 45)"),
            Figure("memory of a whole demo", demo, "MB (wanted 60)"),
        ),
    )


def took(*words: str) -> float:
    """How long a Python process takes, in seconds."""
    begin = time.perf_counter()
    process(*words)
    return time.perf_counter() - begin


def report() -> Work:
    """What players get of a phase, in the time of a bare process."""
    with tempfile.TemporaryDirectory() as folder:
        bare = best(lambda: process("-c", "pass"))
        match = open_match(a_match(Path(folder)))
        rulebook, texts = match.rulebook_for(None), texts_of(match.rulebook_for(None))
        told = [Reports(match, number).facts(None) for number in range(1, match.last + 1)]
        given = best(lambda: texts_for_all(match, match.last))
        alone = best(partial(one_report, match, match.last))
        drawn = best(partial(draw_ground, texts))
        kept = best(partial(ground_as_drawn_before, rulebook))
        each_map = best(lambda: [map_for(rulebook, each) for each in told]) / len(told)
    return Work(
        f"a phase for its readers, {GAME}, {len(PLAYERS)} players, {PHASE}",
        (
            Figure("reports, maps and forms, after the first", given / bare, "bare processes (wanted 23)"),
            Figure("one report, after the first", alone / bare, "bare processes (wanted 0.5)"),
            Figure("the ground of a map, drawn", drawn / bare, "bare processes"),
            Figure("the ground of a map, as drawn before", kept / bare, "bare processes"),
            Figure(f"one map, of {len(told)} phases", each_map / bare, "bare processes"),
        ),
    )


def ground_as_drawn_before(rulebook: Any) -> None:
    """The ground of a map as a later command finds it, in the user's cache."""
    forget_texts()
    ground(texts_of(rulebook))


def one_report(match: Folder, number: int) -> None:
    """One reader's report of a phase, without its page and its map."""
    told = Reports(match, number).facts(PLAYERS[0])
    render_report(match.rulebook, told.who, told.after, told.events, before=told.before)


# -- a night -----------------------------------------------------------------------------------------------------------

MANY = 30
DIFFERENT = 6
"""So many of them are different matches: what is kept from one to the next must not make the bench look better."""
NIGHT = datetime(2026, 1, 1, tzinfo=UTC)
BOUNDS = {"on": 30, "off": 10}
"""Seconds for 1,000 of them on two cores, with pages and without."""


def night(pages: str) -> Work:
    """A club's night: many matches one after another in one process, as `run DIR... --if-due` plays them; processor
    time, of the shortest of several tries of each different match.

    Measure on a disk at rest: for five minutes after many files were removed, as when tests have run, ext4 takes twice
    as long to make new ones.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        matches = [a_match(folder, f"bench {number}") for number in range(DIFFERENT)]
        copies = [folder / f"{pages}{number}" for number in range(MANY + 1 + DIFFERENT)]
        for number, copy in enumerate(copies):
            shutil.copytree(matches[number % DIFFERENT], copy)
            if pages == "off":
                without_pages(copy)
        run_if_due(copies[0], NIGHT)  # what is made once in a process
        shortest = [1e9] * DIFFERENT
        for number, copy in enumerate(copies[1 : MANY + 1], start=1):
            begin = time.process_time()
            run_if_due(copy, NIGHT)
            shortest[number % DIFFERENT] = min(shortest[number % DIFFERENT], time.process_time() - begin)
        called = sum(calls(partial(run_if_due, copy, NIGHT)) for copy in copies[MANY + 1 :])
    seconds = 500 * sum(shortest) / DIFFERENT
    return Work(
        f"a night, {GAME}, {MANY} matches of {len(PLAYERS)} players, {PHASE} and the market after it, pages {pages}",
        (
            Figure("calls", called / DIFFERENT, "a match and run"),
            Figure("1,000 matches on two cores", seconds, f"s (wanted {BOUNDS[pages]})"),
        ),
    )


def without_pages(match: Path) -> None:
    """Turns pages off in a match."""
    for path in (match / "match.yaml", *match.glob("[0-9]*/state.yaml")):
        path.write_text(
            path.read_text(encoding="utf-8").replace("pages: true", "pages: false"), encoding="utf-8"
        )


WORKS: Mapping[str, Callable[[], Work]] = {
    **{game: partial(in_memory, game) for game in registry.OWN},
    "commands": commands,
    "report": report,
    "texts": partial(night, "off"),
    "pages": partial(night, "on"),
}


def measured(names: Sequence[str]) -> Iterator[Work]:
    """The works of these names, or all."""
    for name in names or WORKS:
        yield WORKS[name]()


if __name__ == "__main__":
    compileall.compile_dir("adjudicator", quiet=1)
    collect_garbage_seldom()
    asked = [word for word in sys.argv[1:] if word != "--figures"]
    for work in measured(asked):
        if "--figures" in sys.argv:
            print(json.dumps(work))
        else:
            print("\n".join((work.played, *map(str, work.figures))), flush=True)
