"""TRI-6.1 Moves: marches and convoys, and which units can still move or attack."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from adjudicator.engine.table.domain import Counts, Limit, OneOf, Whole
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.triumvirat.board import BOARD, BORDERS, ITALY, PER_CONVOY, ROME, ProvinceId, linked
from adjudicator.rulebooks.triumvirat.events.building import Paid, Used
from adjudicator.rulebooks.triumvirat.events.war import Marched
from adjudicator.rulebooks.triumvirat.standing import PROVINCE, TROOPS
from adjudicator.rulebooks.triumvirat.state import (
    Acted,
    State,
    Troops,
    places_of,
    power,
    purse,
    ready,
    units,
)


def acted(state: State, at: ProvinceId) -> Acted:
    """What units in a province have done, of the player whose turn it is."""
    return state.done.acted.get(at, Acted())


def unmoved(state: State, player: Player, at: ProvinceId) -> Troops:
    """TRI-6.1: units that can still move: each once, and in Italy none."""
    if at in ITALY:
        return Troops()
    return units(state, at, player) - acted(state, at).moved - acted(state, at).both


def fresh(state: State, player: Player, at: ProvinceId) -> Troops:
    """TRI-6.1: units that have neither moved nor attacked."""
    return unmoved(state, player, at) - acted(state, at).attacked


def attackers(state: State, player: Player, at: ProvinceId) -> Troops:
    """TRI-6.1: units there that can still attack: each once."""
    return units(state, at, player) - acted(state, at).attacked - acted(state, at).both


def picked(t: Table[State], field: str, there: Troops, rule: str) -> Troops:
    """So many legions and veterans of those that there are."""
    kinds = {
        "legions": Whole(0, [Limit(there.legions, rule, "not-so-many-units")]),
        "veterans": Whole(0, [Limit(there.veterans, rule, "not-so-many-units")]),
    }
    return Troops(**t.pick(field, Counts(kinds), rule=rule))


def bases(
    state: State, player: Player, can: Callable[[State, Player, ProvinceId], Troops]
) -> OneOf[ProvinceId]:
    """TRI-6.1: the places of own units that can still do something."""
    mine = places_of(state, player)
    but = {
        name: Reason("TRI-6.1", "have-acted" if name in mine else "no-units-there")
        for name in BOARD.provinces
    }
    return OneOf([name for name in mine if can(state, player, name).count], but=but)


def closed(state: State, player: Player, name: ProvinceId) -> Reason | None:
    """TRI-6.1: why a province can't be entered but to attack: a rival's; Italy, but to reinforce an own Emperor."""
    if name in ITALY:
        reinforced = state.emperor.player == player and state.emperor.turn < state.phase.turn and name == ROME
        return None if reinforced else Reason("TRI-6.1", "italy-by-attack")
    owner = state.provinces[name].owner
    return Reason("TRI-6.1", "rivals-land", {"owner": owner}) if owner not in (None, player) else None


def goals(t: Table[State], start: ProvinceId, *, by_sea: bool) -> OneOf[ProvinceId]:
    """TRI-6.1: where units can go from a province: next door, or from coast to coast."""
    but: dict[str, Reason] = {}
    for name in BOARD.provinces:
        reached = linked(start, name) if by_sea else name in BORDERS[start]
        far = Reason("TRI-6.1", "no-coast" if by_sea else "not-next-door", {"start": start})
        why = closed(t.state, t.me, name) if reached else far
        if why:
            but[name] = why
    return OneOf([name for name in BOARD.provinces if name not in but], but=but)


def march(t: Table[State]) -> None:
    """TRI-6.1: one province by land."""
    start = t.pick("from", bases(t.state, t.me, unmoved), rule="TRI-6.1")
    troops = picked(t, "march", unmoved(t.state, t.me, start), "TRI-6.1")
    end = t.pick("to", goals(t, start, by_sea=False), rule="TRI-6.1")
    go(t, start, end, troops)


def convoy(t: Table[State]) -> None:
    """TRI-6.1: from coast to coast, one tax for two units of one province to one province."""
    start = t.pick("from", bases(t.state, t.me, unmoved), rule="TRI-6.1")
    troops = picked(t, "convoy", unmoved(t.state, t.me, start), "TRI-6.1")
    end = t.pick("to", goals(t, start, by_sea=True), rule="TRI-6.1")
    cost = can_pay(t, troops)
    pay(t, cost)
    go(t, start, end, troops, convoy=True)


def price(state: State, player: Player, troops: Troops) -> int:
    """TRI-1.2: each convoy costs a tax more for each pirates card. TRI-10.4: one a turn is free with a power."""
    each = BOARD.costs.convoy + state.events.count("pirates")
    convoys = -(-troops.count // PER_CONVOY)
    return each * (convoys - (1 if ready(state, player, "free-convoy") else 0))


def can_pay(t: Table[State], troops: Troops) -> int:
    """TRI-6.1: what a convoy costs, if it can be paid. Raises Refused."""
    cost, held = price(t.state, t.me, troops), purse(t.state, t.me)
    t.require(cost <= held, "TRI-6.1", "not-enough-taxes", price=cost, held=held)
    return cost


def pay(t: Table[State], cost: int) -> None:
    """TRI-6.1, TRI-10.4: the taxes, or the power of a senator."""
    if ready(t.state, t.me, "free-convoy"):
        t.play(Used(rule="TRI-10.4", player=t.me, senator=power(t.state, t.me, "free-convoy")))
    if cost:
        t.play(Paid(rule="TRI-6.1", player=t.me, taxes=cost))


def go(t: Table[State], start: ProvinceId, end: ProvinceId, troops: Troops, *, convoy: bool = False) -> None:
    """TRI-6.1: the units go, those first that haven't attacked."""
    able = fresh(t.state, t.me, start)
    attacked = Troops(max(0, troops.legions - able.legions), max(0, troops.veterans - able.veterans))
    t.play(
        Marched(
            rule="TRI-6.1", player=t.me, start=start, end=end, troops=troops, attacked=attacked, convoy=convoy
        )
    )


WAY: Mapping[str, OneOf[str]] = {"from": PROVINCE, "to": PROVINCE}
VERBS = {
    "march": Verb(march, {"march": TROOPS, **WAY}, ("from", "to")),
    "convoy": Verb(convoy, {"convoy": TROOPS, **WAY}, ("from", "to")),
}
