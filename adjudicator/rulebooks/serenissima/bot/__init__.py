"""A player who is a program."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.rulebooks.serenissima.state import State


def merchant(view: State, me: Player, chance: Chance) -> dict[str, Any]:
    """The sheet for the phase that is open."""
    return {"orders": []}
