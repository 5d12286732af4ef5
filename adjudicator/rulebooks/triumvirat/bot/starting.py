"""The bot's free start (TRI-0.2): the usual pieces, or a temple in place of a caravan."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Chance
from adjudicator.rulebooks.triumvirat.board import BOARD

WARLIKE = 4
"""In one province of so many the bot has a legion instead of a caravan."""


def start(me: Player, chance: Chance) -> list[dict[str, Any]]:
    """The pieces of the fixed start as orders, where they lie next to the capital;
    now and then a legion instead of a caravan."""
    found: list[dict[str, Any]] = []
    for name, pieces in BOARD.starts[me].pieces.items():
        found.append({"influence": name})
        found += [{"build": "city", "at": name}] * pieces.city
        caravans = pieces.caravans[1:] if chance(WARLIKE) == 0 and pieces.legions else pieces.caravans
        found += [{"build": "caravan", "at": name, "on": crop} for crop in caravans]
        legions = pieces.legions + len(pieces.caravans) - len(caravans)
        found += [{"recruit": legions, "at": name}] if legions else []
        found += [{"build": "temple", "at": name}] * pieces.temple
    return found
