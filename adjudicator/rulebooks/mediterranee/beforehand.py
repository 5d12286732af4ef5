"""MED-0.9: how players who act earlier in the same phase can change the position, for a player's own check.

Each position results from one thing that they may do; it shows what is possible, not what is likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from adjudicator.engine.table import Player, Secret, changed
from adjudicator.rulebooks.mediterranee.board import BOARD, HOLD, PortId
from adjudicator.rulebooks.mediterranee.combat import targets
from adjudicator.rulebooks.mediterranee.purchase import highest
from adjudicator.rulebooks.mediterranee.sale import takes
from adjudicator.rulebooks.mediterranee.state import Galley, GalleyId, State


def earlier(state: State, me: Player) -> list[Player]:
    """The players who act before the player in the open phase, in the order of play."""
    return [player for player in state.order[: state.order.index(me)] if player in state.phase.due]


def rivals_in(state: State, me: Player, zone: str) -> dict[GalleyId, Galley]:
    """The galleys in a zone whose owners act before the player."""
    before = earlier(state, me)
    return {name: galley for name, galley in state.galleys_in(zone).items() if galley.owner in before}


# -- market ------------------------------------------------------------------------------------------------------------


def market(state: State, me: Player) -> Iterator[State]:
    """MED-2: earlier players fill or empty the supply, buy in the player's ports, or match open and standing deals."""
    before = earlier(state, me)
    rivals = {name: galley for name, galley in state.galleys.items() if galley.owner in before}
    if not rivals:
        return
    empty = {name: replace(galley, sailors=1, cargo=()) for name, galley in rivals.items()}
    yield replace(state, galleys={**state.galleys, **empty})
    yield after_purchases(state, me)
    income = sum(
        highest(state, me, BOARD.ports[port].good) * (HOLD - 1)
        for port in state.ports_of(me)
        for _ in rivals_in(state, me, port)
    )
    if income:
        yield with_money(state, me, income)
    yield from after_deals(state, me)


def after_purchases(state: State, me: Player) -> State:
    """MED-2.1, MED-2.9: the position after earlier players have bought and enlisted as much as they can where they
    are."""
    for player in earlier(state, me):
        for name, galley in state.galleys_of(player).items():
            if galley.zone in BOARD.ports:
                good = BOARD.ports[galley.zone].good
                state = state.with_goods(name, {good: min(galley.room(), state.supply_of(good))})
        for port, place in state.ports_of(player).items():
            state = state.with_sailors(port, len(place.warehouse))
    return state


def with_money(state: State, me: Player, change: int) -> State:
    """The position with the player's treasury changed by so many ducats, but not below 0."""
    treasury = max(0, state.players[me].treasury.value + change)
    return changed(state, "players", me, treasury=Secret(treasury))


def after_deals(state: State, me: Player) -> Iterator[State]:
    """MED-2.13: the positions after an earlier player's order has matched a standing deal of the player's."""
    for entry in state.players[me].standing.value.deals:
        for name, galley in state.galleys_of(me).items():
            if not rivals_in(state, me, galley.zone) or name not in (entry.from_ or entry.to or name):
                continue
            count = entry.quantity or HOLD
            if entry.sell in galley.cargo:
                kept = [good for good in galley.cargo if good != entry.sell]
                price = entry.ask or entry.floor or 0
                sold = changed(state, "galleys", name, cargo=tuple(kept))
                yield with_money(sold, me, price * count)
            elif entry.buy and galley.room():
                count = min(count, galley.room())
                bought = state.with_goods(name, {entry.buy: count})
                yield with_money(bought, me, -(entry.limit or entry.offer or 0) * count)


# -- combat ------------------------------------------------------------------------------------------------------------


def combat(state: State, me: Player) -> Iterator[State]:
    """MED-4: an earlier player's fight may sink or capture a galley, or kill a garrison."""
    for zone in dict.fromkeys(galley.zone for galley in state.galleys_of(me).values()):
        here = state.galleys_in(zone)
        rivals = {galley.owner for galley in rivals_in(state, me, zone).values()}
        attackers = {rival for rival in rivals if targets(state, zone, rival)}
        if not attackers:
            continue
        for name, galley in here.items():
            fought = galley.owner in attackers or attackers - {galley.owner}
            winners = {other.owner for other in here.values()} - {galley.owner}
            if fought:
                yield state.without_galley(name)
                for winner in sorted(winners):
                    if winner in attackers or galley.owner in attackers:
                        yield changed(state, "galleys", name, owner=winner, sailors=1)
        port = state.ports.get(zone)
        if port is not None and port.garrison and attackers - {port.owner}:
            yield changed(state, "ports", zone, garrison=0)


# -- landing and sales -------------------------------------------------------------------------------------------------


def landing(state: State, me: Player) -> Iterator[State]:
    """MED-5.2: an earlier player lands on a port without a garrison."""
    for zone in dict.fromkeys(galley.zone for galley in state.galleys_of(me).values()):
        port = state.ports.get(zone)
        if port is not None and not port.garrison:
            for owner in dict.fromkeys(galley.owner for galley in rivals_in(state, me, zone).values()):
                taken = changed(state, "ports", zone, owner=owner, garrison=1)
                yield replace(taken, landed=(*state.landed, zone))


def sale(state: State, me: Player) -> Iterator[State]:
    """MED-6.1: earlier players sell one good, or several, to a port that the player may sell to,
    or to another port of the same owner (MED-6.3)."""
    mine = {galley.zone for galley in state.galleys_of(me).values()} & state.ports.keys()
    owners = {state.ports[port].owner for port in mine} - {None, me}
    for port in (name for name, place in state.ports.items() if name in mine or place.owner in owners):
        goods = [good for galley in rivals_in(state, me, port).values() for good in galley.cargo]
        sold = [good for good in dict.fromkeys(goods) if takes(state, port, good)]
        for good in sold:
            yield after_sale(state, port, [good])
        for count in range(2, len(sold) + 1):
            yield after_sale(state, port, sold[:count])


def after_sale(state: State, port: PortId, goods: Sequence[str]) -> State:
    """MED-6.1: the position in which a port has taken as many of the goods as its slots hold."""
    warehouse = (*state.ports[port].warehouse, *goods)[: len(BOARD.slots_of(port))]
    return changed(state, "ports", port, warehouse=warehouse)
