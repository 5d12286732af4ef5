"""SER-4 Action, third part: selling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.engine.table import Hindrances, Player, Reason, Refused, Table, first_of
from adjudicator.engine.table.board import routes
from adjudicator.engine.table.domain import Either, Many, MapOf, OneOf, Part, Record
from adjudicator.engine.table.reason import Path
from adjudicator.rulebooks.serenissima.board import BOARD, BORDERS, GOODS, GalleyId, Good, PortId, ZoneId
from adjudicator.rulebooks.serenissima.events import Sold
from adjudicator.rulebooks.serenissima.fields import GOOD, PORT
from adjudicator.rulebooks.serenissima.state import State

BONUS = 2
"""SER-4.2: the ducats that spice brings on top."""
SPICE = "spice"


def sales(goods: OneOf[Good]) -> Either:
    """SER-4.1: the type of what is sold: goods, or goods by port."""
    return Either((Many(goods), MapOf(PORT, Many(goods))))


SELL = sales(GOOD)
Goods = Sequence[tuple[Path, Good]]
"""The goods to sell, each with its place in the order."""
Wanted = Sequence[Good] | Mapping[PortId, Sequence[Good]]
"""The goods to sell where the route ends, or by port."""


def sales_now(state: State, player: Player, name: GalleyId, *, loads: bool, steps: int) -> Either:
    """SER-4.1: the goods that the galley has aboard, or can take aboard where it lies if it loads, where they can be
    sold as things stand: in its zone, or within so many steps of it."""
    zone = state.galleys[name].zone
    from_ = (name, *state.beside(player, zone)) if loads else (name,)
    aboard = {good for other in from_ for good in state.galleys[other].cargo}
    loaded = {BOARD.ports[zone].good} if loads and zone in BOARD.ports else set[Good]()
    held = [good for good in GOODS if good in aboard | loaded]
    near = routes(zone, BORDERS, steps)
    ports = [port for port in BOARD.ports if port in near]
    wanted = {port: [good for good in held if no_market(state, port, good) is None] for port in ports}
    markets = {port: Part(Many(OneOf(goods), most=1)) for port, goods in wanted.items() if goods}
    somewhere = [good for good in held if any(good in goods for goods in wanted.values())]
    return Either((Many(OneOf(somewhere)), Record(dict, markets)))


def goods_for_sale(wanted: Wanted, here: ZoneId, aims: Sequence[ZoneId]) -> Goods:
    """SER-4.1: the goods to sell in this zone, each with its place in the order;
    a plain list is for the ends of the ordered routes alone."""
    if isinstance(wanted, Mapping):
        return [(("sell", here, index), good) for index, good in enumerate(wanted.get(here, ()))]
    return [(("sell", index), good) for index, good in enumerate(wanted if here in aims else ())]


@first_of
def unsaleable(state: State, name: GalleyId, good: Good) -> Hindrances:
    """SER-4.1: why the galley can't sell a good where it is; None if it can."""
    port, cargo = state.galleys[name].zone, state.galleys[name].cargo
    yield port not in state.ports and Reason("SER-4.1", "no-port-there", {"zone": port})
    yield state.ports[port].closed and Reason("SER-0.3", "closed", {"port": port})
    yield good not in cargo and Reason("SER-4.1", "none-aboard", {"good": good, "galley": name})
    yield no_market(state, port, good)


@first_of
def no_market(state: State, port: PortId, good: Good) -> Hindrances:
    """SER-4.1: why a port doesn't take a good; None if it does."""
    place, held = BOARD.ports[port], state.ports[port].warehouse
    yield state.ports[port].closed and Reason("SER-0.3", "closed", {"port": port})
    yield good == place.good and Reason("SER-4.1", "produced", {"good": good, "port": port})
    yield good in held and Reason("SER-4.1", "in-warehouse", {"good": good, "port": port})
    yield len(held) == place.size and Reason("SER-4.1", "warehouse-full", {"port": port})


def sell(t: Table[State], path: Path, good: Good) -> None:
    """SER-4.1, SER-4.2: the cube goes on the free slot of the smallest value,
    and the bank pays that value, except in the player's own port."""
    name = t.state.turn().galley
    why, port = unsaleable(t.state, name, good), t.state.galleys[name].zone
    if why is not None:
        raise Refused(why, path)
    place = t.state.ports[port]
    price = 0 if place.owner == t.me else BOARD.slots_of(port)[len(place.warehouse)]
    rule, bonus = ("SER-4.2", BONUS) if good == SPICE else ("SER-4.1", 0)
    t.play(Sold(rule=rule, player=t.me, galley=name, port=port, good=good, sum=price, bonus=bonus))
