"""MED-6 Sales and income, and MED-7 the end: prosperity points, and who has won."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from adjudicator.engine.table import Line, Player, Reason, Table, Use, Verb
from adjudicator.engine.table.domain import AllOf, Forms, OneOf
from adjudicator.engine.table.points import count as counted
from adjudicator.engine.table.reason import when_named
from adjudicator.rulebooks.mediterranee.board import BOARD, CAPITAL, Good, PortId, ZoneId
from adjudicator.rulebooks.mediterranee.events import Income, Sold
from adjudicator.rulebooks.mediterranee.standing import DUCATS, GALLEY, GOOD, PORT
from adjudicator.rulebooks.mediterranee.state import GalleyId, State, no_port_at, none_aboard, not_yours

INCOME = 300
A_SLOT = 100
"""MED-6.2: the ducats that a sale pays for each unit of the slot's number."""


def sell(t: Table[State]) -> None:
    """MED-6.1: a player sells goods aboard to the zone's port,
    which neither produces them nor has them in its warehouse."""
    mine = t.state.galleys_of(t.me)
    name = t.pick("from", OneOf(mine, but=not_yours(t.state, t.me)), rule="MED-6.1")
    galley = mine[name]
    here = [galley.zone] if galley.zone in BOARD.ports else []
    port = t.pick("at", OneOf(here, but=no_port_at(t.state, name)), rule="MED-6.1", default=galley.zone)
    warehouse, slots = t.state.ports[port].warehouse, BOARD.slots_of(port)
    t.require(len(warehouse) < len(slots), "MED-6.1", "warehouse-full", port=port)
    taken = (BOARD.ports[port].good, *warehouse)
    wanted = [good for good in dict.fromkeys(galley.cargo) if good not in taken]
    one = OneOf(wanted, but=not_wanted(name, port, warehouse))
    said = t.pick("sell", Forms(one, (AllOf(one),)), rule="MED-6.1")
    goods: Sequence[Good] = (said,) if isinstance(said, str) else said
    least = t.pick("least", DUCATS, rule="MED-6.2", default=0)
    sales = list(sell_goods(t, name, port, goods, least))
    if not sales:
        slot, bonus = slots[len(warehouse)], new_market(t.state, t.me, port, goods[0])
        t.require(False, "MED-6.2", "less-than-least", sum=A_SLOT * slot + bonus, least=least)
    for each in sales:
        t.play(each)


@when_named
def not_wanted(name: GalleyId, port: PortId, warehouse: Sequence[Good]) -> Mapping[Good, Reason]:
    """MED-6.1: why goods can't be sold in a port."""
    taken = dict.fromkeys(warehouse, Reason("MED-6.1", "in-warehouse", {"port": port}))
    return none_aboard(name) | taken | {BOARD.ports[port].good: Reason("MED-6.1", "produced", {"port": port})}


def sell_goods(
    t: Table[State], galley: GalleyId, port: PortId, goods: Sequence[Good], least: int
) -> Iterator[Sold]:
    """MED-6.1 to 6.3: sells goods one after another, each on the smallest slot free at that moment.

    **Ruling**: of several goods, one that would bring less than `least` is skipped; a full warehouse ends the sales.
    """
    free = BOARD.slots_of(port)[len(t.state.ports[port].warehouse) :]
    for good in goods:
        bonus = new_market(t.state, t.me, port, good)
        if not free or A_SLOT * free[0] + bonus < least:
            continue
        rule, slot = "MED-6.3" if bonus else "MED-6.2", free[0]
        yield Sold(t.me, good, galley, port, slot, A_SLOT * slot, bonus, rule=rule)
        free = free[1:]


def new_market(state: State, seller: Player, port: PortId, good: Good) -> int:
    """MED-6.3: the bonus for a good in a port; none in a neutral one or the seller's own."""
    owner = state.ports[port].owner
    return 0 if owner in (None, seller) or good in state.goods_of(owner) else bonus_in(port)


def new_markets(state: State, seller: Player, good: Good) -> dict[PortId, int]:
    """MED-6.3: the bonuses for a good in all ports where there is one."""
    owners = state.goods_of_owners().items()
    lacking = [owner for owner, goods in owners if good not in goods and owner not in (None, seller)]
    if not lacking:
        return {}
    return {port: bonus_in(port) for port, place in state.ports.items() if place.owner in lacking}


def bonus_in(port: PortId) -> int:
    """MED-6.3: the bonus for a good that no port of the owner produces or has: 500, in a capital 1,000."""
    return 1000 if BOARD.ports[port].size == "capital" else 500


def can(state: State, player: Player) -> bool:
    """MED-6.1: does the player have a good aboard that the port there takes? No port takes more later in the phase."""
    for galley in state.galleys.values():
        if galley.owner == player:
            for good in galley.cargo:
                if takes(state, galley.zone, good):
                    return True
    return False


def takes(state: State, zone: ZoneId, good: Good) -> bool:
    """MED-6.1: is there a port with a free slot that neither produces the good nor has it?"""
    if zone not in state.ports:
        return False
    warehouse = state.ports[zone].warehouse
    return len(warehouse) < len(BOARD.slots_of(zone)) and not state.has(zone, good)


def close(t: Table[State]) -> None:
    """MED-6.4: players who control their own capitals get 300; after the last turn the points are counted (MED-7)."""
    for player in t.state.order:
        if t.state.ports[CAPITAL[player]].owner == player:
            t.play(Income(rule="MED-6.4", player=player, sum=INCOME))
    if t.state.phase.turn == t.state.options.turns:
        count(t)


GOODS_SOLD = Forms(GOOD, (AllOf(GOOD),))
VERBS = {
    "sell": Verb(
        sell,
        {"sell": GOODS_SOLD, "at": PORT, "from": GALLEY, "least": DUCATS},
        ("from",),
        uses=(
            Use("aboard {from} {each}", "sell"),
            Use("market {from} {each}", "sell"),
            Use("slots {from}", "sell"),
            Use("price", "least", perhaps=True),
        ),
        subject=("from",),
        ranks="sell",
    )
}


A_POINT = 500
"""MED-7.1: ducats for a point; only full sums count."""
FULL = {"small": 2, "medium": 5, "capital": 10}
"""MED-7.1: the points of a port with a full warehouse, by its size."""


def points(state: State) -> Mapping[Player, tuple[Line, ...]]:
    """MED-7.1: each player's points line by line; the treasury's points are None if the reader can't see it."""
    return {player: lines(state, player) for player in state.players}


def lines(state: State, player: Player) -> tuple[Line, ...]:
    """MED-7.1: 10 points for the player's own capital, 1 for each full 500 ducats,
    and those of ports by their warehouses."""
    rule = "MED-7.1"
    own = int(state.ports[CAPITAL[player]].owner == player)
    treasury = state.players[player].treasury
    ducats = treasury.value // A_POINT if treasury.known else None
    found = [Line(rule, "own-capital", own, 10 * own), Line(rule, "treasury", ducats, ducats)]
    ports = state.ports_of(player)
    full = [port for port in ports if len(ports[port].warehouse) == len(BOARD.slots_of(port))]
    found.append(Line(rule, "not-full", len(ports) - len(full), len(ports) - len(full)))
    for size, worth in FULL.items():
        count = sum(BOARD.ports[port].size == size for port in full)
        found.append(Line(rule, f"full-{size}", count, worth * count))
    return tuple(found)


def count(t: Table[State]) -> None:
    """MED-7.1, MED-7.2: the points are counted; the highest total wins, a tie is a shared victory (Ruling)."""
    for player in t.state.order:
        t.reveal(t.state.players[player].treasury)
    found = {player: lines(t.state, player) for player in t.state.order}
    counted(t, found, rule="MED-7.1", won="MED-7.2")
