"""Plays a phase in memory, for tests: sheets are plain orders."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.play.inbox import Inbox, Outcome
from adjudicator.engine.play.referee import advance
from adjudicator.engine.sheets.sheet import Sheet, orders_at
from adjudicator.engine.table.dice import Dice, ScriptedDice
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.source import Source


def sheet(player: str, orders: list[Any] | None, standing: dict[str, Any] | None = None) -> Sheet:
    """A sheet of plain orders."""
    source = Source(f"sheets/{player}.yaml", {"orders": orders})
    found = None if orders is None else orders_at(source, ("orders",), orders, {})
    return Sheet(player, source, found, standing or {})


def play(
    rulebook: Rulebook[Any], state: Any, dice: Dice | tuple[int, ...] = (), waits: bool = False, **orders: Any
) -> Outcome:
    """One phase: `play(rulebook, state, venice=[{...}])`."""
    sheets = {player: sheet(player, given) for player, given in orders.items()}
    thrown = ScriptedDice(dice) if isinstance(dice, tuple) else dice
    return advance(rulebook, state, Inbox(sheets, waits=waits), thrown, strict=True)
