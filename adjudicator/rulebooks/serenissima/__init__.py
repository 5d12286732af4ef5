"""Serenissima (Ehrhard, Ystari 2012, the second edition): its contents page."""

from __future__ import annotations

from functools import partial

from adjudicator.engine.table import Next, Pace, Phase, Player, Rulebook, Shuffled, events_of, points, secret
from adjudicator.engine.table.rulebook import bot_in, everybody, no_changes, nobody
from adjudicator.rulebooks.serenissima import (
    box,
    events,
    fields,
    investment,
    movement,
    rounds,
    scoring,
    setup,
)
from adjudicator.rulebooks.serenissima.board import COLOURS
from adjudicator.rulebooks.serenissima.box import CONDITION, boxes, guess
from adjudicator.rulebooks.serenissima.state import RULES, Options, State


def after(state: State) -> Next | None:
    """SER-0.4, SER-1, SER-7: ports and galleys are chosen; then round after round, until the last scoring."""
    name, turn = state.phase.name, state.phase.turn
    if state.result:
        return None
    if name == "start":
        return Next("ports", 1)
    if name in ("ports", "galleys"):
        return Next("galleys" if setup.galleys_to_choose(state) else "round", 1)
    if name == "round" and state.done and state.to_come():
        return Next("round", turn)
    if name == "round" and any(scoring.can_refit(state, player) for player in state.seats):
        return Next("refit", turn)
    return Next("round", turn + 1)


def may_see(state: State, who: Player | None, where: secret.Where) -> bool:
    """SER-0.2, SER-7.1: only its player sees a purse with option `money: hidden`; nobody sees the Doge's cards."""
    match where:
        case ("players", owner, "ducats"):
            return bool(who == owner or state.phase.over or state.options.money == "open")
        case (Shuffled(what=what), *_):
            return what[0] != "doge"
    return False


in_order = partial(Phase[State], pace=Pace.IN_ORDER)
beginning = partial(in_order, chapter="SER-0")
LASTING = (
    *("not-adjacent", "not-produced", "produced", "in-warehouse", "warehouse-full", "built-already"),
    *("closed", "from-or-to", "galley-or-port", "beyond-the-box", "crew-too-large", "no-start-port"),
)
"""Reasons for a refusal that nothing done earlier by others can change: cubes in warehouses stay there (SER-0.5)."""
PHASES: tuple[Phase[State], ...] = (
    Phase(name="start", chapter="SER-0", pace=Pace.TOGETHER, seats=nobody, closes=setup.open_the_box),
    beginning(name="ports", seats=everybody, verbs=setup.PORTS, done=setup.choose_port_by_lot, once=True),
    beginning(
        name="galleys",
        seats=setup.backwards,
        verbs=setup.GALLEYS,
        course=setup.one_galley_each,
        absent=setup.choose_galley_by_lot,
    ),
    Phase(
        name="round",
        chapter="SER-1",
        pace=Pace.ONE_BY_ONE,
        seats=rounds.callers,
        verbs=rounds.VERBS,
        course=rounds.act_by_number,
        beforehand=no_changes,  # the function of the phase, `by_number`, says where others act
        closes=rounds.close,
        limits=investment.limits,
        sequence=False,
    ),
    in_order(
        name="refit",
        chapter="SER-7",
        seats=everybody,
        verbs=scoring.REFIT,
        can=scoring.can_refit,
        limits=scoring.limits_of_refit,
    ),
)

RULEBOOK: Rulebook[State] = Rulebook(
    key="serenissima",
    title="Serenissima",
    prefix="SER",
    version=str(RULES),
    oldest=2,
    package=__package__ or "",
    tables={count: (COLOURS[:count],) for count in (2, 3, 4)},
    State=State,
    Options=Options,
    start=setup.start,
    phases=PHASES,
    after=after,
    events=(*events_of(events), points.Scored),
    may_see=may_see,
    guess=guess,
    boxes=boxes,
    standing={"blockade": movement.STANDING, "salvage": fields.SALVAGE},
    questions=(movement.Blockade,),
    condition=CONDITION,
    checks=box.CHECKS,
    invariants=box.INVARIANTS,
    points=scoring.points,
    scoring=scoring.held_now,
    winners=scoring.winners,
    last_turn=scoring.last_round,
    pieces=State.galleys_of,
    lasting=LASTING,
    bot=bot_in(__package__, "merchant"),
    reckless=("sail/fight",),
    colours={"blue": 0, "red": 5, "orange": 1, "black": 6},
)
