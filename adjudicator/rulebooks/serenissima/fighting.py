"""SER-5 Action, third part: fighting galleys, and taking ports."""

from __future__ import annotations

from collections import Counter
from functools import partial

from adjudicator.engine.table import Player, Table, refused_at
from adjudicator.engine.table.reason import Path
from adjudicator.rulebooks.serenissima import events, loading, movement
from adjudicator.rulebooks.serenissima.board import BOARD, DIE, GalleyId
from adjudicator.rulebooks.serenissima.fields import Fight, IfBlocked, Target, Targets
from adjudicator.rulebooks.serenissima.state import Galley, Only, Port, State

FORT_DICE = 2
"""SER-5.7: the number of dice that a fort throws."""


def fights(t: Table[State], targets: Targets, if_blocked: IfBlocked) -> None:
    """SER-5.1, SER-5.5: fights one target after another, each with its place in the order, until the turn is over."""
    for index, target in targets:
        rule = partial(attack, target=target, path=("fight", index), if_blocked=if_blocked)
        if t.state.turn().galley not in t.state.galleys or t.part(rule):
            return


def attack(t: Table[State], target: Target, path: Path, if_blocked: IfBlocked) -> bool:
    """SER-5.1: attacks any galley in the zone, or the port; a target that isn't there is skipped.
    Returns True if the turn is over."""
    with refused_at(*path):
        zone, number = t.state.galleys[t.state.turn().galley].zone, str(target.galley)
        t.require(bool(target.port) != (target.galley is not None), "SER-5.1", "galley-or-port")
        if target.port and target.port != zone:
            t.mention("SER-5.1", "port-elsewhere", *path, port=target.port, zone=zone)
            return False
        if target.port:
            return not attack_port(t, target, if_blocked)
        if not is_there(t, number, path):
            return False
        t.require(t.state.galleys[number].owner != t.me, "SER-5.1", "your-own", value=target.galley)
        prepare_attack(t)
        return not fight(t, number, target)


def is_there(t: Table[State], number: GalleyId, path: Path) -> bool:
    """SER-5.1: is the target in the attacker's zone? If it isn't, it is skipped, and the attacker's player is told."""
    zone = t.state.galleys[t.state.turn().galley].zone
    there = number in t.state.galleys_in(zone)
    if not there:
        t.mention("SER-5.1", "galley-elsewhere", *path, galley=number, zone=zone)
    return there


def attack_port(t: Table[State], target: Target, if_blocked: IfBlocked) -> bool:
    """SER-5.6, SER-5.7, SER-5.9: a neutral port is taken by landing; a foreign port is fought after its owner's galleys
    are beaten, unless it is the owner's only port. Returns True if the attacker may go on."""
    port, owner = target.port, t.state.ports[target.port].owner
    t.require(not t.state.ports[port].closed, "SER-0.3", "closed", port=port)
    t.require(owner != t.me, "SER-5.6", "your-own", value=port)
    if owner is None:
        t.require(landing(t.state, target) > 0, "SER-5.6", "nobody-to-land", galley=t.state.turn().galley)
        return take(t, target, if_blocked)
    t.require(len(t.state.ports_of(owner)) > 1, "SER-5.9", "only-port", port=port, owner=owner)
    guards = list(t.state.beside(owner, port))
    t.require(not guards, "SER-5.7", "galleys-first", port=port, galleys=guards)
    prepare_attack(t)
    return storm(t, target, owner)


def prepare_attack(t: Table[State], path: Path = ()) -> None:
    """SER-5.1: works out the attacker's value, sailors minus zones moved, once a turn; below 1 it can't attack."""
    name, moved = t.state.turn().galley, t.state.turn().moved
    sailors = t.state.galleys[name].sailors
    if t.state.turn().value is None:
        with refused_at(*path):
            t.require(sailors > moved, "SER-5.1", "too-tired", galley=name, sailors=sailors, moved=moved)
        t.play(events.Reckoned(rule="SER-5.1", player=t.me, galley=name, value=sailors - moved))


def fight(t: Table[State], target: str, how: Fight) -> bool:
    """SER-5.3, SER-5.4: throws until a side has no sailors or the attacker stops.
    Returns True if the attacker has won."""
    name, count = t.state.turn().galley, 0
    while True:
        strike(t, name, target)
        count += 1
        own, other = t.state.sailors_of(name), t.state.sailors_of(target)
        if not own or not other:
            break
        if count == how.rounds or own <= how.stop.own:
            break_off(t, target, how, count)
            return False
    if target in t.state.galleys and (own or other):
        victor, wreck = (name, target) if own else (target, name)
        salvage(t, victor, wreck, how)
    for each in (name, target):
        loading.sink_empty(t, each, "SER-5.4")
    return own > 0


def break_off(t: Table[State], target: str, how: Fight, throws: int) -> None:
    """SER-5.3: the attacker stops, and is told which field of the order says so."""
    name = t.state.turn().galley
    own, other = t.state.sailors_of(name), t.state.sailors_of(target)
    t.play(events.BrokenOff(t.me, name, target, own, other, rule="SER-5.3"))
    if throws == how.rounds:
        t.mention("SER-5.3", "throws-over", galley=name, rounds=throws)
    else:
        t.mention("SER-5.3", "stopped", galley=name, own=own, stop=how.stop.own)


def strike(t: Table[State], name: GalleyId, target: str) -> None:
    """SER-5.2, SER-5.5: each side throws as many dice as its value; each skull kills a sailor of the other side, at the
    same moment.

    The attacker's value is that of the turn, or the sailors left if these are fewer.
    """
    victim: Galley | Port = t.state.galleys.get(target) or t.state.ports[target]
    owner, own, other = victim.owner or "", t.state.sailors_of(name), t.state.sailors_of(target)
    values = (min(t.state.turn().value or own, own), other)
    dealt = throw_dice(t, values[0], "attack", name, target, player=t.me)
    taken = throw_dice(t, values[1], "defence", target, name, player=owner)
    skulls, losses = (dealt, taken), (min(taken, own), min(dealt, other))
    t.play(events.Struck(t.me, name, target, owner, values, skulls, losses, rule="SER-5.2"))


def throw_dice(t: Table[State], dice: int, *what: str, player: Player) -> int:
    """SER-5.2: throws dice that show 1, a skull, or 0 each; returns the number of skulls."""
    return sum(t.throw(DIE, *what, rule="SER-5.2", player=player) for _ in range(dice))


def salvage(t: Table[State], name: GalleyId, wreck: GalleyId, how: Fight) -> None:
    """SER-5.4: the surviving galley may take goods of the sunk one as far as there is room.

    The attacker's order, or the defender's standing instructions, name the goods; after these come the dearest, or no
    others.
    """
    galley, cargo, mine = t.state.galleys[name], t.state.galleys[wreck].cargo, name == t.state.turn().galley
    wanted = how.salvage if mine else t.reveal(t.state.players[galley.owner].standing).salvage
    order = wanted.only if isinstance(wanted, Only) else dict.fromkeys((*wanted, *BOARD.value_order))
    found = [good for good in order for _ in range(cargo.count(good))]
    if goods := Counter(found[: galley.room()]):
        t.play(events.Salvaged(galley.owner, name, wreck, dict(goods), rule="SER-5.4"))


def beat_blockaders(t: Table[State], blockader: Player, how: IfBlocked) -> bool:
    """SER-4.3, SER-5.5, SER-5.6: fights the blockading player's galleys, all or those named; once one of these is sunk,
    also other players' galleys that are named. Returns True if some were fought and all of those are sunk."""
    theirs = t.state.beside(blockader, t.state.galleys[t.state.turn().galley].zone)
    named = list(theirs) if how.fight == "all" else [str(number) for number in how.fight]
    won = False  # Ruling: until one of the blockader's galleys is sunk no other is fought
    for index, number in enumerate(named):
        path = ("if_blocked", "fight", index)
        if not is_there(t, number, path):
            continue
        if t.state.galleys[number].owner == t.me:
            t.mention("SER-5.1", "your-own", *path, value=int(number))
            continue
        if number not in theirs and not won:
            t.mention("SER-4.3", "no-blockader", *path, galley=number, player=blockader)
            continue
        if not t.part(partial(prepare_attack, path=("if_blocked",))) or not fight(t, number, how):
            return False
        won = True
    return won


def take(t: Table[State], target: Target, if_blocked: IfBlocked) -> bool:
    """SER-5.6: sailors land in a neutral port; if the landing is blockaded, all blockading galleys must be sunk first.
    Returns True if the attacker may fight on."""
    while other := movement.blockader(t, "landing"):
        if not beat_blockaders(t, other, if_blocked) or t.state.beside(other, target.port):
            return False
    land(t, target, "SER-5.6")
    return may_fight_on(t)


def may_fight_on(t: Table[State]) -> bool:
    """SER-5.5, SER-5.6: after a landing the attacker may fight on: returns True if the turn isn't over."""
    # Ruling: so too after a landing that nobody resisted; but a blockade, of the sale or of the landing, ends the turn.
    return not t.state.turn().blocked


def storm(t: Table[State], target: Target, owner: Player) -> bool:
    """SER-5.7, SER-5.8: the fort fires once, then the garrison is fought like a galley.
    Returns True if the attacker has won."""
    name, port = t.state.turn().galley, target.port
    if t.state.ports[port].fort:
        skulls = throw_dice(t, FORT_DICE, "fort", port, name, player=owner)
        losses = min(skulls, t.state.galleys[name].sailors)
        t.play(events.FortFired(owner, port, name, skulls, losses, rule="SER-5.7"))
        loading.sink_empty(t, name, "SER-5.4")
        if name not in t.state.galleys:
            return False
    won = fight(t, port, target)
    if not t.state.ports[port].garrison and not (won and land(t, target, "SER-5.8")):
        t.play(events.Freed(rule="SER-5.8", port=port, before=owner))
    return won and may_fight_on(t)


def landing(state: State, target: Target) -> int:
    """SER-5.6, SER-5.8: the number of sailors who land:
    at most as many as ordered and as the port has slots; one stays aboard unless all are to land."""
    sailors = state.galleys[state.turn().galley].sailors
    wanted = sailors if target.land == "all" else min(target.land, sailors - 1)
    return min(wanted, BOARD.ports[target.port].size)


def land(t: Table[State], target: Target, rule: str) -> int:
    """SER-5.6, SER-5.8: sailors land and own the port with everything in it; an empty galley is sunk."""
    name, port, count = t.state.turn().galley, target.port, landing(t.state, target)
    before = t.state.ports[port].owner
    if count:
        t.play(events.Landed(rule=rule, player=t.me, galley=name, port=port, sailors=count, before=before))
        loading.sink_empty(t, name, "SER-5.4")
    return count
