"""`make soak`: two hundred random matches of every rulebook for each number of players, every event checked.

Some also get hostile sheets, and of some all papers and pages are searched after each phase for secrets.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from rich.progress import track

from adjudicator.contract import hostile, matches, secrets
from adjudicator.engine.library import registry
from adjudicator.engine.table.reason import Refused

MATCHES = 200
HOSTILE = 10
PAPERS = 50


def one(name: str, players: tuple[str, ...], number: int) -> list[str]:
    """What is wrong with one match; of every tenth with hostile sheets, of every fiftieth with what it hands out."""
    rulebook, seed, sensible = registry.rulebook(name), f"soak {number}", number % (len(players) + 1)
    steps = partial(matches.steps, rulebook, players, seed, sensible=sensible)
    found = list(matches.faults_of_match(rulebook, steps(), seed))
    if number % HOSTILE == 0:
        found += hostile.faults_in_match(rulebook, steps(), seed, times=30)
    if number % PAPERS == 0:
        for step in steps():
            for who in (*players, None):
                found += secrets.leaks(rulebook, step, who)
    return found


def playable(name: str, players: tuple[str, ...]) -> bool:
    """Can these players play by the usual options? (Partners of an alliance can't play each other.)"""
    rulebook = registry.rulebook(name)
    try:
        rulebook.start(name, rulebook.Options(), players)
    except Refused:
        return False
    return True


def main() -> int:
    """Plays them all; 1 if one is unsound."""
    found: list[str] = []
    with ProcessPoolExecutor() as pool:
        for name in registry.OWN:
            for tables in registry.rulebook(name).tables.values():
                for players in filter(partial(playable, name), tables):
                    play = pool.map(partial(one, name, players), range(MATCHES), chunksize=5)
                    title = f"{name}, {len(players)} players: {', '.join(players)}"
                    for wrong in track(play, title, total=MATCHES, disable=not sys.stderr.isatty()):
                        found += wrong
                    print(f"{title}: {MATCHES} matches, {len(found)} problems so far")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
