"""MED-4 Combat: attacks of a galley on a galley or on a port with a garrison.

MED-4.4 to 4.6: what the winner of a fight between galleys does with the beaten galley and the goods of both.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from adjudicator.engine.table import D6, UNFORESEEN, Player, Reason, Table, Verb
from adjudicator.engine.table.domain import Belonging, FirstOf, Forms, Limit, OneOf, Part, Record, Whole
from adjudicator.engine.table.event import Remarked
from adjudicator.engine.table.reason import when_named
from adjudicator.rulebooks.mediterranee.board import GOODS, HOLD, Good
from adjudicator.rulebooks.mediterranee.events import Captured, Sank, Stowed, Struck
from adjudicator.rulebooks.mediterranee.questions import Prize
from adjudicator.rulebooks.mediterranee.standing import (
    GALLEY,
    OTHER,
    PLACE,
    WISHES,
    Crew,
    Keep,
    Leave,
    Wishes,
    wishes,
)
from adjudicator.rulebooks.mediterranee.state import GalleyId, State, in_board_order, not_yours, other_ports

ROUNDS = Whole(1, [Limit(99, "MED-4.1", "rounds")])


SHARE, SHARE_OF_A_FORTRESS = 3, 4
"""MED-4.2, MED-4.3: the total of die and sailors is divided by this; the result is the other side's losses."""


class Stop(Struct, frozen=True):
    """When to stop attacking: once `own` sailors or fewer are left, or the enemy has `enemy` or fewer."""

    own: int = 1
    enemy: int = 0


STOP: Record[Stop] = Record(Stop, {"own": Part(Whole(0), 1), "enemy": Part(Whole(0), 0)})


def attack(t: Table[State]) -> None:
    """MED-4.1: a player attacks with one galley one enemy galley or garrisoned port in its zone, as often as wished."""
    mine = t.state.galleys_of(t.me)
    own = t.pick("with", OneOf(mine, but=not_yours(t.state, t.me)), rule="MED-4.1")
    target = t.pick("attack", preferred(t.state, own, t.me), rule="MED-4.1")
    rounds = t.pick("rounds", ROUNDS, rule="MED-4.1", default=1)
    stop = t.pick("stop", STOP, rule="MED-4.1", default=None) or Stop()
    if target in t.state.ports:
        attack_port(t, own, target, rounds, stop)
        return
    wanted = wishes(t, OneOf((own, target)))
    owner = t.state.galleys[target].owner
    if not fight(t, own, target, owner, rounds, stop):
        return
    left, theirs = t.state.galleys[own].sailors, t.state.galleys[target].sailors
    if left == theirs == 0:
        sink(t, own, "MED-4.7")
        sink(t, target, "MED-4.7")
    elif theirs == 0:
        take_prize(t, t.me, own, target, wanted)
    else:
        take_prize(t, owner, target, own, t.ask(owner, Prize(own, target, t.me)))


def attack_port(t: Table[State], own: GalleyId, port: str, rounds: int, stop: Stop) -> None:
    """MED-4.8, MED-4.9: a garrison only defends and captures nothing; a port without one keeps its owner."""
    owner = t.state.ports[port].owner
    assert owner is not None
    fight(t, own, port, owner, rounds, stop)
    if t.state.galleys[own].sailors == 0:
        sink(t, own, "MED-4.8")


def fight(t: Table[State], own: GalleyId, target: str, owner: Player, rounds: int, stop: Stop) -> bool:
    """MED-4.1: attacks until the rounds are over, the stop is reached, or a side has no sailors (only then True)."""
    for _ in range(rounds):
        strike(t, own, target, owner)
        left, theirs = strength(t.state, own), strength(t.state, target)
        if left == 0 or theirs == 0:
            return True
        if left <= stop.own or theirs <= stop.enemy:
            return False
    return False


def strike(t: Table[State], own: GalleyId, target: str, owner: Player) -> None:
    """MED-4.2, MED-4.3: die and sailors, divided by 3 (by 4 against a fortress), give the other side's losses."""
    thrown = (
        t.throw(D6, "attack", own, target, rule="MED-4.2"),
        t.throw(D6, "defence", target, own, rule="MED-4.2", player=owner),
    )
    sailors = (strength(t.state, own), strength(t.state, target))
    fortress = target in t.state.ports and t.state.ports[target].fortress
    killed = (thrown[0] + sailors[0]) // (SHARE_OF_A_FORTRESS if fortress else SHARE)
    throws_told = (thrown[1] + sailors[1]) // SHARE
    losses = (min(throws_told, sailors[0]), min(killed, sailors[1]))
    rule = "MED-4.3" if fortress else "MED-4.2"
    t.play(Struck(t.me, own, target, owner, thrown, sailors, fortress, losses, rule=rule))


def targets(state: State, zone: str, me: Player) -> list[str]:
    """MED-4.1, MED-4.10: enemy galleys in the zone, and its port if another player controls it with a garrison."""
    found = [name for name, galley in state.galleys.items() if galley.zone == zone and galley.owner != me]
    port = state.ports.get(zone)
    if port is not None and port.garrison and port.owner not in (None, me):
        return [*found, zone]
    return found


def preferred(state: State, own: GalleyId, me: Player) -> Forms[str]:
    """MED-4.1: a target by name, `{owner: genoa}`, or a list of these: the first of it that can be attacked now.

    **Ruling**: of an owner's targets galleys come before the port, those with fewer sailors first, then by name.
    """
    found = targets(state, state.galleys[own].zone, me)
    named = OneOf(found, but=no_targets(state, own, me))
    first: dict[Player, str] = {}
    for target in sorted(
        found, key=lambda name: (name in state.ports, strength(state, name), galley_key(name))
    ):
        first.setdefault(owner_of(state, target), target)
    nothing = Reason("", "nothing-there", {"zone": state.galleys[own].zone})
    whys = dict.fromkeys(state.players, nothing)
    whys[me] = Reason("", "yourself")
    of_owner = Belonging("owner", OneOf(tuple(first), but=whys), first)
    return Forms(named, (of_owner, FirstOf(Forms(named, (of_owner,)))))


def galley_key(name: str) -> tuple[str, int]:
    """The sort key of a galley's name: `genoa-2` comes before `genoa-10`."""
    owner, _, number = name.partition("-")
    return owner, int(number or 0)


def owner_of(state: State, target: str) -> Player:
    """The owner of a galley or port."""
    owner = state.ports[target].owner if target in state.ports else state.galleys[target].owner
    assert owner is not None
    return owner


@when_named
def no_targets(state: State, own: GalleyId, me: Player) -> dict[str, Reason]:
    """Why other galleys and ports can't be attacked: lost, one's own, elsewhere,
    or a port that can't be attacked (MED-4.10)."""
    zone = state.galleys[own].zone
    whys = {name: why for name, why in not_yours(state, me).items() if name not in state.galleys}
    for name, galley in state.galleys.items():
        away = Reason("", "lies-elsewhere", {"zone": galley.zone})
        whys[name] = Reason("", "your-own") if galley.owner == me else away
    whys |= other_ports(state, own)
    if zone in state.ports:
        whys[zone] = Reason("MED-4.10", "port-not-attacked", {"port": zone})
    return whys


def strength(state: State, place: str) -> int:
    """The number of sailors of a galley or a garrison."""
    return state.ports[place].garrison if place in state.ports else state.galleys[place].sailors


def sink(t: Table[State], name: GalleyId, rule: str) -> None:
    """A galley goes down with its goods."""
    galley = t.state.galleys[name]
    t.play(Sank(rule=rule, galley=name, owner=galley.owner, cargo=galley.cargo))


def can(state: State, player: Player) -> bool:
    """MED-4.1, MED-4.10: does the player have a galley beside an enemy galley or a garrisoned foreign port?"""
    zones = {galley.zone for galley in state.galleys_of(player).values()}
    return any(targets(state, zone, player) for zone in zones)


BY_OWNER: Belonging[str] = Belonging("owner", OTHER, {})
TARGET = Forms(PLACE, (BY_OWNER, FirstOf(Forms(PLACE, (BY_OWNER,)))))
VERBS = {
    "attack": Verb(
        attack,
        {"attack": TARGET, "with": GALLEY, "rounds": ROUNDS, "stop": STOP, **WISHES},
        ("with",),
        uses=(UNFORESEEN,),
        subject=("with", "attack"),
    )
}


def take_prize(t: Table[State], winner: Player, own: GalleyId, prize: GalleyId, wanted: Wishes) -> None:
    """MED-4.4: the winner sinks the beaten galley, or mans it from the winning galley alone."""
    sailors = t.state.galleys[own].sailors
    crew = sailors_to(wanted.crew, sailors) if wanted.victory == "capture" else 0
    wish = sailors_wished(wanted.crew, sailors)
    if wanted.victory == "capture" and crew != max(wish, 0):
        facts = {"wanted": wish, "crew": crew, "galley": prize, "sailors": sailors}
        reason = Reason("MED-4.4", "crew-nearest" if crew else "crew-none-to-spare", facts)
        place = t.by if winner == t.me else ""
        t.play(Remarked(rule="MED-4.4", to=(winner,), player=winner, reason=reason, place=place))
    beaten = t.state.galleys[prize].owner
    if crew:
        t.play(Captured(rule="MED-4.4", player=winner, galley=prize, winner=own, crew=crew))
    afloat = [name for name, left in ((own, sailors - crew), (prize, crew)) if left]
    hold, lost = divided_goods(t.state, own, prize, afloat, wanted.keep)
    before = {name: t.state.galleys[name].cargo for name in (own, prize)}
    if hold != before or lost:
        t.play(Stowed(rule="MED-4.5", player=winner, cargo=hold, lost=lost))
    for name, owner in ((own, winner), (prize, beaten)):
        if name not in afloat:
            t.play(Sank(rule="MED-4.4", galley=name, owner=owner))


def sailors_to(crew: Crew, sailors: int) -> int:
    """MED-4.4: the number of sailors who go to the prize; 0: none can be spared, and it is sunk.

    The nearest legal number takes the place of an impossible wish: at least one goes and at least one stays, unless all
    are to go.
    """
    if crew == "all":
        return sailors
    if sailors == 1:
        return 0
    return min(max(sailors_wished(crew, sailors), 1), sailors - 1)


def sailors_wished(crew: Crew, sailors: int) -> int:
    """MED-4.4: the number of sailors that the wish names for the prize, legal or not."""
    if crew == "all":
        return sailors
    return sailors - crew.leave if isinstance(crew, Leave) else int(crew)


def divided_goods(
    state: State, own: GalleyId, prize: GalleyId, afloat: list[GalleyId], keep: Keep
) -> tuple[dict[GalleyId, tuple[Good, ...]], tuple[Good, ...]]:
    """MED-4.5: the winner divides the goods of both galleys within MED-0.6; no sailor is given up to make room.

    Goods named in `keep` come first, then those aboard a galley that stays afloat, then the rest, in the board's
    order. Returns the cargoes of both, and the lost goods.
    """
    left = {name: list(state.galleys[name].cargo) for name in (own, prize)}
    room = {name: HOLD - state.galleys[name].sailors if name in afloat else 0 for name in (own, prize)}
    hold: dict[GalleyId, list[Good]] = {own: [], prize: []}

    def put(good: Good, source: GalleyId, target: GalleyId) -> bool:
        if good not in left[source] or len(hold[target]) >= room[target]:
            return False
        left[source].remove(good)
        hold[target].append(good)
        return True

    named = keep if isinstance(keep, Mapping) else {"": keep}
    wishes = [(name, good) for name in (own, prize, "") for good in named.get(name, ())]
    for to, good in wishes:
        # named for both galleys, each mention is for one piece, else for all
        split = sum(good in goods for goods in named.values()) > 1
        while any(put(good, *way) for way in ways_to(to, own, prize)) and not split:
            pass
    for source, target in ((own, own), (prize, prize), (own, prize), (prize, own)):
        for good in GOODS:
            while put(good, source, target):
                pass
    kept = {name: in_board_order(goods) for name, goods in hold.items()}
    return kept, in_board_order((*left[own], *left[prize]))


def ways_to(target: GalleyId, own: GalleyId, prize: GalleyId) -> list[tuple[GalleyId, GalleyId]]:
    """Where a wanted good may lie and where it goes: to the target; if not, it stays or goes to the other galley."""
    if target:
        return [(target, target), (prize if target == own else own, target)]
    return [(own, own), (own, prize), (prize, prize), (prize, own)]
