"""`make golden`: plays the committed matches in `games/` again. Read the diff before you commit it."""

from __future__ import annotations

import shutil
from pathlib import Path

from adjudicator.cli.demo import phases_played
from adjudicator.engine.match.begin import begin
from adjudicator.engine.play.chance import SeededChance
from adjudicator.engine.sheets import registry

GAMES = Path(__file__).parent.parent / "games"
MATCHES = {"mediterranee": {"lagoon": "lagoon 6"}, "rome-carthage": {"zama": "zama"}}
"""The matches by game and name, each with its seed."""


def play(game: str, name: str, seed: str) -> None:
    """Plays a match by bots into its folder; the editors' schemas are left out, they are large and made anew."""
    path = GAMES / game / name
    if path.exists():
        shutil.rmtree(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    rulebook = registry.rulebook(game)
    begin(
        game,
        path,
        rulebook.tables[max(rulebook.tables)][0],
        options={"pages": "off"},
        seed_text=seed,
        name=name,
    )
    for _ in phases_played(path, rulebook, SeededChance(seed)):
        pass
    for schema in path.rglob("schema.json"):
        schema.unlink()


def main() -> None:
    """Plays them all."""
    for game, matches in MATCHES.items():
        for name, seed in matches.items():
            print(f"games/{game}/{name}")
            play(game, name, seed)


if __name__ == "__main__":
    main()
