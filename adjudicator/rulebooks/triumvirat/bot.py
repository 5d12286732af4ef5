"""A player who is a program."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.rulebooks.triumvirat.state import State


def governor(view: State, me: Player, chance: Chance) -> dict[str, Any]:
    """The sheet of the open phase."""
    return {"orders": []}
