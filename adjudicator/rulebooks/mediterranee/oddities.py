"""What is legal in standing instructions and prices, but odd: a check warns of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.others import another
from adjudicator.engine.table.table import Entry
from adjudicator.rulebooks.mediterranee.board import HOLD

if TYPE_CHECKING:
    from adjudicator.rulebooks.mediterranee.standing import DealEntry


def warn_of_ask(entry: Entry, ask: int | None, floor: int | None, *within: str) -> None:
    """MED-2.5: a seller never takes less than the floor, whatever was asked first."""
    if ask is not None and floor is not None and ask < floor:
        entry.warn("MED-2.5", "ask-below-floor", *within, "ask", value=ask, floor=floor)


def warn_of_offer(entry: Entry, offer: int | None, limit: int | None, *within: str) -> None:
    """MED-2.5: a buyer never pays more than the limit, whatever was offered first."""
    if offer is not None and limit is not None and offer > limit:
        entry.warn("MED-2.5", "offer-above-limit", *within, "offer", value=offer, limit=limit)


def warn_of_galley(
    entry: Entry, name: str, field: str, *, state: Any, me: Player, rule: str, mine: bool
) -> None:
    """A galley that can't be meant: of a power that doesn't play or, as things stand, not of that side."""
    galley = state.galleys.get(name)
    if name and name.partition("-")[0] not in state.players:
        entry.warn(rule, "galley-not-playing", field, value=name)
    elif galley is not None and (galley.owner == me) is not mine:
        entry.warn(
            rule, "not-your-galley" if mine else "your-own-galley", field, value=name, owner=galley.owner
        )


def warn_of_sinking(entry: Entry, name: str, goods: Sequence[str], *path: str, rule: str) -> None:
    """MED-0.6: a galley will be left without a sailor, and sinks with the goods that are still aboard."""
    entry.warn(rule, "sinks-loaded" if goods else "sinks", *path, galley=name, goods=list(goods))


def warn_of_deal(entry: Entry, deal: DealEntry, state: Any, me: Player) -> None:
    """MED-2.13: a partner there can't be, more than a galley holds, fields of the other side, goods given away."""
    rule = "MED-2.13"
    another(entry, deal.with_, "with", state=state, me=me, rule=rule)
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
