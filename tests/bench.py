"""`make bench`: what things cost, in multiples of a bare Python process in the same run; never a timed test."""

from __future__ import annotations

import compileall
import cProfile
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from adjudicator.engine.bots.simulation import Step, play_match, random_bot
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


def best(act: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest of several tries, in seconds: the machine's noise only adds."""
    found = []
    for _ in range(7):
        begin = clock()
        act()
        found.append(clock() - begin)
    return min(found)


def process(*words: str, status: int = 0) -> None:
    """Runs a Python process to its end, with the compiled modules that an installed program has."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, env=kept)
    if done.returncode != status:
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


def a_match(folder: Path, seed: str = "bench") -> Path:
    """A match with the sheets of four in for an auction and the market after it: the phases that are run."""
    match = folder / f"match-{seed}"
    process("-m", "adjudicator", "demo", GAME, str(match), "--seed", seed)
    phase = next(path for path in sorted(match.iterdir()) if path.name.endswith("t4-auction"))
    for path in sorted(match.iterdir()):
        if path.is_dir() and path.name[:4].isdigit() and path.name > phase.name:
            shutil.rmtree(path)
    return match


MANY = 30
DIFFERENT = 6
"""So many of them are different matches: what is kept from one to the next must not make the bench look better."""
NIGHT = datetime(2026, 1, 1, tzinfo=UTC)
BOUNDS = {"on": 60, "off": 15}
"""Seconds for 1,000 of them on two cores, with pages and without."""


def many(folder: Path, bare: float) -> None:
    """A club's night: many matches one after another in one process, as `run DIR... --if-due` plays them; processor
    time, of the shortest of several tries of each different match.

    Measure on a disk at rest: for five minutes after many files were removed, as when tests have run, ext4 takes twice
    as long to make new ones.
    """
    matches = [a_match(folder, f"bench {number}") for number in range(DIFFERENT)]
    for pages in ("on", "off"):
        copies = [folder / f"{pages}{number}" for number in range(MANY + 1)]
        for number, copy in enumerate(copies):
            shutil.copytree(matches[number % DIFFERENT], copy)
            if pages == "off":
                for name in ("match.yaml", *(f"{each.name}/state.yaml" for each in copy.glob("[0-9]*"))):
                    text = (copy / name).read_text(encoding="utf-8")
                    (copy / name).write_text(text.replace("pages: true", "pages: false"), encoding="utf-8")
        run_if_due(copies[0], NIGHT)  # what is made once in a process
        shortest = [1e9] * DIFFERENT
        for number, copy in enumerate(copies[1:], start=1):
            begin = time.process_time()
            run_if_due(copy, NIGHT)
            shortest[number % DIFFERENT] = min(shortest[number % DIFFERENT], time.process_time() - begin)
        each = sum(shortest) / DIFFERENT
        print(
            f"{MANY} matches of four, pages {pages}: {1 / each:.1f} a second and core, each {each / bare:.1f} times; "
            f"1,000 on two cores in {500 * each:.0f} s (bound {BOUNDS[pages]})"
        )


def maps(match: Folder, bare: float) -> None:
    """Maps of all phases of a match, and their ground, which is drawn once and kept for later commands."""
    rulebook = match.rulebook_for(None)
    told = [Reports(match, number).facts(None) for number in range(1, match.last + 1)]
    texts = texts_of(rulebook)

    def anew() -> None:
        forget_texts()
        ground(texts_of(rulebook))

    first = best(partial(draw_ground, texts))
    kept = best(anew)
    then = best(lambda: [map_for(rulebook, each) for each in told]) / len(told)
    print(
        f"the ground of a map, drawn: {first / bare:.1f} times, as drawn before: {kept / bare:.1f} times; "
        f"each map: {then / bare:.2f} times"
    )


def commands() -> None:
    """Whole commands against a bare process."""
    bare = best(lambda: process("-c", "pass"))
    print(f"a bare Python process: {bare * 1000:.1f} ms")
    with tempfile.TemporaryDirectory() as folder:
        match = a_match(Path(folder))
        phase = max(path for path in match.iterdir() if path.name[:4].isdigit())
        sheet = phase / "sheets" / f"{PLAYERS[0]}.yaml"
        check = best(lambda: process("-m", "adjudicator", "check", str(sheet)))
        print(f"check of one sheet: {check / bare:.1f} times (wanted 8)")
        runs = []
        for number in range(5):
            copy = Path(folder) / f"copy{number}"
            shutil.copytree(match, copy)
            begin = time.perf_counter()
            process("-m", "adjudicator", "run", str(copy))
            runs.append(time.perf_counter() - begin)
        print(f"run of a phase with four sheets, pages and all: {min(runs) / bare:.1f} times (wanted 20)")
        many(Path(folder), bare)
        given = best(lambda: texts_for_all(open_match(match), int(phase.name[:4])))
        print(f"reports, maps and forms of a phase, after the first: {given / bare:.1f} times (bound 23)")
        told = best(partial(reports, open_match(match), int(phase.name[:4])))
        print(f"one report of a phase, after the first: {told / bare:.2f} times (bound 0.5)")
        maps(open_match(match), bare)
        run = memory("run", str(a_match(Path(folder), "memory")))
        demo = memory("demo", GAME, str(Path(folder) / "demo"))
        print(f"memory of this run: {run:.0f} MB (wanted 45); of a whole demo: {demo:.0f} MB (bound 60)")


def reports(match: Folder, number: int) -> None:
    """One reader's report of a phase, without its page and its map."""
    told = Reports(match, number).facts(PLAYERS[0])
    render_report(match.rulebook, told.who, told.after, told.events, before=told.before)


def in_memory() -> None:
    """Matches in memory, of every game, on one core: what the rules take, and what players take beside them."""
    for game in registry.OWN:
        rulebook = registry.rulebook(game)
        players = next(iter(rulebook.tables.values()))[0]
        assert rulebook.bot is not None
        own: Bots = dict.fromkeys(players, rulebook.bot)
        steps = list(play_match(rulebook, players, own, "bench"))
        replay = partial(replayed, rulebook, steps)
        rules, sheets = best(replay, time.process_time), sum(len(step.sheets) for step in steps)
        by_own = best(partial(whole_match, rulebook, players, own), time.process_time)
        at_chance = partial(whole_match, rulebook, players, dict.fromkeys(players, random_bot(rulebook)))
        by_random = best(at_chance, time.process_time)
        print(
            f"{game}: replay {len(steps) / rules:.0f} phases a second, {calls(replay) / sheets:.0f} calls a sheet; "
            f"a match of own bots {by_own * 1000:.0f} ms, {by_own / rules:.1f} times its replay; "
            f"10,000 of random players {by_random * 10_000:.0f} processor seconds (wanted 60)"
        )


Bots = dict[str, Any]


def replayed(rulebook: Any, steps: Sequence[Step]) -> None:
    """Adjudicates the sheets of a match again."""
    for step in steps:
        dice = SeededDice(seed_from("bench"), "bench", step.before.phase.number)
        advance(rulebook, step.before, Inbox(step.sheets), dice)


def whole_match(rulebook: Any, players: tuple[str, ...], bots: Bots) -> None:
    """Plays a match from its beginning to its end."""
    for _ in play_match(rulebook, players, bots, "bench"):
        pass


def calls(act: Callable[[], object]) -> int:
    """How many functions are called, built-in ones too: the same number on every machine."""
    profile = cProfile.Profile()
    profile.runcall(act)
    return sum(each.callcount for each in profile.getstats())


if __name__ == "__main__":
    compileall.compile_dir("adjudicator", quiet=1)
    collect_garbage_seldom()
    in_memory()
    commands()
