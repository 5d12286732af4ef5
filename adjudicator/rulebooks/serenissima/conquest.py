"""SER-5 Action, third part: taking ports."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.table.reason import Path, Reason
from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.serenissima.board import GalleyId, PortId
from adjudicator.rulebooks.serenissima.combat import (
    beat,
    fight,
    fight_galley,
    ready,
    refuse,
    sailors_of,
    sink,
    thrown,
)
from adjudicator.rulebooks.serenissima.events import FortFired, Freed, Landed
from adjudicator.rulebooks.serenissima.fields import IfBlocked, Target
from adjudicator.rulebooks.serenissima.movement import blockader
from adjudicator.rulebooks.serenissima.state import State, beside, ports_of, slots

FORT_DICE = 2
"""SER-5.7: what a fort throws."""


def fights(t: Table[State], name: GalleyId, targets: Sequence[Target], if_blocked: IfBlocked) -> None:
    """SER-5.1, SER-5.5: one after another, as long as the attacker wins; what isn't in the zone is passed over."""
    for index, target in enumerate(targets):
        path: Path = ("fight", index)
        if name not in t.state.galleys:
            return
        if bool(target.port) == (target.galley is not None):
            refuse(t, Reason("SER-5.1", "galley-or-port"), *path)
        elif is_here(t.state, name, target):
            won = (
                attack_port(t, name, target, path, if_blocked)
                if target.port
                else fight_galley(t, name, target, path)
            )
            if not won:
                return


def is_here(state: State, name: GalleyId, target: Target) -> bool:
    """Is the galley, or the port, in the attacker's zone?"""
    zone = state.galleys[name].zone
    other = state.galleys.get(str(target.galley))
    return target.port == zone or (other is not None and other.zone == zone)


def attack_port(t: Table[State], name: GalleyId, target: Target, path: Path, if_blocked: IfBlocked) -> bool:
    """SER-5.6, SER-5.7: a neutral port is taken by landing, a foreign one is fought; True: the attacker may go on."""
    why = not_to_attack(t.state, name, target.port)
    if why is None and landing(t.state, name, target) == 0 and not t.state.ports[target.port].owner:
        why = Reason("SER-5.6", "nobody-to-land", {"galley": name})
    if why is not None:
        refuse(t, why, *path)
        return True
    if t.state.ports[target.port].owner is None:
        return take(t, name, target, if_blocked)
    return not ready(t, name, path) or storm(t, name, target)


def not_to_attack(state: State, name: GalleyId, port: PortId) -> Reason | None:
    """SER-5.7, SER-5.9: why the port can't be attacked or taken; None if it can."""
    me, owner = state.galleys[name].owner, state.ports[port].owner
    if state.ports[port].closed:
        return Reason("SER-0.3", "closed", {"port": port})
    if owner == me:
        return Reason("SER-5.6", "your-own", {"value": port})
    if owner is None:
        return None
    if len(ports_of(state, owner)) == 1:
        return Reason("SER-5.9", "only-port", {"port": port, "owner": owner})
    guards = list(beside(state, owner, port))
    return Reason("SER-5.7", "galleys-first", {"port": port, "galleys": guards}) if guards else None


def take(t: Table[State], name: GalleyId, target: Target, if_blocked: IfBlocked) -> bool:
    """SER-5.6: sailors land in a neutral port, unless that is blockaded; then all those galleys must be sunk first,
    and the turn is over."""
    blocked = False
    while other := blockader(t, name, "landing"):
        blocked = True
        if not beat(t, name, other, if_blocked) or beside(t.state, other, target.port):
            return False
    land(t, name, target, "SER-5.6")
    return not blocked


def storm(t: Table[State], name: GalleyId, target: Target) -> bool:
    """SER-5.7, SER-5.8: the fort fires once, then the garrison is fought like a galley; True: the attacker won."""
    port, owner = target.port, t.state.ports[target.port].owner
    assert owner is not None
    if t.state.ports[port].fort:
        skulls = thrown(t, FORT_DICE, "fort", port, name, player=owner)
        losses = min(skulls, t.state.galleys[name].sailors)
        fired = FortFired(rule="SER-5.7", player=owner, port=port, galley=name, skulls=skulls, losses=losses)
        t.play(fired)
        if not t.state.galleys[name].sailors:
            sink(t, name)
            return False
    won = fight(t, name, port, target.rounds, target.stop)
    if not sailors_of(t.state, port):
        if won and landing(t.state, name, target):
            land(t, name, target, "SER-5.8")
        else:
            t.play(Freed(rule="SER-5.8", port=port, before=owner))
    return won


def landing(state: State, name: GalleyId, target: Target) -> int:
    """SER-5.6, SER-5.8: the sailors who land: at most so many, and as the port has slots; one stays aboard, but if all
    are to land."""
    sailors = state.galleys[name].sailors
    wanted = sailors if target.land == "all" else min(target.land, sailors - 1)
    return min(wanted, slots(target.port))


def land(t: Table[State], name: GalleyId, target: Target, rule: str) -> None:
    """SER-5.6, SER-5.8: the port belongs to who lands, with all that is in it; an empty galley is sunk."""
    count = landing(t.state, name, target)
    if not count:
        return
    before = t.state.ports[target.port].owner
    landed = Landed(rule=rule, player=t.me, galley=name, port=target.port, sailors=count, before=before)
    t.play(landed)
    if not t.state.galleys[name].sailors:
        sink(t, name)
