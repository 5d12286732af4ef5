"""Mare Nostrum, Triumvirat (scenario for three on Laget's Mare Nostrum, Descartes 2003): its contents page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from adjudicator.engine.table import Next, Pace, Phase, Player, Rulebook, Shuffled, Verb, Where, events_of
from adjudicator.engine.table.domain import Chance
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

Seats = Callable[[State], Sequence[Player]]
Verbs = Mapping[str, Verb[State]]


def after(state: State) -> Next | None:
    """TRI-1 to TRI-9: turn after turn, until somebody wins or all lose."""
    head = state.phase
    if state.result.by:
        return None
    if head.name == "barbarians" and barbarians.rest(state) and state.done.went:
        return Next("barbarians", head.turn)  # live: the next go
    if head.name == "titles":
        return Next("italy", head.turn + 1)
    names = [phase.name for phase in PHASES]
    return Next(names[names.index(head.name) + 1], head.turn)


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


def together(name: str, chapter: str, seats: Seats, verbs: Verbs, **rules: Any) -> Phase[State]:
    """A phase for which all sheets are due together."""
    return Phase(name=name, chapter=chapter, pace=Pace.TOGETHER, seats=seats, verbs=verbs, **rules)


def in_order(name: str, chapter: str, verbs: Verbs, **rules: Any) -> Phase[State]:
    """A phase played one after another, in the order that its leader names, until somebody wins."""
    rules |= {"pace": Pace.IN_ORDER, "course": ending.until_over, "opens": leading.name_order}
    seats = partial(leading.order_of, phase=name)
    return Phase(name=name, chapter=chapter, seats=seats, verbs=verbs, **rules)


PHASES: tuple[Phase[State], ...] = (
    together(
        "start",
        "TRI-0",
        setup.builders,
        building.FREE,
        once=True,
        absent=setup.by_default,
        closes=setup.shuffle_decks,
    ),
    together(
        "italy", "TRI-2", production.takers, production.WANT, opens=production.begin, closes=production.share
    ),
    together("trade", "TRI-3", trade.traders, trade.VERBS, opens=leading.open_trade, closes=trade.trade),
    in_order("building", "TRI-4", building.VERBS | senate.VERBS, can=State.has_cards, closes=senate.put_away),
    together("barbarians", "TRI-5", barbarians.drivers, barbarians.VERBS, **barbarians.RULES),
    in_order("war", "TRI-6", war.VERBS, can=has_units, done=fights.end_war, closes=pillage.close_war),
    together("titles", "TRI-8", titles.bidders, titles.VERBS, can=State.has_cards, closes=titles.close),
)
"""TRI-0 to TRI-8: after the start, the phases of a turn."""

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
