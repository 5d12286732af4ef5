"""Mare Nostrum, Triumvirat (scenario for three on Laget's Mare Nostrum, Descartes 2003): its contents page."""

from __future__ import annotations

from functools import partial
from typing import Any

from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player, Shuffled, events_of
from adjudicator.engine.table.rulebook import Next, Pace, Phase, Rulebook
from adjudicator.engine.table.secret import Where
from adjudicator.rulebooks.triumvirat import (
    barbarians,
    box,
    building,
    ending,
    fights,
    leading,
    pillage,
    production,
    senate,
    setup,
    titles,
    trade,
    war,
)
from adjudicator.rulebooks.triumvirat.board import SEATS
from adjudicator.rulebooks.triumvirat.conditions import CONDITION
from adjudicator.rulebooks.triumvirat.events import dealt, placed, won
from adjudicator.rulebooks.triumvirat.pieces import Options
from adjudicator.rulebooks.triumvirat.standing import STANDING
from adjudicator.rulebooks.triumvirat.state import State

TURN = ("italy", "trade", "building", "barbarians", "war", "titles")
"""TRI-1 to TRI-8: the phases of a turn."""


def after(state: State) -> Next | None:
    """TRI-1 to TRI-9: turn after turn, until somebody wins or all lose."""
    head = state.phase
    if state.result.by:
        return None
    if head.name == "barbarians" and barbarians.rest(state) and state.done.went:
        return Next("barbarians", head.turn)  # live: the next go
    if head.name in ("start", "titles"):
        return Next("italy", head.turn + (head.name == "titles"))
    return Next(TURN[TURN.index(head.name) + 1], head.turn)


def may_see(state: State, who: Player | None, where: Where) -> bool:
    """TRI-0.6: hands, offers, wishes and bids are their player's; the decks are nobody's."""
    match where:
        case ("players", owner, "cards", _) | ("offers" | "wishes" | "bids", owner, *_):
            return bool(who == owner)
        case (Shuffled(what=("offer", owner)), *_):
            return bool(who == owner)
        case (won.TaxesBid() | dealt.PutOut() | dealt.Wished() | dealt.Picked() as event, *_):
            return bool(who == event.player)
    return False


def has_units(state: State, player: Player) -> bool:
    """TRI-6.1: whoever has units on the board."""
    return bool(state.places_of(player))


def governor(view: State, me: Player, chance: Chance) -> dict[str, Any]:
    """The player who is a program, loaded when one plays."""
    from adjudicator.rulebooks.triumvirat import bot

    sheet: dict[str, Any] = bot.governor(view, me, chance)
    return sheet


PHASES: tuple[Phase[State], ...] = (
    Phase(
        name="start",
        chapter="TRI-0",
        pace=Pace.TOGETHER,
        seats=setup.builders,
        verbs=building.FREE,
        absent=setup.by_default,
        closes=setup.shuffle_decks,
    ),
    Phase(
        name="italy",
        chapter="TRI-2",
        pace=Pace.TOGETHER,
        seats=production.takers,
        verbs=production.WANT,
        opens=production.begin,
        closes=production.share,
    ),
    Phase(
        name="trade",
        chapter="TRI-3",
        pace=Pace.TOGETHER,
        seats=trade.traders,
        verbs=trade.VERBS,
        opens=leading.open_trade,
        closes=trade.trade,
    ),
    Phase(
        name="building",
        chapter="TRI-4",
        pace=Pace.IN_ORDER,
        seats=partial(leading.order_of, phase="building"),
        verbs={**building.VERBS, **senate.VERBS},
        can=senate.can,
        course=ending.until_over,
        opens=leading.name_order,
        closes=senate.put_away,
    ),
    Phase(
        name="barbarians",
        chapter="TRI-5",
        pace=Pace.TOGETHER,
        seats=barbarians.drivers,
        verbs=barbarians.VERBS,
        can=barbarians.can,
        course=barbarians.turn_about,
        opens=barbarians.begin,
        closes=barbarians.close,
    ),
    Phase(
        name="war",
        chapter="TRI-6",
        pace=Pace.IN_ORDER,
        seats=partial(leading.order_of, phase="war"),
        verbs=war.VERBS,
        can=has_units,
        course=ending.until_over,
        opens=leading.name_order,
        done=fights.end_war,
        closes=pillage.close_war,
    ),
    Phase(
        name="titles",
        chapter="TRI-8",
        pace=Pace.TOGETHER,
        seats=titles.bidders,
        verbs=titles.VERBS,
        can=titles.can,
        closes=titles.close,
    ),
)

RULEBOOK: Rulebook[State] = Rulebook(
    key="triumvirat",
    title="Mare Nostrum: Triumvirat",
    prefix="TRI",
    version="1",
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
    events=events_of(dealt, placed, won),
    may_see=may_see,
    standing=STANDING,
    condition=CONDITION,
    checks=box.INVARIANTS,
    invariants=box.INVARIANTS,
    points=ending.points,
    winners=lambda state: state.result.winners or (),
    bot=governor,
)
