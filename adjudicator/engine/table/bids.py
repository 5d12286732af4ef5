"""Secret bids: made while a phase is played, shown when it closes.

A position with bids has a field `bids`, by player, of secrets. A game says what a bid is by a subclass of `BidMade`
with a field of its own type, and what showing one costs by a subclass of `BidShown`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.secret import Secret


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
