"""Standing instructions as the position keeps them, and when an entry fits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from adjudicator.engine.table import InForce, Player
from adjudicator.rulebooks.mediterranee.board import Good, PortId, ZoneId


class Leave(Struct, frozen=True):
    """This number of sailors stays on the winning galley, the others man the prize."""

    leave: int


Crew = int | Literal["all"] | Leave
"""The sailors who man the prize: a number, `all`, or all but a number."""
Keep = tuple[Good, ...] | Mapping[str, tuple[Good, ...]]
"""The goods wanted first, or for each galley."""


class Price(Struct, frozen=True, omit_defaults=True, rename={"for_": "for"}):
    """MED-2.3: the price asked of buyers in the owner's ports, in ducats a piece, and the least taken."""

    ask: int
    for_: Player = ""
    good: Good = ""
    at: PortId = ""
    floor: int | None = None

    def fits(self, buyer: Player, good: Good, port: PortId) -> bool:
        """Does the entry fit? A key that it leaves out fits everything."""
        return self.for_ in ("", buyer) and self.good in ("", good) and self.at in ("", port)


class DealEntry(
    Struct, frozen=True, omit_defaults=True, rename={"with_": "with", "from_": "from", "for_": "for"}
):
    """MED-2.13: a deal that a player accepts: `sell` at `ask` down to `floor`, or `buy` at `offer` up to `limit`."""

    with_: Player = ""
    sell: Good = ""
    buy: Good = ""
    quantity: int = 0
    from_: str = ""
    to: str = ""
    ask: int | None = None
    floor: int | None = None
    offer: int | None = None
    limit: int | None = None
    for_: Mapping[Good, int] = {}


class Passage(Struct, frozen=True, omit_defaults=True, rename={"for_": "for", "in_": "in"}):
    """MED-3.3: leave to go on, for galleys with at most `most` sailors aboard."""

    grant: bool
    for_: Player = ""
    galley: str = ""
    in_: ZoneId = ""
    most: int | None = None

    def fits(self, owner: Player, galley: str, zone: ZoneId, sailors: int) -> bool:
        """Does the entry fit? A key that it leaves out fits everything."""
        named = self.for_ in ("", owner) and self.galley in ("", galley) and self.in_ in ("", zone)
        return named and (self.most is None or sailors <= self.most)


class Wishes(Struct, frozen=True, omit_defaults=True):
    """MED-4.4, MED-4.5: what the winner does with the beaten galley."""

    victory: str = "capture"
    crew: Crew = 1
    keep: Keep = ()


class Defence(Struct, frozen=True, omit_defaults=True, rename={"for_": "for"}):
    """MED-4.4: what the owner does when an attacked galley wins."""

    galley: str = ""
    for_: Player = ""
    victory: str = "capture"
    crew: Crew = 1
    keep: Keep = ()

    def fits(self, galley: str, attacker: Player) -> bool:
        """Does the entry fit? A key that it leaves out fits everything."""
        return self.galley in ("", galley) and self.for_ in ("", attacker)


class Standing(InForce, frozen=True, kw_only=True):
    """All standing instructions of a player; in each list the first entry that fits counts."""

    prices: tuple[Price, ...] = ()
    deals: tuple[DealEntry, ...] = ()
    passage: tuple[Passage, ...] = ()
    defence: tuple[Defence, ...] = ()
