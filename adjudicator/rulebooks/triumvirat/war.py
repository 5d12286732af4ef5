"""TRI-6.1 Moves: marches and convoys; TRI-6.2 Attacks: on barbarians, and on an Emperor in Rome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from adjudicator.engine.table import Hindrances, Player, Reason, Table, Verb, clockwise, up_to_all
from adjudicator.engine.table.domain import Flag, Limit, Many, OneOf, Whole, allowed
from adjudicator.rulebooks.triumvirat import board, taxes
from adjudicator.rulebooks.triumvirat.board import BOARD, BORDERS, ITALY, LANDS, ROME, SITES, ProvinceId
from adjudicator.rulebooks.triumvirat.events import won
from adjudicator.rulebooks.triumvirat.fights import Plan, fight
from adjudicator.rulebooks.triumvirat.pieces import Troops
from adjudicator.rulebooks.triumvirat.standing import LOSE, PLAYER, PROVINCE, TROOPS, Fields
from adjudicator.rulebooks.triumvirat.state import State


def picked(t: Table[State], field: str, there: Troops) -> Troops:
    """TRI-6.1: so many legions and veterans of those that there are."""
    return Troops(**t.pick(field, up_to_all(there, "TRI-6.1", "not-so-many-units"), rule="TRI-6.1"))


def bases(
    state: State, player: Player, near: Iterable[ProvinceId], able: Callable[[Player, ProvinceId], Troops]
) -> OneOf[ProvinceId]:
    """TRI-6.1: of the provinces that are near enough those in which some units are able to do it."""
    there = [name for name in near if state.units(name, player).count]
    idle = dict.fromkeys(there, Reason("TRI-6.1", "have-acted"))
    but = dict.fromkeys(LANDS, Reason("TRI-6.1", "no-units-there")) | idle
    return OneOf([name for name in there if able(player, name).count], but)


# -- moves -----------------------------------------------------------------------------------------------------------


def march(t: Table[State]) -> None:
    """TRI-6.1: one province by land."""
    travel(t, "march", by_sea=False)


def convoy(t: Table[State]) -> None:
    """TRI-6.1: from coast to coast."""
    travel(t, "convoy", by_sea=True)


def travel(t: Table[State], field: str, *, by_sea: bool) -> None:
    """TRI-6.1: some of the units in a province, each of which moves once, go to another one: not to a rival's, nor to
    Italy but to reinforce an own Emperor (TRI-6.6)."""
    state, me = t.state, t.me
    start = t.pick("from", bases(state, me, LANDS, state.unmoved), rule="TRI-6.1")
    troops = picked(t, field, state.unmoved(me, start))
    reinforced = ROME if state.emperor.player == me and state.emperor.turn < state.phase.turn else ""

    def hindrances(name: ProvinceId) -> Hindrances:
        reached = board.linked(start, name) if by_sea else name in BORDERS[start]
        owner = state.provinces[name].owner
        yield not reached, Reason("TRI-6.1", "no-coast" if by_sea else "not-next-door", {"start": start})
        yield name in ITALY and name != reinforced, Reason("TRI-6.1", "italy-by-attack")
        yield owner not in (None, me), Reason("TRI-6.1", "rivals-land", {"owner": owner})

    end = t.pick("to", allowed(LANDS, hindrances), rule="TRI-6.1")
    go(t, start, end, troops, by_sea=by_sea)


def go(t: Table[State], start: ProvinceId, end: ProvinceId, troops: Troops, *, by_sea: bool) -> None:
    """TRI-6.1: by land, or by convoy, one tax for two units. TRI-1.2: each convoy costs a tax more for each pirates
    card. TRI-10.4: one a turn is free with a power."""
    if by_sea:
        each = BOARD.costs["convoy"] + t.state.events.count("pirates")
        saved = 1 if t.state.ready(t.me, "free-convoy") else 0
        cost = each * (-(-troops.count // board.PER_CONVOY) - saved)
        taxes.pay(t, cost, rule="TRI-6.1", power="free-convoy", by="TRI-10.4")
    t.play(won.Marched(rule="TRI-6.1", player=t.me, start=start, end=end, troops=troops, convoy=by_sea))


# -- attacks ---------------------------------------------------------------------------------------------------------


def attack(t: Table[State]) -> None:
    """TRI-6.2: units that stand there, or come from next door or by convoy, attack, each once.

    Ruling: in Rome another's Emperor is attacked; barbarians on the sites beside him, if `free` names sites.
    """
    name = t.pick("attack", targets(t.state, t.me), rule="TRI-6.2")
    able = partial(able_to, t.state, name)
    near = [each for each in LANDS if each in BORDERS[name] or board.linked(each, name)]
    start = t.pick("from", bases(t.state, t.me, (name, *near), able), rule="TRI-6.1", default=None) or name
    troops = picked(t, "with", able(t.me, start))
    free: tuple[str, ...] = ()
    if name in ITALY and t.state.barbarians(name).count:
        sites = Many(OneOf(SITES[name]), distinct=True, most=len(SITES[name]))
        free = t.pick("free", sites, rule="TRI-6.3", default=None) or ()
    plan = planned(t, name, troops, "" if free else emperor_there(t.state, t.me, name), free)
    if start != name:
        go(t, start, name, troops, by_sea=name not in BORDERS[start])
    t.play(won.UnitsSpent(rule="TRI-6.1", player=t.me, province=name, troops=troops))
    fight(t, name, troops, plan)


def emperor_there(state: State, player: Player, name: ProvinceId) -> Player:
    """TRI-6.6: the Emperor whose units can be attacked there: another's, in Rome."""
    other = state.emperor.player
    there = name == ROME and other not in ("", player) and state.units(ROME, other).count > 0
    return other if there else ""


def targets(state: State, player: Player) -> OneOf[ProvinceId]:
    """TRI-6.2: where barbarians stand, at home, in neutral provinces and in Italy, or an Emperor."""

    def hindrances(name: ProvinceId) -> Hindrances:
        owner = state.provinces[name].owner
        somebody = state.barbarians(name).count or emperor_there(state, player, name)
        yield owner not in (None, player), Reason("TRI-6.2", "rivals-land", {"owner": owner})
        yield not somebody, Reason("TRI-6.2", "nobody-to-attack")

    return allowed(LANDS, hindrances)


def able_to(state: State, target: ProvinceId, player: Player, at: ProvinceId) -> Troops:
    """TRI-6.1: units in a province that can still attack a target, each once; they move there if it is another."""
    acted = state.acted(at)
    return state.units(at, player) - acted.attacked - acted.both if at == target else state.fresh(player, at)


def planned(t: Table[State], name: ProvinceId, troops: Troops, emperor: Player, free: Sequence[str]) -> Plan:
    """TRI-6.3: what the attacker decides beforehand. Only Caesar (the person) may count 3 instead of throwing."""
    caesar = t.state.person(board.CAESAR, "arms")
    most = Limit(troops.count, "TRI-6.3", "not-so-many-dice")
    fixed = t.pick("fixed", Whole(0, [most]), rule="TRI-6.3", default=None)
    t.require(fixed is None or t.me == caesar, "TRI-6.3", "only-caesar", field="fixed", player=caesar)
    lose = t.pick("lose", LOSE, rule="TRI-6.3", default=None) or ()
    own, thrower = BOARD.starts[t.me].title, ""
    medal = t.pick("medal", OneOf(board.TITLES), rule="TRI-6.5", default=own) if name in ITALY else own
    if not emperor:
        after_me = clockwise(t.state.seats, t.me)[1]  # when nobody is named (Ruling)
        thrower = t.pick("thrower", PLAYER, rule="TRI-6.2", default=after_me)
    return Plan(emperor, tuple(free), fixed or 0, lose, medal, thrower)


def proclaim(t: Table[State]) -> None:
    """TRI-6.6: who has wholly freed Rome stays there as Emperor."""
    t.require(t.pick("emperor", Flag(), rule="TRI-6.6"), "TRI-6.6", "emperor-is-true")
    t.require(not t.state.emperor.player, "TRI-6.6", "there-is-one", player=t.state.emperor.player)
    t.require(t.state.units(ROME, t.me).count > 0, "TRI-6.6", "not-in-rome")
    t.require(not t.state.barbarians(ROME).count, "TRI-6.6", "rome-not-free")
    t.play(won.Proclaimed(rule="TRI-6.6", player=t.me))


WAY = {"from": PROVINCE, "to": PROVINCE}
SITE = OneOf(tuple(dict.fromkeys(site for sites in SITES.values() for site in sites)))
ATTACK: Fields = {"attack": PROVINCE, "with": TROOPS, "from": PROVINCE, "free": Many(SITE, distinct=True)}
PLAN: Fields = {"fixed": Whole(1), "medal": OneOf(board.TITLES), "lose": LOSE, "thrower": PLAYER}
VERBS = {
    "march": Verb(march, {"march": TROOPS, **WAY}, ("from", "to")),
    "convoy": Verb(convoy, {"convoy": TROOPS, **WAY}, ("from", "to")),
    "attack": Verb(attack, {**ATTACK, **PLAN}, ("with",)),
    "emperor": Verb(proclaim, {"emperor": Flag()}),
}
