"""Orders that others might give when a player tries something out: as bots would, by what they could know."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from adjudicator.engine.bots.planning import planned
from adjudicator.engine.bots.simulation import at_random
from adjudicator.engine.match.supposing import imagined
from adjudicator.engine.play.chance import SeededChance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.writing import write


def as_bots_would(
    rulebook: Rulebook[Any], view: Any, me: Player, known: Collection[Player], seed: str = ""
) -> Mapping[str, bytes]:
    """Sheets of the due players but `me` and those known, by file; the bots play on what `me` imagines.

    Raises `Impossible`.
    """
    guess, chance = imagined(rulebook, view, me, seed), SeededChance(f"bots {seed}")
    bot = rulebook.bot or at_random(rulebook)
    others = [player for player in guess.phase.due if player != me and player not in known]
    return {
        f"{player}.yaml": write(
            {
                "player": player,
                **planned(rulebook, bot, position_for(rulebook, guess, player), player, chance),
            }
        ).encode()
        for player in others
    }
