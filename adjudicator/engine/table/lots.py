"""Orders of players by lot, or by seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudicator.engine.table.dice import D6
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.table import Table


def clockwise(seats: Sequence[Player], first: Player) -> tuple[Player, ...]:
    """The players in seat order, from one of them on."""
    at = seats.index(first)
    return (*seats[at:], *seats[:at])


def thrown_for(t: Table[Any], players: Sequence[Player], *what: str, rule: str) -> list[Player]:
    """The players in order of a die that each throws, the highest first; those who tie throw again among themselves
    (Ruling).

    Nobody throws alone. `what` labels the throws; the player's name is added to it.
    """
    if len(players) < 2:
        return list(players)
    throws = {player: t.throw(D6, *what, player, rule=rule, player=player) for player in players}
    ranked: list[Player] = []
    for face in sorted(set(throws.values()), reverse=True):
        ranked += thrown_for(t, [player for player in players if throws[player] == face], *what, rule=rule)
    return ranked
