"""The exact odds of a fight (MED-4.2, MED-4.3)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from adjudicator.engine.table import D6
from adjudicator.rulebooks.mediterranee.combat import SHARE, SHARE_OF_A_FORTRESS

if TYPE_CHECKING:
    from collections.abc import Mapping

ROUNDS = 4
"""The most attacks of one order."""


@cache
def success(own: int, enemy: int, fortress: bool, least: int) -> float:
    """The probability, 0 to 1, that the enemy is beaten and at least `least` of the player's sailors are left."""
    outcomes = fight(own, enemy, fortress).items()
    return sum(odds for (left, other), odds in outcomes if other == 0 and left >= least)


@cache
def fight(own: int, enemy: int, fortress: bool, rounds: int = ROUNDS) -> Mapping[tuple[int, int], float]:
    """The probability of each outcome (own sailors, enemy's), if the attacker goes on while more than one is left."""
    found: dict[tuple[int, int], float] = {}
    for mine in D6:
        for theirs in D6:
            left = max(0, own - (theirs + enemy) // SHARE)
            other = max(0, enemy - (mine + own) // (SHARE_OF_A_FORTRESS if fortress else SHARE))
            over = rounds == 1 or left <= 1 or other == 0
            outcomes = {(left, other): 1.0} if over else fight(left, other, fortress, rounds - 1)
            for outcome, odds in outcomes.items():
                found[outcome] = found.get(outcome, 0.0) + odds / len(D6) ** 2
    return found
