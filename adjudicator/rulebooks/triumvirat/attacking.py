"""TRI-6.2 Attacks: on barbarians, in own and neutral provinces and in Italy, and on an Emperor in Rome."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from adjudicator.engine.table.domain import Flag, Limit, Many, OneOf, Whole
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.triumvirat import fights, moving
from adjudicator.rulebooks.triumvirat.board import (
    BOARD,
    BORDERS,
    CAESAR,
    ITALY,
    ROME,
    SITES,
    TITLES,
    ProvinceId,
    Title,
    linked,
)
from adjudicator.rulebooks.triumvirat.events.war import Proclaimed, UnitsSpent
from adjudicator.rulebooks.triumvirat.standing import COUNT, DOMAIN, LOSE, PLAYER, PROVINCE, SITE, TROOPS
from adjudicator.rulebooks.triumvirat.state import State, Troops, barbarians, person, places_of, units


class Plan(Struct, frozen=True):
    """What an attacker says beforehand: sites in order, dice counted as 3, losses, the medal, who throws."""

    free: tuple[str, ...] = ()
    fixed: int = 0
    lose: tuple[str, ...] = ()
    medal: Title = "arms"
    thrower: Player = ""


def emperor_there(state: State, player: Player, name: ProvinceId) -> Player:
    """TRI-6.6: the Emperor whose units can be attacked there: another's, in Rome."""
    other = state.emperor.player
    there = name == ROME and other not in ("", player) and units(state, ROME, other).count > 0
    return other if there else ""


def targets(state: State, player: Player) -> OneOf[ProvinceId]:
    """TRI-6.2: where there is somebody to attack: barbarians at home, in neutral provinces, in Italy; an Emperor."""
    but: dict[ProvinceId, Reason] = {}
    for name in BOARD.provinces:
        owner = state.provinces[name].owner
        if owner not in (None, player):
            but[name] = Reason("TRI-6.2", "rivals-land", {"owner": owner})
        elif not barbarians(state, name).count and not emperor_there(state, player, name):
            but[name] = Reason("TRI-6.2", "nobody-to-attack")
    return OneOf([name for name in BOARD.provinces if name not in but], but=but)


def attack(t: Table[State]) -> None:
    """TRI-6.2: units that stand there, or come from next door or by convoy, attack, each once.

    Ruling: in Rome another's Emperor is attacked; barbarians on the sites beside him, if `free` names sites.
    """
    name = t.pick("attack", targets(t.state, t.me), rule="TRI-6.2")
    start = t.pick("from", sources(t.state, t.me, name), rule="TRI-6.1", default=None) or name
    there = (moving.attackers if start == name else moving.fresh)(t.state, t.me, start)
    troops = moving.picked(t, "with", there, "TRI-6.1")
    emperor = emperor_there(t.state, t.me, name)
    wild = barbarians(t.state, name).count > 0
    free = t.pick("free", sites(name), rule="TRI-6.3", default=None) or () if wild and name in ITALY else ()
    against = "" if free else emperor
    plan = planned(t, troops, against, name, free)
    by_sea = start != name and name not in BORDERS[start]
    cost = moving.can_pay(t, troops) if by_sea else 0
    if by_sea:
        moving.pay(t, cost)
    if start != name:
        moving.go(t, start, name, troops, convoy=by_sea)
    moved = moving.acted(t.state, name).moved
    spent = Troops(min(moved.legions, troops.legions), min(moved.veterans, troops.veterans))
    t.play(UnitsSpent(rule="TRI-6.1", player=t.me, province=name, troops=troops, moved=spent))
    if against:
        fights.with_emperor(t, against, troops, plan)
    else:
        fights.with_barbarians(t, name, troops, plan)


def sources(state: State, player: Player, target: ProvinceId) -> OneOf[ProvinceId]:
    """TRI-6.1: the target itself, or where units that can move and attack stand next door or across the sea."""
    mine = places_of(state, player)
    found = [
        name
        for name in mine
        if (name in BORDERS[target] or linked(name, target)) and moving.fresh(state, player, name).count
    ]
    here = [target] if moving.attackers(state, player, target).count else []
    but = {
        name: Reason("TRI-6.1", "have-acted" if name in mine else "no-units-there")
        for name in BOARD.provinces
    }
    return OneOf([*here, *found], but=but)


def sites(name: ProvinceId) -> Many[str]:
    """TRI-6.3: the sites of a province of Italy, in the order in which they are to be freed."""
    return Many(OneOf(SITES[name]), distinct=True, most=len(SITES[name]))


def planned(t: Table[State], troops: Troops, emperor: Player, name: ProvinceId, free: Sequence[str]) -> Plan:
    """TRI-6.3: what the attacker decides beforehand. Only Caesar (the person) may count 3 instead of throwing."""
    caesar = person(t.state, CAESAR, "arms")
    most = Limit(troops.count, "TRI-6.3", "not-so-many-dice")
    fixed = t.pick("fixed", Whole(0, [most]), rule="TRI-6.3", default=None)
    t.require(fixed is None or t.me == caesar, "TRI-6.3", "only-caesar", field="fixed", player=caesar)
    lose = t.pick("lose", LOSE, rule="TRI-6.3", default=None) or ()
    own = BOARD.starts[t.me].title
    medal = t.pick("medal", OneOf(TITLES), rule="TRI-6.5", default=own) if name in ITALY else own
    thrower = following(t.state, t.me)
    if not emperor:
        others = OneOf(t.state.seats, besides=[each for each in PLAYER.among if each not in t.state.seats])
        thrower = t.pick("thrower", others, rule="TRI-6.2", default=thrower)
    return Plan(tuple(free), fixed or 0, lose, medal, thrower)


def following(state: State, player: Player) -> Player:
    """TRI-6.2: who throws for barbarians when nobody is named (Ruling): the next player in seat order."""
    seats = state.seats
    return seats[(seats.index(player) + 1) % len(seats)]


def proclaim(t: Table[State]) -> None:
    """TRI-6.6: who has wholly freed Rome stays there as Emperor."""
    wanted = t.pick("emperor", Flag(), rule="TRI-6.6")
    t.require(wanted, "TRI-6.6", "emperor-is-true")
    t.require(not t.state.emperor.player, "TRI-6.6", "there-is-one", player=t.state.emperor.player)
    t.require(units(t.state, ROME, t.me).count > 0, "TRI-6.6", "not-in-rome")
    t.require(not barbarians(t.state, ROME).count, "TRI-6.6", "rome-not-free")
    t.play(Proclaimed(rule="TRI-6.6", player=t.me))


VERBS = {
    "attack": Verb(
        attack,
        {
            "attack": PROVINCE,
            "with": TROOPS,
            "from": PROVINCE,
            "free": Many(SITE, distinct=True),
            "fixed": COUNT,
            "medal": DOMAIN,
            "lose": LOSE,
            "thrower": PLAYER,
        },
        ("with",),
    ),
    "emperor": Verb(proclaim, {"emperor": Flag()}),
}
