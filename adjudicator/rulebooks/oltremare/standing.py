"""What sheets are made of: types of fields, bundles of goods and ducats, and standing instructions (OLT-2.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from adjudicator.engine.table import FieldReader, InForce, Instruction, Player
from adjudicator.engine.table.domain import (
    Another,
    Counts,
    Domain,
    Flag,
    Many,
    Name,
    OneOf,
    Part,
    Record,
    Whole,
)
from adjudicator.engine.table.reason import unfit
from adjudicator.rulebooks.oltremare.board import BOARD, CARDS, GOODS, HOUSES, PORTS, CardId, GoodId, goods_of

ALL = "all"  # the receiver of an offer that anybody may accept
MOST_DUCATS = 999  # the most ducats in an offer (Ruling): more than a purse can ever hold


class Bundle(Struct, frozen=True, omit_defaults=True):
    """One side of an exchange as a sheet writes it: goods, or certain cards, and ducats."""

    goods: Mapping[GoodId, int] = {}
    cards: tuple[CardId, ...] = ()
    ducats: int = 0

    def __bool__(self) -> bool:
        """Does the bundle hold anything?"""
        return bool(self.goods or self.cards or self.ducats)

    @property
    def all_goods(self) -> Mapping[GoodId, int]:
        """How many of each good."""
        return goods_of(self.cards) if self.cards else self.goods


NOTHING = Bundle()


class Terms(Struct, frozen=True, omit_defaults=True, rename={"for_": "for"}):
    """OLT-2.1: what is given and what is asked for; as a standing instruction, an offer to whoever is active."""

    give: Bundle = NOTHING
    for_: Bundle = NOTHING


# -- the types of fields, here and in orders -------------------------------------------------------------------------

CARD = Name("card", "|".join((*(f"{good}-[0-9][0-9]" for good in GOODS), "(drawn|got)-[1-9][0-9]?")))
GOOD = OneOf(GOODS)
PLAYER = Another(HOUSES)
ANYBODY = Another((*HOUSES, ALL))
PORT = OneOf(PORTS)
SYMBOL = OneOf(("ducat", "pirate", "cards", "ship"))
OFFER = Name("offer", f"({'|'.join(HOUSES)})-[1-9][0-9]?")
COUNTED = Counts(dict.fromkeys(GOODS, Whole(0)), least=0)


def bundle(cards: Domain[str] | None, goods: Counts = COUNTED, most: int = 32) -> Record[Bundle]:
    """The type of one side of an exchange, with `most` cards; without `cards` it can hold goods and ducats alone."""
    parts: dict[str, Part[Any]] = {"goods": Part(goods, {}), "ducats": Part(Whole(0), 0)}
    listed = {} if cards is None else {"cards": Part(Many(cards, distinct=True, most=most), ())}
    return Record(Bundle, parts | listed, least=1)


GIVE = bundle(CARD)
KNOWN = bundle(OneOf(tuple(CARDS)))  # what standing instructions can give: cards by their names
FOR = bundle(None)


def terms_named(entry: FieldReader, giving: Domain[Bundle], asking: Record[Bundle]) -> Terms:
    """OLT-2.1: the terms that an order names: what is given, and what is asked for it."""
    give = entry.pick("give", giving, rule="OLT-2.1", default=None)
    for_ = entry.pick("for", asking, rule="OLT-2.1", default=None)
    return Terms(NOTHING if give is None else give, NOTHING if for_ is None else for_)


def check(terms: Terms) -> None:
    """OLT-2.1: a bundle names cards or goods, not both, no more than the game has,
    and an offer isn't nothing for nothing. Raises Refused."""
    if terms.give.cards and terms.give.goods:
        raise unfit("cards-or-goods", ("give",), "OLT-2.1")
    if not (terms.give or terms.for_):
        raise unfit("nothing-for-nothing", rule="OLT-2.1")
    for field, side in (("give", terms.give), ("for", terms.for_)):
        for what, count in {"ducats": side.ducats, **side.goods}.items():
            most = MOST_DUCATS if what == "ducats" else BOARD.goods[what].count
            if count > most:
                raise unfit("more-than-there-is", (field,), "OLT-2.1", value=count, what=what, most=most)


# -- standing instructions -------------------------------------------------------------------------------------------


class Trade(Terms, frozen=True, omit_defaults=True, rename={"for_": "for"}):
    """OLT-2.1: an answer that needs no mail: what its owner gives and gets."""

    accept: bool = True


class Standing(InForce, frozen=True, kw_only=True):
    """All standing instructions of a player."""

    offers: tuple[Terms, ...] = ()
    trade: tuple[Trade, ...] = ()


def read_standing_offer(entry: FieldReader, state: Any, me: Player) -> Terms:
    """OLT-2.1: a standing offer, made in anybody's turn: `{give: {goods: {grain: 1}}, for: {ducats: 2}}`."""
    terms = terms_named(entry, KNOWN, FOR)
    check(terms)
    return terms


def read_standing_trade(entry: FieldReader, state: Any, me: Player) -> Trade:
    """OLT-2.1: a standing trade, as its owner sees it: `{give: {goods: {olive: 1}}, for: {goods: {gem:
    1}}, accept: true}`."""
    seen = read_standing_offer(entry, state, me)
    return Trade(seen.give, seen.for_, entry.pick("accept", Flag(), rule="OLT-2.1", default=True))


STANDING: Mapping[str, Instruction[Any]] = {
    "offers": Instruction(read_standing_offer, {"give": KNOWN, "for": FOR}, "OLT-2.1"),
    "trade": Instruction(read_standing_trade, {"give": KNOWN, "for": FOR, "accept": Flag()}, "OLT-2.1"),
}
