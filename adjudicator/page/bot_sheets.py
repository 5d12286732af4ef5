"""Orders that others might give when a player tries something out: as bots would, by what they could know."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from adjudicator.engine.bots.planning import plan_sheet
from adjudicator.engine.bots.simulation import random_bot
from adjudicator.engine.match.trying_out import guessed_position
from adjudicator.engine.play.chance import SeededChance
from adjudicator.engine.play.known import Known
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.writing import write


def bot_sheets(
    rulebook: Rulebook[Any],
    view: Any,
    me: Player,
    sent: Collection[Player],
    seed: str = "",
    known: Known | None = None,
) -> Mapping[str, bytes]:
    """Sheets of the due players but `me` and those who have `sent` one, by file; the bots play on what `me` imagines.

    Raises `Impossible`.
    """
    guess, chance = guessed_position(rulebook, view, me, seed, known), SeededChance(f"bots {seed}")
    bot = rulebook.bot or random_bot(rulebook)
    others = [player for player in guess.phase.due if player != me and player not in sent]
    return {
        f"{player}.yaml": write(
            {
                "player": player,
                **plan_sheet(rulebook, bot, position_for(rulebook, guess, player), player, chance),
            }
        ).encode()
        for player in others
    }
