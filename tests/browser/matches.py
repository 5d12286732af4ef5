"""Short matches in their folders, with pages of every kind, played once for all tests of a process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest
from msgspec import Struct

from adjudicator.cli.demo import send
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.play.chance import SeededChance
from adjudicator.engine.play.simulation import at_random
from adjudicator.engine.sheets import registry
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Bot, Rulebook

GM = "gm@example.org"
DUE = "Sunday, 20:00"
HOSTILE = "<script>alert(1)</script> \"x\" '&amp;' </script> 😀 \u05e9\u05dc\u05d5\u05dd"
"""A match's name that does harm wherever a text is put in unescaped."""


class Script(Struct, frozen=True):
    """A match that has every kind of phase early: its seed, how many of the last players aren't random, its options."""

    seed: str
    sensible: int
    options: Mapping[str, str] = {}


SCRIPTS = {
    "mediterranee": Script("browser 22", 2, {"turns": "2"}),
    "rome-carthage": Script("browser 418", 2),
}
"""Found by trying; where the rules or the bots change, another seed may be needed."""
MOST = 16
KINDS = {
    game: tuple(phase.name for phase in registry.rulebook(game).phases if phase.verbs)
    for game in registry.OWN
}
"""The kinds of phases in which orders are given."""


GAMES = [pytest.param(game, marks=pytest.mark.xdist_group(game)) for game in registry.OWN]
PHASES = [
    pytest.param(game, kind, id=f"{game}-{kind}", marks=pytest.mark.xdist_group(game))
    for game in registry.OWN
    for kind in KINDS[game]
]
"""For tests of a game, of a kind of its phases; all of a game in one process, so that its match is played once."""


class Played(Struct, frozen=True):
    """A match in a folder, and the phases in which somebody was due, by kind, the first of each."""

    path: Path
    rulebook: Rulebook[Any]
    kinds: Mapping[str, str]

    def folder(self, kind: str, who: str) -> Path:
        """What a reader got when the first phase of a kind began."""
        return self.path / self.kinds[kind] / "for" / who

    def begun(self, kind: str, to: Path) -> Path:
        """A copy of the match as it was when the first phase of a kind began, for a test to play on."""
        return Path(copytree(self.path.with_name(kind), to))

    def due(self, kind: str) -> tuple[Player, ...]:
        """Who was due in it."""
        match = open_match(self.path)
        due: tuple[Player, ...] = match.state(match.phases.index(self.kinds[kind])).phase.due
        return due


def play(game: str, path: Path) -> Played:
    """Plays a match until it has had all kinds of phases, and one phase of its second turn at least."""
    script, rulebook = SCRIPTS[game], registry.rulebook(game)
    players = rulebook.tables[max(rulebook.tables)][0]
    begin(
        game,
        path,
        players,
        options=script.options,
        seed_text=script.seed,
        name=script.seed,
        gm=GM,
        due_text=DUE,
    )
    bot = bot_of(rulebook, players[len(players) - script.sensible :])
    chance, found = SeededChance(script.seed), dict[str, str]()
    while True:
        match = open_match(path)
        head = match.state(match.last).phase
        if head.name not in found:
            found[head.name] = match.phases[-1]
            copytree(path, path.with_name(head.name), ignore=ignore_patterns("*.html", "schema.json"))
        if head.turn > 1 and {*KINDS[game]} <= {*found}:
            return Played(path, rulebook, found)
        assert match.last < MOST, (
            f"{game}: no phase {sorted({*KINDS[game]} - {*found})} yet, try another seed"
        )
        send(match, bot, chance)
        run(path, due_text=DUE)


def bot_of(rulebook: Rulebook[Any], sensible: Sequence[Player]) -> Bot:
    """A bot that plays at random, but for some players as the rulebook's own."""

    def bot(view: Any, me: Player, chance: SeededChance) -> dict[str, Any]:
        own = rulebook.bot if me in sensible else None
        return (own or at_random(rulebook))(view, me, chance)

    return bot
