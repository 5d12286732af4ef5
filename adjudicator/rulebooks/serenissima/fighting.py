"""SER-5 Action, third part: fighting galleys, and taking ports."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Literal

from msgspec import Struct

from adjudicator.engine.table import Player, Setting, Table, refused_at
from adjudicator.engine.table.domain import Either, Limit, Many, OneOf, Whole, record
from adjudicator.rulebooks.serenissima import events, loading, movement
from adjudicator.rulebooks.serenissima.board import BOARD, DIE, GalleyId, Good, PortId
from adjudicator.rulebooks.serenissima.fields import COUNT, GOODS_WANTED, NUMBER, PORT, Fields
from adjudicator.rulebooks.serenissima.state import Galley, Port, State

FORT_DICE = 2
"""SER-5.7: what a fort throws."""


class Stop(Struct, frozen=True):
    """SER-5.3: an attacker stops between throws, once so few own sailors are left (0: never)."""

    own: int = 1


class Fight(Struct, frozen=True, kw_only=True):
    """SER-5.3, SER-5.4: how a fight is fought: the throws at most, when to stop, the goods wanted."""

    rounds: int | None = None
    stop: Stop = Stop()
    salvage: tuple[Good, ...] = ()


class Target(Fight, frozen=True, kw_only=True):
    """SER-5: whom a galley is to fight, one of a galley and a port, and how many land there."""

    galley: int | None = None
    port: PortId = ""
    land: int | Literal["all"] = 1


Targets = list[tuple[int, Target]]
"""Whom to fight, each with its number in the order."""


class IfBlocked(Fight, frozen=True, kw_only=True):
    """SER-4.3, SER-5.6: the galleys to fight when a sale or a landing is blockaded: all, or those named, in order."""

    fight: Literal["all"] | tuple[int, ...]


ALL = OneOf(("all",))
ROUNDS = Whole(1, [Limit(99, "SER-5.3", "rounds")])
HOW_LONG: Fields = {"rounds": ROUNDS, "stop": record(Stop, {"own": Whole(0)})}
AFTER = {"salvage": GOODS_WANTED, "land": Either((COUNT, ALL))}
FIGHTS = Many(record(Target, {"galley": NUMBER, "port": PORT, **HOW_LONG, **AFTER}))
THEIRS = Either((ALL, Many(NUMBER, distinct=True)))
IF_BLOCKED = Either((OneOf(("end",)), record(IfBlocked, {"fight": THEIRS, **HOW_LONG})))
SALVAGE = Setting(GOODS_WANTED, "SER-5.4")
"""The standing instruction on what is saved from a galley that attacked and was sunk."""


def fights(t: Table[State], targets: Targets, if_blocked: IfBlocked) -> None:
    """SER-5.1, SER-5.5: one after another, each with its place in the order, until the turn is over."""
    for index, target in targets:
        rule = refused_at("fight", index)(partial(attack, target=target, if_blocked=if_blocked))
        if t.state.turn().galley not in t.state.galleys or t.part(rule):
            return


def attack(t: Table[State], target: Target, if_blocked: IfBlocked) -> bool:
    """SER-5.1: a galley in the zone, anybody's, or the port; what isn't there is passed over. True: it was the last."""
    zone, number = t.state.galleys[t.state.turn().galley].zone, str(target.galley)
    t.require(bool(target.port) != (target.galley is not None), "SER-5.1", "galley-or-port")
    if target.port:
        return target.port == zone and not attack_port(t, target, if_blocked)
    if number not in t.state.galleys_in(zone):
        return False
    t.require(t.state.galleys[number].owner != t.me, "SER-5.1", "your-own", value=target.galley)
    ready(t)
    return not fight(t, number, target)


def attack_port(t: Table[State], target: Target, if_blocked: IfBlocked) -> bool:
    """SER-5.6, SER-5.7, SER-5.9: a neutral port is taken by landing, a foreign one is fought when its owner's galleys
    are beaten, unless it is the only one. True: the attacker may go on."""
    port, owner = target.port, t.state.ports[target.port].owner
    t.require(not t.state.ports[port].closed, "SER-0.3", "closed", port=port)
    t.require(owner != t.me, "SER-5.6", "your-own", value=port)
    if owner is None:
        t.require(landing(t.state, target) > 0, "SER-5.6", "nobody-to-land", galley=t.state.turn().galley)
        return take(t, target, if_blocked)
    t.require(len(t.state.ports_of(owner)) > 1, "SER-5.9", "only-port", port=port, owner=owner)
    guards = list(t.state.beside(owner, port))
    t.require(not guards, "SER-5.7", "galleys-first", port=port, galleys=guards)
    ready(t)
    return storm(t, target, owner)


def ready(t: Table[State]) -> None:
    """SER-5.1: the attacker's value, sailors less zones moved, is reckoned once a turn; below 1 there is no attack."""
    name, moved = t.state.turn().galley, t.state.turn().moved
    sailors = t.state.galleys[name].sailors
    if t.state.turn().value is None:
        t.require(sailors > moved, "SER-5.1", "too-tired", galley=name, sailors=sailors, moved=moved)
        t.play(events.Reckoned(rule="SER-5.1", player=t.me, galley=name, value=sailors - moved))


def fight(t: Table[State], target: str, how: Fight) -> bool:
    """SER-5.3, SER-5.4: throw after throw until a side has no sailors or the attacker stops; True: the attacker won."""
    name, count = t.state.turn().galley, 0
    while True:
        strike(t, name, target)
        count += 1
        own, other = t.state.sailors_of(name), t.state.sailors_of(target)
        if not own or not other:
            break
        if count == how.rounds or own <= how.stop.own:
            return False
    if target in t.state.galleys and (own or other):
        victor, wreck = (name, target) if own else (target, name)
        salvage(t, victor, wreck, how)
    for each in (name, target):
        loading.sink_empty(t, each, "SER-5.4")
    return own > 0


def strike(t: Table[State], name: GalleyId, target: str) -> None:
    """SER-5.2, SER-5.5: each side throws as many dice as its value, which for the attacker is that of the turn, or the
    sailors left if fewer; each skull kills a sailor of the other side, at once."""
    victim: Galley | Port = t.state.galleys.get(target) or t.state.ports[target]
    owner, own, other = victim.owner or "", t.state.sailors_of(name), t.state.sailors_of(target)
    values = (min(t.state.turn().value or own, own), other)
    dealt = thrown(t, values[0], "attack", name, target, player=t.me)
    taken = thrown(t, values[1], "defence", target, name, player=owner)
    skulls, losses = (dealt, taken), (min(taken, own), min(dealt, other))
    t.play(events.Struck(t.me, name, target, owner, values, skulls, losses, rule="SER-5.2"))


def thrown(t: Table[State], dice: int, *what: str, player: Player) -> int:
    """SER-5.2: the skulls of so many dice, of which each shows 1 or 0."""
    return sum(t.throw(DIE, *what, rule="SER-5.2", player=player) for _ in range(dice))


def salvage(t: Table[State], name: GalleyId, wreck: GalleyId, how: Fight) -> None:
    """SER-5.4: the surviving galley takes goods of the other as far as there is room: those that the attacker's order
    names, or the defender's standing instructions, then the dearest."""
    galley, cargo, mine = t.state.galleys[name], t.state.galleys[wreck].cargo, name == t.state.turn().galley
    wanted = how.salvage if mine else t.reveal(t.state.players[galley.owner].standing).salvage
    found = [good for good in dict.fromkeys((*wanted, *BOARD.value_order)) for _ in range(cargo.count(good))]
    if goods := Counter(found[: galley.room()]):
        t.play(events.Salvaged(galley.owner, name, wreck, dict(goods), rule="SER-5.4"))


def beat(t: Table[State], blockader: Player, how: IfBlocked) -> bool:
    """SER-4.3, SER-5.6: the galleys of the player who blockades, all or those named; True: all these are sunk."""
    theirs = t.state.beside(blockader, t.state.galleys[t.state.turn().galley].zone)
    named = list(theirs) if how.fight == "all" else [str(number) for number in how.fight]
    chosen = [other for other in named if other in theirs]
    if not chosen or not t.part(refused_at("if_blocked")(ready)):
        return False
    return all(fight(t, other, how) for other in chosen)


def take(t: Table[State], target: Target, if_blocked: IfBlocked) -> bool:
    """SER-5.6: sailors land in a neutral port, unless that is blockaded; then all those galleys must be sunk first,
    and the turn is over."""
    blocked = False
    while other := movement.blockader(t, "landing"):
        blocked = True
        if not beat(t, other, if_blocked) or t.state.beside(other, target.port):
            return False
    land(t, target, "SER-5.6")
    return not blocked


def storm(t: Table[State], target: Target, owner: Player) -> bool:
    """SER-5.7, SER-5.8: the fort fires once, then the garrison is fought like a galley; True: the attacker won."""
    name, port = t.state.turn().galley, target.port
    if t.state.ports[port].fort:
        skulls = thrown(t, FORT_DICE, "fort", port, name, player=owner)
        losses = min(skulls, t.state.galleys[name].sailors)
        t.play(events.FortFired(owner, port, name, skulls, losses, rule="SER-5.7"))
        loading.sink_empty(t, name, "SER-5.4")
        if name not in t.state.galleys:
            return False
    won = fight(t, port, target)
    if not t.state.ports[port].garrison and not (won and land(t, target, "SER-5.8")):
        t.play(events.Freed(rule="SER-5.8", port=port, before=owner))
    return won


def landing(state: State, target: Target) -> int:
    """SER-5.6, SER-5.8: the sailors who land: at most so many, and as the port has slots; one stays aboard, but if all
    are to land."""
    sailors = state.galleys[state.turn().galley].sailors
    wanted = sailors if target.land == "all" else min(target.land, sailors - 1)
    return min(wanted, BOARD.ports[target.port].size)


def land(t: Table[State], target: Target, rule: str) -> int:
    """SER-5.6, SER-5.8: how many land; the port belongs to them, with all that is in it; an empty galley is sunk."""
    name, port, count = t.state.turn().galley, target.port, landing(t.state, target)
    before = t.state.ports[port].owner
    if count:
        t.play(events.Landed(rule=rule, player=t.me, galley=name, port=port, sailors=count, before=before))
        loading.sink_empty(t, name, "SER-5.4")
    return count
