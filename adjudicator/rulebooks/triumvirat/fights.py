"""TRI-6.3 to 6.6 Fights: throws, losses, promotions, what is won in Italy, Emperors driven out, the way home."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from adjudicator.engine.table import D6, Player, Table
from adjudicator.rulebooks.triumvirat import board, ending
from adjudicator.rulebooks.triumvirat.board import ITALY, ROME, ProvinceId, Title
from adjudicator.rulebooks.triumvirat.events import won
from adjudicator.rulebooks.triumvirat.pieces import Barbarians, Troops
from adjudicator.rulebooks.triumvirat.production import supply
from adjudicator.rulebooks.triumvirat.standing import Defence
from adjudicator.rulebooks.triumvirat.state import State


class Plan(Struct, frozen=True):
    """What an attacker says beforehand: the Emperor attacked (nobody: barbarians), sites in the order in which they are
    to be freed, dice counted as 3, losses, the medal's domain, who throws for barbarians."""

    emperor: Player
    free: tuple[str, ...]
    fixed: int
    lose: tuple[str, ...]
    medal: Title
    thrower: Player


# -- a throw ---------------------------------------------------------------------------------------------------------


def dice_of(t: Table[State], count: int, fixed: int, *what: str, player: Player) -> list[int]:
    """TRI-6.3: a die a unit; of those counted as 3 the first ones, legions before veterans."""
    thrown = [t.throw(D6, *what, rule="TRI-6.3", player=player) for _ in range(count - fixed)]
    return [*(board.COUNTED,) * fixed, *thrown]


def again(t: Table[State], dice: list[int], fixed: int, *what: str, player: Player) -> None:
    """TRI-10.10: one die thrown again in each fight: the lowest that was thrown, unless `again: never`."""
    thrown = dice[fixed:]
    never = t.reveal(t.state.players[player].standing).again == "never"
    if t.state.power(player, "reroll-one") and thrown and not never:
        lowest = fixed + thrown.index(min(thrown))
        dice[lowest] = t.throw(D6, *what, "again", rule="TRI-10.10", player=player)


def sum_of(t: Table[State], dice: Sequence[int], side: Troops | Barbarians, player: Player) -> int:
    """TRI-6.3: the dice and what veterans and elites add. TRI-10.12: one more by a senator's power."""
    more = 1 if player and t.state.power(player, "battle-plus-one") else 0
    strong = side.veterans if isinstance(side, Troops) else side.elite
    return sum(dice) + strong + more


def fight(t: Table[State], name: ProvinceId, troops: Troops, plan: Plan) -> None:
    """TRI-6.3: both sides throw once, and lose at the same moment; then what the victory brings. TRI-6.6: an Emperor's
    units are fought in Rome, his dice and losses as his standing `defence` says."""
    emperor = plan.emperor
    enemy = t.state.units(ROME, emperor) if emperor else t.state.barbarians(name)
    defence = t.reveal(t.state.players[emperor].standing).defence if emperor else Defence()
    counts = defence.fixed if emperor == t.state.person(board.CAESAR, "arms") else 0
    fixed, held = min(plan.fixed, troops.count), min(counts, enemy.count)
    side, rule = ("defence", "TRI-6.6") if emperor else ("barbarians", "TRI-6.3")
    dice = dice_of(t, troops.count, fixed, "attack", name, player=t.me)
    others = dice_of(t, enemy.count, held, side, name, player=emperor or plan.thrower)
    again(t, dice, fixed, "attack", name, player=t.me)
    if emperor:
        again(t, others, held, side, name, player=emperor)
    sums = (sum_of(t, dice, troops, t.me), sum_of(t, others, enemy, emperor))
    own = min(sums[1] // board.FOR_A_LOSS, troops.count)
    theirs = min(sums[0] // board.FOR_A_LOSS, enemy.count)
    thrown = won.Fought(
        t.me, name, troops, tuple(dice), tuple(others), sums, (own, theirs), emperor, plan.thrower, rule=rule
    )
    t.play(thrown)
    attackers_fall(t, name, troops.first(own, plan.lose))
    if isinstance(enemy, Troops):
        emperor_falls(t, enemy, theirs, plan, defence)
    else:
        barbarians_fall(t, name, enemy, theirs, plan)


def attackers_fall(t: Table[State], name: ProvinceId, lost: Troops) -> None:
    """TRI-6.3: units of the attacker go to the box, those first that have moved too."""
    if lost.count:
        t.play(won.UnitsFell(rule="TRI-6.3", player=t.me, province=name, troops=lost, attacker=True))
    if name == ROME and t.state.emperor.player == t.me and not t.state.units(ROME, t.me).count:
        t.play(won.EmperorFell(rule="TRI-6.6", player=t.me))


def barbarians_fall(t: Table[State], name: ProvinceId, enemy: Barbarians, lost: int, plan: Plan) -> None:
    """TRI-6.3: ordinary ones first, in Italy as the attacker says (Ruling). TRI-6.5: a card for each site freed, a tax
    for the city; a medal for a province wholly freed."""
    if name not in ITALY and lost:
        t.play(won.BarbariansFell(rule="TRI-6.3", province=name, barbarians=enemy.first(lost)))
    sites = t.state.provinces[name].sites
    held = [site for site in dict.fromkeys((*plan.free, *board.SITES.get(name, ()))) if sites[site] != "free"]
    for site in sorted(held, key=lambda site: sites[site] == "elite")[:lost]:
        card = board.card_of(site) if supply(t, board.card_of(site)) else ""
        t.play(won.SiteFreed(rule="TRI-6.5", player=t.me, province=name, site=site, card=card))
    if lost == enemy.count:
        promote(t, name)
        if name in ITALY:
            decorate(t, plan.medal)


def emperor_falls(t: Table[State], enemy: Troops, lost: int, plan: Plan, defence: Defence) -> None:
    """TRI-6.6: what an Emperor loses; beating him earns a promotion and a medal."""
    if lost:
        troops = enemy.first(lost, defence.lose)
        t.play(won.UnitsFell(rule="TRI-6.6", player=plan.emperor, province=ROME, troops=troops))
    if lost == enemy.count:
        t.play(won.EmperorFell(rule="TRI-6.6", player=plan.emperor))
        promote(t, ROME)
        decorate(t, plan.medal)


# -- victories -------------------------------------------------------------------------------------------------------


def promote(t: Table[State], name: ProvinceId) -> None:
    """TRI-6.4: who wipes out the enemy of a province turns one legion there into a veteran, if there is one left."""
    if t.state.units(name, t.me).legions and t.state.left("veteran", t.me):
        t.play(won.Promoted(rule="TRI-6.4", player=t.me, province=name))


def decorate(t: Table[State], domain: Title) -> None:
    """TRI-6.5: a medal in a domain of the own general, which may win (TRI-9.1)."""
    if t.state.left("medal"):
        t.play(won.MedalWon(rule="TRI-6.5", player=t.me, domain=domain))
        ending.look_at_points(t, t.me)


# -- the way home ----------------------------------------------------------------------------------------------------


def end_war(t: Table[State]) -> None:
    """TRI-6.5, TRI-6.6: units go home from what is freed in Italy, and from an Emperor whom they didn't beat."""
    for name in ITALY:
        beaten = name == ROME and t.state.emperor.player not in ("", t.me)
        if beaten or not t.state.barbarians(name).count:
            go_home(t, name, t.me)
    t.play(won.WarDone(rule="TRI-6.1", player=t.me))


def all_home(t: Table[State]) -> None:
    """TRI-6.5: where barbarians remain, units go home at the end of the pillage (Ruling)."""
    for name in ITALY:
        for player in t.state.seats:
            go_home(t, name, player)


def go_home(t: Table[State], name: ProvinceId, player: Player) -> None:
    """TRI-6.5: to the capital; that lost, to the own province that is first in the board's order; none: to the box
    (Ruling). An Emperor's units stay in Rome."""
    troops, mine = t.state.units(name, player), t.state.owned(player)
    if troops.count and not (name == ROME and t.state.emperor.player == player):
        capital = board.BOARD.starts[player].capital
        end = capital if capital in mine else next(iter(mine), "")
        t.play(won.WentHome(rule="TRI-6.5", player=player, start=name, end=end, troops=troops))
