"""TRI-6 War: marches and convoys, attacks on barbarians and on an Emperor in Rome, fights, and what they win."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from adjudicator.engine.table import (
    D6,
    UNFORESEEN,
    Hindrances,
    Player,
    Reason,
    Table,
    Use,
    Verb,
    clockwise,
    once,
    up_to_all,
)
from adjudicator.engine.table.domain import Domain, Flag, Limit, Many, Offering, OneOf, Whole, allowed
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.triumvirat import board, ending, events, setup
from adjudicator.rulebooks.triumvirat.board import BOARD, BORDERS, ITALY, LANDS, ROME, SITES, ProvinceId
from adjudicator.rulebooks.triumvirat.pieces import NO_BARBARIANS, NO_TROOPS, Barbarians, Defence, Troops
from adjudicator.rulebooks.triumvirat.standing import LOSE, PLAYER, PROVINCE, TITLE, TROOPS
from adjudicator.rulebooks.triumvirat.state import State


class Plan(Struct, frozen=True):
    """An attacker's decisions before the throw: the Emperor attacked (nobody: barbarians), the order in which sites are
    freed, dice counted as 3, the order of losses, the medal's domain, who throws for barbarians."""

    emperor: Player
    free: tuple[str, ...]
    fixed: int
    lose: tuple[str, ...]
    medal: board.Title
    thrower: Player


def units_meant(t: Table[State], field: str, there: Troops, *, by_sea: bool = False) -> Troops:
    """TRI-6.1: the legions and veterans that an order takes of those available; offered are no more than the player can
    pay convoys for."""
    units, state, me = up_to_all(there, "TRI-6.1", "not-so-many-units"), t.state, t.me
    paid = Offering(units, lambda: units.at_most(units_for_taxes(state, me)))
    return Troops(**t.pick(field, paid if by_sea else units, rule="TRI-6.1"))


def bases(
    state: State,
    player: Player,
    able: Callable[[ProvinceId], Troops],
    near: Collection[ProvinceId] = LANDS,
    target: ProvinceId = "",
) -> OneOf[ProvinceId]:
    """TRI-6.1: the provinces with units that are able to do it, those near the target first; why the others can't be
    named."""

    def hindrances(name: ProvinceId) -> Hindrances:
        yield state.units(name, player) == NO_TROOPS and Reason("TRI-6.1", "no-units-there")
        yield name not in near and Reason("TRI-6.1", "cannot-come", {"target": target})
        yield able(name) == NO_TROOPS and Reason("TRI-6.1", "have-acted")

    return allowed((*near, *LANDS), hindrances)


# -- moves -----------------------------------------------------------------------------------------------------------


def travel(t: Table[State], field: str, *, by_sea: bool) -> None:
    """TRI-6.1: units of a province, each of which moves once, go to another one, adjacent or from coast to coast: not
    to a rival's, nor to Italy except to reinforce the player's own Emperor (TRI-6.6)."""
    state, me = t.state, t.me
    able = partial(state.unmoved, me)
    start = t.pick("from", bases(state, me, able), rule="TRI-6.1")
    troops = units_meant(t, field, able(start), by_sea=by_sea)
    reinforced = ROME if state.emperor.player == me and state.emperor.turn < state.phase.turn else ""
    reached = board.COASTS[start] if by_sea else BORDERS[start]
    away = Reason("TRI-6.1", "no-coast" if by_sea else "not-next-door", {"start": start})

    def hindrances(name: ProvinceId) -> Hindrances:
        yield name not in reached and away
        yield name in ITALY and name != reinforced and Reason("TRI-6.1", "italy-by-attack")
        owner = state.provinces[name].owner
        yield owner not in (None, me) and Reason("TRI-6.1", "rivals-land", {"owner": owner})

    go(t, start, t.pick("to", allowed(LANDS, hindrances), rule="TRI-6.1"), troops, by_sea=by_sea)


def fare(state: State) -> int:
    """TRI-6.1: the taxes that a convoy costs. TRI-1.2: one more for each pirates card (Ruling)."""
    return BOARD.costs["convoy"] + state.events.count("pirates")


def units_for_taxes(state: State, player: Player) -> int:
    """TRI-6.1, TRI-10.4: how many units the player can pay convoys for, one of them free with a power."""
    saved = 1 if state.ready(player, "free-convoy") else 0
    return BOARD.numbers["per-convoy"] * (state.purse(player) // fare(state) + saved)


def go(t: Table[State], start: ProvinceId, end: ProvinceId, troops: Troops, *, by_sea: bool) -> None:
    """TRI-6.1: units go by land, or by convoy, one tax for two units. TRI-1.2: each convoy costs one tax more for each
    pirates card. TRI-10.4: one convoy a turn is free with a power."""
    if by_sea:
        saved = 1 if t.state.ready(t.me, "free-convoy") else 0
        cost = fare(t.state) * (board.convoys(troops.count) - saved)
        setup.pay_taxes(t, cost, "TRI-6.1", power="free-convoy", by="TRI-10.4")
    t.play(events.Marched(rule="TRI-6.1", player=t.me, start=start, end=end, troops=troops, convoy=by_sea))


# -- attacks ---------------------------------------------------------------------------------------------------------


def attack(t: Table[State]) -> None:
    """TRI-6.2: units that stand there, or come from an adjacent province or by convoy, attack, each once.

    **Ruling**: in Rome another player's Emperor is attacked; barbarians on the sites beside him, if `free` names sites.
    Neither takes the other's place: an attack on barbarians that are gone is refused, and so is one on an Emperor who
    has fallen in this war.
    """
    name = t.pick("attack", targets(t.state, t.me), rule="TRI-6.2")
    near, able = (name, *board.NEXT[name]), partial(able_to, t.state, t.me, name)
    start = t.pick("from", bases(t.state, t.me, able, near, name), rule="TRI-6.1", default=None) or name
    by_sea = start != name and name not in BORDERS[start]
    troops = units_meant(t, "with", able(start), by_sea=by_sea)
    free: tuple[str, ...] = ()
    held = t.state.barbarians(name).count > 0
    if name in ITALY and not (t.state.rules < 3 and not held):
        sites = Many(OneOf(SITES[name]), distinct=True, most=len(SITES[name]))
        beside = partial(replace, sites, each=OneOf(SITES[name] if held else ()))
        free = t.pick("free", Offering(sites, beside), rule="TRI-6.3", default=None) or ()
        t.require(held or not free, "TRI-6.2", "sites-are-free", field="free", value=name)
        fell = t.state.done.fell if name == ROME and not t.state.emperor.player else ""
        t.require(bool(free) or not fell, "TRI-6.2", "emperor-fell", player=fell)
    plan = attack_plan(t, name, troops, "" if free else emperor_there(t.state, t.me, name), free)
    if start != name:
        go(t, start, name, troops, by_sea=by_sea)
    t.play(events.UnitsSpent(rule="TRI-6.1", player=t.me, province=name, troops=troops))
    fight(t, name, troops, plan)


def emperor_there(state: State, player: Player, name: ProvinceId) -> Player:
    """TRI-6.6: the Emperor whose units can be attacked there: another player's, in Rome."""
    other = state.emperor.player
    return other if name == ROME and other not in ("", player) and state.units(ROME, other).count else ""


@remembered
def targets(state: State, player: Player) -> OneOf[ProvinceId]:
    """TRI-6.2: the places that can be attacked: those with barbarians, at home,
    in neutral provinces and in Italy, or an Emperor."""

    def hindrances(name: ProvinceId) -> Hindrances:
        owner = state.provinces[name].owner
        yield owner not in (None, player) and Reason("TRI-6.2", "rivals-land", {"owner": owner})
        somebody = state.barbarians(name) != NO_BARBARIANS or emperor_there(state, player, name)
        yield not somebody and Reason("TRI-6.2", "nobody-to-attack")

    return allowed(LANDS, hindrances)


def able_to(state: State, player: Player, target: ProvinceId, at: ProvinceId) -> Troops:
    """TRI-6.1: the units in a province that can still attack a target, each once;
    if it is another province they move there."""
    acted = state.acted(at)
    here = state.units(at, player) - acted.attacked - acted.both
    return here if at == target else state.units_unused(player, at)


def attack_plan(
    t: Table[State], name: ProvinceId, troops: Troops, emperor: Player, free: Sequence[str]
) -> Plan:
    """TRI-6.3: the attacker's decisions before the throw. Only Caesar (the person) may count 3 instead of throwing."""
    caesar = t.state.person(board.CAESAR)
    most = Limit(troops.count, "TRI-6.3", "not-so-many-dice")
    fixed = t.pick("fixed", Whole(1, [most]), rule="TRI-6.3", default=None)
    t.require(fixed is None or t.me == caesar, "TRI-6.3", "only-caesar", field="fixed", player=caesar)
    lose = t.pick("lose", LOSE, rule="TRI-6.3", default=None) or ()
    own, thrower = BOARD.starts[t.me].title, ""
    medal = t.pick("medal", TITLE, rule="TRI-6.5", default=own) if name in ITALY else own
    if not emperor:
        # Ruling: if nobody is named, the next player throws
        thrower = t.pick("thrower", PLAYER, rule="TRI-6.2", default=clockwise(t.state.seats, t.me)[1])
    return Plan(emperor, tuple(free), fixed or 0, lose, medal, thrower)


def proclaim(t: Table[State]) -> None:
    """TRI-6.6: a player who has wholly freed Rome may stay there as Emperor."""
    t.require(t.pick("emperor", Flag(), rule="TRI-6.6"), "TRI-6.6", "emperor-is-true")
    t.require(not t.state.emperor.player, "TRI-6.6", "there-is-one", player=t.state.emperor.player)
    t.require(t.state.units(ROME, t.me).count > 0, "TRI-6.6", "not-in-rome")
    t.require(not t.state.barbarians(ROME).count, "TRI-6.6", "rome-not-free")
    t.play(events.Proclaimed(rule="TRI-6.6", player=t.me))


# -- a throw ---------------------------------------------------------------------------------------------------------


def dice_of(t: Table[State], count: int, fixed: int, *what: str, player: Player) -> list[int]:
    """TRI-6.3: one die for each unit; the first ones are counted as 3, legions before veterans."""
    thrown = [t.throw(D6, *what, rule="TRI-6.3", player=player) for _ in range(count - fixed)]
    return [*(board.COUNTED,) * fixed, *thrown]


def throw_again(t: Table[State], dice: list[int], fixed: int, *what: str, player: Player) -> tuple[int, ...]:
    """TRI-10.10: one die is thrown again in each fight: the lowest that was thrown, unless `again: never`."""
    able = t.state.power(player, "reroll-one") and t.reveal(t.state.players[player].standing).again != "never"
    if able and len(dice) > fixed:
        lowest = min(range(fixed, len(dice)), key=lambda at: dice[at])
        dice[lowest] = t.throw(D6, *what, "again", rule="TRI-10.10", player=player)
    return tuple(dice)


def sum_of(dice: Sequence[int], side: Troops | Barbarians, more: int) -> int:
    """TRI-6.3: the sum of the dice, with the bonuses of veterans, elites and a senator."""
    return sum(dice) + (side.veterans if isinstance(side, Troops) else side.elite) + more


def bonus_of_senator(state: State, player: Player) -> int:
    """TRI-10.12: one more in each fight by a senator's power."""
    return 1 if state.power(player, "battle-plus-one") else 0


def fight(t: Table[State], name: ProvinceId, troops: Troops, plan: Plan) -> None:
    """TRI-6.3: both sides throw once and take their losses at the same moment; then the attacker may win.

    TRI-6.6: in Rome an Emperor's units are fought, with dice and losses by his standing `defence`.
    """
    emperor, thrower, caesar = plan.emperor, plan.thrower, t.state.person(board.CAESAR)
    enemy = t.state.units(ROME, emperor) if emperor else t.state.barbarians(name)
    defence = t.reveal(t.state.players[emperor].standing).defence if emperor else Defence()
    held = min(defence.fixed, enemy.count) if emperor == caesar else 0
    side, rule = ("defence", "TRI-6.6") if emperor else ("barbarians", "TRI-6.3")
    thrown = dice_of(t, troops.count, plan.fixed, "attack", name, player=t.me)
    answer = dice_of(t, enemy.count, held, side, name, player=emperor or thrower)
    dice = throw_again(t, thrown, plan.fixed, "attack", name, player=t.me)
    others = throw_again(t, answer, held, side, name, player=emperor)
    more = (bonus_of_senator(t.state, t.me), bonus_of_senator(t.state, emperor))
    sums = (sum_of(dice, troops, more[0]), sum_of(others, enemy, more[1]))
    losses = [each // BOARD.numbers["for-a-loss"] for each in sums]
    lost, fell = troops.first(losses[1], plan.lose), enemy.first(losses[0], defence.lose)
    beaten = asdict(fell) if emperor or name not in ITALY else {}
    throws = (dice, others, sums)
    t.play(events.Fought(t.me, name, troops, *throws, lost, beaten, emperor, thrower, more, rule=rule))
    ruler = t.state.emperor.player
    if name == ROME and ruler and not t.state.units(ROME, ruler).count:
        t.play(events.EmperorFell(rule="TRI-6.6", player=ruler))
    if not emperor:
        free_sites(t, name, fell.count, plan.free)
    if fell.count == enemy.count:
        win(t, name, plan.medal)


def free_sites(t: Table[State], name: ProvinceId, count: int, first: Sequence[str]) -> None:
    """TRI-6.3: barbarians of Italy are lost site by site as the attacker says, no matter which kind stands there
    (Ruling); sites that the attacker doesn't name follow in the board's order.

    TRI-6.5: the attacker wins a card for each site freed, a tax for the city.
    """
    sites = t.state.provinces[name].sites
    held = [site for site in dict.fromkeys((*first, *SITES.get(name, ()))) if sites[site] != "free"]
    for site in held[:count]:
        card = board.card_of(site) if setup.supply(t)[board.card_of(site)] else ""
        t.play(events.SiteFreed(rule="TRI-6.5", player=t.me, province=name, site=site, card=card))


def win(t: Table[State], name: ProvinceId, domain: board.Title) -> None:
    """TRI-6.4: a player who wipes out the enemy of a province turns one legion that is left there into a veteran, if
    the box has one (Ruling).

    TRI-6.5, TRI-6.6: in Italy the general also wins one medal (Ruling) in a domain, which may win the match
    (TRI-9.1).
    """
    if t.state.units(name, t.me).legions and t.state.left("veteran", t.me):
        t.play(events.Promoted(rule="TRI-6.4", player=t.me, province=name))
    if name in ITALY and t.state.medals() < BOARD.pieces["medal"]:
        t.play(events.MedalWon(rule="TRI-6.5", player=t.me, domain=domain))
        ending.look_at_points(t, t.me)


WAY = {"from": PROVINCE, "to": PROVINCE}
FREE = Many(OneOf(tuple(dict.fromkeys(site for sites in SITES.values() for site in sites))), distinct=True)
ATTACK: dict[str, Domain[Any]] = {"attack": PROVINCE, "with": TROOPS, "from": PROVINCE, "free": FREE}
PLAN: dict[str, Domain[Any]] = {"fixed": Whole(1), "medal": TITLE, "lose": LOSE, "thrower": PLAYER}
VERBS = {
    "march": Verb(
        partial(travel, field="march", by_sea=False),
        {"march": TROOPS, **WAY},
        ("from", "to"),
        uses=(Use("units {from} {each}", "march"),),
        subject=("from",),
    ),
    "convoy": Verb(
        partial(travel, field="convoy", by_sea=True),
        {"convoy": TROOPS, **WAY},
        ("from", "to"),
        uses=(Use("units {from} {each}", "convoy"), Use("taxes", times=None)),
        subject=("from",),
        prices=lambda state, player: {"": fare(state)},
    ),
    "attack": Verb(
        attack,
        {**ATTACK, **PLAN},
        ("with",),
        uses=(Use("units {from|attack} {each}", "with", perhaps=True), Use("taxes", times=None), UNFORESEEN),
        subject=("from", "attack"),
        prices=lambda state, player: {"": fare(state)},
    ),
    "emperor": Verb(
        proclaim, {"emperor": Flag()}, uses=(once("emperor", "TRI-6.6", "emperor-already"),), subject=()
    ),
}
