"""Standing instructions as values: what the position keeps of them, and when an entry fits."""

from __future__ import annotations

from msgspec import Struct

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import InForce
from adjudicator.rulebooks.serenissima.board import Good, ZoneId


class Declaring(Struct, frozen=True, omit_defaults=True, rename={"for_": "for", "in_": "in"}):
    """SER-3.2: a blockade declared, or not; `against` a move, a sale or a landing."""

    declare: bool
    for_: Player = ""
    in_: ZoneId = ""
    against: str = ""

    def fits(self, player: Player, zone: ZoneId, against: str) -> bool:
        """What an entry leaves out fits all."""
        return self.for_ in ("", player) and self.in_ in ("", zone) and self.against in ("", against)


class Standing(InForce, frozen=True, kw_only=True):
    """All standing instructions of a player: blockades, of which the first that fits counts, and the goods wanted."""

    blockade: tuple[Declaring, ...] = ()
    salvage: tuple[Good, ...] = ()
