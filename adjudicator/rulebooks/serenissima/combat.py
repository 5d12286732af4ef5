"""SER-5 Action, third part: fighting galleys."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Path, Reason, Refused
from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.serenissima.board import BOARD, DIE, SKULL, GalleyId, Good
from adjudicator.rulebooks.serenissima.events import Reckoned, Salvaged, Sank, Struck
from adjudicator.rulebooks.serenissima.fields import IfBlocked, Stop, Target
from adjudicator.rulebooks.serenissima.state import State, beside, counted, room


def refuse(t: Table[State], why: Reason, *path: str | int) -> None:
    """A part of the order isn't carried out, and why."""

    def part(t: Table[State]) -> None:
        raise Refused(why, path)

    t.part(part)


def ready(t: Table[State], name: GalleyId, path: Path) -> bool:
    """SER-5.1: the attacker's value, sailors less zones moved, is reckoned once a turn; below 1 there is no attack."""
    acting = t.state.acting
    assert acting is not None
    if acting.value is None:
        value = t.state.galleys[name].sailors - acting.moved
        if value < 1:
            facts = {"galley": name, "sailors": t.state.galleys[name].sailors, "moved": acting.moved}
            refuse(t, Reason("SER-5.1", "too-tired", facts), *path)
            return False
        t.play(Reckoned(rule="SER-5.1", player=t.me, galley=name, value=value))
    return True


def fight(
    t: Table[State], name: GalleyId, target: str, rounds: int | None, stop: Stop, wanted: Sequence[Good] = ()
) -> bool:
    """SER-5.3, SER-5.4: throw after throw until a side has no sailors or the attacker stops; True: the attacker won."""
    count = 0
    while True:
        strike(t, name, target)
        count += 1
        own, other = sailors_of(t.state, name), sailors_of(t.state, target)
        if not own or not other:
            break
        if count == rounds or own <= stop.own:
            return False
    if target in t.state.galleys:
        end_of(t, name, target, wanted)
    elif not own:
        sink(t, name)
    return own > 0


def strike(t: Table[State], name: GalleyId, target: str) -> None:
    """SER-5.2: each side throws as many dice as its value; each skull kills a sailor of the other, at once."""
    owner = owner_of(t.state, target)
    before = (sailors_of(t.state, name), sailors_of(t.state, target))
    values = (value_now(t.state, name), before[1])
    skulls = (
        thrown(t, values[0], "attack", name, target, player=t.me),
        thrown(t, values[1], "defence", target, name, player=owner),
    )
    struck = Struck(
        rule="SER-5.2",
        player=t.me,
        attacker=name,
        target=target,
        owner=owner,
        values=values,
        skulls=skulls,
        losses=(min(skulls[1], before[0]), min(skulls[0], before[1])),
    )
    t.play(struck)


def thrown(t: Table[State], dice: int, *what: str, player: Player) -> int:
    """The skulls of so many dice."""
    return sum(t.throw(DIE, *what, rule="SER-5.2", player=player) == SKULL for _ in range(dice))


def value_now(state: State, name: GalleyId) -> int:
    """SER-5.3, SER-5.5: the attacker's first value of the turn, or the sailors left if fewer."""
    sailors = state.galleys[name].sailors
    acting = state.acting
    return sailors if acting is None or acting.value is None else min(acting.value, sailors)


def sailors_of(state: State, place: str) -> int:
    """The sailors of a galley, or stationed in a port."""
    return state.galleys[place].sailors if place in state.galleys else state.ports[place].garrison


def owner_of(state: State, place: str) -> Player:
    """Whose a galley or a port is; empty for a neutral port."""
    return state.galleys[place].owner if place in state.galleys else state.ports[place].owner or ""


def end_of(t: Table[State], name: GalleyId, target: GalleyId, wanted: Sequence[Good]) -> None:
    """SER-5.4: a galley without sailors is sunk; the surviving one takes goods, attacker or defender; or both sink."""
    if not sailors_of(t.state, target) and sailors_of(t.state, name):
        salvage(t, name, target, wanted)
    elif not sailors_of(t.state, name) and sailors_of(t.state, target):
        standing = t.reveal(t.state.players[t.state.galleys[target].owner].standing)
        salvage(t, target, name, standing.salvage)
    for each in (name, target):
        if not sailors_of(t.state, each):
            sink(t, each)


def salvage(t: Table[State], name: GalleyId, wreck: GalleyId, wanted: Sequence[Good]) -> None:
    """SER-5.4: goods of the sunk galley as far as there is room: those wanted first, then the dearest."""
    held, left = counted(t.state.galleys[wreck].cargo), room(t.state.galleys[name])
    goods: dict[Good, int] = {}
    for good in dict.fromkeys((*wanted, *BOARD.value_order)):
        taken = min(held.get(good, 0), left)
        if taken:
            goods[good], left = taken, left - taken
    if goods:
        owner = t.state.galleys[name].owner
        t.play(Salvaged(rule="SER-5.4", player=owner, galley=name, wreck=wreck, goods=goods))


def sink(t: Table[State], name: GalleyId) -> None:
    """SER-5.4: the galley goes back to the stock, with what is left of its goods."""
    galley = t.state.galleys[name]
    t.play(Sank(rule="SER-5.4", player=galley.owner, galley=name, cargo=galley.cargo))


def fight_galley(t: Table[State], name: GalleyId, target: Target, path: Path) -> bool:
    """SER-5.1, SER-5.5: a galley in the zone, anybody's; True: the attacker may go on."""
    other = t.state.galleys[str(target.galley)]
    if other.owner == t.me:
        refuse(t, Reason("SER-5.1", "your-own", {"value": target.galley}), *path)
        return True
    if not ready(t, name, path):
        return True
    return fight(t, name, str(target.galley), target.rounds, target.stop, target.salvage)


def beat(t: Table[State], name: GalleyId, blockader: Player, how: IfBlocked) -> bool:
    """SER-4.3, SER-5.6: the galleys of the player who blockades, all or those named; True: all these are sunk."""
    theirs = beside(t.state, blockader, t.state.galleys[name].zone)
    named = list(theirs) if how.fight == "all" else [str(number) for number in how.fight]
    chosen = [other for other in named if other in theirs]
    if not chosen or not ready(t, name, ("if_blocked",)):
        return False
    return all(fight(t, name, other, how.rounds, how.stop) for other in chosen)
