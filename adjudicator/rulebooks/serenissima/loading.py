"""SER-2 Action, first part: loading."""

from __future__ import annotations

from functools import partial
from typing import Any

from adjudicator.engine.table.domain import Counts, Limit, Many, MapOf, OneOf, Whole
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason, unfit
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.serenissima.board import BOARD, GOODS, HOLD, GalleyId
from adjudicator.rulebooks.serenissima.events import Jettisoned, Loaded, Sank, Shifted, Transferred
from adjudicator.rulebooks.serenissima.fields import GOOD, LINE, NUMBER, PLACE, line, offered
from adjudicator.rulebooks.serenissima.naming import other_goods
from adjudicator.rulebooks.serenissima.state import (
    Bank,
    State,
    beside,
    counted,
    purse,
    room,
    slots,
    stock_of,
)

PRICE = 1
"""SER-2.3: ducats for a cube."""


def load(t: Table[State], name: GalleyId, lines: int) -> None:
    """SER-2.4: line by line; if the galley is too full in the end, the last line that made it so is taken back."""
    taken_back: set[int] = set()
    while not t.part(partial(carry, name=name, lines=lines, but=taken_back)):
        pass
    if name in t.state.galleys and t.state.galleys[name].sailors == 0:
        sink(t, name)


def carry(t: Table[State], name: GalleyId, lines: int, but: set[int]) -> None:
    """SER-0.6, SER-2.4: the lines but those taken back; the galley's limit is looked at when the loading is over."""
    last = None
    for index in range(lines):
        if index in but:
            continue
        before = burden(t.state, name)
        t.step("load", index, lines_of(name))
        if burden(t.state, name) > before:
            last = index
    if burden(t.state, name) > HOLD and last is not None:
        but.add(last)
        raise unfit("overloaded", ("load", last), "SER-0.6", galley=name, most=HOLD)


def lines_now(state: State, player: Player, name: GalleyId) -> Many[Any]:
    """SER-2: what a line can hold as things stand; what else there is may be possible when the turn comes."""
    port = BOARD.ports.get(state.galleys[name].zone)
    near = [int(other) for other in other_galleys(state, player, name)]
    places = offered(mates(state, player, name), PLACE)
    return Many(line(places, offered([port.good] if port else [], GOOD), offered(near, NUMBER)))


def burden(state: State, name: GalleyId) -> int:
    """SER-0.6: sailors and goods aboard."""
    return HOLD - room(state.galleys[name]) if name in state.galleys else 0


def sailors(t: Table[State], name: GalleyId) -> None:
    """SER-2.1: sailors come from the own port or one's other galleys there, or go to them."""
    here = t.state.galleys[name].zone
    places = MapOf(OneOf(mates(t.state, t.me, name), but=no_mates(t.state, t.me, name)), Whole(-HOLD))
    change = t.pick("sailors", places, rule="SER-2.1")
    for place, count in sorted(change.items(), key=lambda item: item[1] < 0):
        source, target = (place, name) if count > 0 else (name, place)
        check_shift(t.state, source, target, abs(count), place)
        if count:
            shifted = Shifted(rule="SER-2.1", player=t.me, sailors=abs(count), source=source, target=target)
            t.play(shifted)
        if place != here and t.state.galleys[place].sailors == 0:
            sink(t, place)


def check_shift(state: State, source: str, target: str, count: int, place: str) -> None:
    """SER-0.6, SER-2.2: as many as there are; one stays in a port; as many as the port or the other galley takes."""
    at = ("sailors", place)
    if source in state.ports and count >= state.ports[source].garrison:
        most = state.ports[source].garrison - 1
        raise unfit("one-stays", at, "SER-2.2", value=count, port=source, most=most)
    if source in state.galleys and count > state.galleys[source].sailors:
        raise unfit("aboard", at, "SER-2.1", value=count, galley=source, most=state.galleys[source].sailors)
    if target in state.ports and count > slots(target) - state.ports[target].garrison:
        free = slots(target) - state.ports[target].garrison
        raise unfit("port-full", at, "SER-0.6", value=count, port=target, slots=slots(target), most=free)
    if target == place and target in state.galleys and count > room(state.galleys[target]):
        raise unfit("room", at, "SER-0.6", value=count, galley=target, most=room(state.galleys[target]))


def mates(state: State, player: Player, name: GalleyId) -> list[str]:
    """SER-2.1: the own port where the galley lies, and one's other galleys there."""
    zone = state.galleys[name].zone
    own = zone in state.ports and state.ports[zone].owner == player
    return [*([zone] if own else []), *other_galleys(state, player, name)]


def no_mates(state: State, player: Player, name: GalleyId) -> dict[str, Reason]:
    """SER-2.1: why sailors can't come from elsewhere."""
    zone = state.galleys[name].zone
    whys = dict.fromkeys((*state.ports, *state.galleys), Reason("SER-2.1", "lies-elsewhere", {"zone": zone}))
    if zone in state.ports:
        whys[zone] = Reason("SER-2.1", "port-not-yours", {"owner": state.ports[zone].owner, "yours": []})
    return whys


def other_galleys(state: State, player: Player, name: GalleyId) -> list[GalleyId]:
    """The player's other galleys where the galley lies."""
    return [other for other in beside(state, player, state.galleys[name].zone) if other != name]


def goods(t: Table[State], name: GalleyId) -> None:
    """SER-2.3: goods that the port produces: in the own port the first cube is free, else a ducat each."""
    zone = t.state.galleys[name].zone
    t.require(zone in t.state.ports, "SER-2.3", "no-port-there", zone=zone)
    t.require(not t.state.ports[zone].closed, "SER-0.3", "closed", port=zone)
    good, owner = BOARD.ports[zone].good, t.state.ports[zone].owner
    assert t.state.acting is not None
    free = int(owner == t.me and not t.state.acting.free_cube)
    limits = [
        Limit(purse(t.state, t.me) // PRICE + free, "SER-2.3", "purse", {"price": PRICE}),
        Limit(stock_of(t.state, good), "SER-0.5", "box", {"what": good}),
    ]
    quantity = t.pick("goods", Counts({good: Whole(0, limits)}, but=other_goods(zone)), rule="SER-2.3")[good]
    loaded = Loaded(
        rule="SER-2.3",
        player=t.me,
        galley=name,
        port=zone,
        good=good,
        quantity=quantity,
        sum=PRICE * (quantity - free),
        seller=owner if owner is not None and owner != t.me else Bank,
    )
    t.play(loaded)


def transfer(t: Table[State], name: GalleyId) -> None:
    """SER-2.4: goods from one's other galley in the zone, or to it, for nothing."""
    near = [int(other) for other in other_galleys(t.state, t.me, name)]
    elsewhere = dict.fromkeys(
        NUMBER.among, Reason("SER-2.4", "lies-elsewhere", {"zone": t.state.galleys[name].zone})
    )
    source = t.pick("from", OneOf(near, but=elsewhere), rule="SER-2.4", default=None)
    target = t.pick("to", OneOf(near, but=elsewhere), rule="SER-2.4", default=None)
    t.require((source is None) != (target is None), "SER-2.4", "from-or-to")
    origin, end = (str(source), name) if target is None else (name, str(target))
    what = t.pick("transfer", aboard(t.state, origin), rule="SER-2.4")
    if end != name:
        space = room(t.state.galleys[end])
        t.require(sum(what.values()) <= space, "SER-0.6", "no-room", galley=end, most=space)
    t.play(Transferred(rule="SER-2.4", player=t.me, goods=what, source=origin, target=end))


def jettison(t: Table[State], name: GalleyId) -> None:
    """SER-2.4: goods are thrown into the sea."""
    what = t.pick("jettison", aboard(t.state, name), rule="SER-2.4")
    t.play(Jettisoned(rule="SER-2.4", player=t.me, galley=name, goods=what))


def aboard(state: State, name: GalleyId) -> Counts:
    """The goods that can leave a galley."""
    held = counted(state.galleys[name].cargo)
    return Counts(
        {good: Whole(0, [Limit(held.get(good, 0), "SER-2.4", "aboard", {"galley": name})]) for good in GOODS}
    )


def scuttle(t: Table[State], name: GalleyId) -> None:
    """SER-0.6: an own galley in the zone is sunk at its owner's will."""
    zone = t.state.galleys[name].zone
    mine = [int(other) for other in beside(t.state, t.me, zone)]
    elsewhere = dict.fromkeys(NUMBER.among, Reason("SER-0.6", "lies-elsewhere", {"zone": zone}))
    sink(t, str(t.pick("sink", OneOf(mine, but=elsewhere), rule="SER-0.6")))


def sink(t: Table[State], name: GalleyId) -> None:
    """SER-0.6: the galley goes back to the stock, its sailors and goods too."""
    galley = t.state.galleys[name]
    sank = Sank(rule="SER-0.6", player=galley.owner, galley=name, sailors=galley.sailors, cargo=galley.cargo)
    t.play(sank)


def afloat(t: Table[State], name: GalleyId, rule: Any) -> None:
    """A line of the loading, as long as there is a galley to load."""
    t.require(name in t.state.galleys, "SER-0.6", "sunk-now", galley=name)
    rule(t, name)


def lines_of(name: GalleyId) -> dict[str, Verb[State]]:
    """SER-2: the lines of a loading, of the galley `name`."""
    lines = {"sailors": sailors, "goods": goods, "transfer": transfer, "jettison": jettison, "sink": scuttle}
    fields = {key: part.domain for key, part in LINE.parts.items() if key != "else"}
    return {key: Verb(partial(afloat, name=name, rule=rule), fields) for key, rule in lines.items()}
