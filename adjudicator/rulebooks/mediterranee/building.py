"""MED-2.6 to 2.9: building galleys and fortresses, enlisting sailors."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.table import Player, Reason, Table, Use, Verb, once
from adjudicator.engine.table.domain import (
    Counts,
    Domain,
    Limit,
    MapOf,
    Name,
    Offering,
    OneOf,
    Whole,
    so_many,
    up_to,
)
from adjudicator.rulebooks.mediterranee.board import HOLD, PortId
from adjudicator.rulebooks.mediterranee.events import Built, Enlisted, Fortified, Shifted
from adjudicator.rulebooks.mediterranee.naming import elsewhere, not_yours
from adjudicator.rulebooks.mediterranee.oddities import warn_of_sinking
from adjudicator.rulebooks.mediterranee.standing import GALLEY, PLACE, PORT, SO_MANY
from adjudicator.rulebooks.mediterranee.state import (
    GalleyId,
    State,
    has,
    own_galleys_in,
    ports_of,
    room,
    supply_of_fortresses,
    supply_of_galleys,
    supply_of_sailors,
)
from adjudicator.rulebooks.mediterranee.transfer import sink_if_empty

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
    mine = ports_of(t.state, t.me)
    free = [port for port in mine if port not in t.state.built]
    built = dict.fromkeys(mine, Reason("MED-2.6", "built-already"))
    port = t.pick("at", OneOf(free, but=not_yours(t.state, t.me) | built), rule="MED-2.6")
    rule = "MED-2.7" if what == "galley" else "MED-2.8"
    lacking = [good for good in NEEDS[what] if not has(port, mine[port].warehouse, good)]
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
    t.require(supply_of_fortresses(t.state) > 0, "MED-0.5", "box", what="fortress", most=0)
    t.play(Fortified(rule="MED-2.8", player=t.me, port=port, sum=COST))


def build_galley(t: Table[State], port: PortId) -> None:
    """MED-2.7: at least one sailor goes aboard at once: enlisted there, from the garrison, or from a galley there."""
    t.require(supply_of_galleys(t.state) > 0, "MED-0.5", "box", what="galley", most=0)
    sources = crew_at(t, port)
    crew = t.pick("crew", Offering(sources, lambda: sources.at_most(HOLD)), rule="MED-2.7")
    t.require(sum(crew.values()) <= HOLD, "MED-0.6", "crew-too-large", value=sum(crew.values()), most=HOLD)
    for source, galley in own_galleys_in(t.state, t.me, port).items():
        if crew.get(source) == galley.sailors:
            warn_of_sinking(t, source, galley.cargo, "crew", source, rule="MED-0.6")
    name = new_name(t.state, t.me)
    t.play(Built(rule="MED-2.7", player=t.me, port=port, galley=name, sum=COST))
    for source, sailors in crew.items():
        if source == "enlist":
            t.play(enlistment(t.me, sailors, port, name))
        else:
            t.play(
                Shifted(rule="MED-2.7", player=t.me, sailors=sailors, goods={}, source=source, target=name)
            )
            sink_if_empty(t, source)


def crew_at(t: Table[State], port: PortId) -> Counts:
    """MED-2.7: the sources of a new galley's sailors, and how many each can give."""
    near = own_galleys_in(t.state, t.me, port)
    return Counts(
        {
            "enlist": Whole(0, limits_of_enlisting(t, port, COST)),
            port: Whole(0, [Limit(t.state.ports[port].garrison, "MED-2.7", "garrison", {"port": port})]),
            **{
                name: Whole(0, [Limit(galley.sailors, "MED-2.7", "aboard", {"galley": name})])
                for name, galley in near.items()
            },
        },
        but=elsewhere(t.state, t.me, port),
    )


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
    if not GALLEY.fits(name) or name in (*state.galleys, *(loss.galley for loss in state.lost)):
        return False
    if state.phase.name not in BEFORE_BUILDING or builder not in state.players:
        return True
    sites = [port for port in ports_of(state, builder) if port not in state.built]
    numbers = range(1, len(state.galleys) + len(sites) + 1)
    free = [count for count in numbers if f"{builder}-{count}" not in state.galleys]
    return int(number) not in free[: len(sites)]


def enlist(t: Table[State]) -> None:
    """MED-2.9: a player enlists sailors for 100 ducats each, into the garrison or onto a galley in the zone."""
    mine = ports_of(t.state, t.me)
    port = t.pick("at", OneOf(mine, but=not_yours(t.state, t.me)), rule="MED-2.9")
    near = own_galleys_in(t.state, t.me, port)
    place = t.pick(
        "to", OneOf((port, *near), but=elsewhere(t.state, t.me, port)), rule="MED-2.9", default=port
    )
    limits = limits_of_enlisting(t, port, 0)
    if place in near:
        limits.insert(0, Limit(room(near[place]), "MED-0.6", "room", {"galley": place}))
    sailors = so_many(t.pick("enlist", up_to(Whole(1, limits)), rule="MED-2.9"))
    t.play(enlistment(t.me, sailors, port, place))


def enlistment(player: Player, sailors: int, port: PortId, place: str) -> Enlisted:
    """MED-2.9: sailors enlisted, and what they cost."""
    return Enlisted(rule="MED-2.9", player=player, sailors=sailors, port=port, place=place, sum=PAY * sailors)


def limits_of_enlisting(t: Table[State], port: PortId, spent: int) -> list[Limit]:
    """MED-2.9: in a turn a port gives at most as many sailors as its warehouse holds goods at that moment; and no more
    than the purse and the box allow."""
    goods, already = len(t.state.ports[port].warehouse), t.state.enlisted.get(port, 0)
    treasury = t.state.players[t.me].treasury.value - spent
    return [
        Limit(goods - already, "MED-2.9", "warehouse", {"port": port, "goods": goods, "already": already}),
        Limit(treasury // PAY, "MED-2.9", "purse", {"price": PAY}),
        Limit(supply_of_sailors(t.state), "MED-0.5", "box", {"what": "sailors"}),
    ]


VERBS = {
    "build": Verb(
        build,
        {"build": OneOf(("galley", "fortress")), "at": PORT, "crew": CREW},
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
        {"enlist": SO_MANY, "at": PORT, "to": PLACE},
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
