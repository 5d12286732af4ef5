"""Méditerranée (Ehrhard and Vitale, Eurogames 1996): its contents page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.engine.table import Next, Pace, Phase, Player, Rulebook, Where, events_of, points
from adjudicator.engine.table.rulebook import bot_in, no_changes, nobody
from adjudicator.rulebooks.mediterranee import (
    auction,
    beforehand,
    box,
    building,
    combat,
    deals,
    events,
    landing,
    market,
    movement,
    sale,
    setup,
)
from adjudicator.rulebooks.mediterranee.box import CONDITION, guess
from adjudicator.rulebooks.mediterranee.events import Bargained, BidMade, DealClosed, DealOffered
from adjudicator.rulebooks.mediterranee.questions import QUESTIONS
from adjudicator.rulebooks.mediterranee.standing import STANDING
from adjudicator.rulebooks.mediterranee.state import RULES, Options, State


def by_order(state: State) -> Sequence[Player]:
    """This turn's order of play (MED-0.9)."""
    return state.order


def after(state: State) -> Next | None:
    """MED-0.9: the six phases in order, turn after turn, until the last sale (MED-7.1)."""
    head = state.phase
    if head.name != NAMES[-1]:
        return Next(NAMES[NAMES.index(head.name) + 1], head.turn)
    return Next("auction", head.turn + 1) if head.turn < state.options.turns else None


def may_see(state: State, who: Player | None, where: Where) -> bool:
    """MED-0.8: treasuries, bids not yet shown and open deals are secret (standing instructions are secret in every
    game)."""
    match where:
        case ("players", owner, "treasury"):
            over = state.phase.over  # the count of points shows the treasuries
            return bool(who == owner or over or state.options.treasury == "open")
        case ("deals", int(index)):
            deal = state.deals[index].value
            return who in (deal.by, deal.with_)
        case ("bargains", int(index)):
            held = state.bargains[index].value
            return who in (held.by, held.with_)
        case (Bargained(bargain=failed), "bargain"):
            return who in (failed.value.by, failed.value.with_)
        case ("deals", int(index), _):
            return who == state.deals[index].value.by
        case (BidMade(player=owner), "bid") | ("bids", owner):
            return bool(who == owner)
        case (DealOffered(deal=held) | DealClosed(deal=held), "deal"):
            return who in (held.value.by, held.value.with_)
        case (DealOffered(deal=held) | DealClosed(deal=held), "deal", _):
            return who == held.value.by
    return False


def in_turn(name: str, number: str, chapter: Any, **parts: Any) -> Phase[State]:
    """MED-0.9: a phase in which the players act one after another, with the verbs of its chapter."""
    parts = {"beforehand": no_changes, **parts}
    verbs, can = chapter.VERBS, chapter.can
    return Phase(name=name, chapter=number, pace=Pace.IN_ORDER, seats=by_order, verbs=verbs, can=can, **parts)


LASTING = ("produces-another", "crew-too-large", "fortified")
"""Reasons for a refusal that nobody can change: a port produces one good for ever (MED-2.1), a galley holds five
(MED-0.6), a fortress stands for good (MED-2.8)."""

PHASES: tuple[Phase[State], ...] = (
    Phase(name="start", chapter="MED-0", pace=Pace.TOGETHER, seats=nobody),
    Phase(
        name="setup",
        chapter="MED-0",
        pace=Pace.TOGETHER,
        seats=by_order,
        verbs=setup.VERBS,
        limits=box.setup,
        once=True,
        apart=True,
        absent=setup.default,
        done=setup.settle,
    ),
    Phase(
        name="auction",
        chapter="MED-1",
        pace=Pace.TOGETHER,
        seats=by_order,
        verbs=auction.VERBS,
        can=auction.can,
        opens=auction.begin,
        closes=auction.close,
    ),
    in_turn("market", "MED-2", market, limits=box.market, beforehand=beforehand.market, closes=deals.close),
    in_turn("movement", "MED-3", movement),
    in_turn("combat", "MED-4", combat, beforehand=beforehand.combat),
    in_turn("landing", "MED-5", landing, limits=box.pieces, beforehand=beforehand.landing),
    in_turn("sale", "MED-6", sale, limits=box.sale, beforehand=beforehand.sale, closes=sale.close),
)
NAMES = [phase.name for phase in PHASES]

TABLES: Mapping[int, tuple[tuple[Player, ...], ...]] = {
    2: (("venice", "genoa"), ("spain", "turkey")),
    3: (("venice", "genoa", "spain"),),
    4: (("venice", "genoa", "spain", "turkey"),),
}

RULEBOOK: Rulebook[State] = Rulebook(
    key="mediterranee",
    title="Méditerranée",
    prefix="MED",
    version=str(RULES),
    oldest=4,
    package=__package__ or "",
    tables=TABLES,
    State=State,
    Options=Options,
    start=setup.start,
    phases=PHASES,
    after=after,
    stops=(("auction", "movement"), ("auction",)),
    pieces=State.galleys_of,
    never=building.never,
    events=events_of(points, events),
    may_see=may_see,
    guess=guess,
    bookkeeping=lambda state: state.options.bookkeeping == "shown",  # MED-0.8
    standing=STANDING,
    questions=QUESTIONS,
    condition=CONDITION,
    checks=box.CHECKS,
    invariants=box.INVARIANTS,
    points=sale.points,
    last_turn=lambda state: state.options.turns,
    lasting=LASTING,
    bot=bot_in(__package__, "trader"),
    reckless=("market.sell", "jettison", "dismiss", "attack", "land"),
)
