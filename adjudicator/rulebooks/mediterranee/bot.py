"""A player who is a program, and trades and expands sensibly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjudicator.engine.event import Player
from adjudicator.rulebooks.mediterranee.state import State


def trader(view: State, me: Player, chance: Callable[[int], int]) -> list[Any]:
    """The orders of a sheet for the phase that is open."""
    return []
