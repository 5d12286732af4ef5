"""Standing instructions: offers put up in everybody's turn, and trades that answer without mail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.table.domain import Counts, Domain, Flag, Many, Name, OneOf, Part, Record, Whole
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.table import Entry, Instruction
from adjudicator.rulebooks.oltremare.board import BOARD, CARDS, GOODS, HOUSES, PORTS
from adjudicator.rulebooks.oltremare.entries import NOTHING, Bundle, PutUp, Trade
from adjudicator.rulebooks.oltremare.state import ALL

# The types of fields, here and in orders.
MOST_DUCATS = 999
"""The most that can be asked or offered (Ruling): a number that no purse comes to."""
CARD = Name("card", "|".join((*(f"{good}-[0-9][0-9]" for good in GOODS), "(drawn|got)-[1-9][0-9]?")))
GOOD = OneOf(GOODS)
PLAYER = OneOf(HOUSES)
ANYBODY = OneOf((*HOUSES, ALL))
PORT = OneOf(PORTS)
SYMBOL = OneOf(("ducat", "pirate", "cards", "ship"))
OFFER = Name("offer", f"({'|'.join(HOUSES)})-[1-9][0-9]?")
DUCATS = Whole(0)
COUNTED = Counts(dict.fromkeys(GOODS, Whole(0)), least=0)


def bundle(cards: Domain[str] | None, goods: Counts = COUNTED) -> Record[Bundle]:
    """One side of an exchange; without `cards`, goods and ducats alone can be named."""
    parts: dict[str, Part[Any]] = {"goods": Part(goods, {}), "ducats": Part(DUCATS, 0)}
    listed = {} if cards is None else {"cards": Part(Many(cards, distinct=True), ())}
    return Record(Bundle, parts | listed, least=1)


GIVE = bundle(CARD)
KNOWN = bundle(OneOf(tuple(CARDS)))
"""What can be given by standing instructions: cards by their own names."""
FOR = bundle(None)


def sides(entry: Entry) -> tuple[Bundle, Bundle]:
    """OLT-2.1: what is given, and what is asked for it."""
    give = entry.pick("give", KNOWN, rule="OLT-2.1", default=None) or NOTHING
    wanted = entry.pick("for", FOR, rule="OLT-2.1", default=None) or NOTHING
    check_sides(give, wanted)
    return NOTHING if give.empty else give, NOTHING if wanted.empty else wanted


def check_sides(give: Bundle, wanted: Bundle) -> None:
    """OLT-2.1: cards or goods, and not nothing for nothing; no more than there is. Raises Refused."""
    if give.cards and give.goods:
        raise Refused(Reason("OLT-2.1", "cards-or-goods"), ("give",))
    if give.empty and wanted.empty:
        raise Refused(Reason("OLT-2.1", "nothing-for-nothing"))
    for field, side in (("give", give), ("for", wanted)):
        most = {"ducats": MOST_DUCATS, **{good: BOARD.goods[good].count for good in side.goods}}
        for what, count in {"ducats": side.ducats, **side.goods}.items():
            if count > most[what]:
                facts = {"value": count, "what": what, "most": most[what]}
                raise Refused(Reason("OLT-2.1", "more-than-there-is", facts), (field,))


def put_up(entry: Entry, state: Any, me: Player) -> PutUp:
    """OLT-2.1: `{give: {goods: {grain: 1}}, for: {ducats: 2}}`, in anybody's turn."""
    give, wanted = sides(entry)
    return PutUp(give, wanted)


def trade(entry: Entry, state: Any, me: Player) -> Trade:
    """OLT-2.1: `{give: {goods: {olive: 1}}, for: {goods: {gem: 1}}, accept: true}`, as its owner sees it."""
    give, wanted = sides(entry)
    return Trade(give, wanted, entry.pick("accept", Flag(), rule="OLT-2.1", default=True))


STANDING: Mapping[str, Instruction[Any]] = {
    "offers": Instruction(put_up, {"give": KNOWN, "for": FOR}, "OLT-2.1"),
    "trade": Instruction(trade, {"give": KNOWN, "for": FOR, "accept": Flag()}, "OLT-2.1"),
}
