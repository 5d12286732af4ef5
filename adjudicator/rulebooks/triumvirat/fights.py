"""TRI-6.3 to 6.6 Fights: throws, losses, promotions, what is won in Italy, Emperors driven out, the way home."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from adjudicator.engine.table.dice import D6
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.table import Table
from adjudicator.rulebooks.triumvirat import ending
from adjudicator.rulebooks.triumvirat.board import (
    CAESAR,
    COUNTED,
    FOR_A_LOSS,
    ITALY,
    ROME,
    SITES,
    ProvinceId,
    Title,
    card_of,
)
from adjudicator.rulebooks.triumvirat.events.war import (
    BarbariansFell,
    CardWon,
    EmperorFell,
    Fought,
    MedalWon,
    Promoted,
    SiteFreed,
    UnitsFell,
    WarDone,
    WentHome,
)
from adjudicator.rulebooks.triumvirat.moving import acted, fresh
from adjudicator.rulebooks.triumvirat.production import supply
from adjudicator.rulebooks.triumvirat.state import (
    State,
    Troops,
    barbarians,
    capital,
    left,
    owned,
    person,
    power,
    units,
    units_left,
)

KINDS = ("legions", "veterans")


class Plan(Protocol):
    """What an attacker has decided beforehand."""

    @property
    def free(self) -> tuple[str, ...]:
        """Sites in the order in which they are to be freed."""

    @property
    def fixed(self) -> int:
        """Dice counted as 3."""

    @property
    def lose(self) -> tuple[str, ...]:
        """Kinds of units in the order in which they are lost."""

    @property
    def medal(self) -> Title:
        """The domain of a medal."""

    @property
    def thrower(self) -> Player:
        """Who throws for barbarians."""


# -- a throw ---------------------------------------------------------------------------------------------------------


def dice_of(t: Table[State], count: int, fixed: int, *what: str, player: Player) -> list[int]:
    """TRI-6.3: a die a unit; of those counted as 3 the first ones, legions before veterans."""
    thrown = [t.throw(D6, *what, rule="TRI-6.3", player=player) for _ in range(max(0, count - fixed))]
    return [*(COUNTED,) * min(fixed, count), *thrown]


def again(t: Table[State], dice: list[int], fixed: int, *what: str, player: Player) -> list[int]:
    """TRI-10.10: one die thrown again in each fight: the lowest that was thrown, unless `again: never`."""
    thrown = dice[fixed:]
    never = t.reveal(t.state.players[player].standing).again == "never"
    if not power(t.state, player, "reroll-one") or never or not thrown:
        return dice
    lowest = fixed + thrown.index(min(thrown))
    face = t.throw(D6, *what, "again", rule="TRI-10.10", player=player)
    return [*dice[:lowest], face, *dice[lowest + 1 :]]


def sum_of(t: Table[State], dice: Sequence[int], bonuses: Sequence[int], player: Player = "") -> int:
    """TRI-6.3: the dice and what veterans and elites add. TRI-10.12: one more by a senator's power."""
    more = 1 if player and power(t.state, player, "battle-plus-one") else 0
    return sum(dice) + sum(bonuses) + more


def losing(troops: Troops, order: Sequence[str], count: int) -> Troops:
    """TRI-6.3: the owner chooses the losses; by default legions first."""
    lost = dict.fromkeys(KINDS, 0)
    for kind in dict.fromkeys((*order, *KINDS)):
        lost[kind] = min(getattr(troops, kind), count)
        count -= lost[kind]
    return Troops(**lost)


def with_barbarians(t: Table[State], name: ProvinceId, troops: Troops, plan: Plan) -> None:
    """TRI-6.3: both sides throw once, and lose at the same moment; then what the victory brings."""
    enemy = barbarians(t.state, name)
    fixed = min(plan.fixed, troops.count)
    dice = dice_of(t, troops.count, fixed, "attack", name, player=t.me)
    others = dice_of(t, enemy.count, 0, "barbarians", name, player=plan.thrower)
    dice = again(t, dice, fixed, "attack", name, player=t.me)
    sums = (sum_of(t, dice, troops.bonuses, t.me), sum_of(t, others, enemy.bonuses))
    own, theirs = min(sums[1] // FOR_A_LOSS, troops.count), min(sums[0] // FOR_A_LOSS, enemy.count)
    t.play(
        Fought(
            rule="TRI-6.3",
            player=t.me,
            province=name,
            troops=troops,
            dice=tuple(dice),
            others=tuple(others),
            sums=sums,
            losses=(own, theirs),
            thrower=plan.thrower,
        )
    )
    attackers_fall(t, name, losing(troops, plan.lose, own))
    if name == ROME and t.state.emperor.player == t.me and not units(t.state, ROME, t.me).count:
        t.play(EmperorFell(rule="TRI-6.6", player=t.me))
    if name in ITALY:
        for site in falling(t.state, name, plan.free)[:theirs]:
            free(t, name, site)
    elif theirs:
        t.play(BarbariansFell(rule="TRI-6.3", province=name, barbarians=enemy.first(theirs)))
    if theirs == enemy.count:
        promote(t, name)
        if name in ITALY:
            decorate(t, plan.medal)


def attackers_fall(t: Table[State], name: ProvinceId, lost: Troops) -> None:
    """TRI-6.3: units of the attacker go to the box, those first that have moved too."""
    if lost.count:
        both = acted(t.state, name).both
        moved = Troops(min(both.legions, lost.legions), min(both.veterans, lost.veterans))
        t.play(UnitsFell(rule="TRI-6.3", player=t.me, province=name, troops=lost, moved=moved, attacker=True))


# -- victories -------------------------------------------------------------------------------------------------------


def falling(state: State, name: ProvinceId, wanted: Sequence[str]) -> list[str]:
    """TRI-6.3: sites in the order in which barbarians fall: ordinary ones first, then as the attacker says (Ruling)."""
    here = state.provinces[name].sites
    held = [site for site in dict.fromkeys((*wanted, *SITES[name])) if here[site] != "free"]
    return sorted(held, key=lambda site: here[site] == "elite")


def free(t: Table[State], name: ProvinceId, site: str) -> None:
    """TRI-6.5: a card for each site freed, a tax for the city."""
    t.play(SiteFreed(rule="TRI-6.5", player=t.me, province=name, site=site))
    card = card_of(site)
    if supply(t, card):
        t.play(CardWon(rule="TRI-6.5", player=t.me, card=card))


def promote(t: Table[State], name: ProvinceId) -> None:
    """TRI-6.4: who wipes out the enemy of a province turns one legion there into a veteran, if there is one left."""
    here, done = units(t.state, name, t.me), acted(t.state, name)
    if not here.legions or not units_left(t.state, t.me).veterans:
        return
    if done.attacked.legions:
        t.play(Promoted(rule="TRI-6.4", player=t.me, province=name, kind="attacked"))
    elif done.both.legions:
        t.play(Promoted(rule="TRI-6.4", player=t.me, province=name, kind="both"))
    elif fresh(t.state, t.me, name).legions:
        t.play(Promoted(rule="TRI-6.4", player=t.me, province=name))
    else:
        t.play(Promoted(rule="TRI-6.4", player=t.me, province=name, kind="moved"))


def decorate(t: Table[State], domain: Title) -> None:
    """TRI-6.5: a medal in a domain of the own general, which may win (TRI-9.1)."""
    if left(t.state, "medal"):
        t.play(MedalWon(rule="TRI-6.5", player=t.me, domain=domain))
        ending.look_at_points(t, t.me)


def with_emperor(t: Table[State], emperor: Player, troops: Troops, plan: Plan) -> None:
    """TRI-6.6: an Emperor's units are fought in Rome, his dice and losses as his standing `defence` says."""
    theirs = units(t.state, ROME, emperor)
    defence = t.reveal(t.state.players[emperor].standing).defence
    counts = defence.fixed if emperor == person(t.state, CAESAR, "arms") else 0
    fixed, held = min(plan.fixed, troops.count), min(counts, theirs.count)
    dice = dice_of(t, troops.count, fixed, "attack", ROME, player=t.me)
    others = dice_of(t, theirs.count, held, "defence", ROME, player=emperor)
    dice = again(t, dice, fixed, "attack", ROME, player=t.me)
    others = again(t, others, held, "defence", ROME, player=emperor)
    sums = (sum_of(t, dice, troops.bonuses, t.me), sum_of(t, others, theirs.bonuses, emperor))
    losses = (min(sums[1] // FOR_A_LOSS, troops.count), min(sums[0] // FOR_A_LOSS, theirs.count))
    t.play(
        Fought(
            rule="TRI-6.6",
            player=t.me,
            province=ROME,
            troops=troops,
            dice=tuple(dice),
            others=tuple(others),
            sums=sums,
            losses=losses,
            against=emperor,
        )
    )
    attackers_fall(t, ROME, losing(troops, plan.lose, losses[0]))
    if losses[1]:
        lost = losing(theirs, defence.lose, losses[1])
        t.play(UnitsFell(rule="TRI-6.6", player=emperor, province=ROME, troops=lost))
    if losses[1] == theirs.count:
        t.play(EmperorFell(rule="TRI-6.6", player=emperor))
        promote(t, ROME)
        decorate(t, plan.medal)


# -- the way home ----------------------------------------------------------------------------------------------------


def end_war(t: Table[State]) -> None:
    """TRI-6.5, TRI-6.6: units go home from what is freed in Italy, and from an Emperor whom they didn't beat."""
    for name in ITALY:
        beaten = name == ROME and t.state.emperor.player not in ("", t.me)
        if beaten or not barbarians(t.state, name).count:
            go_home(t, name, t.me)
    t.play(WarDone(rule="TRI-6.1", player=t.me))


def all_home(t: Table[State]) -> None:
    """TRI-6.5: where barbarians remain, units go home at the end of the pillage (Ruling)."""
    for name in ITALY:
        for player in t.state.seats:
            go_home(t, name, player)


def go_home(t: Table[State], name: ProvinceId, player: Player) -> None:
    """TRI-6.5: to the capital; that lost, to the own province that is first in the board's order; none: to the box
    (Ruling). An Emperor's units stay in Rome."""
    troops = units(t.state, name, player)
    if not troops.count or (name == ROME and t.state.emperor.player == player):
        return
    mine = owned(t.state, player)
    end = capital(player) if capital(player) in mine else next(iter(mine), "")
    t.play(WentHome(rule="TRI-6.5", player=player, start=name, end=end, troops=troops))
