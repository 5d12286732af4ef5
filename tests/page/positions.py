"""Positions of matches that bots play, for tests of the page."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any

from adjudicator.engine.bots import Step, play_match
from adjudicator.engine.library import registry

MOST_STEPS = 60


@cache
def some_steps(game: str) -> tuple[Step, ...]:
    """The first phases of a match of the usual number of players, played by the game's own bots."""
    rulebook = registry.rulebook(game)
    players = rulebook.tables[max(rulebook.tables)][0]
    assert rulebook.bot is not None
    bots = dict.fromkeys(players, rulebook.bot)
    return tuple(islice(play_match(rulebook, players, bots, "page"), MOST_STEPS))


def some_positions(game: str) -> list[Any]:
    """Positions for which somebody is due, of all phases: none has seven of them a turn."""
    return [step.before for step in some_steps(game)[::7] if step.before.phase.due]
