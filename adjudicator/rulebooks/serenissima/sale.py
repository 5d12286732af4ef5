"""SER-4 Action, third part: selling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from adjudicator.engine.table.reason import Path, Reason, Refused
from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.serenissima.board import BOARD, GalleyId, Good, PortId, ZoneId
from adjudicator.rulebooks.serenissima.events import Sold
from adjudicator.rulebooks.serenissima.state import State

BONUS = 2
"""SER-4.2: what spice pays more."""
SPICE = "spice"

Wanted = Sequence[Good] | Mapping[PortId, Sequence[Good]]
"""Goods to sell where the way ends, or by port."""


def for_sale(wanted: Wanted, here: ZoneId, aim: ZoneId) -> list[tuple[Path, Good]]:
    """SER-4.1: what is to be sold in this zone, each with its place in the order; a list is for the aim alone."""
    if isinstance(wanted, Mapping):
        return [(("sell", here, index), good) for index, good in enumerate(wanted.get(here, ()))]
    return [(("sell", index), good) for index, good in enumerate(wanted if here == aim else ())]


def unsaleable(state: State, name: GalleyId, good: Good) -> Reason | None:
    """SER-4.1: why the galley can't sell a good where it is; None if it can."""
    galley = state.galleys[name]
    port = galley.zone
    if port not in state.ports:
        return Reason("SER-4.1", "no-port-there", {"zone": port})
    if state.ports[port].closed:
        return Reason("SER-0.3", "closed", {"port": port})
    if good not in galley.cargo:
        return Reason("SER-4.1", "none-aboard", {"good": good, "galley": name})
    if good == BOARD.ports[port].good:
        return Reason("SER-4.1", "produced", {"good": good, "port": port})
    if good in state.ports[port].warehouse:
        return Reason("SER-4.1", "in-warehouse", {"good": good, "port": port})
    if len(state.ports[port].warehouse) == len(BOARD.slots_of(port)):
        return Reason("SER-4.1", "warehouse-full", {"port": port})
    return None


def sell(t: Table[State], name: GalleyId, goods: Sequence[tuple[Path, Good]]) -> None:
    """SER-4.1: each good is a part of its own: one that can't be sold leaves the others."""
    for path, good in goods:
        t.part(partial(sell_one, name=name, good=good, path=path))


def sell_one(t: Table[State], name: GalleyId, good: Good, path: Path) -> None:
    """SER-4.1, SER-4.2: a cube goes on the free slot of the smallest value, which the bank pays but in the own port."""
    why = unsaleable(t.state, name, good)
    if why is not None:
        raise Refused(why, path)
    port = t.state.galleys[name].zone
    value = BOARD.slots_of(port)[len(t.state.ports[port].warehouse)]
    bonus = BONUS if good == SPICE else 0
    sold = Sold(
        rule="SER-4.2" if bonus else "SER-4.1",
        player=t.me,
        galley=name,
        port=port,
        good=good,
        sum=0 if t.state.ports[port].owner == t.me else value,
        bonus=bonus,
    )
    t.play(sold)
