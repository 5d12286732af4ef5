"""MED-2.6 to 2.12: building galleys and fortresses, enlisting sailors; transfers within a zone, jettison, and
dismissing sailors."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.table import Player, Reason, Table, Use, Verb, once
from adjudicator.engine.table.domain import (
    Counts,
    Domain,
    Either,
    Limit,
    MapOf,
    Name,
    Offering,
    OneOf,
    Part,
    Record,
    Whole,
    between,
    so_many,
    up_to,
)
from adjudicator.rulebooks.mediterranee import events, standing
from adjudicator.rulebooks.mediterranee.board import BOARD, GOODS, HOLD, PortId
from adjudicator.rulebooks.mediterranee.state import (
    GalleyId,
    State,
    elsewhere,
    not_yours,
    one_by_one,
    other_ports,
    without,
)

COST = 500
"""MED-2.6: ducats for a galley or a fortress."""
PAY = 100
"""MED-2.9: ducats for a sailor."""
BEFORE_BUILDING = ("start", "setup", "auction", "market")
"""The phases up to the one in which galleys are built."""
NEEDS = {"galley": ("wood", "iron"), "fortress": ("wood", "gold")}
CREW: Domain[Mapping[str, int]] = MapOf(Name("place", "enlist|[a-z]+(-[1-9][0-9]?)?"), Whole(0))


def build(t: Table[State]) -> None:
    """MED-2.6: a player builds a galley or a fortress for 500 ducats in a port of the player's,
    one in each port a turn."""
    what = t.pick("build", OneOf(("galley", "fortress")), rule="MED-2.6")
    mine = t.state.ports_of(t.me)
    free = [port for port in mine if port not in t.state.built]
    built = dict.fromkeys(mine, Reason("MED-2.6", "built-already"))
    port = t.pick("at", OneOf(free, but=not_yours(t.state, t.me) | built), rule="MED-2.6")
    rule = "MED-2.7" if what == "galley" else "MED-2.8"
    lacking = [good for good in NEEDS[what] if not t.state.has(port, good)]
    t.require(not lacking, rule, "lacks", port=port, what=what, goods=lacking)
    treasury = t.state.players[t.me].treasury.value
    t.require(treasury >= COST, "MED-2.6", "treasury", most=treasury, value=COST)
    if what == "galley":
        build_galley(t, port)
    else:
        fortify(t, port)


def fortify(t: Table[State], port: PortId) -> None:
    """MED-2.8: a port has at most one fortress (Ruling)."""
    t.require(not t.state.ports[port].fortress, "MED-2.8", "fortified", port=port)
    t.require(t.state.supply_of_fortresses() > 0, "MED-0.5", "box", what="fortress", most=0)
    t.play(events.Fortified(rule="MED-2.8", player=t.me, port=port, sum=COST))


def build_galley(t: Table[State], port: PortId) -> None:
    """MED-2.7: at least one sailor goes aboard at once: enlisted there, from the garrison, or from a galley there."""
    t.require(t.state.supply_of_galleys() > 0, "MED-0.5", "box", what="galley", most=0)
    sources = crew_at(t, port)
    crew = t.pick("crew", Offering(sources, lambda: sources.at_most(HOLD)), rule="MED-2.7")
    t.require(sum(crew.values()) <= HOLD, "MED-0.6", "crew-too-large", value=sum(crew.values()), most=HOLD)
    for source, galley in t.state.own_galleys_in(t.me, port).items():
        if crew.get(source) == galley.sailors:
            standing.warn_of_sinking(t, source, galley.cargo, "crew", source, rule="MED-0.6")
    name = new_name(t.state, t.me)
    t.play(events.Built(rule="MED-2.7", player=t.me, port=port, galley=name, sum=COST))
    for source, sailors in crew.items():
        if source == "enlist":
            t.play(enlistment(t.me, sailors, port, name))
        else:
            t.play(events.Shifted(t.me, sailors, {}, source, name, rule="MED-2.7"))
            sink_if_empty(t, source)


def crew_at(t: Table[State], port: PortId) -> Counts:
    """MED-2.7: the sources of a new galley's sailors, and how many each can give."""
    near = t.state.own_galleys_in(t.me, port)
    limits = {name: Limit(each.sailors, "MED-2.7", "aboard", {"galley": name}) for name, each in near.items()}
    limits[port] = Limit(t.state.ports[port].garrison, "MED-2.7", "garrison", {"port": port})
    sources = {"enlist": Whole(0, limits_of_enlisting(t, port, COST))}
    sources |= {name: Whole(0, [limits[name]]) for name in (port, *near)}
    return Counts(sources, but=elsewhere(t.state, t.me, port))


def new_name(state: State, player: Player) -> GalleyId:
    """The smallest number that no galley on the board with the builder's name has."""
    number = 1
    while f"{player}-{number}" in state.galleys:
        number += 1
    return f"{player}-{number}"


def never(state: State, name: str) -> bool:
    """MED-2.6, MED-2.7: is there no galley of this name yet, now or lost, and can't one be built this turn any more?

    Galleys are built in the market, one in each port that its player controls, and take the smallest free numbers.
    """
    builder, _, number = name.partition("-")
    if not standing.GALLEY.fits(name) or name in (*state.galleys, *(loss.galley for loss in state.lost)):
        return False
    if state.phase.name not in BEFORE_BUILDING or builder not in state.players:
        return True
    sites = [port for port in state.ports_of(builder) if port not in state.built]
    numbers = range(1, len(state.galleys) + len(sites) + 1)
    free = [count for count in numbers if f"{builder}-{count}" not in state.galleys]
    return int(number) not in free[: len(sites)]


def enlist(t: Table[State]) -> None:
    """MED-2.9: a player enlists sailors for 100 ducats each, into the garrison or onto a galley in the zone."""
    mine = t.state.ports_of(t.me)
    port = t.pick("at", OneOf(mine, but=not_yours(t.state, t.me)), rule="MED-2.9")
    near = t.state.own_galleys_in(t.me, port)
    places = OneOf((port, *near), but=elsewhere(t.state, t.me, port))
    place = t.pick("to", places, rule="MED-2.9", default=port)
    limits = limits_of_enlisting(t, port, 0)
    if place in near:
        limits.insert(0, Limit(near[place].room(), "MED-0.6", "room", {"galley": place}))
    sailors = so_many(t.pick("enlist", up_to(Whole(1, limits)), rule="MED-2.9"))
    t.play(enlistment(t.me, sailors, port, place))


def enlistment(player: Player, sailors: int, port: PortId, place: str) -> events.Enlisted:
    """MED-2.9: sailors enlisted, and what they cost."""
    return events.Enlisted(player, sailors, port, place, PAY * sailors, rule="MED-2.9")


def limits_of_enlisting(t: Table[State], port: PortId, spent: int) -> list[Limit]:
    """MED-2.9: in a turn a port gives at most as many sailors as its warehouse holds goods at that moment; and no more
    than the purse and the box allow."""
    goods, already = len(t.state.ports[port].warehouse), t.state.enlisted.get(port, 0)
    treasury = t.state.players[t.me].treasury.value - spent
    return [
        Limit(goods - already, "MED-2.9", "warehouse", {"port": port, "goods": goods, "already": already}),
        Limit(treasury // PAY, "MED-2.9", "purse", {"price": PAY}),
        Limit(t.state.supply_of_sailors(), "MED-0.5", "box", {"what": "sailors"}),
    ]


VERBS = {
    "build": Verb(
        build,
        {"build": OneOf(("galley", "fortress")), "at": standing.PORT, "crew": CREW},
        ("at",),
        uses=(
            once("building {at}", "MED-2.6", "built-already"),
            Use("ducats", times=COST),
            Use("ducats", "crew.enlist", PAY),
            Use("enlisting {at}", "crew.enlist"),
            Use("box {build}"),
            Use("box sailors", "crew.enlist"),
            Use("aboard {each} sailors", "crew", gone="each"),
            Use("room {each}", "crew", -1),
            Use("crew", "crew", bounds=True),
            Use("crew", "crew", -1),
        ),
        subject=("at",),
        prices=lambda state, player: {"": COST, "crew": PAY},
    ),
    "enlist": Verb(
        enlist,
        {"enlist": standing.SO_MANY, "at": standing.PORT, "to": standing.PLACE},
        ("at",),
        uses=(
            Use("enlisting {at}", "enlist"),
            Use("ducats", "enlist", PAY),
            Use("room {to}", "enlist"),
            Use("box sailors", "enlist"),
            Use("aboard {to|at} sailors", "enlist", -1),
        ),
        subject=("at", "to"),
        prices=lambda state, player: {"": PAY},
    ),
}


PIECES: Domain[Mapping[str, int]] = Counts(dict.fromkeys(("sailors", *GOODS), Whole(0)))


def transfer(t: Table[State]) -> None:
    """MED-2.10: goods go between the player's galleys, sailors between them and the player's own port,
    both ways at once."""
    galleys, ports = t.state.galleys_of(t.me), t.state.ports_of(t.me)
    zones = {name: galley.zone for name, galley in galleys.items()} | {name: name for name in ports}
    source = t.pick("from", OneOf(zones, but=not_yours(t.state, t.me)), rule="MED-2.10")
    beside = [name for name in zones if name != source and zones[name] == zones[source]]
    target = t.pick("to", OneOf(beside, but=elsewhere(t.state, t.me, zones[source])), rule="MED-2.10")
    both = source in galleys and target in galleys
    here, beyond = pieces(t.state, source, goods=both), pieces(t.state, target, goods=both)
    # MED-0.6: any number stays in a garrison
    space, more = (galleys[each].room() if each in galleys else 2 * HOLD for each in (target, source))
    offered = Offering(here, lambda: here.at_most(space) if space else one_piece(here))
    there = t.pick("transfer", offered, rule="MED-2.10")
    gone = sum(there.values())
    offered = Offering(beyond, lambda: beyond.at_most(more + gone, gone - space))
    back = t.pick("back", offered, rule="MED-2.10", default=None) or {}
    for name, come, go in ((source, back, there), (target, there, back)):
        if name in galleys:
            over = sum(come.values()) - sum(go.values()) - galleys[name].room()
            t.require(over <= 0, "MED-0.6", "no-room", galley=name, over=over)
    for name, come, go in ((source, back, there), (target, there, back)):
        if name in galleys:
            warn_if_empty(t, name, come, go, "transfer" if name == source else "back")
    shift(t, there, source, target)
    if back:
        shift(t, back, target, source)
    for name in (source, target):
        sink_if_empty(t, name)


def one_piece(here: Counts) -> Either:
    """MED-2.10: one piece for another one that comes back, where there is no room."""
    kinds = [what for what, whole in here.each.items() if whole.most]
    return Either(tuple(Record(dict, {what: Part(between(1, 1), needed=True)}) for what in kinds))


def warn_if_empty(
    t: Table[State], name: GalleyId, come: Mapping[str, int], go: Mapping[str, int], field: str
) -> None:
    """MED-0.6: warns that the galley will sink with the goods that are left aboard."""
    galley = t.state.galleys[name]
    if galley.sailors + come.get("sailors", 0) == go.get("sailors", 0):
        kept = without((*galley.cargo, *one_by_one(cargo_in(come))), cargo_in(go))
        standing.warn_of_sinking(t, name, kept, field, rule="MED-0.6")


def cargo_in(pieces: Mapping[str, int]) -> dict[str, int]:
    """The goods among pieces."""
    return {what: count for what, count in pieces.items() if what != "sailors"}


def pieces(state: State, place: str, *, goods: bool) -> Counts:
    """MED-2.10: the pieces that can leave a galley or a garrison."""
    if place in state.ports:
        limit = Limit(state.ports[place].garrison, "MED-2.10", "garrison", {"port": place})
        return Counts({"sailors": Whole(0, [limit])})
    galley = state.galleys[place]
    return leaving(place, {"sailors": galley.sailors, **(galley.goods() if goods else {})}, "MED-2.10")


def leaving(galley: GalleyId, held: Mapping[str, int], rule: str) -> Counts:
    """The pieces that can leave a galley that holds so many of each kind."""
    limits = {what: Limit(count, rule, "aboard", {"galley": galley}) for what, count in held.items()}
    return Counts({what: Whole(0, [limit]) for what, limit in limits.items()})


def shift(t: Table[State], what: Mapping[str, int], source: str, target: str) -> None:
    """MED-2.10: plays one direction of a transfer: goods and sailors go from `source` to `target`."""
    sailors = what.get("sailors", 0)
    t.play(events.Shifted(t.me, sailors, cargo_in(what), source, target, rule="MED-2.10"))


def sink_if_empty(t: Table[State], place: str) -> None:
    """MED-2.10, MED-0.6: a galley emptied of sailors sinks with its goods."""
    galley = t.state.galleys_of(t.me).get(place)
    if galley is not None and galley.sailors == 0:
        t.play(events.Sank(rule="MED-0.6", galley=place, owner=t.me, cargo=galley.cargo))


def jettison(t: Table[State]) -> None:
    """MED-2.11: a player throws goods away from a galley.

    **Ruling**: anywhere, also at sea.
    """
    mine = t.state.galleys_of(t.me)
    name = t.pick("from", OneOf(mine, but=not_yours(t.state, t.me)), rule="MED-2.11")
    goods = t.pick("jettison", leaving(name, mine[name].goods(), "MED-2.11"), rule="MED-2.11")
    t.play(events.Jettisoned(rule="MED-2.11", player=t.me, goods=goods, galley=name))


def dismiss(t: Table[State]) -> None:
    """MED-2.12: a player puts sailors ashore in a zone with a port; at least one stays aboard."""
    mine = t.state.galleys_of(t.me)
    name = t.pick("from", OneOf(mine, but=not_yours(t.state, t.me)), rule="MED-2.12")
    zone = mine[name].zone
    t.require(zone in BOARD.ports, "MED-2.12", "no-port-there", galley=name, zone=zone)
    port = t.pick("at", OneOf((zone,), but=other_ports(t.state, name)), rule="MED-2.12", default=zone)
    limit = Limit(mine[name].sailors - 1, "MED-2.12", "one-stays", {"galley": name})
    sailors = t.pick("dismiss", Whole(1, [limit]), rule="MED-2.12")
    t.play(events.Dismissed(rule="MED-2.12", player=t.me, sailors=sailors, galley=name, port=port))


def uses_of_transfer(what: str, source: str, target: str) -> tuple[Use, ...]:
    """MED-2.10: what one direction of a transfer takes and gives; a galley that gives its last sailor sinks
    (MED-0.6)."""
    return (
        Use(f"aboard {{{source}}} {{each}}", what, gone=source),
        Use(f"aboard {{{target}}} {{each}}", what, -1),
        Use(f"room {{{target}}}", what, bounds=True),
        Use(f"room {{{source}}}", what, -1),
    )


TRANSFER_VERBS = {
    "transfer": Verb(
        transfer,
        {"transfer": PIECES, "from": standing.PLACE, "to": standing.PLACE, "back": PIECES},
        ("from", "to"),
        uses=(
            *uses_of_transfer("transfer", "from", "to"),
            *uses_of_transfer("back", "to", "from"),
            # Without sailors a galley sinks, and goes back into the box with all that is aboard.
            *(Use(f"box {what}", "transfer.sailors", -1, perhaps=True) for what in ("galley", *GOODS)),
        ),
        subject=("from", "to"),
    ),
    "jettison": Verb(
        jettison,
        {"jettison": standing.GOODS_COUNTED, "from": standing.GALLEY},
        ("from",),
        uses=(
            Use("aboard {from} {each}", "jettison"),
            Use("room {from}", "jettison", -1),
            Use("box {each}", "jettison", -1),
        ),
        subject=("from",),
    ),
    "dismiss": Verb(
        dismiss,
        {"dismiss": standing.COUNT, "from": standing.GALLEY, "at": standing.PORT},
        ("from",),
        uses=(
            Use("aboard {from} sailors", "dismiss", keeps=1),
            Use("room {from}", "dismiss", -1),
            Use("ashore {from}", "dismiss", -1),
            Use("box sailors", "dismiss", -1),
        ),
        subject=("from",),
    ),
}
