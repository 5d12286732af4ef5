"""Other players named in a sheet: a check warns of a name with which nothing can ever happen."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.table import FieldReader


def another(
    entry: FieldReader,
    player: Player,
    *path: str | int,
    state: Any,
    me: Player,
    rule: str,
    but: tuple[Player, ...] = (),
) -> Player:
    """The player named at `path` of an entry, who should be another one of this match, and none of `but`.

    Empty for nobody.
    """
    if player == me:
        entry.warn(rule, "names-you", *path, value=player)
    elif player and player not in state.players:
        entry.warn(rule, "not-playing", *path, value=player)
    elif player in but:
        entry.warn(rule, "names-friend", *path, value=player)
    return player
