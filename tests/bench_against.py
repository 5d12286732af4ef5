"""`make bench AGAINST=REV`: the works of this bench at another commit and here, by turns, in one run.

Both run this commit's bench, so that the work is the same; only the program differs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench import WORKS, Figure, Work

ROOT = Path(__file__).resolve().parents[1]
TURNS = 3
"""How often each commit plays each work; the best of its figures counts."""


@contextmanager
def checked_out(rev: str) -> Iterator[Path]:
    """A folder with the commit, while it is needed."""
    found = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}")
    if found.returncode:
        raise SystemExit(f"There is no commit '{rev}' here, so there is nothing to compare with.")
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder) / "there"
        git("worktree", "add", "--detach", str(there), found.stdout.strip()).check_returncode()
        try:
            yield there
        finally:
            git("worktree", "remove", "--force", str(there))


def git(*words: str) -> subprocess.CompletedProcess[str]:
    """What git says to some words, in this repository."""
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)


def played(tree: Path, name: str, rev: str) -> Work:
    """A work of this bench, played by the program in a folder."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "bench.py"), "--figures", name],
        capture_output=True,
        text=True,
        check=False,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
    )
    if done.returncode:
        why = done.stderr.strip().splitlines()[-1]
        raise SystemExit(f"The program at {rev} can't play this bench's work '{name}': {why}")
    what, figures = json.loads(done.stdout)
    return Work(what, [Figure(*each) for each in figures])


def best_of(works: list[Work], index: int) -> Figure:
    """The best of the same figure of several works."""
    figures = [work.figures[index] for work in works]
    return (min if figures[0].less else max)(figures, key=lambda each: each.number)


def compare(there: Path, rev: str, name: str) -> None:
    """Prints the figures of a work at both commits, and how many times as much it is here."""
    found: tuple[list[Work], list[Work]] = [], []
    for _ in range(TURNS):
        found[0].append(played(there, name, rev))
        found[1].append(played(ROOT, name, "this commit"))
    before, after = found[0][0].played, found[1][0].played
    if before != after:
        print(
            f"{name}: other work at {rev}, so nothing is compared.\n  {rev}: {before}\n  here: {after}",
            flush=True,
        )
        return
    print(after)
    for index in range(len(found[1][0].figures)):
        old, new = best_of(found[0], index), best_of(found[1], index)
        print(f"{new}; at {rev} {old.number:.4g}: {new.number / old.number:.2f} times", flush=True)


if __name__ == "__main__":
    against, *asked = sys.argv[1:]
    if unknown := [name for name in asked if name not in WORKS]:
        raise SystemExit(f"No work of this bench is called {unknown[0]}. Works: {', '.join(WORKS)}")
    with checked_out(against) as folder:
        for each in asked or WORKS:
            compare(folder, against, each)
