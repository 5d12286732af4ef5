"""Bundles of goods and ducats, and the entries of standing instructions that are made of them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from adjudicator.engine.table.rulebook import InForce
from adjudicator.rulebooks.oltremare.board import CardId, GoodId, goods_of


class Bundle(Struct, frozen=True, omit_defaults=True):
    """One side of an exchange as a sheet says it: goods, or the very cards, and ducats."""

    goods: Mapping[GoodId, int] = {}
    cards: tuple[CardId, ...] = ()
    ducats: int = 0

    @property
    def all_goods(self) -> Mapping[GoodId, int]:
        """How many of each good."""
        return goods_of(self.cards) if self.cards else self.goods

    @property
    def empty(self) -> bool:
        """Is there nothing in it?"""
        return not (self.goods or self.cards or self.ducats)


NOTHING = Bundle()


class PutUp(Struct, frozen=True, omit_defaults=True, rename={"for_": "for"}):
    """OLT-2.1: an offer to whoever is active."""

    give: Bundle = NOTHING
    for_: Bundle = NOTHING


class Trade(Struct, frozen=True, omit_defaults=True, rename={"for_": "for"}):
    """OLT-2.1: an answer that needs no mail: what is given and got, as its owner sees it."""

    give: Bundle = NOTHING
    for_: Bundle = NOTHING
    accept: bool = True


class Standing(InForce, frozen=True, kw_only=True):
    """All standing instructions of a player."""

    offers: tuple[PutUp, ...] = ()
    trade: tuple[Trade, ...] = ()
