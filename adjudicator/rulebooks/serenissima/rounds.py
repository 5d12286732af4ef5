"""SER-1 The round: galleys act in the order of their numbers, no matter who owns them;
each takes an action or an investment.

Orders for a galley that are legal, but odd: a player's own check warns of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from adjudicator.engine.table import Player, Table, Use, Verb, once, reason, rulebook
from adjudicator.engine.table.domain import AllOf, Forms, Many, Offering, Steps, Walk
from adjudicator.engine.table.reason import Path
from adjudicator.rulebooks.serenissima import (
    events,
    fighting,
    investment,
    loading,
    movement,
    scoring,
    selling,
)
from adjudicator.rulebooks.serenissima.board import BORDERS, GalleyId, ZoneId
from adjudicator.rulebooks.serenissima.fields import (
    FIGHTS,
    IF_BLOCKED,
    NUMBER,
    Fields,
    IfBlocked,
    Target,
    Targets,
    fights_now,
    galleys_to_call,
)
from adjudicator.rulebooks.serenissima.selling import Wanted
from adjudicator.rulebooks.serenissima.state import State


def callers(state: State) -> tuple[Player, ...]:
    """SER-1.1: the owners of galleys whose turn is to come, in that order;
    in live pacing the owner of the next run of numbers."""
    return tuple(dict.fromkeys(state.galleys[name].owner for name in state.on_call()))


def act_by_number(run: rulebook.PhaseRun) -> None:
    """SER-1.1: galleys act one after another, also one bought in this round;
    of two orders for one galley the first that is carried out counts."""
    left = {player: [(number_of(each), each) for each in run.orders(player)] for player in run.due}
    afloat = {(galley.owner, name) for name, galley in run.state.galleys.items()}
    while names := run.state.to_come():
        name, owner = names[0], run.state.galleys[names[0]].owner
        if owner not in run.due:
            break
        for order in [order for number, order in left[owner] if number == name]:
            left[owner].remove((name, order))
            if run.carry_out(owner, order, unfit=why_not_of_another(name)):
                break
        else:
            run.unforeseen(owner)
            run.finish(owner)
            run.play(events.Called(rule="SER-1.1", player=owner, galley=name))
    for player, orders in left.items():
        for number, order in orders:
            if (player, number) in afloat and number not in run.state.galleys:
                # SER-1.1: an order for a galley that is gone is skipped, and its player is told.
                run.finish(player)
                run.pass_over(player, order, reason.Reason("SER-1.1", "gone", {"galley": number}))
            else:
                run.carry_out(player, order, unfit=why_not_of_another(number))


def why_not_of_another(name: GalleyId) -> rulebook.Unfit:
    """SER-1.1: why an `else` can't be for another galley: that one has its own turn and its own order."""
    why = reason.Reason("SER-1.1", "another-turn", {"galley": name})
    return lambda order: None if number_of(order) == name else why


def number_of(order: Any) -> GalleyId:
    """The number of the galley that an order is for."""
    return str(order.fields.get(order.verb))


def sail(t: Table[State]) -> bool | None:
    """SER-1.2: a galley's action: loading, moving, then selling or fighting;
    if one part fails, the others still count."""
    name = str(t.pick("sail", galleys_to_call(t.state, t.me), rule="SER-1.1"))
    lines_now = partial(loading.lines_now, t.state, t.me, name)
    lines = t.pick("load", Offering(Steps(loading.LINE), lines_now), rule="SER-2.1", default=None) or ()
    # How far the galley can go depends on what it loads: any route is admitted now, and checked later (SER-3.1).
    crew = loading.largest_crew(t.state, t.me, name) if lines else t.state.galleys[name].sailors
    ways = Walk(t.state.galleys[name].zone, BORDERS, crew, loose=True)
    via = t.pick("via", Forms(ways, (AllOf(ways),)), rule="SER-3.1", default=None) or ()
    routes = (via,) if via and isinstance(via[0], str) else via
    steps = crew if routes else 0
    sales_now = partial(selling.sales_now, t.state, t.me, name, loads=bool(lines), steps=steps)
    wanted = t.pick("sell", Offering(selling.SELL, sales_now), rule="SER-4.1", default=None) or ()
    targets_now = partial(fights_now, t.state, t.me, "" if routes else t.state.galleys[name].zone, crew)
    targets = t.pick("fight", Offering(FIGHTS, targets_now), rule="SER-5.1", default=None) or ()
    if_blocked = t.pick("if_blocked", IF_BLOCKED, rule="SER-4.3", default="end")
    how = IfBlocked(fight=()) if if_blocked == "end" else if_blocked
    warn_of_names(t, name, (t.state.galleys[name].zone, *chain.from_iterable(routes)), wanted, targets, how)
    t.play(events.Called(rule="SER-1.1", player=t.me, galley=name))
    loading.load(t, len(lines))
    if routes and name in t.state.galleys:
        t.part(movement.move)
    if name in t.state.galleys:
        here = t.state.galleys[name].zone
        goods = selling.goods_for_sale(wanted, here, [route[-1] for route in routes] or [here])
        if wanted and not goods:
            t.part(partial(miss_sale, galley=name, zone=here))
        arrive(t, goods, [*enumerate(targets)], how)
    return t.state.rules < 3 or None  # SER-1.2


def miss_sale(t: Table[State], galley: GalleyId, zone: str) -> None:
    """SER-4.1: a galley that ends its route elsewhere than it was to sell sells nothing, and its player is told."""
    t.mention("SER-4.1", "sold-elsewhere", "sell", galley=galley, zone=zone)


def arrive(t: Table[State], goods: selling.Goods, targets: Targets, how: IfBlocked) -> None:
    """SER-4, SER-5: if anything can be sold the turn ends with the sale. The fights come if nothing can be sold, or if
    the blockaders of the sale are beaten (SER-5.5)."""
    name = t.state.turn().galley
    # Ruling: a galley that hasn't moved sells too, where it lies (SER-4.1).
    saleable = any(selling.unsaleable(t.state, name, good) is None for _, good in goods)
    if saleable and (other := movement.blockader(t, "sale")):
        if fighting.beat_blockaders(t, other, how):
            fighting.fights(t, targets, how)
        return
    for path, good in goods:
        t.part(partial(selling.sell, path=path, good=good))
    if not saleable:
        fighting.fights(t, targets, how)


def close(t: Table[State]) -> None:
    """SER-1.1, SER-7: when all galleys have had their turns the round ends with the Doge's card."""
    if t.state.to_come():
        t.play(events.Paused(rule="SER-1.1"))
    else:
        scoring.end_of_round(t)


def use_of_turn(field: str) -> Use:
    """SER-1.1: a galley has one turn in a round."""
    return once(f"turn {{{field}}}", "SER-1.1", "turn-over", decide=True)


VOYAGE: Fields = {"sail": NUMBER, "load": Many(loading.LINE), "via": movement.VIA, "sell": selling.SELL}
BATTLE: Fields = {"fight": FIGHTS, "if_blocked": IF_BLOCKED}
SAIL = Verb(
    sail,
    {**VOYAGE, **BATTLE},
    steps=("load",),
    uses=(
        use_of_turn("sail"),
        Use("sailors {sail}", "via", perhaps=True),
        Use("parts", "load", perhaps=True),
        Use("parts", "sell", perhaps=True),
        Use("parts", "fight", perhaps=True),
        Use("ducats", "load", times=None),
        Use("ducats", "sell", times=None),
        Use("stock", "load", times=None),
        Use("stock", "fight", times=None),
    ),
    changes=("sail",),
    subject=("sail",),
    names={"sail": "piece"},
    prices=lambda state, player: {"load": loading.PRICE},
    idle=True,
)
VERBS = {
    "sail": SAIL,
    "invest": Verb(
        investment.invest,
        investment.INVEST,
        uses=(use_of_turn("invest"), *investment.USES),
        subject=("invest",),
        names={"invest": "piece"},
        prices=investment.prices,
        idle=True,
    ),
}


def warn_of_names(
    t: Table[State],
    name: GalleyId,
    zones: Sequence[ZoneId],
    wanted: Wanted,
    targets: Sequence[Target],
    how: IfBlocked,
) -> None:
    """SER-4.1, SER-5.1: warns of ports that aren't on the way, and of galleys that don't exist."""
    for port in wanted if isinstance(wanted, Mapping) else ():
        if port not in zones:
            t.warn("SER-4.1", "sold-elsewhere", "sell", port, galley=name, zone=zones[-1])
    for index, target in enumerate(targets):
        if target.port and target.port not in zones:
            t.warn("SER-5.1", "port-elsewhere", "fight", index, port=target.port, zone=zones[-1])
    blockers = () if how.fight == "all" else how.fight
    named: list[tuple[int | None, Path]] = [
        *((target.galley, ("fight", index)) for index, target in enumerate(targets)),
        *((number, ("if_blocked", "fight", index)) for index, number in enumerate(blockers)),
    ]
    for number, path in named:
        if number is not None and str(number) not in t.state.galleys:
            t.warn("SER-5.1", "galley-elsewhere", *path, galley=str(number), zone=zones[-1])
