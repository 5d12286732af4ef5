"""What is left of everything that a player's orders in a phase share:
ducats, room, sailors and goods, what ports give."""

from __future__ import annotations

from adjudicator.engine.table import Limits, Player
from adjudicator.engine.table.domain import Limit
from adjudicator.rulebooks.mediterranee.board import BOARD, GOODS, HOLD, PortId
from adjudicator.rulebooks.mediterranee.deals import partners
from adjudicator.rulebooks.mediterranee.setup import sailors_to_place
from adjudicator.rulebooks.mediterranee.state import (
    State,
    galleys_of,
    has,
    ports_of,
    room,
    supply_of,
    supply_of_fortresses,
    supply_of_galleys,
    supply_of_sailors,
)


def rooms(state: State, player: Player) -> Limits:
    """MED-0.6: how many more pieces there is room for aboard each galley."""
    mine = galleys_of(state, player)
    return {
        f"room {name}": Limit(room(galley), "MED-0.6", "room", {"galley": name})
        for name, galley in mine.items()
    }


def pieces(state: State, player: Player) -> Limits:
    """MED-2.10: the sailors of each galley and garrison, and of the garrison where a galley lies; of goods, those that
    the player has aboard or can buy."""
    found: dict[str, Limit] = {}
    mine = galleys_of(state, player)
    aboard = {good for galley in mine.values() for good in galley.cargo}
    bought = {BOARD.ports[port].good for port in ports_near(state, player)}
    goods = [good for good in GOODS if good in aboard | bought]
    for name, galley in mine.items():
        held = {"sailors": galley.sailors, **{good: galley.cargo.count(good) for good in goods}}
        for what, count in held.items():
            found[f"aboard {name} {what}"] = Limit(count, "MED-2.10", "aboard", {"galley": name})
    for name, port in ports_of(state, player).items():
        found[f"aboard {name} sailors"] = Limit(port.garrison, "MED-2.10", "garrison", {"port": name})
    for name, galley in mine.items():
        if f"aboard {galley.zone} sailors" in found:
            found[f"ashore {name}"] = found[f"aboard {galley.zone} sailors"]
    return found


def setup(state: State, player: Player) -> Limits:
    """MED-0.3: the sailors to place, and the room for them."""
    return {
        "to-place": Limit(sailors_to_place(state, player), "MED-0.3", "sailors-left"),
        **rooms(state, player),
    }


def market(state: State, player: Player) -> Limits:
    """MED-2: ducats, pieces and room, what each port of the player's gives, what the box has, and the owners with whom
    a price must be agreed."""
    found = {**rooms(state, player), **pieces(state, player), **limits_of_box(state)}
    found["ducats"] = Limit(state.players[player].treasury.value, "MED-2.2", "ducats-left")
    found["crew"] = Limit(HOLD, "MED-0.6", "crew-too-large")
    for port, place in ports_of(state, player).items():
        goods, already = len(place.warehouse), state.enlisted.get(port, 0)
        facts = {"port": port, "goods": goods, "already": already}
        found[f"enlisting {port}"] = Limit(goods - already, "MED-2.9", "warehouse", facts)
    near = ports_near(state, player)
    supply = {
        good: box(good, supply_of(state, good)) for good in {BOARD.ports[port].good: 0 for port in near}
    }
    for port in near:  # the purse under the name of each port: a deal with a player may cost nothing
        good = BOARD.ports[port].good
        found[f"ducats {port}"], found[f"box {port}"] = found["ducats"], supply[good]
        found[f"box {good}"] = supply[good]
    others = [port for port in near if state.ports[port].owner not in (None, player)]
    for name in (*others, *partners(state, player)):
        found[f"agreed {name}"] = Limit(0, "MED-2.5", "to-agree", {"name": name})
    return found


def limits_of_box(state: State) -> dict[str, Limit]:
    """MED-0.5: what the box has left of what is built and enlisted."""
    left = {"sailors": supply_of_sailors(state), "galley": supply_of_galleys(state)}
    left["fortress"] = supply_of_fortresses(state)
    return {f"box {what}": box(what, count) for what, count in left.items()}


def box(what: str, left: int) -> Limit:
    """MED-0.5: how much is left of something."""
    return Limit(left, "MED-0.5", "box", {"what": what})


def ports_near(state: State, player: Player) -> list[PortId]:
    """MED-2.1: the ports in which the player has a galley."""
    zones = dict.fromkeys(galley.zone for galley in galleys_of(state, player).values())
    return [zone for zone in zones if zone in BOARD.ports]


def sale(state: State, player: Player) -> Limits:
    """MED-6.1, MED-6.2: the slots of the ports where galleys lie, and which goods each still takes once; what a sale
    brings is known later."""
    found = {**pieces(state, player), "price": Limit(0, "MED-6.2", "price-later")}
    free: dict[str, Limit] = {}
    takes: dict[tuple[str, str], Limit] = {}
    for name, galley in galleys_of(state, player).items():
        if galley.zone not in BOARD.ports:
            continue
        port, warehouse = galley.zone, state.ports[galley.zone].warehouse
        slots = len(BOARD.slots_of(port)) - len(warehouse)
        found[f"slots {name}"] = free.setdefault(
            port, Limit(slots, "MED-6.1", "warehouse-full", {"port": port})
        )
        for good in GOODS:
            one = Limit(int(not has(port, warehouse, good)), "MED-6.1", "sold-already", {"port": port})
            found[f"market {name} {good}"] = takes.setdefault((port, good), one)
    return found
