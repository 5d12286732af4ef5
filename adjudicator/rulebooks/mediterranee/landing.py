"""MED-5 Taking control of ports."""

from __future__ import annotations

from adjudicator.engine.table import Player, Reason, Table, Use, Verb
from adjudicator.engine.table.domain import Forms, Leaving, Limit, OneOf, Whole
from adjudicator.engine.table.reason import when_named
from adjudicator.rulebooks.mediterranee.board import PortId
from adjudicator.rulebooks.mediterranee.events import Landed, Sank
from adjudicator.rulebooks.mediterranee.standing import COUNT, GALLEY, PORT, warn_of_sinking
from adjudicator.rulebooks.mediterranee.state import State, no_port_at, not_yours


def land(t: Table[State]) -> None:
    """MED-5.1: sailors from a galley land on a port without garrison in its zone, which is controlled at once."""
    mine = t.state.galleys_of(t.me)
    name = t.pick("from", OneOf(mine, but=not_yours(t.state, t.me)), rule="MED-5.1")
    galley = mine[name]
    ports = open_ports(t.state, galley.zone, t.me)
    whys = no_port_at(t.state, name) | garrisoned(t.state, galley.zone, t.me)
    port = t.pick("at", OneOf(ports, but=whys), rule="MED-5.1", default=galley.zone)
    some = Whole(1, [Limit(galley.sailors, "MED-5.1", "aboard", {"galley": name})])
    sailors = t.pick("land", Forms(some, (Leaving(some, galley.sailors),)), rule="MED-5.1")
    if sailors == galley.sailors:
        warn_of_sinking(t, name, galley.cargo, "land", rule="MED-5.3")
    before = t.state.ports[port].owner
    t.play(Landed(rule="MED-5.1", player=t.me, sailors=sailors, galley=name, port=port, before=before))
    if sailors == galley.sailors:
        t.play(Sank(rule="MED-5.3", galley=name, owner=t.me, cargo=galley.cargo))


def open_ports(state: State, zone: str, me: Player) -> list[PortId]:
    """MED-5.1, MED-5.2: the port of the zone, if the player may land there.

    **Ruling**: a port that its owner has emptied (MED-2.10) is open like one whose garrison was killed.
    """
    port = state.ports.get(zone)
    if port is None or (port.garrison and not (port.owner == me and zone in state.landed)):
        return []
    return [zone]


@when_named
def garrisoned(state: State, zone: str, me: Player) -> dict[PortId, Reason]:
    """MED-5.1, MED-5.2: why the player can't land on the port of the zone."""
    if zone not in state.ports or open_ports(state, zone, me):
        return {}
    port, rule = state.ports[zone], "MED-5.2" if zone in state.landed else "MED-5.1"
    return {zone: Reason(rule, "garrisoned", {"garrison": port.garrison, "owner": port.owner})}


def can(state: State, player: Player) -> bool:
    """MED-5.1: does the player have a galley at a port without a garrison?"""
    galleys = state.galleys.values()
    return any(galley.owner == player and open_ports(state, galley.zone, player) for galley in galleys)


LANDED = Forms(COUNT, (Leaving(COUNT),))
VERBS = {
    "land": Verb(
        land,
        {"land": LANDED, "at": PORT, "from": GALLEY},
        ("from",),
        uses=(Use("aboard {from} sailors", "land", gone="from"),),
        subject=("from", "at"),
    )
}
