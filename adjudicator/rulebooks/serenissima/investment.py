"""SER-6 Investment: sailors, a galley, forts and basilicas, in all one's ports."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, TypeVar

from adjudicator.engine.table.domain import Domain, Limit, Many, MapOf, OneOf, Record, Whole
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Path, Reason, Refused, unfit
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.serenissima.action import called
from adjudicator.rulebooks.serenissima.board import FLEET, HOLD, Good, PortId
from adjudicator.rulebooks.serenissima.events import Built, Called, Launched, Recruited
from adjudicator.rulebooks.serenissima.fields import COUNT, NUMBER, PLACE, PORT, Purchase, offered, purchase
from adjudicator.rulebooks.serenissima.naming import not_your_ports, numbers_free
from adjudicator.rulebooks.serenissima.state import (
    State,
    free_numbers,
    galleys_of,
    has,
    ports_of,
    purse,
    room,
    slots,
    stock_of_buildings,
    stock_of_sailors,
)

PAY = 1
"""SER-6.1: ducats for a sailor."""
COST = 2
"""SER-6.3: ducats for a fort or a basilica."""
Building = Literal["fort", "basilica"]
NEEDS: Mapping[Building, tuple[Good, Good]] = {"fort": ("wood", "stone"), "basilica": ("gold", "marble")}
"""SER-6.3: what a port must produce or hold."""
LEFT_OUT: Mapping[str, Any] = {"rule": "SER-6.1", "default": None}
T = TypeVar("T")


def invest(t: Table[State]) -> None:
    """SER-1.2, SER-6: an investment in place of a galley's action, line by line: one that fails leaves the others."""
    name = called(t, "invest")
    sailors = t.pick("sailors", MapOf(offered(recruiting(t.state, t.me), PLACE), COUNT), **LEFT_OUT)
    galley = t.pick("galley", shipyard(t.state, t.me), **LEFT_OUT)
    sites = Many(offered(ports_of(t.state, t.me), PORT))
    buildings: Mapping[Building, tuple[PortId, ...]] = {
        "fort": t.pick("fort", sites, **LEFT_OUT) or (),
        "basilica": t.pick("basilica", sites, **LEFT_OUT) or (),
    }
    t.play(Called(rule="SER-1.1", player=t.me, galley=name))
    for place, count in (sailors or {}).items():
        t.part(partial(recruit, place=place, count=count))
    if galley is not None:
        t.part(buy)
    for what, ports in buildings.items():
        for index, port in enumerate(ports):
            t.part(partial(build, what=what, port=port, path=(what, index)))


def shipyard(state: State, player: Player) -> Record[Purchase]:
    """SER-6.2: free numbers and own ports; others may be so by the time of the investment."""
    numbers = offered([int(name) for name in free_numbers(state)], NUMBER)
    return purchase(numbers, offered(ports_of(state, player), PORT), COUNT)


def recruiting(state: State, player: Player) -> list[str]:
    """SER-6.1: where sailors can be put that are bought."""
    ports = ports_of(state, player)
    return [*ports, *(name for name, galley in galleys_of(state, player).items() if galley.zone in ports)]


def recruit(t: Table[State], place: str, count: int) -> None:
    """SER-6.1: sailors at a ducat each, into an own port or onto an own galley in the zone of one."""
    elsewhere = {name: Reason("SER-6.1", "not-in-your-port", {"galley": name}) for name in t.state.galleys}
    path = ("sailors", place)
    admitted(OneOf(recruiting(t.state, t.me), but=not_your_ports(t.state, t.me) | elsewhere), place, path)
    galley = t.state.galleys.get(place)
    if galley is not None:
        limit = Limit(room(galley), "SER-0.6", "room", {"galley": place})
    else:
        free = slots(place) - t.state.ports[place].garrison
        limit = Limit(free, "SER-0.6", "port-full", {"port": place, "slots": slots(place)})
    admitted(Whole(1, [limit, *hiring(t, 0)]), count, path)
    t.play(Recruited(rule="SER-6.1", player=t.me, sailors=count, place=place, sum=PAY * count))


def hiring(t: Table[State], spent: int) -> list[Limit]:
    """SER-6.1, SER-0.1: as many sailors as the purse pays for, and as the stock has."""
    return [
        Limit((purse(t.state, t.me) - spent) // PAY, "SER-6.1", "purse", {"price": PAY}),
        Limit(stock_of_sailors(t.state, t.me), "SER-0.1", "stock"),
    ]


def buy(t: Table[State]) -> None:
    """SER-6.2: a galley for a ducat a galley already owned, any free number, at an own port, with sailors bought."""
    cost = price(t, "galley")
    ports = OneOf(list(ports_of(t.state, t.me)), but=not_your_ports(t.state, t.me))
    bought = t.pick("galley", purchase(numbers_free(t.state), ports, crew(t, cost)), rule="SER-6.2")
    launch(t, bought, cost, "SER-6.2")


def price(t: Table[State], *path: str) -> int:
    """SER-6.2, SER-0.1: what one more galley costs without its crew, as long as one may be had."""
    owned = len(galleys_of(t.state, t.me))
    if owned >= FLEET:
        raise unfit("fleet", path, "SER-0.1", most=FLEET)
    if PAY * owned >= purse(t.state, t.me):
        raise unfit("galley-purse", path, "SER-6.2", sum=PAY * owned, crew=PAY)
    return PAY * owned


def crew(t: Table[State], cost: int) -> Whole:
    """SER-6.2: the sailors bought aboard a new galley, at least one."""
    return Whole(1, [Limit(HOLD, "SER-0.6", "crew-too-large"), *hiring(t, cost)])


def launch(t: Table[State], bought: Purchase, cost: int, rule: str) -> None:
    """SER-6.2: the galley lies in the port's zone."""
    sum = cost + PAY * bought.crew
    number = str(bought.number)
    t.play(Launched(rule=rule, player=t.me, galley=number, port=bought.at, crew=bought.crew, sum=sum))


def build(t: Table[State], what: Building, port: PortId, path: Path) -> None:
    """SER-6.3: a fort where wood and stone are produced or held, a basilica where gold and marble are; one a port."""
    admitted(OneOf(list(ports_of(t.state, t.me)), but=not_your_ports(t.state, t.me)), port, path, "SER-6.3")
    lacking = [good for good in NEEDS[what] if not has(t.state, port, good)]
    if lacking:
        raise unfit("lacks", path, "SER-6.3", what=what, goods=lacking, port=port)
    if getattr(t.state.ports[port], what):
        raise unfit("built-already", path, "SER-6.3", what=what, port=port)
    if not stock_of_buildings(t.state, what):
        raise unfit("box", path, "SER-0.5", what=what, most=0)
    if purse(t.state, t.me) < COST:
        raise unfit("building-purse", path, "SER-6.3", what=what, sum=COST)
    t.play(Built(rule="SER-6.3", player=t.me, what=what, port=port, sum=COST))


def admitted(domain: Domain[T], value: T, path: Path, rule: str = "SER-6.1") -> None:
    """A value that stands somewhere in a field, as far as it is possible now. Raises Refused."""
    try:
        domain.read(value)
    except Refused as refused:
        raise refused.under(rule).within(*path) from None


INVEST = Verb(
    invest,
    {
        "invest": NUMBER,
        "sailors": MapOf(PLACE, COUNT),
        "galley": purchase(NUMBER, PORT, COUNT),
        "fort": Many(PORT),
        "basilica": Many(PORT),
    },
)
