"""Oltre Mare (Ornella, Mind the Move 2004): its contents page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.table import Pace, Phase, Rulebook, Verb, events_of
from adjudicator.engine.table.points import Scored
from adjudicator.engine.table.rulebook import bot_in, nobody
from adjudicator.rulebooks.oltremare import box, events, exchange, scoring, setup, turn, voyage
from adjudicator.rulebooks.oltremare.board import HOUSES
from adjudicator.rulebooks.oltremare.box import CONDITION, boxes, guess, limits
from adjudicator.rulebooks.oltremare.hand import may_see
from adjudicator.rulebooks.oltremare.standing import STANDING
from adjudicator.rulebooks.oltremare.state import RULES, Options, State


def of_a_turn(name: str, chapter: str, verbs: Mapping[str, Verb[State]], **parts: Any) -> Phase[State]:
    """A phase in the turn of one player."""
    parts = {"course": turn.carry_out_sheets, "absent": turn.play_on, "closes": turn.close, **parts}
    parts |= {"pace": Pace.ONE_BY_ONE, "seats": turn.mover, "limits": limits}
    return Phase(name=name, chapter=chapter, verbs=verbs, **parts)


LASTING = (
    *("yourself", "own-offer", "cards-or-goods", "nothing-for-nothing", "more-than-there-is", "not-for-two"),
    "more-than-there",
    *("bought-enough", "sailing-already"),
)
"""Reasons for a refusal that no later card or answer can change."""

PHASES: tuple[Phase[State], ...] = (
    Phase(name="start", chapter="OLT-0", pace=Pace.TOGETHER, seats=nobody, closes=setup.open_the_box),
    of_a_turn(
        "commerce",
        "OLT-2",
        turn.COMMERCE,
        own_turn=True,
        empty_passes=True,
        opens=turn.begin,
        done=turn.settle,
    ),
    Phase(
        name="answer",
        chapter="OLT-2",
        pace=Pace.TOGETHER,
        seats=turn.answering,
        verbs=exchange.ANSWER,
        limits=limits,
        closes=turn.close,
        beforehand=turn.after_acceptances,
    ),
    of_a_turn("voyage", "OLT-3", turn.VOYAGE, done=turn.settle),
    of_a_turn("cargo", "OLT-4", voyage.LOADING_VERBS, done=voyage.load_by_default),
)

RULEBOOK: Rulebook[State] = Rulebook(
    key="oltremare",
    prefix="OLT",
    title="Oltre Mare",
    version=str(RULES),
    oldest=2,
    package=__package__ or "",
    tables={count: (HOUSES[:count],) for count in range(2, 6)},
    State=State,
    Options=Options,
    start=setup.start,
    phases=PHASES,
    after=turn.after,
    at_stake=exchange.at_stake,
    lasting=LASTING,
    never=lambda state, name: name in HOUSES and name not in state.seats,
    events=(*events_of(events), Scored),
    may_see=may_see,
    guess=guess,
    boxes=boxes,
    standing=STANDING,
    condition=CONDITION,
    checks=box.CHECKS,
    invariants=box.INVARIANTS,
    points=scoring.points,
    scoring=scoring.venice_now,
    winners=lambda state: state.winners,
    bot=bot_in(__package__, "merchant"),
    reckless=("offer", "accept"),
)
