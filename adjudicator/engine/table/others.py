"""Other players named in a sheet: a check warns of a name with which nothing can ever happen."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.table import FieldReader


def warn_of_player(
    entry: FieldReader,
    player: Player,
    *path: str | int,
    state: Any,
    me: Player,
    rule: str,
    but: tuple[Player, ...] = (),
) -> None:
    """Warns of a player whom an entry names at `path`, but who is `me`, not of this match, or one of `but`.

    An empty name stands for nobody, and passes.
    """
    if player == me:
        entry.warn(rule, "names-you", *path, value=player)
    elif player and player not in state.players:
        entry.warn(rule, "not-playing", *path, value=player)
    elif player in but:
        entry.warn(rule, "names-friend", *path, value=player)
