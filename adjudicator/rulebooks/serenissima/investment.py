"""SER-6 Investment: sailors, a galley, forts and basilicas, in all of the player's ports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msgspec import Struct

from adjudicator.engine.table import Limits, Player, Prices, Reason, Table, Use, refused_at
from adjudicator.engine.table.domain import (
    Domain,
    Limit,
    Many,
    MapOf,
    Offering,
    OneOf,
    Part,
    Record,
    Whole,
    record,
)
from adjudicator.engine.table.reason import when_named
from adjudicator.rulebooks.serenissima import events, fields
from adjudicator.rulebooks.serenissima.board import FLEET, HOLD, Building, Good, PortId
from adjudicator.rulebooks.serenissima.state import State

PAY = 1
"""SER-6.1: ducats for a sailor."""
COST = 2
"""SER-6.3: ducats for a fort or a basilica."""
NEEDS: Mapping[Building, tuple[Good, Good]] = {"fort": ("wood", "stone"), "basilica": ("gold", "marble")}
"""SER-6.3: what a port must produce or hold."""
KINDS = tuple(NEEDS)


class Purchase(Struct, frozen=True):
    """SER-6.2: the purchase of a galley: its number, its port, and the sailors bought aboard."""

    number: int | str
    at: PortId
    crew: int


def purchase(number: Domain[int | str], at: Domain[PortId], crew: Domain[int]) -> Record[Purchase]:
    """SER-6.2: the type of the field for a galley; all its parts are needed."""
    return record(Purchase, {"number": number, "at": at, "crew": crew})


def invest(t: Table[State]) -> bool | None:
    """SER-1.2, SER-6: an investment takes the place of a galley's action; if one line fails, the others still count."""
    name = str(t.pick("invest", fields.galleys_to_call(t.state, t.me), rule="SER-1.1"))

    def wanted(field: str, now: Callable[[State, Player], Domain[Any]]) -> Any:
        """What isn't possible now may be when the investment is made: it is admitted now, and checked then."""
        offered = Offering(INVEST[field], partial(now, t.state, t.me))
        return t.pick(field, offered, rule="SER-6.1", default=None)

    sailors, galley = wanted("sailors", recruits_now) or {}, wanted("galley", purchase_now)
    buildings = {what: wanted(what, partial(sites_now, what)) or () for what in KINDS}
    t.play(events.Called(rule="SER-1.1", player=t.me, galley=name))
    for place, count in sailors.items():
        t.part(partial(recruit, place=place, count=count))
    if galley is not None:
        t.part(buy)
    for what, ports in buildings.items():
        for index, port in enumerate(ports):
            t.part(partial(build, what=what, index=index, port=port))
    return t.state.rules < 3 or None  # SER-1.2


def places_for_crew(state: State, player: Player) -> list[str]:
    """SER-6.1: the places where newly bought sailors can go."""
    ports = state.ports_of(player)
    return [*ports, *(name for name, galley in state.galleys_of(player).items() if galley.zone in ports)]


def recruits_now(state: State, player: Player) -> Record[Any]:
    """SER-6.1: how many sailors can be bought for each place."""
    limits = limits_of_recruits(state, player, 0)
    places = places_for_crew(state, player)
    each = {place: Whole(1, [fields.berths(state, place), *limits]) for place in places}
    return Record(dict, {place: Part(count) for place, count in each.items() if list(count.values())})


def purchase_now(state: State, player: Player) -> Record[Any]:
    """SER-6.2: what can be bought as a galley; no part if none can."""
    cost = PAY * len(state.galleys_of(player))
    crew = sailors_bought(state, player, cost)
    number, at = fields.numbers_to_buy(state), fields.own_ports(state, player)
    if cost == PAY * FLEET or not (number.among and at.among and list(crew.values())):
        return Record(dict, {})
    return purchase(number, at, crew)


def sites_now(what: Building, state: State, player: Player) -> Many[PortId]:
    """SER-6.3: the ports where something can be built, as many as can be paid for."""
    ports = [name for name in state.ports_of(player) if can_be_built(state, what, name)]
    most = min(state.purse(player) // COST, state.stock_of(what), len(ports))
    return Many(OneOf(ports if most else ()), most=most, distinct=True)


def can_be_built(state: State, what: Building, port: PortId) -> bool:
    """SER-6.3: has the port the goods for it, and none yet?"""
    return all(state.has(port, good) for good in NEEDS[what]) and not getattr(state.ports[port], what)


@when_named
def why_no_crew(state: State, player: Player) -> dict[str, Reason]:
    """SER-6.1: why sailors that are bought can't be put in a port or on a galley."""
    elsewhere = {name: Reason("SER-6.1", "not-in-your-port", {"galley": name}) for name in state.galleys}
    return {**fields.why_not_own(state, player), **elsewhere}


def recruit(t: Table[State], place: str, count: int) -> None:
    """SER-6.1: sailors cost a ducat each and go into the player's ports,
    or onto the player's galleys in the zone of one."""
    with refused_at("sailors", place, rule="SER-6.1"):
        OneOf(places_for_crew(t.state, t.me), but=why_no_crew(t.state, t.me)).read(place)
        Whole(1, [fields.berths(t.state, place), *limits_of_recruits(t.state, t.me, 0)]).read(count)
    t.play(events.Recruited(rule="SER-6.1", player=t.me, sailors=count, place=place, sum=PAY * count))


def limits_of_recruits(state: State, player: Player, spent: int) -> list[Limit]:
    """SER-6.1, SER-0.1: the player can buy as many sailors as the purse pays for and the stock has."""
    most, stock = (state.purse(player) - spent) // PAY, state.stock_of_sailors(player)
    return [Limit(most, "SER-6.1", "purse", {"price": PAY}), Limit(stock, "SER-0.1", "stock")]


def buy(t: Table[State]) -> None:
    """SER-6.2: a galley costs as many ducats as the player has galleys; it gets any free number (**Ruling**: `any` is
    the lowest, a list gives the first that is free), at one of the player's ports, and sailors are bought with it."""
    with refused_at("galley"):
        cost = price(t)
    number, at = fields.ranked(fields.numbers_to_buy(t.state)), fields.own_ports(t.state, t.me)
    galley = purchase(number, at, sailors_bought(t.state, t.me, cost))
    launch(t, t.pick("galley", galley, rule="SER-6.2"), cost, "SER-6.2")


def price(t: Table[State]) -> int:
    """SER-6.2, SER-0.1: the price of one more galley without its crew; refused if the fleet or the purse forbids it."""
    owned = len(t.state.galleys_of(t.me))
    t.require(owned < FLEET, "SER-0.1", "fleet", most=FLEET)
    t.require(PAY * owned < t.state.purse(t.me), "SER-6.2", "galley-purse", sum=PAY * owned, crew=PAY)
    return PAY * owned


def prices(state: State, player: Player) -> Prices:
    """SER-6.1 to 6.3: what each sailor, one more galley without its crew, and a building cost."""
    return {"sailors": PAY, "galley": PAY * len(state.galleys_of(player)), **dict.fromkeys(KINDS, COST)}


def sailors_bought(state: State, player: Player, cost: int) -> Whole:
    """SER-6.2: the sailors bought aboard a new galley, at least one."""
    return Whole(1, [Limit(HOLD, "SER-0.6", "crew-too-large"), *limits_of_recruits(state, player, cost)])


def launch(t: Table[State], bought: Purchase, cost: int, rule: str) -> None:
    """SER-6.2: the galley is placed in the port's zone."""
    number = bought.number if bought.number != fields.ANY else t.state.free_numbers()[0]
    name, price = str(number), cost + PAY * bought.crew
    t.play(events.Launched(t.me, name, bought.at, bought.crew, price, rule=rule))


def build(t: Table[State], what: Building, index: int, port: PortId) -> None:
    """SER-6.3: a fort needs wood and stone produced or held by the port, a basilica gold and marble;
    a port has one of each."""
    with refused_at(what, index, rule="SER-6.3"):
        fields.own_ports(t.state, t.me).read(port)
        lacking = [good for good in NEEDS[what] if not t.state.has(port, good)]
        t.require(not lacking, "SER-6.3", "lacks", what=what, goods=lacking, port=port)
        t.require(not getattr(t.state.ports[port], what), "SER-6.3", "built-already", what=what, port=port)
        t.require(t.state.stock_of(what) > 0, "SER-0.5", "box", what=what, most=0)
        t.require(t.state.purse(t.me) >= COST, "SER-6.3", "building-purse", what=what, sum=COST)
    t.play(events.Built(rule="SER-6.3", player=t.me, what=what, port=port, sum=COST))


INVEST: fields.Fields = {
    "invest": fields.NUMBER,
    "sailors": MapOf(fields.PLACE, fields.COUNT),
    "galley": purchase(fields.ranked(fields.NUMBER_TO_BUY), fields.PORT, fields.COUNT),
    **dict.fromkeys(KINDS, Many(fields.PORT)),
}
USES = (
    Use("ducats", "sailors", PAY),
    Use("stock", "sailors"),
    Use("berths {each}", "sailors", perhaps=True),
    Use("parts", "galley", perhaps=True),
    *(
        use
        for what in KINDS
        for use in (Use("ducats", what, COST), Use(f"{what} {{each}}", what, perhaps=True))
    ),
)


def limits(state: State, player: Player) -> Limits:
    """SER-1.2, SER-6: the purse, the stock, berths, and where one can build. What a galley sells, loads, fights or is
    bought for is looked at in its own turn."""
    found = {
        "ducats": Limit(state.purse(player), "SER-6.1", "ducats-left"),
        "stock": Limit(state.stock_of_sailors(player), "SER-0.1", "stock"),
        "parts": Limit(0, "SER-1.2", "in-its-turn"),
    }
    for name, galley in state.galleys_of(player).items():
        found[f"sailors {name}"] = Limit(galley.sailors, "SER-3.1", "as-sailors", {"galley": name})
    for place, why in why_no_crew(state, player).items():
        found[f"berths {place}"] = Limit(0, why.rule or "SER-6.1", why.key, why.facts)
    for place in places_for_crew(state, player):
        found[f"berths {place}"] = fields.berths(state, place)
    for what in KINDS:
        for name in state.ports_of(player):
            able = can_be_built(state, what, name) and state.stock_of(what) > 0
            found[f"{what} {name}"] = Limit(int(able), "SER-6.3", "one-a-port", {"what": what, "port": name})
    return found
