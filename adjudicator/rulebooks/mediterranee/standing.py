"""Standing instructions: answers in advance to questions that come up in other players' orders.

Standing instructions as the position keeps them, and when an entry fits.

Standing instructions and prices that are legal, but odd: a check warns of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from adjudicator.engine.table import (
    FieldReader,
    InForce,
    Instruction,
    Player,
    Reason,
    Refused,
    warn_of_player,
)
from adjudicator.engine.table.domain import (
    Another,
    Counts,
    Domain,
    Either,
    Flag,
    Many,
    MapOf,
    Name,
    OneOf,
    Part,
    Record,
    Whole,
    up_to,
)
from adjudicator.engine.table.table import When, struct_from
from adjudicator.rulebooks.mediterranee.board import BOARD, GOODS, HOLD, POWERS, Good, PortId, ZoneId


def warn_of_ask(entry: FieldReader, ask: int | None, floor: int | None, *within: str) -> None:
    """MED-2.5: warns that a seller never takes less than the floor, whatever was asked first."""
    if ask is not None and floor is not None and ask < floor:
        entry.warn("MED-2.5", "ask-below-floor", *within, "ask", value=ask, floor=floor)


def warn_of_offer(entry: FieldReader, offer: int | None, limit: int | None, *within: str) -> None:
    """MED-2.5: warns that a buyer never pays more than the limit, whatever was offered first."""
    if offer is not None and limit is not None and offer > limit:
        entry.warn("MED-2.5", "offer-above-limit", *within, "offer", value=offer, limit=limit)


def warn_of_galley(
    entry: FieldReader, name: str, field: str, *, state: Any, me: Player, rule: str, mine: bool
) -> None:
    """Warns of a galley that can't be meant: its power doesn't play, or it isn't on that side as things stand."""
    galley = state.galleys.get(name)
    if name and name.partition("-")[0] not in state.players:
        entry.warn(rule, "galley-not-playing", field, value=name)
    elif galley is not None and (galley.owner == me) is not mine:
        why = "not-your-galley" if mine else "your-own-galley"
        entry.warn(rule, why, field, value=name, owner=galley.owner)


def warn_of_sinking(entry: FieldReader, name: str, goods: Sequence[str], *path: str, rule: str) -> None:
    """MED-0.6: warns that a galley will have no sailor left, and so sinks with the goods still aboard."""
    entry.warn(rule, "sinks-loaded" if goods else "sinks", *path, galley=name, goods=list(goods))


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


# The types of fields, here and in orders.
GALLEY = Name("galley", f"({'|'.join(POWERS)})-[1-9][0-9]?")
PORT = OneOf(tuple(BOARD.ports))
PLACE = Either((PORT, GALLEY))
ZONE = OneOf(tuple(BOARD.zones))
GOOD = OneOf(GOODS)
POWER, OTHER = OneOf(POWERS), Another(POWERS)
STEP = 100
"""MED-2.2: every sum of ducats is a multiple of this."""
DUCATS = Whole(0, step=STEP)
COUNT = Whole(1)
SO_MANY = up_to(COUNT)
GOODS_COUNTED = Counts(dict.fromkeys(GOODS, Whole(0)))
CREW = Either((COUNT, OneOf(("all",)), Record(Leave, {"leave": Part(Whole(0), needed=True)})))
VICTORY = OneOf(("capture", "sink"))


def goods_wanted(names: Domain[str]) -> Either:
    """The goods wanted first: a list, or a list for each of some galleys."""
    wanted = Many(GOOD, most=30)
    return Either((wanted, MapOf(names, wanted)))


Fields = Mapping[str, Domain[Any]]
WISHES: Fields = {"victory": VICTORY, "crew": CREW, "keep": goods_wanted(GALLEY)}
PRICE: Fields = {"for": OTHER, "good": GOOD, "at": PORT, "ask": DUCATS, "floor": DUCATS}
WHAT: Fields = {"sell": GOOD, "buy": GOOD, "quantity": COUNT, "from": GALLEY, "to": GALLEY}
SUMS: Fields = dict.fromkeys(("ask", "floor", "offer", "limit"), DUCATS)
DEAL: Fields = {"with": OTHER, **WHAT, **SUMS, "for": GOODS_COUNTED}
PASSAGE: Fields = {"for": OTHER, "galley": GALLEY, "in": ZONE, "most": COUNT, "grant": Flag()}
DEFENCE: Fields = {"galley": GALLEY, "for": OTHER, **WISHES}


def price(entry: FieldReader, state: Any, me: Player) -> Price:
    """MED-2.3: reads an entry: `{for: genoa, good: wine, at: creta, ask: 300, floor: 200}`."""
    found = struct_from(entry, Price, PRICE, "MED-2.3", floor="MED-2.5")
    warn_of_player(entry, found.for_, "for", state=state, me=me, rule="MED-2.3")
    if found.at and found.good and found.good != BOARD.ports[found.at].good:
        good = BOARD.ports[found.at].good
        entry.warn("MED-2.1", "not-produced", "good", port=found.at, value=found.good, good=good)
    warn_of_ask(entry, found.ask, found.floor)
    return found


def deal(entry: FieldReader, state: Any, me: Player) -> DealEntry:
    """MED-2.13: reads an entry: `{with: genoa, sell: wine, from: venice-1, ask: 400, floor: 300}`."""
    rule = "MED-2.13"
    found = struct_from(entry, DealEntry, DEAL, rule)
    if bool(found.sell) == bool(found.buy):
        raise Refused(Reason(rule, "sell-or-buy"))
    warn_of_deal(entry, found, state, me)
    return found


def warn_of_deal(entry: FieldReader, deal: DealEntry, state: Any, me: Player) -> None:
    """MED-2.13: warns of an impossible partner, more goods than a galley holds,
    fields of the other side, and goods given away."""
    rule = "MED-2.13"
    warn_of_player(entry, deal.with_, "with", state=state, me=me, rule=rule)
    warn_of_galley(entry, deal.from_, "from", state=state, me=me, rule=rule, mine=True)
    warn_of_galley(entry, deal.to, "to", state=state, me=me, rule=rule, mine=True)
    for field, pieces in (("quantity", deal.quantity), ("for", sum(deal.for_.values()))):
        if pieces >= HOLD:
            entry.warn("MED-0.6", "no-galley-holds", field, value=pieces, most=HOLD - 1)
    seller = {"from": deal.from_, "ask": deal.ask, "floor": deal.floor}
    buyer = {"to": deal.to, "offer": deal.offer, "limit": deal.limit}
    for field, value in (buyer if deal.sell else seller).items():
        if value not in ("", None):
            entry.warn(rule, "of-the-other-side", field, field=field, verb="sell" if deal.sell else "buy")
    if deal.sell:
        warn_of_ask(entry, deal.ask, deal.floor)
        if not deal.for_ and not (deal.ask if deal.floor is None else deal.floor):
            entry.warn(rule, "for-nothing", "sell", good=deal.sell)
    else:
        warn_of_offer(entry, deal.offer, deal.limit)


def passage(entry: FieldReader, state: Any, me: Player) -> Passage:
    """MED-3.3: reads an entry: `{for: genoa, galley: genoa-2, in: corfu, most: 3, grant: true}`."""
    found = struct_from(entry, Passage, PASSAGE, "MED-3.3")
    warn_of_player(entry, found.for_, "for", state=state, me=me, rule="MED-3.3")
    warn_of_galley(entry, found.galley, "galley", state=state, me=me, rule="MED-3.3", mine=False)
    return found


def wishes(entry: FieldReader, galleys: Domain[str] = GALLEY) -> Wishes:
    """MED-4.4, MED-4.5: `victory: capture, crew: 2, keep: [gold]`, of an attack, a defence or an answer."""
    fields = {**WISHES, "keep": goods_wanted(galleys)}
    return struct_from(entry, Wishes, fields, "MED-4.4", keep="MED-4.5")


def defence(entry: FieldReader, state: Any, me: Player) -> Defence:
    """MED-4.4: `{galley: venice-1, for: genoa, victory: sink, crew: 1, keep: [gems, gold]}`."""
    found = struct_from(entry, Defence, DEFENCE, "MED-4.4", keep="MED-4.5")
    warn_of_player(entry, found.for_, "for", state=state, me=me, rule="MED-4.4")
    warn_of_galley(entry, found.galley, "galley", state=state, me=me, rule="MED-4.4", mine=True)
    return found


STANDING: Mapping[str, Instruction[Any]] = {
    "prices": Instruction(price, PRICE, "MED-2.3", dict.fromkeys(("for", "good", "at"), When.ALL)),
    "deals": Instruction(
        deal,
        DEAL,
        "MED-2.13",
        {
            **dict.fromkeys(("with", "quantity", "from", "to"), When.ALL),
            **dict.fromkeys(("sell", "buy", "for"), When.SAME),
        },
    ),
    "passage": Instruction(
        passage, PASSAGE, "MED-3.3", {**dict.fromkeys(("for", "galley", "in"), When.ALL), "most": When.MOST}
    ),
    "defence": Instruction(defence, DEFENCE, "MED-4.4", dict.fromkeys(("galley", "for"), When.ALL)),
}
