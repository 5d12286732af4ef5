"""`make games`: plays the matches in `games/` again, by bots. For a release; docs/develop.md says why."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from adjudicator import __version__
from adjudicator.cli.demo import play_phases
from adjudicator.engine.folder.commit import LOCK
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.names import FOR, PUBLIC, REFEREE
from adjudicator.engine.library import registry
from adjudicator.engine.match.begin import begin
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.report.reader_texts import REPORT

GAMES = Path(__file__).parent.parent / "games"
PATHS = sorted(path.parent for path in GAMES.glob("*/*/match.yaml"))
LEFT_OUT = (REFEREE, LOCK, ".gitignore", ".gitattributes")
"""Of a match's own papers those that are for one that is still played; the seed is published in its last folder."""


class Whole(Struct, frozen=True):
    """A match to read: its name, the text of its seed, and its options."""

    name: str
    seed: str
    options: dict[str, Any] = {}


WHOLE = {
    "mediterranee": Whole("lagoon", "lagoon 207", {"turns": "6"}),
    "rome-carthage": Whole("drepana", "drepana 7"),
    "serenissima": Whole("bucentaur", "bucentaur 4"),
    "oltremare": Whole("rialto", "rialto"),
    "triumvirat": Whole("rubicon", "rubicon 10"),
}
"""By game; chosen by their seeds: short, with fights, deals and whatever else is worth reading."""


def of_this_version(path: Path) -> Folder:
    """A match to read. Skips the test between releases if rules have played the match that aren't there any more.

    A rule that has changed since may even make positions of the match impossible, which are then not read.
    """
    match = open_match(path)
    closed = match.opening(0).closed
    assert closed is not None
    if ".dev" in __version__ and int(closed.rules) not in match.rulebook.versions:
        oldest = match.rulebook.versions[0]
        pytest.skip(
            f"played by version {closed.rules} of the rulebook, here is {oldest} and later: make games for the release"
        )
    return match


def play(game: str, whole: Whole) -> None:
    """Plays a match by bots into its folder, and keeps what can't be made anew."""
    path, rulebook = GAMES / game / whole.name, registry.rulebook(game)
    shutil.rmtree(path, ignore_errors=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    players = rulebook.tables[max(rulebook.tables)][0]
    options = {**whole.options, "pages": "off"}
    begin(game, path, players, options=options, seed_text=whole.seed, name=whole.name)
    for _ in play_phases(path, rulebook, SeededChance(whole.seed)):
        pass
    kept = {path / phase.name / FOR / PUBLIC / REPORT for phase in path.iterdir() if phase.is_dir()}
    for file in [*path.glob(f"*/{FOR}/*/*"), *(path / name for name in LEFT_OUT)]:
        if file not in kept:
            file.unlink()
    for folder in sorted(path.rglob("*"), reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def main() -> None:
    """Plays them all."""
    for game, whole in WHOLE.items():
        print(f"games/{game}/{whole.name}")
        play(game, whole)


if __name__ == "__main__":
    main()
