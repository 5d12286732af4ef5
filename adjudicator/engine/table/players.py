"""Players: their order by lot or by seats, their secret bids, and other players named in a sheet.

A position with bids has a field `bids`, by player, of secrets. A game says what a bid is by a subclass of `BidMade`
with a field of its own type, and what showing one costs by a subclass of `BidShown`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from adjudicator.engine.table.dice import D6
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.table.table import FieldReader, Table


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


class BidMade(Event[Any], frozen=True):
    """A player makes a secret bid."""

    player: Player
    bid: Secret[Any]

    def apply(self, state: Any) -> Any:
        return replace(state, bids={**state.bids, self.player: self.bid})


class BidShown(Event[Any], frozen=True):
    """A bid is shown: it becomes public and leaves the position."""

    reveals: ClassVar[bool] = True
    player: Player

    def apply(self, state: Any) -> Any:
        return replace(
            state, bids={player: bid for player, bid in state.bids.items() if player != self.player}
        )
