"""SER-2 Action, first part: loading."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from adjudicator.engine.table import Player, Reason, Table, Verb, refused_at
from adjudicator.engine.table.domain import (
    Counts,
    Domain,
    Either,
    Limit,
    Many,
    MapOf,
    OneOf,
    Part,
    Record,
    Whole,
    between,
    some,
)
from adjudicator.engine.table.reason import LazyReasons, Path, unfit, when_named
from adjudicator.rulebooks.serenissima import events
from adjudicator.rulebooks.serenissima.board import BOARD, GOODS, HOLD, GalleyId, Good, ZoneId
from adjudicator.rulebooks.serenissima.fields import COUNT, GOOD, NUMBER, PLACE, berths, none_of_these
from adjudicator.rulebooks.serenissima.state import Bank, Galley, State

PRICE = 1
"""SER-2.3: ducats for a cube."""


def line(
    places: OneOf[str], goods: OneOf[Good], galleys: OneOf[int], moved: OneOf[Good], aboard: OneOf[Good]
) -> Record[Any]:
    """SER-2: the type of a line of loading: sources of sailors, goods of the port, other galleys, the goods that can be
    moved between galleys, and those aboard."""
    parts: dict[str, Part[Any]] = {
        "sailors": Part(MapOf(places, Whole(-HOLD))),
        "goods": Part(MapOf(goods, COUNT)),
        "transfer": Part(MapOf(moved, COUNT)),
        "from": Part(galleys),
        "to": Part(galleys),
        "jettison": Part(MapOf(aboard, COUNT)),
        "sink": Part(galleys),
    }
    return Record(dict, {**parts, "else": Part(Many(Record(dict, parts)))})


LINE = line(PLACE, GOOD, NUMBER, GOOD, GOOD)


def lines_now(state: State, player: Player, name: GalleyId) -> Many[Any]:
    """SER-2: the lines of which each is possible by itself as things stand; others may be when the galley's turn
    comes, or after other lines."""
    galley, beside = state.galleys[name], [str(other) for other in others(state, player, name)]
    mine = [int(each) for each in state.beside(player, galley.zone)]
    lines: list[Mapping[str, Domain[Any]]] = [
        {"sailors": Record(dict, sailors_now(state, player, name))},
        {"goods": goods_now(state, player, name)},
        {"jettison": cubes(galley, HOLD)},
        {"sink": OneOf(mine)},
    ]
    for each in beside:
        other, called = state.galleys[each], OneOf([int(each)])
        lines.append({"transfer": cubes(other, galley.room()), "from": called})
        lines.append({"transfer": cubes(galley, other.room()), "to": called})
    possible = [line for line in lines if all(some(domain.schema()) for domain in line.values())]
    needed = [{field: Part(domain, needed=True) for field, domain in line.items()} for line in possible]
    instead: Part[Any] = Part(Many(Either(tuple(Record(dict, parts) for parts in needed))))
    return Many(Either(tuple(Record(dict, {**parts, "else": instead}) for parts in needed)))


def largest_crew(state: State, player: Player, name: GalleyId) -> int:
    """SER-2.1: the most sailors that the galley can have when it has loaded."""
    galley, places = state.galleys[name], places_for_sailors(state, player, name)
    return min(HOLD, galley.sailors + sum(leaving(state, place).most for place in places))


def sailors_now(state: State, player: Player, name: GalleyId) -> Mapping[str, Part[int]]:
    """SER-2.1: how many sailors can come aboard from each place, or (below 0) leave for it."""
    galley = state.galleys[name]
    found = {}
    for place in places_for_sailors(state, player, name):
        most = min(leaving(state, place).most, galley.room())
        least = -min(galley.sailors, berths(state, place).most)
        if most or least:
            found[place] = Part(between(least, most))
    return found


def goods_now(state: State, player: Player, name: GalleyId) -> Counts:
    """SER-2.3: what the galley can load where it lies: the port's good, as far as there is money, stock and room."""
    port = state.ports.get(state.galleys[name].zone)
    if port is None or port.closed:
        return Counts({})
    good = BOARD.ports[state.galleys[name].zone].good
    paid = state.purse(player) // PRICE + (port.owner == player)
    return Counts({good: between(0, min(paid, state.stock_of(good), state.galleys[name].room()))})


def cubes(galley: Galley, most: int) -> Counts:
    """SER-2.4: the goods of a galley that can leave it for so much room."""
    return Counts({good: between(0, min(galley.cargo.count(good), most)) for good in GOODS})


def load(t: Table[State], lines: int) -> None:
    """SER-2.4: loads line by line. If the galley is too full in the end, the last line that made it so is undone, and
    its `else` is tried in its place."""
    name = t.state.turn().galley
    taken_back: set[Path] = set()
    while lines and not t.part(partial(carry, lines=lines, but=taken_back)):
        pass
    sink_empty(t, name, "SER-0.6")


def carry(t: Table[State], lines: int, but: set[Path]) -> None:
    """SER-0.6, SER-2.4: carries out the lines except those undone;
    the galley's limit is checked when the loading is over."""
    last: Path | None = None
    held = burden(t.state)
    for index in range(lines):
        line, before = t.step("load", index, LINES, but), held
        held = burden(t.state)
        if held > before:
            last = line
    if held > HOLD and last is not None:
        but.add(last)
        raise unfit("overloaded", last, "SER-0.6", galley=t.state.turn().galley, most=HOLD)


def burden(state: State) -> int:
    """SER-0.6: the number of sailors and goods aboard the active galley."""
    galley = state.galleys.get(state.turn().galley)
    return HOLD - galley.room() if galley else 0


def active_galley(t: Table[State]) -> GalleyId:
    """SER-0.6: the active galley, if there still is one."""
    name = t.state.turn().galley
    t.require(name in t.state.galleys, "SER-0.6", "sunk-now", galley=name)
    return name


def others(state: State, player: Player, name: GalleyId) -> list[int]:
    """The player's other galleys in the galley's zone."""
    return [int(other) for other in state.beside(player, state.galleys[name].zone) if other != name]


def places_for_sailors(state: State, player: Player, name: GalleyId) -> list[str]:
    """SER-2.1: the player's own port where a galley lies, and the player's other galleys there."""
    zone = state.galleys[name].zone
    own = zone in state.ports and state.ports[zone].owner == player
    return [*[zone] * own, *map(str, others(state, player, name))]


def sailors(t: Table[State]) -> None:
    """SER-2.1: sailors go between the active galley and the player's own port or other galleys there."""
    name = active_galley(t)
    here = t.state.galleys[name].zone
    whys = lie_elsewhere("SER-2.1", here, name, *t.state.galleys) | ports_elsewhere(here)
    if here in t.state.ports:
        whys |= {here: Reason("SER-2.1", "port-not-yours", {"owner": t.state.ports[here].owner, "yours": []})}
    places = OneOf(places_for_sailors(t.state, t.me, name), but=whys)
    change = t.pick("sailors", MapOf(places, Whole(-HOLD)), rule="SER-2.1")
    for place, sailors in sorted(change.items(), key=lambda item: item[1] < 0):
        source, target, count = (place, name, sailors) if sailors > 0 else (name, place, -sailors)
        limits = [leaving(t.state, source), *([berths(t.state, place)] if target == place else [])]
        with refused_at("sailors", place, rule="SER-2.1"):
            Whole(0, limits).read(count)
        if count:
            t.play(events.Shifted(rule="SER-2.1", player=t.me, sailors=count, source=source, target=target))
        sink_empty(t, place, "SER-0.6")


def leaving(state: State, place: str) -> Limit:
    """SER-2.1, SER-2.2: all sailors may leave a galley; in a port one stays."""
    if place in state.ports:
        return Limit(state.ports[place].garrison - 1, "SER-2.2", "one-stays", {"port": place})
    return Limit(state.galleys[place].sailors, "SER-2.1", "aboard", {"galley": place})


def goods(t: Table[State]) -> None:
    """SER-2.3: the galley loads goods that the port produces:
    in the player's own port the first cube is free, all others cost a ducat."""
    name = active_galley(t)
    zone = t.state.galleys[name].zone
    t.require(zone in t.state.ports, "SER-2.3", "no-port-there", zone=zone)
    t.require(not t.state.ports[zone].closed, "SER-0.3", "closed", port=zone)
    good, owner = BOARD.ports[zone].good, t.state.ports[zone].owner
    free = int(owner == t.me and not t.state.turn().free_cube)
    paid = Limit(t.state.purse(t.me) // PRICE + free, "SER-2.3", "purse", {"price": PRICE})
    box = Limit(t.state.stock_of(good), "SER-0.5", "box", {"what": good})
    whys = dict.fromkeys(GOODS, Reason("SER-2.3", "not-produced", {"port": zone, "good": good}))
    quantity = t.pick("goods", Counts({good: Whole(0, [paid, box])}, but=whys), rule="SER-2.3")[good]
    price, seller = PRICE * (quantity - free), owner if owner and owner != t.me else Bank
    t.play(events.Loaded(t.me, name, zone, good, quantity, price, seller, rule="SER-2.3"))


def transfer(t: Table[State]) -> None:
    """SER-2.4: goods go between the active galley and the player's other galleys in the zone, free of charge."""
    name = active_galley(t)
    whys = galleys_elsewhere(t.state, t.me, "SER-2.4", name)
    galleys = OneOf(others(t.state, t.me, name), but=whys)
    source = t.pick("from", galleys, rule="SER-2.4", default=None)
    target = t.pick("to", galleys, rule="SER-2.4", default=None)
    t.require((source is None) != (target is None), "SER-2.4", "from-or-to")
    origin, end = (str(source), name) if target is None else (name, str(target))
    what = t.pick("transfer", aboard(t.state, origin), rule="SER-2.4")
    if end != name:
        room = t.state.galleys[end].room()
        t.require(sum(what.values()) <= room, "SER-0.6", "no-room", galley=end, most=room)
    t.play(events.Transferred(rule="SER-2.4", player=t.me, goods=what, source=origin, target=end))


def jettison(t: Table[State]) -> None:
    """SER-2.4: goods are thrown into the sea."""
    name = active_galley(t)
    what = t.pick("jettison", aboard(t.state, name), rule="SER-2.4")
    t.play(events.Jettisoned(rule="SER-2.4", player=t.me, galley=name, goods=what))


def aboard(state: State, name: GalleyId) -> Counts:
    """SER-2.4: the goods that can leave a galley."""
    held = state.galleys[name].cargo
    limits = {good: Limit(held.count(good), "SER-2.4", "aboard", {"galley": name}) for good in GOODS}
    return Counts({good: Whole(0, [limit]) for good, limit in limits.items()})


def scuttle(t: Table[State]) -> None:
    """SER-0.6: a player may sink one of his or her galleys in the zone."""
    name = active_galley(t)
    mine = [int(other) for other in t.state.beside(t.me, t.state.galleys[name].zone)]
    galleys = OneOf(mine, but=galleys_elsewhere(t.state, t.me, "SER-0.6", name))
    sink(t, str(t.pick("sink", galleys, rule="SER-0.6")), "SER-0.6")


@when_named
def lie_elsewhere(rule: str, zone: ZoneId, active: GalleyId, *names: str | int) -> dict[Any, Reason]:
    """Why galleys on the board can't be named: not in the active galley's zone, another player's, or that one."""
    elsewhere = dict.fromkeys(names, Reason(rule, "lies-elsewhere", {"zone": zone}))
    return elsewhere | {name: Reason(rule, "that-galley") for name in names if str(name) == active}


@when_named
def ports_elsewhere(zone: ZoneId) -> dict[Any, Reason]:
    """SER-2.1: why ports in other zones can't be named."""
    return dict.fromkeys(BOARD.ports, Reason("SER-2.1", "port-not-here", {"zone": zone}))


def galleys_elsewhere(state: State, player: Player, rule: str, active: GalleyId) -> LazyReasons:
    """Why galleys can't be named that aren't beside the active one, or not on the board."""
    zone = state.galleys[active].zone
    return none_of_these(state, player) | lie_elsewhere(rule, zone, active, *map(int, state.galleys))


def sink(t: Table[State], name: GalleyId, rule: str) -> None:
    """SER-0.6, SER-5.4: the galley goes back to the stock, with its sailors and goods."""
    lost = t.state.galleys[name]
    t.play(events.Sank(rule=rule, player=lost.owner, galley=name, sailors=lost.sailors, cargo=lost.cargo))


def sink_empty(t: Table[State], place: str, rule: str) -> None:
    """SER-0.6, SER-5.4: a galley that is left without a sailor is sunk."""
    if place in t.state.galleys and not t.state.galleys[place].sailors:
        sink(t, place, rule)


FIELDS = {name: part.domain for name, part in LINE.parts.items() if name != "else"}
STEPS = {"sailors": sailors, "goods": goods, "transfer": transfer, "jettison": jettison, "sink": scuttle}
LINES = {name: Verb(rule, FIELDS) for name, rule in STEPS.items()}
"""SER-2: the verbs of the lines of a loading."""
