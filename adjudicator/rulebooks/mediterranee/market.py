"""MED-2 Market: purchases, building, enlisting, transfers and deals, in any order."""

from __future__ import annotations

from adjudicator.engine.table import Player, Table, Use, Verb
from adjudicator.engine.table.domain import OneOf
from adjudicator.rulebooks.mediterranee import building, deals, purchase, standing
from adjudicator.rulebooks.mediterranee.state import State


def buy(t: Table[State]) -> None:
    """MED-2.1, MED-2.13: `buy` with `from` is a deal with a player, without it a purchase in a port."""
    found, others = tuple(deals.partners(t.state, t.me)), deals.no_partners(t.state, t.me)
    seller = t.pick("from", OneOf(found, but=others), rule="MED-2.13", default=None)
    if seller is None:
        purchase.buy(t)
    else:
        deals.buy(t, seller)


def can(state: State, player: Player) -> bool:
    """MED-2: can the player do anything? Not if all his or her galleys lie alone at sea, empty, and there is no port.

    Money doesn't matter: some may come in before the player's turn.
    """
    zones = set()
    for galley in state.galleys.values():
        if galley.owner == player:
            if galley.cargo or galley.zone in state.ports or galley.zone in zones:
                return True
            zones.add(galley.zone)
    return bool(state.ports_of(player) or deals.partners(state, player))


VERBS = {
    "buy": Verb(
        buy,
        {
            "buy": standing.GOOD,
            "quantity": standing.SO_MANY,
            "at": standing.PORT,
            "from": standing.OTHER,
            "to": standing.GALLEY,
            "price": purchase.OFFER,
            "for": standing.GOODS_COUNTED,
        },
        ("to",),
        uses=(
            Use("agreed {at}", perhaps=True),
            Use("agreed {from}", perhaps=True),
            Use("ducats {at}", "quantity", purchase.PRICE),
            Use("room {to}", "quantity"),
            Use("box {at}", "quantity"),
            Use("aboard {to} {buy}", "quantity", -1),
            Use("aboard {to} {each}", "for"),
            Use("room {to}", "for", -1),
        ),
        subject=("to", "at"),
        prices=lambda state, player: {"": purchase.PRICE},
    ),
    "sell": Verb(
        deals.sell,
        {
            "sell": standing.GOOD,
            "quantity": standing.COUNT,
            "to": standing.OTHER,
            "from": standing.GALLEY,
            "price": deals.ASK,
            "for": standing.GOODS_COUNTED,
        },
        ("to", "from"),
        uses=(
            Use("agreed {to}", perhaps=True),
            Use("aboard {from} {sell}", "quantity"),
            Use("room {from}", "quantity", -1),
            Use("ducats", times=None),
        ),
        subject=("from", "to"),
    ),
    **building.VERBS,
    **building.TRANSFER_VERBS,
}
