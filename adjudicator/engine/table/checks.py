"""Checks of positions that several games use: each gives the first flaw, or None."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Flaw, Path, flaw


def one_of(value: Any, among: Collection[Any], path: Path, rule: str, why: str) -> Flaw | None:
    """One test of a check: the name must be one of these."""
    return None if value in among else flaw(path, rule, why, value=value)


def at_most(value: int, most: int, path: Path, rule: str, why: str, **facts: Any) -> Flaw | None:
    """One test of a check: the value may not be above `most`; `facts` say what it counts."""
    return flaw(path, rule, why, value=value, most=most, **facts) if value > most else None


def names_everybody(state: Any, names: Sequence[Player], path: Path, rule: str, why: str) -> Flaw | None:
    """A flaw if a list, such as the order of play, doesn't name every player once; else None."""
    if sorted(names) == sorted(state.players):
        return None
    return flaw(path, rule, why, value=list(names))


def purses_hold_sums(state: Any, purse: str, rule: str, why: str, step: int = 1) -> Flaw | None:
    """A flaw if the money of a player, a secret in the field `purse`, is below 0 or no multiple of `step`; else None.
    Hidden money can't be checked.
    """
    for name, seat in state.players.items():
        money = getattr(seat, purse)
        if money.known and (money.value < 0 or money.value % step):
            return flaw(("players", name, purse), rule, why, value=money.value)
    return None
