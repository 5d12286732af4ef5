"""Mare Nostrum, Triumvirat (scenario for three on Laget's Mare Nostrum, Descartes 2003): its contents page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player, Shuffled
from adjudicator.engine.table.rulebook import Next, Pace, Phase, Rulebook
from adjudicator.engine.table.secret import Where
from adjudicator.rulebooks.triumvirat import (
    appearing,
    attacking,
    box,
    building,
    driving,
    ending,
    fights,
    leading,
    moving,
    pillage,
    production,
    senate,
    setup,
    titles,
    trade,
)
from adjudicator.rulebooks.triumvirat.board import SEATS
from adjudicator.rulebooks.triumvirat.conditions import CONDITION
from adjudicator.rulebooks.triumvirat.events import EVENTS
from adjudicator.rulebooks.triumvirat.events.cards import Picked, PutOut, Wished
from adjudicator.rulebooks.triumvirat.events.ending import TaxesBid
from adjudicator.rulebooks.triumvirat.standing import STANDING
from adjudicator.rulebooks.triumvirat.state import Options, State, places_of, points

TURN = ("italy", "trade", "building", "barbarians", "war", "titles")
"""TRI-1 to TRI-8: the phases of a turn."""


def after(state: State) -> Next | None:
    """TRI-1 to TRI-9: turn after turn, until somebody wins or all lose."""
    head = state.phase
    if state.result.by:
        return None
    if head.name == "barbarians" and driving.rest(state) and state.done.went:
        return Next("barbarians", head.turn)  # live: the next go
    if head.name in ("start", "titles"):
        return Next("italy", head.turn + (head.name == "titles"))
    return Next(TURN[TURN.index(head.name) + 1], head.turn)


def may_see(state: State, who: Player | None, where: Where) -> bool:
    """TRI-0.6: hands, offers, wishes and bids are their player's; the decks are nobody's."""
    match where:
        case ("players", owner, "cards", _) | ("offers" | "wishes" | "bids", owner, *_):
            return bool(who == owner)
        case (
            TaxesBid(player=owner) | PutOut(player=owner) | Wished(player=owner) | Picked(player=owner),
            *_,
        ):
            return bool(who == owner)
        case (Shuffled(what=("offer", owner)), *_):
            return bool(who == owner)
    return False


def in_building_order(state: State) -> Sequence[Player]:
    """TRI-4.1: the order that the political leader has named."""
    return leading.order_of(state, "building")


def in_war_order(state: State) -> Sequence[Player]:
    """TRI-6.1: the order that the military leader has named."""
    return leading.order_of(state, "war")


def has_units(state: State, player: Player) -> bool:
    """TRI-6.1: whoever has units on the board."""
    return bool(places_of(state, player))


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
        seats=in_building_order,
        verbs={**building.VERBS, **senate.VERBS},
        can=senate.can,
        course=ending.until_over,
        opens=leading.name_order("building"),
        closes=senate.put_away,
    ),
    Phase(
        name="barbarians",
        chapter="TRI-5",
        pace=Pace.TOGETHER,
        seats=driving.drivers,
        verbs=driving.VERBS,
        can=driving.can,
        course=driving.turn_about,
        opens=appearing.begin,
        closes=driving.close,
    ),
    Phase(
        name="war",
        chapter="TRI-6",
        pace=Pace.IN_ORDER,
        seats=in_war_order,
        verbs={**moving.VERBS, **attacking.VERBS},
        can=has_units,
        course=ending.until_over,
        opens=leading.name_order("war"),
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
    events=EVENTS,
    may_see=may_see,
    standing=STANDING,
    condition=CONDITION,
    checks=box.CHECKS,
    invariants=box.INVARIANTS,
    points=points,
    winners=ending.winners,
    bot=governor,
)
