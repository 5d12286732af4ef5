"""The same files give the same bytes, in any order of Python's sets and hashes."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from adjudicator.engine.library import registry

SHORT = {
    "mediterranee": ["turns=1"],
    "rome-carthage": ["max_rounds=2"],
    "oltremare": ["talks=0"],
    "triumvirat": ["max_turns=1"],
}


def digest(folder: Path) -> str:
    """All files of a folder, by name and content."""
    found = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != ".lock":
            found.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return found.hexdigest()


@pytest.mark.parametrize(
    "seeds", [("0", "4711"), pytest.param(("0", "1", "2", "4711"), marks=pytest.mark.soak)]
)
@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=[] if game == "mediterranee" else pytest.mark.soak) for game in registry.OWN],
)
def test_hash_seeds_give_the_same_match(game: str, seeds: tuple[str, ...], tmp_path: Path) -> None:
    """All the files of a match; of the other games in `soak`: their golden matches hold whatever seed a process has."""
    found = set()
    for seed in seeds:
        words = [
            "demo",
            game,
            str(tmp_path / seed),
            "--seed",
            "hash",
            "--players",
            str(min(registry.rulebook(game).tables)),
            *(word for option in SHORT.get(game, ()) for word in ("--option", option)),
        ]
        done = subprocess.run(
            [sys.executable, "-m", "adjudicator", *words],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found.add(digest(tmp_path / seed))
    assert len(found) == 1
