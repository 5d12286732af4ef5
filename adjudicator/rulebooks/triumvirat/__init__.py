"""Mare Nostrum, Triumvirat (scenario for three on Laget's Mare Nostrum, Descartes 2003): its contents page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from adjudicator.engine.table import Deed, Next, Pace, Phase, Player, Rulebook, Shuffled, Table, Verb, Where
from adjudicator.engine.table.event import events_of
from adjudicator.engine.table.rulebook import bot_in, everybody
from adjudicator.rulebooks.triumvirat import (
    barbarians,
    box,
    building,
    ending,
    events,
    production,
    setup,
    standing,
    trade,
    war,
)
from adjudicator.rulebooks.triumvirat.board import SEATS
from adjudicator.rulebooks.triumvirat.box import boxes, guess
from adjudicator.rulebooks.triumvirat.pieces import Options
from adjudicator.rulebooks.triumvirat.state import RULES, State

Seats = Callable[[State], Sequence[Player]]
Verbs = Mapping[str, Verb[State]]


def after(state: State) -> Next | None:
    """TRI-1 to TRI-9: turn after turn, until somebody wins or all lose."""
    head = state.phase
    if state.over():
        return None
    if head.name == "barbarians" and barbarians.still_driving(state) and state.done.went:
        return Next("barbarians", head.turn)  # live pacing: the next player's go
    if head.name == "titles":
        return Next("italy", head.turn + 1)
    names = [phase.name for phase in PHASES]
    return Next(names[names.index(head.name) + 1], head.turn)


def may_see(state: State, who: Player | None, where: Where) -> bool:
    """TRI-0.6: only their player sees hands, offers, wishes and bids; nobody sees the decks."""
    match where:
        case ("deck" | "barbarian_deck", _):
            return False
        case ("players", owner, "cards", _) | ("offers" | "wishes" | "bids", owner, *_):
            return bool(who == owner)
        case (Deed(player=owner) | events.TaxesBid(player=owner) | Shuffled(what=("offer", owner)), *_):
            return bool(who == owner)
    return False


def clear(t: Table[State], rule: str) -> None:
    """Clears what counts for one phase only: wishes, cards laid out, bids, and what has moved and attacked."""
    t.play(events.PhaseDone(rule=rule))


def together(name: str, chapter: str, seats: Seats, verbs: Verbs, **rules: Any) -> Phase[State]:
    """A phase for which all sheets are due together."""
    rules = {"clears": partial(clear, rule=chapter), "pace": Pace.TOGETHER, **rules}
    return Phase(name=name, chapter=chapter, seats=seats, verbs=verbs, **rules)


def in_order(name: str, chapter: str, verbs: Verbs, **rules: Any) -> Phase[State]:
    """A phase that players play one after another, in the order that its leader names,
    until somebody wins (TRI-9.1)."""
    seats = partial(standing.order_of, phase=name)
    rules |= {"pace": Pace.IN_ORDER, "over": State.over, "opens": standing.name_order}
    rules |= {"clears": partial(clear, rule=chapter)}
    return Phase(name=name, chapter=chapter, seats=seats, verbs=verbs, **rules)


LASTING = (
    *("never-italy", "no-city-site", "not-printed", "not-next-door", "no-coast", "italy-stays"),
    *("raised-outside", "not-on-the-way", "all-different", "tax-for-resource", "pass-is-true"),
    "emperor-is-true",
)
"""Reasons for a refusal that nobody can change: they lie in the printed board, or in the order itself."""

PHASES: tuple[Phase[State], ...] = (
    together(
        "start",
        "TRI-0",
        setup.builders,
        building.FREE,
        once=True,
        absent=setup.fixed_start,
        closes=setup.shuffle,
        limits=box.start,
    ),
    together(
        "italy",
        "TRI-2",
        production.takers,
        production.VERBS,
        opens=production.begin,
        stands_in=True,
        closes=production.share,
    ),
    together(
        "trade",
        "TRI-3",
        trade.traders,
        trade.VERBS,
        opens=standing.name_number,
        stands_in=True,
        closes=trade.trade,
        limits=box.hand,
    ),
    in_order(
        "building",
        "TRI-4",
        building.VERBS,
        can=State.has_cards,
        closes=building.put_away,
        limits=box.building,
    ),
    together(
        "barbarians", "TRI-5", barbarians.drivers, barbarians.VERBS, limits=box.taxes, **barbarians.RULES
    ),
    in_order(
        "war",
        "TRI-6",
        war.VERBS,
        can=State.has_units,
        done=ending.end_war,
        closes=ending.close_war,
        limits=box.war,
    ),
    together(
        "titles", "TRI-8", everybody, ending.VERBS, can=State.has_cards, closes=ending.close, limits=box.taxes
    ),
)
"""TRI-0 to TRI-8: the start, then the phases of a turn."""

RULEBOOK: Rulebook[State] = Rulebook(
    key="triumvirat",
    title="Mare Nostrum: Triumvirat",
    prefix="TRI",
    version=str(RULES),
    oldest=2,
    package=__package__ or "",
    tables={3: (SEATS,)},
    State=State,
    Options=Options,
    start=setup.start,
    phases=PHASES,
    after=after,
    stops=(
        ("start", "italy", "building", "war"),
        ("start", "italy", "trade", "building", "war"),
        ("start", "italy", "barbarians"),
    ),
    events=events_of(events),
    may_see=may_see,
    guess=guess,
    boxes=boxes,
    standing=standing.STANDING,
    condition=standing.CONDITION,
    checks=box.INVARIANTS,
    invariants=box.INVARIANTS,
    points=ending.points,
    lasting=LASTING,
    winners=lambda state: state.result.winners or (),
    bot=bot_in(__package__, "governor"),
    reckless=("attack", "emperor", "raise"),
    colours={"caesar": 5, "crassus": 1, "pompey": 0},
)
