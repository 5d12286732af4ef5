"""TRI-5.3 to 5.5 Barbarians driven and raised: one after another, each one pile, until all have passed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.engine.table.domain import Counts, Either, Flag, Limit, Many, OneOf, Walk, Whole
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Hearing
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.triumvirat.board import (
    BOARD,
    BORDERS,
    ITALY,
    OUTSIDE,
    PER_CONVOY,
    PILE,
    ProvinceId,
    linked,
)
from adjudicator.rulebooks.triumvirat.events.building import Paid, Used
from adjudicator.rulebooks.triumvirat.events.cards import TradeClosed
from adjudicator.rulebooks.triumvirat.events.hordes import Driven, GoDone, Passed, Raised
from adjudicator.rulebooks.triumvirat.leading import order_of
from adjudicator.rulebooks.triumvirat.standing import BARBARIANS, COUNT, PROVINCE, TAKEN
from adjudicator.rulebooks.triumvirat.state import (
    Barbarians,
    State,
    garrisoned,
    left,
    may_pay,
    power,
    purse,
    ready,
)

ALL = OneOf(("all",))
LONGEST = 12
"""TRI-5.4: no purse comes to more steps than these in one go (Ruling)."""
SHORTEST = 4
"""A way is looked at as a whole, not listed, where it may be so long."""


def movable(state: State, player: Player, at: ProvinceId) -> Barbarians:
    """TRI-5.4: the barbarians of a province that lie for nobody else."""
    others = [each for who, each in state.done.lying.get(at, {}).items() if who != player]
    return state.provinces[at].barbarians - sum(others, Barbarians())


def ways(state: State) -> Mapping[ProvinceId, Sequence[ProvinceId]]:
    """TRI-5.4, TRI-5.5: where a pile can step: next door but Italy; with pirates also from coast to coast."""
    sea = "pirates" in state.events
    return {
        name: [
            other
            for other in OUTSIDE
            if name not in ITALY and (other in BORDERS[name] or (sea and linked(name, other)))
        ]
        for name in BOARD.provinces
    }


def drive(t: Table[State]) -> None:
    """TRI-5.4: a pile of up to 4 goes from province to province, taking up others on the way; nothing in Italy."""
    check_turn(t)
    there = {name: movable(t.state, t.me, name) for name in OUTSIDE}
    start = t.pick("from", starts(t.state, there), rule="TRI-5.4")
    pile = picked(t, there[start])
    budget = purse(t.state, t.me) + (1 if ready(t.state, t.me, "free-barbarian-step") else 0)
    most = min(max(budget, SHORTEST), LONGEST)
    via = t.pick("via", Walk(start, ways(t.state), most), rule="TRI-5.4")
    for name in via[:-1]:
        stop = t.state.provinces[name].temple or garrisoned(t.state, name)
        t.require(not stop, "TRI-5.4", "must-stop", field="via", value=name)
    taken = taken_up(t, {**there, start: there[start] - pile}, via)
    count = pile.count + sum(each.count for each in taken.values())
    t.require(count <= PILE, "TRI-5.4", "pile-too-large", value=count, most=PILE)
    cost = price(start, via, pile, taken)
    t.require(cost <= budget, "TRI-5.4", "not-enough-taxes", price=cost, held=budget)
    pay(t, cost)
    move(t, start, via, pile, taken)


def starts(state: State, there: Mapping[ProvinceId, Barbarians]) -> OneOf[ProvinceId]:
    """TRI-5.4: where barbarians are to be moved from."""
    onward = ways(state)
    but = {name: Reason("TRI-5.4", "italy-stays") for name in ITALY}
    for name in OUTSIDE:
        if not state.provinces[name].barbarians.count:
            but[name] = Reason("TRI-5.4", "nobody-there")
        elif not there[name].count:
            but[name] = Reason("TRI-5.4", "they-lie")
        elif not onward[name]:
            but[name] = Reason("TRI-5.5", "no-way")
    return OneOf([name for name in OUTSIDE if name not in but], but=but)


def picked(t: Table[State], there: Barbarians) -> Barbarians:
    """TRI-5.4: so many, ordinary ones first; `all` (up to 4); or so many of each."""
    here = [Limit(there.count, "TRI-5.4", "not-so-many-there"), Limit(PILE, "TRI-5.4", "pile-too-large")]
    kinds = {
        "ordinary": Whole(0, [Limit(there.ordinary, "TRI-5.4", "not-so-many-there"), here[1]]),
        "elite": Whole(0, [Limit(there.elite, "TRI-5.4", "not-so-many-there"), here[1]]),
    }
    wanted = t.pick("drive", Either((ALL, Whole(1, here), Counts(kinds))), rule="TRI-5.4")
    if wanted == "all":
        return there.first(PILE)
    return there.first(wanted) if isinstance(wanted, int) else Barbarians(**wanted)


def taken_up(
    t: Table[State], there: Mapping[ProvinceId, Barbarians], via: Sequence[ProvinceId]
) -> dict[ProvinceId, Barbarians]:
    """TRI-5.4: barbarians on the way, before its end, may be taken up, ordinary ones first."""
    each = {name: Whole(0, [Limit(there[name].count, "TRI-5.4", "not-so-many-there")]) for name in via[:-1]}
    but = {name: Reason("TRI-5.4", "not-on-the-way") for name in BOARD.provinces if name not in each}
    wanted = t.pick("take", Counts(each, but=but), rule="TRI-5.4", default=None) or {}
    return {name: there[name].first(count) for name, count in wanted.items()}


def price(
    start: ProvinceId, via: Sequence[ProvinceId], pile: Barbarians, taken: Mapping[ProvinceId, Barbarians]
) -> int:
    """TRI-5.4: a tax a step. TRI-5.5: by sea one for two barbarians."""
    cost, here, left_ = 0, start, dict(taken)
    for there in via:
        by_land = there in BORDERS[here]
        cost += BOARD.costs.step if by_land else BOARD.costs.step * -(-pile.count // PER_CONVOY)
        pile += left_.pop(there, Barbarians())
        here = there
    return cost


def pay(t: Table[State], cost: int) -> None:
    """TRI-5.4: the taxes; one step a turn is free with a senator's power (TRI-10.9)."""
    if ready(t.state, t.me, "free-barbarian-step"):
        who = power(t.state, t.me, "free-barbarian-step")
        t.play(Used(rule="TRI-10.9", player=t.me, senator=who))
        cost -= BOARD.costs.step
    if cost:
        t.play(Paid(rule="TRI-5.4", player=t.me, taxes=cost))


def move(
    t: Table[State],
    start: ProvinceId,
    via: Sequence[ProvinceId],
    pile: Barbarians,
    taken: dict[ProvinceId, Barbarians],
) -> None:
    """TRI-5.4: step by step; what has been moved lies down, and nobody else moves it in this turn."""
    here = start
    for there in via:
        mine = t.state.done.lying.get(here, {}).get(t.me, Barbarians())
        lying = Barbarians(min(mine.ordinary, pile.ordinary), min(mine.elite, pile.elite))
        sea = there not in BORDERS[here]
        t.play(
            Driven(
                rule="TRI-5.5" if sea else "TRI-5.4",
                player=t.me,
                start=here,
                end=there,
                pile=pile,
                lying=lying,
                sea=sea,
            )
        )
        pile += taken.pop(there, Barbarians())
        here = there


def raise_(t: Table[State]) -> None:
    """TRI-5.3: one barbarian for two taxes, in a neutral province outside Italy (Ruling), an ordinary one."""
    check_turn(t)
    but = {name: Reason("TRI-5.3", "not-neutral") for name in BOARD.provinces}
    neutral = [name for name in OUTSIDE if not t.state.provinces[name].owner]
    name = t.pick("raise", OneOf(neutral, but=but), rule="TRI-5.3")
    cost, held = BOARD.costs.raise_, purse(t.state, t.me)
    t.require(bool(left(t.state, "barbarian")), "TRI-0.5", "none-left", piece="barbarian")
    t.require(cost <= held, "TRI-5.3", "not-enough-taxes", price=cost, held=held)
    t.play(Paid(rule="TRI-5.3", player=t.me, taxes=cost))
    t.play(Raised(rule="TRI-5.3", player=t.me, province=name))


def pass_(t: Table[State]) -> None:
    """TRI-5.3: passes for good (Ruling)."""
    check_turn(t)
    t.require(t.pick("pass", Flag(), rule="TRI-5.3"), "TRI-5.3", "pass-is-true")
    t.play(Passed(rule="TRI-5.3", player=t.me))


# -- whose go it is --------------------------------------------------------------------------------------------------


def check_turn(t: Table[State]) -> None:
    """TRI-5.3: who has passed drives no more; in live pacing a sheet is for one go."""
    t.require(t.me not in t.state.done.passed, "TRI-5.3", "passed-already")
    if t.state.options.pacing == "live":
        t.require(t.me in drivers(t.state), "TRI-5.3", "one-go")


def rest(state: State) -> tuple[Player, ...]:
    """TRI-5.3: who hasn't passed, from the one whose go it is."""
    order = order_of(state, "barbarians")
    at = order.index(state.done.went) + 1 if state.done.went in order else 0
    return tuple(player for player in (*order[at:], *order[:at]) if player not in state.done.passed)


def drivers(state: State) -> Sequence[Player]:
    """TRI-5.3: all at once; in live pacing the one whose go it is."""
    return rest(state)[:1] if state.options.pacing == "live" else rest(state)


def can(state: State, player: Player) -> bool:
    """TRI-5.3, TRI-5.4: a tax, or a free step, moves or raises somebody."""
    return may_pay(state, player, 1) or bool(power(state, player, "free-barbarian-step"))


def turn_about(hearing: Hearing) -> None:
    """TRI-5.3: the lists are used turn about; a refused order loses that go and is no pass; an empty list passes."""
    used: set[int] = set()
    live = hearing.state.options.pacing == "live"
    while players := rest(hearing.state):
        player = players[0]
        orders = [order for order in hearing.orders(player) if id(order) not in used]
        if orders:
            used.add(id(orders[0]))
            hearing.carry_out(player, orders[0])
        else:
            hearing.play(Passed(rule="TRI-5.3", player=player))
        hearing.play(GoDone(rule="TRI-5.3", player=player))
        if live:
            break
    for player in hearing.due:
        for order in hearing.orders(player):
            if id(order) not in used:
                hearing.carry_out(player, order)


def close(t: Table[State]) -> None:
    """TRI-5.3: when all have passed the pieces are stood up again."""
    if not rest(t.state):
        t.play(TradeClosed(rule="TRI-5.3"))


VERBS = {
    "drive": Verb(
        drive,
        {"drive": Either((ALL, COUNT, BARBARIANS)), "from": PROVINCE, "via": Many(PROVINCE), "take": TAKEN},
        ("from", "via"),
    ),
    "raise": Verb(raise_, {"raise": PROVINCE}),
    "pass": Verb(pass_, {"pass": Flag()}),
}
